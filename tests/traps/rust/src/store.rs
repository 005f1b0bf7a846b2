use super::mail;

pub trait Saver {
    fn save(&self, key: &str);

    fn load(&self) {
        self.save("x");
    }
}

pub struct Disk {
    client: mail::Client,
    next: Option<Box<Disk>>,
}

impl Disk {
    pub fn new(name: &str) -> Disk {
        Disk::build(name)
    }

    fn build(_name: &str) -> Self {
        unimplemented!()
    }
}

impl Saver for Disk {
    fn save(&self, key: &str) {
        self.client.send();
        mail::send();
        self.load();
    }
}

pub struct Memory;

impl Saver for Memory {
    fn save(&self, _key: &str) {}
}

pub fn open() -> Disk {
    Disk::new("x")
}
