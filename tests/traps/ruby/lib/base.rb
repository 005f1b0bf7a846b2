module Shop
  class Base
    def initialize(name)
      @name = name
    end

    def save
      validate
    end

    def validate; end

    def self.create
      new("x")
    end
  end

  class Mail
    def send_now; end

    def validate; end
  end
end
