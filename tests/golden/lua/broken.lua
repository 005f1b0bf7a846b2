local M = {}

function M.good(a)
  return a
end

function M.broken(a if then
  return M.good(a
end

function M.after(b)
  return M.good(b)
end

local function last()
  M.after(1)
end

return M
