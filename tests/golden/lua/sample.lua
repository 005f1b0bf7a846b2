--- Keeps things on a disk.
-- @module shop.disk
local util = require("shop.util")
local send = require("shop.mail").send
local uv = vim.loop
require "shop.globals"

local MAX <const> = 5
local count, total = 0, 0
VERSION = "1.2"

local M = {}

M.limit = 3
M.defaults = {
  retries = 2,
  on_error = function(err)
    util.report(err)
  end,
}

local Disk = { size = 1 }
Disk.__index = Disk
setmetatable(Disk, { __index = M })

--- Makes a disk.
---@param name string
---@return Disk
function Disk.new(name, options)
  local self = setmetatable({}, Disk)
  self.name = name
  self.options = util.merge(options, M.defaults)
  self.on_close = function()
    self:flush()
  end
  return self
end

--[[
Saves under a key.
]]
function Disk:save(key, value)
  self.name = key
  self:validate(key)
  send(value)
  util.store.put(key, value)
  if count > MAX then
    error("full")
  end
  return self.options.path:match("^%w+")
end

function Disk:validate(key)
  return M.checks.known(key)
end

function Disk.__add(left, right)
  return Disk.new(left.name .. right.name)
end

M.open = function(path)
  local handle = io.open(path, "r")
  local disk = Disk.new(path)
  disk:save("a", handle:read("*a"))
  return disk
end

M.checks = {}
M.checks.known = function(key)
  return key ~= nil
end

function M.checks.deep(key) end

local function hidden(...)
  local inner = function(x)
    return x * 2
  end
  local queue = util.queue()
  queue:push(inner(select(1, ...)))
  for index, item in ipairs(util.items()) do
    item:close(index)
  end
end

local on_exit = function()
  hidden(1)
end

function global_entry()
  os.execute("ls")
  return os.getenv("HOME")
end

vim.api.nvim_create_autocmd("BufEnter", { callback = hidden })
util.map({ 1, 2 }, on_exit)

describe("a disk", function()
  before_each(function()
    M.open("x")
  end)

  it("saves", function()
    assert.equal(1, Disk.new("a"):save("k"))
  end)
end)

return {
  open = M.open,
  Disk = Disk,
  close = function(disk)
    disk:flush()
  end,
}
