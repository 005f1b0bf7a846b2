pub mod mail;
pub mod shelf;
pub mod store;

use crate::mail::{send as post, Client};
use store::{Disk, Saver};

pub fn run(name: &str) -> u32 {
    let disk = Disk::new(name);
    disk.save("a");
    disk.load();
    post();
    mail::send();
    let client = Client::default_client();
    client.send();
    crate::store::open().save("b");
    fn inner() {
        helper();
    }
    inner();
    let helper = 3;
    helper
}

fn helper() {}

pub fn generic<T: Saver>(saver: &T, send: fn()) {
    saver.save("c");
    send();
}

pub fn dynamic(saver: Box<dyn Saver>) {
    saver.save("d");
}
