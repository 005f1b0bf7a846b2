use std::fmt;

pub struct Server {
    handler: Handler,
}

impl Server {
    pub fn new(handler: Handler) -> Self {
        Self { handler }
    }

    pub fn broken(&self, request: Request {
        if request.is_empty( {
            return self.new(;
        }
    }

    pub fn last(&self) -> u8 {
        self.handler.answer()
    }
}

fn after(server: &Server) {
    server.last();
}
