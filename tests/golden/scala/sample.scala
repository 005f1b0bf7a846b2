package com.acme
package ledger

import java.util.UUID
import scala.collection.mutable
import scala.concurrent.{ExecutionContext, Future}
import com.acme.net.{Transport => Wire, Codec, Legacy => _}
import com.acme.util._
import com.acme.ops.*
import com.acme.core.given
import com.acme.core.Clock as Watch

/** Everything that can be stored.
  *
  * Implementations must be thread safe.
  */
sealed trait Row[+A] extends Product with Serializable {
  type Key
  val id: Long
  def size: Int = 1
  def load(key: Key): Option[A]
}

/** One account. */
@entity("accounts")
final case class Account(owner: String, balance: Int = 0, parent: Option[Account] = None)(implicit clock: Watch)
    extends storage.Base[Account](owner)
    with Row[Account]
    with Ordered[Account] {
  override type Key = UUID
  private[ledger] lazy val cache: mutable.Map[String, Event] = mutable.Map.empty
  protected var retries: Int = Account.MaxRetries
  private val client = new Wire("main", 3)

  def this(owner: String) = this(owner, 0)

  override def load(key: UUID): Option[Account] = {
    val found = client.connect().fetch(key)
    val event: Event = new Event("load")
    for {
      row <- rows
      next = row.next
    } yield next.apply()
    retries += 1
    if (found == null) throw new NotFound(s"no $key")
    found match {
      case saved: Account => saved.touch()
      case Event(name) => log(name)
      case _ => None
    }
  }

  def find(key: Long): Account = find(key.toString)
  def find(key: String, strict: Boolean = false): Account = {
    def miss(reason: String) = throw NotFound(reason)
    val handler = (row: Row[Account]) => this.apply(row)
    rows.map(_.touch()).filter(isOpen).foreach { row => row.close() }
    super.find(key)
    Option(System.getenv("ACCOUNT_FILE")).getOrElse(miss("gone"))
  }

  def compare(that: Account): Int = balance - that.balance
  def +(other: Account): Account = copy(balance = balance + other.balance)
  def balance_=(value: Int): Unit = store.write(value)
  private def touch(): this.type = this

  case class Event(name: String) {
    val fired: Boolean = false
  }
}

object Account extends Reader[Account] {
  final val MaxRetries = 3
  val (low, high) = (1, 2)
  implicit val ordering: Ordering[Account] = Ordering.by(_.balance)

  def apply(raw: Array[Byte])(implicit ec: ExecutionContext): Future[Account] = Future {
    Codec.decode[Account](raw)
  }

  val listener = new Listener {
    override def on(account: Account): Unit = account.touch()
  }

  implicit class RichAccount(private val account: Account) extends AnyVal {
    def shout: String = account.owner.toUpperCase
  }
}

enum Status(val code: Int) {
  case Open extends Status(1)
  case Closed, Frozen
  case Custom(label: String) extends Status(9)

  def isFinal: Boolean = this == Closed
}

extension (account: Account)
  def isOpen: Boolean = account.balance >= 0
  def close(reason: String): Unit = account.touch()

given accountShow: Show[Account] with
  def show(account: Account): String = account.owner

given Encoder[Account] = Encoder.derived

type Handler = Account => Unit
val DefaultName = "main"
var current: Account = Account("x")

@main def run(args: String*): Unit =
  Account("x") :: Nil
  register(current, "boot")

private object Internals:
  // Set once.
  @volatile var ready = false

class AccountSpec extends AnyFunSuite with Matchers {
  test("opens") {
    val account = Account("a")
    assert(isOpen(account))
  }
  @Test def closes(): Unit = ()
}

class AccountFeature extends AnyWordSpec {
  "An account" should {
    "be closed" in {
      Account("a").close("done")
    }
  }
}
