package broken

class Good {
    fun first() = 1

    fun second(): Int {
        val x = = 3
        return x
    }

    fun third(): String = "x"
}

object Later {
    val limit = 3 + * 2
}
