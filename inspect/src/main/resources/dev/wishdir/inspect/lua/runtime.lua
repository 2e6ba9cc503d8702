-- A dissector for Wireshark, written by wishdir: do not change it, write it again.
-- Load it with -X lua_script:FILE or from the personal Lua plugins (wireshark: Help, About, Folders).

local bits = bit or bit32 or require("bit")
local band, bor, bxor = bits.band, bits.bor, bits.bxor
local lshift, rshift = bits.lshift, bits.rshift

-- Java's ints: -2^31 to 2^31-1.
local function tobit(x)
  x = x % 4294967296
  if x >= 2147483648 then x = x - 4294967296 end
  return x
end
local band_, bor_, bxor_, lshift_ = band, bor, bxor, lshift
band = function(a, b) return tobit(band_(a, b)) end
bor = function(a, b) return tobit(bor_(a, b)) end
bxor = function(a, b) return tobit(bxor_(a, b)) end
lshift = function(a, b) return tobit(lshift_(a, b % 32)) end
local function arshift(a, b) return math.floor(a / 2 ^ (b % 32)) end
local function quotient(a, b)
  local q = a / b
  return q < 0 and math.ceil(q) or math.floor(q)
end
local function order(a, b) return a < b and -1 or a > b and 1 or 0 end
local function truth(condition) return condition and 1 or 0 end
local function boolean_text(x) return x ~= 0 and "true" or "false" end
local function number_text(x) return type(x) == "number" and string.format("%.0f", x) or tostring(x) end

-- The number with the fewest decimals that read back as the same, as Java writes it from 0.001 to 10^7.
local function double_text(x)
  for decimals = 1, 17 do
    local text = string.format("%." .. decimals .. "f", x)
    if tonumber(text) == x then
      return text
    end
  end
  return string.format("%.17g", x)
end

