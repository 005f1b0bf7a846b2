defmodule Shop.Disk do
  @moduledoc """
  Keeps things on a disk.
  """

  @behaviour Shop.Saver
  use GenServer, restart: :transient
  alias Shop.Mail
  alias Shop.{Text, Num.Big}
  alias Shop.Mail.Queue, as: Post
  import Shop.Check, only: [positive: 1, known: 2]
  import Shop.Guards, except: [weak: 1]
  import Bitwise
  require Logger

  @limit 3
  @retries [first: 1, last: 2]
  @enforce_keys [:name]
  defstruct [:name, size: 0]

  @type t :: %__MODULE__{name: String.t(), size: integer()}
  @typep key :: String.t() | atom()
  @opaque handle(inner) :: {:handle, inner}

  @doc """
  Saves under a key.
  """
  @spec save(t(), key()) :: :ok | {:error, term()}
  @impl true
  def save(disk, key \\ "default")

  def save(%__MODULE__{name: name} = disk, key) when is_binary(key) do
    validated = validate(disk)
    Mail.send_now(name)

    key
    |> normalise()
    |> Text.upper()
    |> then(&store(validated, &1))

    if positive(disk.size), do: Post.push(disk)
    Enum.map([1, 2], &double/1)
    Enum.each(@retries, fn {_, count} -> Process.sleep(count) end)
    GenServer.call(__MODULE__, {:save, key})
    %Big{value: @limit}
  end

  def save(nil, _key), do: raise(ArgumentError, "no disk")

  def open!(path) do
    with {:ok, handle} <- File.open(path),
         {:ok, disk} <- decode(handle) do
      disk
    else
      {:error, reason} -> raise Shop.Broken, reason: reason
    end
  end

  @doc false
  def noargs, do: System.get_env("HOME")
  def left + right, do: Num.Big.add(left, right)

  @deprecated "use save/2"
  defdelegate put(disk, key), to: Post
  defguard is_small(size) when size < @limit

  defp validate(disk), do: disk
  defp double(x), do: x * 2

  defp store(disk, key) do
    pid = spawn(fn -> Logger.info("stored #{key}") end)
    send(pid, disk)
    :ets.insert(:disks, {key, disk})
  end

  defmacro traced(name, do: block) do
    quote do
      Logger.debug(unquote(name))
      unquote(block)
    end
  end

  @callback flush(t()) :: :ok

  @impl GenServer
  def handle_call({:save, key}, _from, state) do
    {:reply, :ok, Map.put(state, key, 1)}
  end

  defmodule Cache do
    def get(key), do: Shop.Disk.save(nil, key)
  end
end

defmodule Shop.Broken do
  defexception [:reason]
  def message(%{reason: reason}), do: "broken: #{reason}"
end

defprotocol Shop.Printable do
  @doc "Prints it."
  def print(thing)
end

defimpl Shop.Printable, for: Shop.Disk do
  def print(disk), do: disk.name
end

defmodule Shop.DiskTest do
  use ExUnit.Case

  setup do
    {:ok, disk: %Shop.Disk{name: "a"}}
  end

  describe "save/2" do
    @tag :slow
    test "keeps the key", %{disk: disk} do
      assert Shop.Disk.save(disk, "a") == :ok
    end
  end
end
