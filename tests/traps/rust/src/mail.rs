pub struct Client {
    inner: Inner,
}

struct Inner;

impl Inner {
    fn send(&self) {}
}

impl Client {
    pub fn default_client() -> Self {
        Self { inner: Inner }
    }

    pub fn send(&self) {
        self.inner.send();
        Self::check();
        send();
    }

    fn check() {}
}

pub fn send() {}