-- Text of bytes that are ISO 8859-1, as UTF-8.
local function utf8_of(bytes)
  local text = {}
  for i = 0, bytes:len() - 1 do
    local c = bytes:get_index(i)
    text[#text + 1] = c < 128 and string.char(c)
        or string.char(192 + math.floor(c / 64), 128 + c % 64)
  end
  return table.concat(text)
end

-- The fields of each protocol: in a list for Wireshark, and by name and kind.
local fields = {}
local constructors = {
  u8 = ProtoField.uint8, i8 = ProtoField.int8, u16 = ProtoField.uint16, i16 = ProtoField.int16,
  u24 = ProtoField.uint24, u32 = ProtoField.uint32, i32 = ProtoField.int32, i64 = ProtoField.int64,
  f32 = ProtoField.float, bytes = ProtoField.bytes, bits = ProtoField.uint32,
  int = ProtoField.int32, long = ProtoField.int64, double = ProtoField.double,
  text = ProtoField.string,
}
local function field(protocol, name, kind, filter)
  local of = fields[protocol]
  if not of then
    of = { list = {}, named = {} }
    fields[protocol] = of
  end
  local created = constructors[kind]("wishdir." .. protocol .. "." .. filter, name)
  of.list[#of.list + 1] = created
  of.named[name .. ":" .. kind] = created
end

-- Reads a packet; with a tree, adds each field to it.
local Wire = {}
Wire.__index = Wire

-- Reads the bytes from offset "from" to "to", exclusive, of a packet.
function Wire.new(tvb, from, to, named, tree)
  return setmetatable({
    tvb = tvb, first = from, at = from, to = to, named = named,
    trees = { tree }, starts = {}, depth = 0,
  }, Wire)
end

function Wire:fail(name, problem)
  error({ field = name, problem = problem, at = self.at - self.first })
end

function Wire:need(name, count)
  if count < 0 or count > self.to - self.at then
    self:fail(name, "needs " .. number_text(count) .. " bytes, " .. self:remaining() .. " left")
  end
end

function Wire:take(name, count)
  self:need(name, count)
  local range = self.tvb(self.at, count)
  self.at = self.at + count
  return range
end

function Wire:show(name, kind, range, value)
  local tree = self.trees[#self.trees]
  if tree then
    self.whole = kind == "bytes" and tree:add(self.named[name .. ":" .. kind], range)
        or tree:add(self.named[name .. ":" .. kind], range, value)
    self.last, self.name = self.whole, name
    self.range = range
  end
end

local function number(method, kind, size, read)
  Wire[method] = function(self, name)
    local range = self:take(name, size)
    local value = read(range)
    if self.depth == 0 then
      self:show(name, kind, range, value)
    end
    return value
  end
end
number("u8", "u8", 1, function(r) return r:uint() end)
number("i8", "i8", 1, function(r) return r:int() end)
number("u16le", "u16", 2, function(r) return r:le_uint() end)
number("u16be", "u16", 2, function(r) return r:uint() end)
number("i16le", "i16", 2, function(r) return r:le_int() end)
number("i16be", "i16", 2, function(r) return r:int() end)
number("u24le", "u24", 3, function(r) return r:le_uint() end)
number("i32le", "i32", 4, function(r) return r:le_int() end)
number("i32be", "i32", 4, function(r) return r:int() end)
number("u32le", "u32", 4, function(r) return r:le_uint() end)
number("u32be", "u32", 4, function(r) return r:uint() end)
number("i64le", "i64", 8, function(r) return r:le_int64() end)
number("i64be", "i64", 8, function(r) return r:int64() end)
number("f32le", "f32", 4, function(r) return r:le_float() end)
number("f32be", "f32", 4, function(r) return r:float() end)

function Wire:bool(name) return truth(self:u8(name) ~= 0) end
function Wire:remaining() return self.to - self.at end
function Wire:position() return self.at - self.first end

function Wire:bytes(name, count)
  self:need(name, count)
  local bytes = { at = self.at, length = count }
  if count > 0 then
    local range = self:take(name, count)
    if self.depth == 0 then
      self:show(name, "bytes", range)
    end
  end
  return bytes
end

function Wire:rest(name, max)
  return self:bytes(name, self:bounded(name, self:remaining(), max))
end

function Wire:bounded(name, value, max)
  if value < 0 or value > max then
    self:fail(name, "is " .. number_text(value) .. ", must be 0.." .. number_text(max))
  end
  return value
end

function Wire:peek(name)
  self:need(name, 1)
  return self.tvb(self.at, 1):uint()
end

function Wire:push_limit(name, count)
  self:need(name, count)
  local mark = self.to
  self.to = self.at + count
  return mark
end

function Wire:pop_limit(mark)
  self.at = self.to
  self.to = mark
end

function Wire:same(bytes, hex)
  return truth(bytes.length * 2 == #hex
      and (bytes.length == 0 or self.tvb(bytes.at, bytes.length):bytes():tohex(true) == hex))
end

function Wire:latin1(bytes)
  return bytes.length == 0 and "" or utf8_of(self.tvb(bytes.at, bytes.length):bytes())
end

-- A field of several parts, which is shown as one.
function Wire:begin(name)
  if self.depth == 0 then
    self.begun, self.begun_at = name, self.at
  end
  self.depth = self.depth + 1
end

function Wire:finish(value, kind)
  self.depth = self.depth - 1
  if self.depth == 0 then
    self:show(self.begun, kind, self.tvb(self.begun_at, self.at - self.begun_at), value)
  end
end

function Wire:annotate(meaning)
  if self.depth == 0 and self.last then
    self.last:set_text(self.name .. ": " .. meaning)
  end
end

-- Some bits of the field that was shown last.
function Wire:bits(name, shift, width, value)
  if self.depth == 0 and self.whole then
    local part = math.floor((value % 4294967296) / 2 ^ shift) % 2 ^ width
    self.last, self.name = self.whole:add(self.named[name .. ":bits"], self.range, part), name
  end
end

function Wire:push_scope(name)
  local tree = self.trees[#self.trees]
  self.starts[#self.starts + 1] = self.at
  if tree and self:remaining() > 0 then
    tree = tree:add(self.tvb(self.at, self:remaining()), name)
  end
  self.trees[#self.trees + 1] = tree or false
end

function Wire:pop_scope()
  local tree = table.remove(self.trees)
  local start = table.remove(self.starts)
  if tree and self.at > start then
    tree:set_len(self.at - start)
  end
end

-- Runs a walk, and shows why it failed. Returns whether it did not, and what the walk returns.
local function run(walk, w)
  local done, result = pcall(walk, w)
  local tree = w.trees[1]
  if not done and tree then
    local text = "malformed: "
        .. (type(result) == "table" and result.field .. " " .. result.problem or tostring(result))
    if w.at < w.tvb:len() then
      tree:add(w.tvb(w.at, 1), text)
    else
      tree:add(text)
    end
  end
  return done, result
end

-- Walks, and functions written by hand that walks call.
local F = {}
local H = {}

