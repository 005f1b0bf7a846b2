defmodule Shop.Disk do
  alias Shop.Mail
  alias Shop.Mail, as: Post
  import Shop.Text, only: [trim: 1]

  def save(key) do
    validate(key)
    Mail.send_now(key)
    Post.validate(key)
    Shop.Mail.validate(key)
    key |> helper() |> Shop.Text.upper()
    trim(key)
    Enum.map([1], fn x -> x end)
  end

  defp validate(key), do: key

  defp helper(key), do: key
end

defmodule Shop.Text do
  def trim(text), do: text
  def upper(text), do: trim(text)
end
