#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"
require "acme/net"
require_relative "../storage/row"
autoload :Codec, "acme/codec"

# Everything about accounts.
#
# And bookings.
module Acme
  module Ledger
    MAX_RETRIES = 3
    Pair = Struct.new(:left, :right) do
      def sum
        left + right
      end
    end

    class NotFound < StandardError; end

    # One account.
    #
    # Holds an owner and a balance.
    class Account < Storage::Base
      include Comparable
      include Enumerable, Storage::Cached
      extend Forwardable

      STATUSES = %w[open closed].freeze
      DEFAULT = Account.new("main")

      attr_reader :owner, :balance
      attr_accessor :parent
      def_delegators :@sessions, :size, :each
      belongs_to :bank
      has_many :bookings, class_name: "Booking"
      has_one :profile
      validates :owner, presence: true
      before_save :normalize, :touch
      scope :open, -> { where(open: true) }
      delegate :city, :zip, to: :address
      alias_method :name, :owner
      alias title owner

      @@count = 0
      @registry = {}

      # Makes one from bytes.
      def self.create(raw, strict: false)
        new(Codec.decode(raw), strict)
      end

      class << self
        attr_accessor :clock

        def load(path)
          File.read(path)
        end

        private

        def parse(text) = JSON.parse(text)
      end

      def initialize(owner, transport = Net::Transport.new, *rest, **options, &block)
        super(owner)
        @owner = owner
        @transport = transport
        @sessions ||= []
        @@count += 1
      end

      # Whether money can move.
      def open?
        balance >= 0
      end

      def balance=(value)
        @balance = value
        notify(value)
      end

      def <=>(other)
        balance <=> other.balance
      end

      def [](key)
        @cache[key]
      end

      def find(key, modes: [])
        client = @transport.connect
        entry = client.fetch(key)
        @sessions.each do |session|
          session.close
        end
        rows = entry.rows.map(&:touch).select { |row| known?(row) }
        rows.each(&method(:visit))
        home = ENV["ACCOUNT_HOME"]
        url = ENV.fetch("ACCOUNT_URL", "none")
        raise NotFound, "no #{key}" if entry.nil?
        raise Storage::Error.new("broken") unless self.class.ready?
        send(:touch, entry)
        client&.ping
        handler = ->(row) { row.touch(entry) }
        handler.call(rows)
        entry
      rescue Net::Timeout, StorageError => error
        error.report
        retry
      ensure
        client.close
      end

      def size = @sessions.size

      define_method(:later) { |row| touch(row) }

      protected

      def secret
        owner.reverse
      end

      private

      def touch(entry)
        entry.touch
      end

      def normalize; end

      public

      def shout
        owner.upcase
      end

      private def whisper
        owner.downcase
      end

      def hidden; end
      private :hidden
      private_constant :DEFAULT
    end

    def self.run(args)
      Account.create(args.first).find("a")
    end

    module_function

    def helper(row)
      row.touch
    end
  end
end

class Acme::Ledger::Booking
  def book
    Acme::Ledger::Account.load("x")
  end
end

def main(args)
  account = Acme::Ledger::Account.new("a")
  account.find("b")
  puts account.owner
end

main(ARGV) if __FILE__ == $PROGRAM_NAME

describe Acme::Ledger::Account do
  let(:account) { described_class.new("a") }

  before { account.open? }

  context "when open" do
    it "finds it" do
      expect(account.find("a")).to eq(1)
    end
  end
end

class AccountTest < Minitest::Test
  def test_finds_it
    assert_equal 1, Acme::Ledger.helper(1)
  end

  test "it shouts" do
    Account.new("a").shout
  end
end
