package shop.core

interface Store {
    fun save(key: String)
}

abstract class Base(val name: String) : Store {
    override fun save(key: String) {
        validate()
    }

    protected fun validate() {}

    companion object {
        fun create(): Base = TODO()
    }
}

class Client {
    fun send() {}
}

fun send() {}
