package shop.web

import shop.core.{Base, Store, Client => Remote}

class Client {
  def send(): Unit = {}
}

class Disk(name: String, other: Remote, next: Store) extends Base(name) {
  private val client = new Client()

  override def save(key: String): Unit = {
    super.save(key)
    client.send()
    other.send()
    next.save(key)
    this.validate()
    def helper(): Unit = Disk.post()
    helper()
  }
}

object Disk {
  def post(): Unit = {}

  def work(send: () => Unit): Unit = {
    send()
    val disk = new Disk("a", new Remote(), null)
    disk.save("b")
    Base.create().save("c")
    List(1).map(x => x)
  }
}
