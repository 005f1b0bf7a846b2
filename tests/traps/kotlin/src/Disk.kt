package shop.web

import shop.core.Base
import shop.core.Client as Remote
import shop.core.Store
import shop.core.send

class Client {
    fun send() {}
}

object Registry {
    fun register() {}
}

class Disk(name: String, private val other: Remote, val next: Store) : Base(name) {
    private val client = Client()

    override fun save(key: String) {
        super.save(key)
        client.send()
        other.send()
        next.save(key)
        this.validate()
        Registry.register()
        fun helper() {
            send()
        }
        helper()
    }
}

fun Disk.shout() {
    save("loud")
}

fun work(send: () -> Unit) {
    send()
    val disk = Disk("a", Remote(), Registry as Store)
    disk.save("b")
    disk.shout()
    Base.create().save("c")
    listOf(1).map { it }
}
