package broken

class Good {
  def first(): Int = 1
  def second( = {
  def third(): String = "x"
}

object Later {
  val limit = 3
}
