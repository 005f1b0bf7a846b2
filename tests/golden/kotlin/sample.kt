@file:JvmName("Accounts")

package com.acme.ledger

import com.acme.net.Transport
import com.acme.net.Transport as Wire
import com.acme.util.*
import com.acme.util.checks.verify

/**
 * One account.
 *
 * Holds an owner and a balance.
 */
@Entity("accounts")
abstract class Account<T : Row>(
    val owner: String,
    private var balance: Int = 0,
    transport: Transport,
) : storage.Base<T>(owner), Comparable<Account<T>>, Ordered by DefaultOrder() {
    companion object {
        const val MAX_RETRIES = 3
        private val log = LoggerFactory.getLogger("account")

        @JvmStatic
        fun create(raw: ByteArray): Account<*> = Codec.decode(raw)
    }

    protected val cache: MutableMap<String, Event> = mutableMapOf()
    internal lateinit var clock: Clock
    private val client by lazy { Client(transport) }
    val sessions = listOf<Session>()

    /** Whether money can move. */
    var isOpen: Boolean
        @Cached(1)
        get() = balance >= 0
        private set(value) {
            field = value
        }

    constructor(raw: ByteArray) : this(Codec.name(raw), transport = Wire()) {
        register(raw)
    }

    init {
        Registry.register("account", this)
    }

    @Throws(NotFound::class)
    override suspend fun <R : Reply> find(key: String, vararg modes: Mode): R? {
        val event: Event = cache[key] ?: throw NotFound("no $key")
        for (session in sessions) session.close()
        try {
            event.run()
        } catch (error: StorageError) {
            error.report()
        }
        val listener = object : Listener, Closeable {
            override fun on(fired: Event) {
                fired.touch()
            }
        }
        fun miss(reason: String) = helper(reason)
        sessions.map { it.id }.filter(::known).forEach { id -> visit(id) }
        val later = { row: Row -> row.touch() }
        client?.connect()?.fetch(key) { row -> row.close() }
        if (event is Audit) event.write()
        when (event) {
            is Booking if event.isDue() -> event.book()
            else -> miss("else")
        }
        val home = System.getenv("ACCOUNT_HOME")
        return super.find(key) as R
    }

    fun find(key: Int): Account<T> = find(key.toString())

    abstract fun size(): Int

    operator fun plus(other: Account<T>) = other

    private inner class Event(val name: String) {
        fun touch() {}
    }

    enum class Status(val code: Int) : Coded {
        OPEN(1),

        /** No more bookings. */
        CLOSED(2) {
            override fun label() = "closed"
        };

        open fun label() = name
    }
}

interface Ordered : Comparator<Account<*>> {
    val rank: Int
    fun before(other: Account<*>): Boolean
    fun after(other: Account<*>) = !before(other)
}

fun interface Handler {
    fun handle(account: Account<*>)
}

data class Point(val x: Int, val label: Label?)

@JvmInline
value class Id(val raw: String)

sealed interface Shape {
    data object Empty : Shape
    class Round(val radius: Double) : Shape
}

internal object Registry : Store(), Closeable {
    val accounts = mutableListOf<Account<*>>()

    fun register(name: String, account: Account<*>) {
        accounts.add(account)
    }

    override fun close() = accounts.clear()
}

/** Says it twice. */
fun String.twice(): String = this + this

fun <T : Row> List<Account<T>>.total(): Int = sumOf { it.size() }

val Account<*>.label: String
    get() = owner.trim()

typealias Callback = (Account<*>) -> Unit

private const val TOP = 1
val defaults: List<Account<*>> = emptyList()
var current: Account<*>? = null

fun run(handler: Handler, callback: Callback = ::report) {
    handler.handle(Registry.accounts.first())
    Account.create(ByteArray(0)).find(1)
    register(current)
    current shouldBe open
    val id = accounts.insert { it.open() } get Accounts.id
}

class AccountTest {
    @Test
    fun `finds it`() {
        assertEquals(1, Account.create(bytes).size())
    }
}

@Target(AnnotationTarget.CLASS)
annotation class Experimental

@Service
@Transactional
class AccountService {
    private val store: Store = Store()

    // says who
    fun find(id: Long): Account<*>? {
        return store.find(id)
    }
}

@Configuration
open class Settings {
    fun store(): Store { return Store() }
}

class Select(where: Op?) {
    fun where(other: Op): Select {
        where = other
        return this
    }

    @Value($$"${app.verbose:false}")
    private var verbose: Boolean = false
}

fun Outer.Inner.describe(): String = "inner"
