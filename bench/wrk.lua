-- Builds each request from a template, whose slots are written <realm>, <member>, <other>, <key>.
-- Arguments: the files with the template, the member ids and the realms; a UUID for this run.

local parts = {} -- The literal pieces of the template, with a place for each slot between them.
local slots = {} -- The places in parts, by the name of the slot.
local ids = {}
local realms = {}
local count = 0
local keyTail

local function readAll(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function init(args)
  local template, after = readAll(args[1]), 1
  for before, name, position in template:gmatch("(.-)<(%l+)>()") do
    parts[#parts + 1] = before
    parts[#parts + 1] = ""
    slots[#slots + 1] = { place = #parts, name = name }
    after = position
  end
  parts[#parts + 1] = template:sub(after)
  for id in readAll(args[2]):gmatch("%d+") do
    ids[#ids + 1] = id
  end
  for realm in readAll(args[3]):gmatch("[^\n]+") do
    realms[#realms + 1] = realm
  end
  keyTail = args[4]:sub(9)
  math.randomseed(tonumber(args[4]:sub(1, 8), 16))
end

-- The odd factor visits all 32-bit numbers without repeating one, in an order that looks random:
-- keys in ascending order would be kinder to an index than those of real callers.
local function nextKey()
  count = count + 1
  return string.format("%08x", (count * 2654435761) % 4294967296) .. keyTail
end

function request()
  local first = math.random(#ids)
  local other = math.random(#ids - 1)
  if other >= first then
    other = other + 1
  end
  for i = 1, #slots do
    local name = slots[i].name
    local value
    if name == "member" then
      value = ids[first]
    elseif name == "other" then
      value = ids[other]
    elseif name == "realm" then
      value = realms[math.random(#realms)]
    else
      value = nextKey()
    end
    parts[slots[i].place] = value
  end
  return table.concat(parts)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"failures":'
      .. '{"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect, errors.read, errors.write, errors.timeout, errors.status
  ))
end
