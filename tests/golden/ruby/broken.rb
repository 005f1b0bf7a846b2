class Good
  def first
    1
  end

  def second(
    2
  end

  def third
    "x"
  end
end

module Later
  LIMIT = 3
end
