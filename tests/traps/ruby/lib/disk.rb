require_relative "base"

module Shop
  module Loud
    def shout; end
  end

  class Disk < Base
    include Loud

    def initialize(name)
      super(name)
      @mail = Mail.new
    end

    def save
      super
      @mail.send_now
      validate
      self.shout
      helper
    end

    private

    def helper; end
  end
end

def work
  disk = Shop::Disk.new("a")
  disk.save
  disk.validate
  Shop::Base.create
  helper = 3
  [1].each { |x| x }
end

def unknown(thing)
  thing.validate
end
