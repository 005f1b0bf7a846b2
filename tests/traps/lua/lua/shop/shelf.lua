local Disk = require("shop.disk")

local Shelf = {}

function Shelf:fill(names)
  self.spare = Disk.new("spare")
  self.spare:validate()
  self:sort()
end

function Shelf:sort() end

function Shelf.validate() end

return { Shelf = Shelf, fill = Shelf.fill }
