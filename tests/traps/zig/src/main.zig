const std = @import("std");
const mail = @import("mail.zig");
const Client = mail.Client;

const Disk = struct {
    client: mail.Client,

    pub fn save(self: *Disk) void {
        self.client.send();
        mail.send();
        helper();
        Disk.validate();
    }

    fn validate() void {}
};

fn helper() void {}

pub fn main() void {
    var client = mail.Client.init("x");
    client.send();
    var other = Client.init("y");
    other.send();
    std.debug.print("x", .{});
}
