//! A client that sends mail.
const std = @import("std");
const mail = @import("mail.zig");
const send = @import("mail.zig").send;
const Allocator = std.mem.Allocator;
pub usingnamespace @import("legacy.zig");

/// What can go wrong.
pub const SendError = error{ Closed, TooLong } || Allocator.Error;
pub const ParseError = error{BadByte};

/// Called for every reply.
pub const Handler = *const fn (client: *Client, reply: []const u8) void;

pub const Mode = enum(u8) {
    fast = 1,
    slow,
    _,

    pub fn isFast(mode: Mode) bool {
        return mode == .fast;
    }
};

/// A client.
pub const Client = struct {
    const Self = @This();
    pub const max_retries = 3;
    var opened: u32 = 0;

    name: []const u8,
    next: ?*Client = null,
    state: union(enum) { idle: void, busy: u32 } = .idle,
    on_reply: ?Handler,

    pub const Options = struct {
        port: u16 = 25,
    };

    pub fn init(allocator: Allocator, options: Options) !Client {
        const buffer = try allocator.alloc(u8, options.port);
        return Client{ .name = buffer, .on_reply = null };
    }

    fn retry(self: *Self, count: usize) SendError!void {
        if (self.next) |next| {
            next.reset();
        }
        mail.deliver(self.name, count);
        send(self.name);
        if (count > Self.max_retries) return error.TooLong;
    }

    inline fn reset(self: *Client) void {
        self.retry(0) catch |err| report(err);
    }
};

const Value = union(enum) {
    number: u32,
    text: []const u8,
};

const Flags = packed struct { read: bool, write: bool };
const Handle = opaque {};

/// A list of any type.
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        const Item = T;

        pub fn len(self: @This()) usize {
            return self.items.len;
        }
    };
}

pub extern "c" fn printf(format: [*:0]const u8, ...) c_int;
export fn add(left: u32, right: u32) u32 {
    return left + right;
}

var counter: u32 = 0;
threadlocal var depth: usize = 0;

fn work(allocator: Allocator, values: []const Value) !void {
    var client = try Client.init(allocator, .{});
    defer client.reset();
    const list = List(u8){ .items = &.{} };
    _ = list.len();
    for (values) |value| {
        switch (value) {
            .number => |number| std.debug.print("{}", .{number}),
            .text => |text| client.write(text),
        }
    }
    while (client.read()) |line| line.trim();
    const home = std.posix.getenv("HOME");
    const callback: Handler = onReply;
    std.sort.sort(Value, values, {}, lessThan);
}

comptime {
    _ = work;
}

test "adds" {
    try std.testing.expectEqual(@as(u32, 3), add(1, 2));
}

test Client {
    var client = try Client.init(std.testing.allocator, .{});
    client.reset();
}
