local M = {}

local function helper() end

function M.send(text)
  helper()
end

function M.open()
  return M.send("x")
end

return M
