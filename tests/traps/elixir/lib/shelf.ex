defmodule Shop.Shelf do
  alias Shop.{Disk, Text}
  import Shop.Text, except: [upper: 1]

  def fill(keys) do
    Enum.each(keys, &Disk.save/1)
    keys |> hd() |> trim()
    Text.upper("x")
    __MODULE__.sort(keys)
  end

  def sort(keys) when is_list(keys), do: keys
end
