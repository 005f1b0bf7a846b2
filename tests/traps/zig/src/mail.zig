pub const Client = struct {
    name: []const u8,

    pub fn init(name: []const u8) Client {
        return Client{ .name = name };
    }

    pub fn send(self: *Client) void {
        self.check();
        helper();
    }

    fn check(self: *Client) void {
        _ = self;
    }
};

fn helper() void {}

pub fn send() void {}
