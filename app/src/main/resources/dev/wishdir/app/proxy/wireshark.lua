-- Passes the packets of a port to the walks; written by hand, as is all above the fields.

-- The text of RakNet's address: the bytes of IPv4 are inverted, those of IPv6 are not.
H.raknet_address = function(w, name)
  w:begin(name)
  local kind = w:u8("type")
  local text
  if kind == 4 or kind == 0 then
    local ip = {}
    for i = 1, 4 do
      ip[i] = 255 - w:u8("ip")
    end
    text = table.concat(ip, ".") .. ":" .. w:u16be("port")
  elseif kind == 6 then
    w:u16le("family")
    local port = w:u16be("port")
    w:i32be("flow")
    local ip = w:bytes("ip", 16)
    w:i32be("scope")
    text = "[" .. tostring(w.tvb(ip.at, 16):ipv6()) .. "]:" .. port
  else
    w:fail(name, "has the unknown address type " .. kind)
  end
  w:finish(text, "text")
end

-- Makes a protocol of Wireshark for the fields of one of ours.
local function protocol(name, title)
  local proto = Proto("wishdir." .. name, title)
  proto.fields = fields[name].list
  return proto
end

-- Dissects the datagrams of the server's ports, which are a preference of the protocol.
local function on_ports(proto, column, ports, dissect)
  proto.dissector = function(tvb, pinfo, tree)
    if tvb:len() == 0 then
      return 0
    end
    pinfo.cols.protocol = column
    dissect(tvb, tree, tree:add(proto, tvb()), pinfo.match_uint == pinfo.dst_port)
    return tvb:len()
  end
  local udp = DissectorTable.get("udp.port")
  local set = ports
  proto.prefs.ports = Pref.string("UDP ports of servers", ports, "Ports and ranges: 27960-27963")
  udp:add(set, proto)
  proto.prefs_changed = function()
    if proto.prefs.ports ~= set then
      udp:remove(set, proto)
      set = proto.prefs.ports
      udp:add(set, proto)
    end
  end
end

local function all_of(tvb, name, tree)
  return Wire.new(tvb, 0, tvb:len(), fields[name].named, tree)
end

local enet = protocol("enet", "ENet (Wishdir)")
local sauerbraten = protocol("sauerbraten", "Sauerbraten (Wishdir)")
local raknet = protocol("raknet", "RakNet (Wishdir)")
local quake2 = protocol("quake2", "Quake II (Wishdir)")
local quake3 = protocol("quake3", "Quake III (Wishdir)")

-- Sauerbraten: the messages of channel 0, which need no others.
local function movement(tvb, payload, tree)
  local w = Wire.new(tvb, payload.at, payload.at + payload.length, fields.sauerbraten.named)
  while w:remaining() > 0 do
    local start = w.at
    local item = tree:add(sauerbraten, tvb(start, w:remaining()))
    w.trees[1] = item
    if not run(walks.sauerbraten_movement, w) then
      return
    end
    item:set_len(w.at - start)
  end
end

on_ports(enet, "ENet", "28785", function(tvb, tree, item)
  local done, datagram = run(walks.enet, all_of(tvb, "enet", item))
  for i = 1, done and datagram.commands.n or 0 do
    local command = datagram.commands[i]
    if command.channel == 0 and command.payload then
      movement(tvb, command.payload, tree)
    end
  end
end)

-- Whether a walk reads all of a packet.
local function fits(walk, tvb)
  local w = all_of(tvb, "raknet")
  return run(walk, w) and w:remaining() == 0
end

on_ports(raknet, "RakNet", "19132", function(tvb, _, item)
  local flags = tvb(0, 1):uint()
  local walk = walks.raknet_frames
  if flags < 0x80 then
    walk = walks.raknet_offline
    if not fits(walk, tvb) and fits(walks.raknet_offline_with_cookie, tvb) then
      walk = walks.raknet_offline_with_cookie
    end
  elseif band(flags, 0x60) ~= 0 then
    walk = walks.raknet_ack
  end
  run(walk, all_of(tvb, "raknet", item))
end)

local function is_out_of_band(tvb)
  return tvb:len() >= 4 and tvb(0, 4):uint() == 0xFFFFFFFF
end

on_ports(quake2, "Quake II", "27910", function(tvb, _, item, to_server)
  local walk = is_out_of_band(tvb) and walks.quake2_out_of_band
      or to_server and walks.quake2_from_client
      or walks.quake2_from_server
  run(walk, all_of(tvb, "quake2", item))
end)

on_ports(quake3, "Quake III", "27960", function(tvb, _, item)
  if is_out_of_band(tvb) then
    run(walks.quake3_out_of_band, all_of(tvb, "quake3", item))
  end
end)
