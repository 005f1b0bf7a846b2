local mail = require("shop.mail")

local Disk = {}
Disk.__index = Disk

local function helper() end

function Disk.new(name)
  local self = setmetatable({}, Disk)
  return self
end

function Disk:save(key)
  self:validate()
  mail.send(key)
  helper()
end

function Disk:validate()
  print("x")
end

local function work(send)
  send()
  local disk = Disk.new("a")
  mail.open()
  local function inner()
    helper()
  end
  inner()
end

return Disk
