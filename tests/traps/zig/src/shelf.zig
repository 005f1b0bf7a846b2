const mail = @import("mail.zig");

pub const Shelf = struct {
    const Self = @This();
    first: ?*mail.Client,

    fn sort(self: *Self) void {
        if (self.first) |client| client.send();
        for (clients()) |*other| other.send();
        self.check();
    }

    fn check(self: *const Self) void {
        _ = self;
    }
};

fn clients() []mail.Client {
    return &.{};
}

test "sorts" {
    var shelf = Shelf{ .first = null };
    shelf.sort();
}
