const Good = struct {
    count: u32,

    pub fn go(self: Good) u32 {
        return self.count;
    }
};

pub fn broken(x: u32 {
    if (x > 1) {
        return Good{ .count = x ;
    }
}

pub fn last() void {
    go();
}

test "still here" {
    last();
}
