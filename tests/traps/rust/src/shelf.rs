use crate::mail::Client;
use crate::store::{Disk, Saver};

pub struct Shelf<S> {
    disk: S,
    client: Client,
}

impl<S> Shelf<S>
where
    S: Saver,
{
    pub fn fill(&self) {
        self.disk.save("a");
        println!("{:?} {}", self.client.send(), self.size());
    }

    fn size(&self) -> usize {
        0
    }
}

pub fn walk<D>(disk: D)
where
    D: Saver + Clone,
{
    disk.save("b");
    assert!(Disk::new("x").load() == ());
}
