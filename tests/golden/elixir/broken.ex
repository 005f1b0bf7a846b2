defmodule Good do
  def first(x), do: x

  def broken(x do
    if x > (1 do
      first(x)
    end
  end

  def last(y) do
    first(y)
  end
end

defmodule Later do
  def again(z), do: Good.last(z)
end
