package shop.core

trait Store {
  def save(key: String): Unit
}

abstract class Base(name: String) extends Store {
  def save(key: String): Unit = {
    validate()
  }

  protected def validate(): Unit = {}
}

object Base {
  def create(): Base = ???
}

class Client {
  def send(): Unit = {}
}
