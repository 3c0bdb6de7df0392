-- The Lua adapter: cjson and dkjson. Frames are those of ../PROTOCOL.md; Lua 5.4.
local frames, said = io.stdout, io.stderr
print = function(...) said:write(table.concat({...}, " "), "\n") end -- what anything prints is no frame
io.output(said)

local short = {['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t"}

local function quote(text)
  if not text:find("[^ !#-%[%]-~]") then return '"' .. text .. '"' end
  if not utf8.len(text) then
    return 'b"' .. text:gsub(".", function(c) return ("%02x"):format(c:byte()) end) .. '"'
  end
  local out = {}
  for _, code in utf8.codes(text) do
    local char = utf8.char(code)
    if short[char] then out[#out + 1] = short[char]
    elseif code >= 0x20 and code < 0x7f then out[#out + 1] = char
    elseif code < 0x10000 then out[#out + 1] = ("\\u%04x"):format(code)
    else out[#out + 1] = ("\\u%04x\\u%04x"):format(0xd7c0 + (code >> 10), 0xdc00 | code & 0x3ff) end
  end
  return '"' .. table.concat(out) .. '"'
end

local function number(value)
  if math.type(value) == "integer" then return tostring(value) end
  if value ~= value then return "NaN" end
  if value == math.huge or value == -math.huge then return value > 0 and "Infinity" or "-Infinity" end
  local text = ("%.17g"):format(value)
  return text:find("[.e]") and text or text .. ".0"
end

-- Whether a table is an array: what the library says of it, else what it holds.
local function is_array(value, shim)
  local known = shim.array(value)
  if known ~= nil then return known end
  return math.type(next(value)) == "integer"
end

local function leaf(value, shim)
  local kind = type(value)
  if value == shim.null then return "null" end
  if kind == "string" then return quote(value) end
  if kind == "number" then return number(value) end
  if kind == "boolean" or kind == "nil" then return kind == "nil" and "null" or tostring(value) end
  return 'X"' .. kind .. '"'
end

-- Iterative: a value may be deeper than the C stack.
local function notation(root, shim)
  local out, stack = {}, {}
  local function open(value)
    if type(value) ~= "table" or value == shim.null then out[#out + 1] = leaf(value, shim) return end
    local top = {value = value, at = 0}
    if is_array(value, shim) then
      top.size, top.close = #value, "]"
    else
      top.names = {}
      for name in pairs(value) do top.names[#top.names + 1] = name end
      table.sort(top.names, function(a, b) return tostring(a) < tostring(b) end) -- a table keeps no order
      top.size, top.close = #top.names, "}"
    end
    out[#out + 1] = top.names and "{" or "["
    stack[#stack + 1] = top
  end
  open(root)
  while #stack > 0 do
    local top = stack[#stack]
    if top.at == top.size then
      out[#out + 1] = top.close
      stack[#stack] = nil
    else
      top.at = top.at + 1
      if top.at > 1 then out[#out + 1] = "," end
      local name = top.names and top.names[top.at]
      if name ~= nil then
        out[#out + 1] = type(name) == "string" and quote(name) or 'X"' .. type(name) .. ":" .. tostring(name) .. '"'
        out[#out + 1] = ":"
      end
      open(top.value[name == nil and top.at or name])
    end
  end
  return table.concat(out)
end

local function library(name)
  local path = package.searchpath(name, package.cpath) or package.searchpath(name, package.path)
  return require(name), path
end

-- Each shim: `read` gives true and a value, or false, an error's name and its message.
local shims = {}

function shims.cjson()
  local cjson, path = library("cjson")
  return {
    version = "cjson " .. cjson._VERSION, path = path, null = cjson.null,
    array = function() return nil end,
    read = function(text)
      local good, value = pcall(cjson.decode, text)
      if good then return true, value end
      local message = tostring(value)
      local no = message:find("^Expected ") or message:find("^Found too many nested")
      if message:find("^JSON parser does not support UTF") then return false, "CjsonEncodingError", message end
      return false, no and "CjsonError" or "error", message
    end,
    write = cjson.encode,
  }
end

function shims.dkjson()
  local dkjson, path = library("dkjson")
  return {
    version = dkjson.version, path = path, null = dkjson.null,
    array = function(value)
      local known = getmetatable(value)
      return known and known.__jsontype == "array"
    end,
    read = function(text)
      local good, value, _, message = pcall(dkjson.decode, text, 1, dkjson.null)
      if good and message == nil then return true, value end
      return false, good and "DkjsonError" or "error", tostring(good and message or value)
    end,
    write = dkjson.encode,
  }
end

local stages, shim = {}, nil

local function one_line(text)
  return (text:sub(1, 200):gsub("[^ -~]", "?"))
end

local function hello(body)
  local name
  for key, value in body:gmatch("(%S+) ([^\n]*)") do
    if key == "protocol" and value ~= "1" then return "fault", "ProtocolMismatch this kit speaks protocol 1" end
    if key == "rejects" then stages[value] = "parse" end
    if key == "rejects-decode" then stages[value] = "decode" end
    if key == "shim" then name = value end
  end
  if not shims[name] then return "fault", "UnknownShim this adapter has no such shim" end
  local good, made = pcall(shims[name])
  if not good then return "fault", "ModuleNotFound " .. one_line(tostring(made)) end
  shim = made
  return "ready", table.concat({"protocol 1", "runtime " .. _VERSION, "library " .. shim.version, "file " .. shim.path,
    "capability parse", "capability emit", ""}, "\n")
end

local function ask(verb, body)
  if verb == "hello" then return hello(body) end
  if not shim or verb ~= "parse" and verb ~= "emit" then return "unsupported", "no " .. verb end
  local good, value, message = shim.read(body)
  if not good then
    local stage = stages[value]
    local text = value .. " " .. one_line(message)
    return stage and "reject" or "fault", stage and stage .. " " .. text or text
  end
  if verb == "parse" then return "accept", notation(value, shim) end
  return "accept", shim.write(value)
end

local function answer(verb, sequence, body)
  local good, says, text = pcall(ask, verb, body)
  if not good then says, text = "fault", "error " .. one_line(tostring(says)) end
  return ("%s %s %d\n"):format(says, sequence, #text) .. text .. "\n"
end

local function batch(body)
  local at, answers = 1, {}
  while at <= #body do
    local verb, sequence, length, start = body:match("^(%S+) (%d+) (%d+)\n()", at)
    answers[#answers + 1] = answer(verb, sequence, body:sub(start, start + tonumber(length) - 1))
    at = start + tonumber(length) + 1
  end
  return table.concat(answers)
end

while true do
  local head = io.read("L")
  if not head then break end
  local verb, sequence, length = head:match("^(%S+) (%d+) (%d+)\n$")
  local body = io.read(tonumber(length) + 1)
  if verb == "bye" or not body or #body <= tonumber(length) then break end
  body = body:sub(1, -2)
  frames:write(verb == "batch" and batch(body) or answer(verb, sequence, body))
  frames:flush()
end
os.exit(0)
