//! Crate docs.
use std::collections::HashMap;
use crate::net::{self, Client as C, proto::*};
use shop::{self};
pub use super::errors::Error;
extern crate serde;
extern crate alloc as heap;
mod inner;

/// A server.
#[derive(Debug, Clone)]
pub struct Server<T: Handler>
where
    T: Send,
{
    /// What answers.
    pub(crate) handler: Arc<T>,
    conns: HashMap<u64, Conn>,
    pub opt: Option<Box<dyn Sink>>,
}

pub struct Wrapper(pub Inner, u8);
struct Unit;

#[derive(PartialEq)]
/// How fast.
pub enum Mode {
    Fast,
    Slow(u32),
    Named { a: Foo },
}

pub trait Handler: Send + Base<u8> + fmt::Debug + 'static {
    type Out: Clone;
    const N: usize;
    /// Answers.
    fn handle(&self, r: &Request) -> Result<Response, Error>;
    fn d(&self) -> u8 {
        1
    }
}

impl<T: Handler> Server<T> {
    pub const MAX: usize = 4;

    /// Makes one.
    pub fn new(h: T) -> Self {
        let c = Conn::open();
        Self { handler: Arc::new(h), conns: HashMap::new(), opt: None }
    }

    pub async fn run(&mut self, addr: SocketAddr) -> io::Result<()> {
        let x: Foo = make();
        let s = Server::new(x);
        s.handler.handle(&r)?;
        self.helper(|c| c.close());
        println!("a {} {}", s.name(addr, (1, 2)), Foo::label(&x));
        for c in self.conns.values() {
            c.ping().await;
        }
        match mode {
            Mode::Fast => go(),
            Mode::Slow(n) => {
                n.x();
            }
            _ => {}
        }
        let v = vec![1].iter().map(Foo::conv).collect::<Vec<_>>();
        std::env::var("HOME");
        Err(Error::new("x"))
    }

    fn helper<F>(&self, then: F)
    where
        F: Fn(Conn) -> u8,
    {
        register(top);
        tokio::spawn(async move { work(then).await });
    }
}

impl<T> Handler for Server<T>
where
    T: Other,
{
    type Out = u8;
    fn handle(&self, r: &Request) -> Result<Response, Error> {
        todo!()
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x")
    }
}

impl From<Unit> for net::Packet {
    fn from(unit: Unit) -> Self {
        unit.into()
    }
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

pub static GLOBAL: Lazy<Foo> = Lazy::new(|| Foo::default());
pub type Alias<T> = Result<T, Error>;

pub mod sub {
    pub(super) fn nested() {
        super::top();
        fn deep() {}
        deep();
    }
    pub struct Held;
}

union U {
    a: u32,
}

extern "C" {
    fn outside(x: i32) -> i32;
}

/// Handles one.
#[get("/orders/{id}")]
pub async fn order(id: u64) -> String {
    unsafe { outside(1) };
    String::new()
}

fn top() {}

pin_project! {
    /// Waits for an answer.
    pub struct Waiting<F> {
        #[pin]
        inner: F,
    }
}

define_rejection! {
    #[status = BAD_REQUEST]
    /// It was empty.
    pub struct Missing;
}

pub fn serve<H: Handler, S>(handler: &H, store: S) -> usize
where
    S: Store + Clone,
{
    handler.handle(&store.load());
    debug!("{} {}", handler.name(), store.client.first().len());
    let found = store.find::<Mode>(1).unwrap_or_default();
    matches!(found, Mode::Fast) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works() {
        assert_eq!(square!(2), 4);
        assert!(check(top, 3));
        let s = Server::new(1);
        s.run();
    }

    #[tokio::test]
    async fn a() {}
}
