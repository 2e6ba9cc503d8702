// A headless Bedrock 1.21.40 (protocol 748) client built on the npm package "bedrock-protocol".
// Prints one JSON line per packet of interest and per own action.
//
//   node bedrock-client.mjs HOST PORT NAME [--send auto|move_player|auth_input] [--ticks 60] [--path square|line|jump|still]
//        [--chat TEXT]... [--chat-at N] [--wait-players N] [--linger MS] [--ping] [--backend raknet-native|jsp-raknet]
//        [--version 1.21.42] [--protocol N] [--radius 4] [--timeout 100000] [--no-init] [--keys FILE] [--library-flow] [--tolerant]
//        [--route FILE] [--blocks FILE]
// --route FILE    walk as a JSON list of [x, y of the eyes, z, yaw] says, one for each tick, once the file is there
// --blocks FILE   write the blocks of the chunks that came before it spawned, as bedrock-blocks.mjs says
// --tolerant      report packets that do not decode and go on (else exit 4)
// --library-flow  let the library answer the resource pack packets its own way: it sends status 4 (completed) at once,
//                 without 3 (have all packs), and asks for the chunk radius 0.5 s later. A server must survive that.
// Exit codes: 0 ok, 2 kicked / login refused, 3 timeout, 4 decode error.
import { createRequire } from 'node:module'
import fs from 'node:fs'
const require = createRequire(import.meta.url)
const bedrock = require('bedrock-protocol')
const { Connection } = require('bedrock-protocol/src/connection')
const { Client } = require('bedrock-protocol/src/client')

const [host, port, name] = process.argv.slice(2)
const flag = n => process.argv.includes('--' + n)
const arg = (n, d) => { const i = process.argv.indexOf('--' + n); return i < 0 ? d : process.argv[i + 1] }
const all = n => process.argv.flatMap((a, i) => a === '--' + n ? [process.argv[i + 1]] : [])
const t0 = Date.now()
const out = o => process.stdout.write(JSON.stringify({ t: Date.now() - t0, ...o }, (k, v) => typeof v === 'bigint' ? Number(v) : Buffer.isBuffer(v) ? `<${v.length} bytes>` : v) + '\n')
out({ ev: 'begun', epoch: t0 })
const done = code => { out({ ev: 'exit', code, rss: process.memoryUsage().rss, cpu_ms: Math.round(process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000) }); setTimeout(() => process.exit(code), 150) }
const ticks = Number(arg('ticks', 60)); const chats = all('chat'); const chatAt = Number(arg('chat-at', 5))
const routeFile = arg('route', null); let route
const blocksFile = arg('blocks', null); const { ReceivedBlocks } = blocksFile ? await import('./bedrock-blocks.mjs') : {}
const waitPlayers = Number(arg('wait-players', 0)); const linger = Number(arg('linger', 300))

if (flag('ping')) {
  bedrock.ping({ host, port: Number(port) }).then(r => { out({ ev: 'pong', ...r }); setTimeout(() => process.exit(0), 300) }, e => { out({ ev: 'ping_failed', error: String(e) }); process.exit(3) })
} else join()

function join () {
  if (arg('keys', null)) {
    const orig = Connection.prototype.enableEncryption
    Connection.prototype.enableEncryption = function (m) {
      fs.appendFileSync(arg('keys'), JSON.stringify({ name, sharedSecret: m.sharedSecret.toString('hex'), key: m.secretKeyBytes.toString('hex'), iv12: m.iv.subarray(0, 12).toString('hex') }) + '\n')
      return orig.call(this, m)
    }
  }
  const lib = flag('library-flow')
  const o = {
    host, port: Number(port), username: name, version: arg('version', '1.21.42'), offline: true, skipPing: true, raknetBackend: arg('backend', 'raknet-native'),
    useRaknetWorkers: false, conLog: null, autoInitPlayer: !flag('no-init'), viewDistance: Number(arg('radius', 4)), connectTimeout: 9000, delayedInit: true
  }
  const c = lib ? bedrock.createClient(o) : new Client(o)
  const guard = setTimeout(() => { out({ ev: 'timeout' }); done(3) }, Number(arg('timeout', 100000)))
  let sg, timer, sent = 0, chatted = 0, pos, tick = 0n, authority = 'client', others = new Set(), ended = false, chunks = 0, delta = { x: 0, y: 0, z: 0 }, pendingTp = false
  let yaw = 0, pitch = 0, flagsPrev = {}
  const blocks = blocksFile && new ReceivedBlocks(o.version)
  const count = {}
  const brief = {
    network_settings: d => d, play_status: d => d, resource_packs_info: d => ({ n: d.texture_packs.length }), resource_pack_stack: d => ({ game_version: d.game_version }),
    start_game: d => ({ runtime_id: d.runtime_entity_id, unique_id: d.entity_id, pos: d.player_position, rotation: d.rotation, authority: d.movement_authority, rewind: d.rewind_history_size, gamemode: d.player_gamemode, hashed: d.block_network_ids_are_hashes, items: d.itemstates.length, tick: d.current_tick, version: d.game_version, level: d.level_id }),
    chunk_radius_update: d => d, network_chunk_publisher_update: d => ({ at: d.coordinates, radius: d.radius }),
    move_player: d => d, move_entity: d => d, move_entity_delta: d => d, set_entity_motion: d => d, correct_player_move_prediction: d => d,
    add_player: d => ({ uuid: d.uuid, username: d.username, runtime_id: d.runtime_id, unique_id: d.unique_id, pos: d.position, pitch: d.pitch, yaw: d.yaw, head_yaw: d.head_yaw }),
    remove_entity: d => d, player_list: d => ({ type: d.records.type, names: d.records.records.map(r => r.username ?? r.uuid) }), text: d => ({ type: d.type, from: d.source_name, message: d.message }),
    disconnect: d => d, transfer: d => d, network_stack_latency: d => d, update_attributes: d => ({ runtime_id: d.runtime_entity_id, attributes: d.attributes.map(a => [a.name, a.current]) }),
    update_abilities: d => ({ unique_id: d.entity_unique_id }), set_movement_authority: d => d, respawn: d => d, animate: d => d
  }
  c.on('packet', des => {
    const n = des.data.name
    count[n] = (count[n] ?? 0) + 1
    if (n === 'level_chunk') chunks++
    const left = des.metadata ? des.fullBuffer.length - des.metadata.size : 0
    if (left !== 0) out({ ev: 'leftover', packet: n, left })
    if (brief[n]) out({ ev: 'recv', packet: n, ...brief[n](des.data.params) })
  })
  c.on('error', e => { if (flag('tolerant')) { out({ ev: 'error', error: String(e).slice(0, 200) }); return } if (!ended) { ended = true; out({ ev: 'error', error: String(e) }); done(4) } })
  c.on('kick', d => { if (!ended) { ended = true; clearTimeout(guard); out({ ev: 'kick', reason: d.reason, message: d.message }); done(2) } })
  c.on('close', () => { if (!ended) { ended = true; out({ ev: 'close', sent, count }); done(sent ? 0 : 2) } })
  c.on('play_status', d => { if (d.status.startsWith('failed')) { ended = true; clearTimeout(guard); done(2) } })
  // the way the real client does it
  if (!lib) c.on('resource_packs_info', () => { c.write('client_cache_status', { enabled: false }); c.write('resource_pack_client_response', { response_status: 'have_all_packs', resourcepackids: [] }) })
  if (!lib) c.on('resource_pack_stack', () => { c.write('resource_pack_client_response', { response_status: 'completed', resourcepackids: [] }) })
  if (blocks) { c.on('start_game', d => blocks.started(d)); c.on('level_chunk', d => blocks.take(d)) }
  c.on('start_game', d => {
    sg = d; pos = { ...d.player_position }; authority = d.movement_authority; tick = BigInt(d.current_tick); yaw = d.rotation.z ?? 0
    if (!lib) c.write('request_chunk_radius', { chunk_radius: Number(arg('radius', 4)), max_radius: 8 })
  })
  c.on('move_player', d => { if (sg && BigInt(d.runtime_id) === BigInt(sg.runtime_entity_id)) { pos = { ...d.position }; pendingTp = d.mode === 'teleport' } })
  c.on('correct_player_move_prediction', d => { pos = { ...d.position } })
  c.on('set_movement_authority', d => { authority = d.movement_authority })
  c.on('add_player', d => others.add(d.runtime_id))
  if (!lib) c.on('network_stack_latency', d => { if (d.needs_response) c.write('network_stack_latency', { timestamp: BigInt(d.timestamp) * 1000000n, needs_response: 0 }) })
  c.on('spawn', () => {
    if (blocks) fs.writeFileSync(blocksFile, blocks.text())
    out({ ev: 'spawned', chunks, ms: Date.now() - t0 })
    if (waitPlayers > others.size) { const w = setInterval(() => { if (others.size >= waitPlayers) { clearInterval(w); go() } }, 20) } else go()
  })
  if (!lib) { c.init(); if (arg('protocol', null)) c.options.protocolVersion = Number(arg('protocol')); c.connect() }
  function go () {
    if (routeFile && !fs.existsSync(routeFile)) { setTimeout(go, 50); return }
    if (routeFile) route = JSON.parse(fs.readFileSync(routeFile))
    timer = setInterval(step, 50)
  }
  function step () {
    if (sent >= (route?.length ?? ticks)) {
      clearInterval(timer)
      setTimeout(() => { if (ended) return; ended = true; clearTimeout(guard); out({ ev: 'done', sent, count }); c.disconnect('bye'); done(0) }, linger)
      return
    }
    const path = arg('path', 'square'); const n = sent; let v = { x: 0, y: 0, z: 0 }; let mv = { x: 0, z: 0 }
    if (path === 'line') { yaw = 0; v = { x: 0, y: 0, z: 0.2158 }; mv = { x: 0, z: 1 } }
    if (path === 'square') { yaw = [0, -90, 180, 90][Math.floor(n / 10) % 4]; const r = yaw * Math.PI / 180; v = { x: -Math.sin(r) * 0.2158, y: 0, z: Math.cos(r) * 0.2158 }; mv = { x: 0, z: 1 } }
    if (path === 'jump') { const k = n % 12; v.y = k < 12 ? 0.42 - 0.0784 * k : 0; if (k === 11) v.y = -[...Array(11).keys()].reduce((s, i) => s + (0.42 - 0.0784 * i), 0) }
    pitch = 20 * Math.sin(n / 7); let headYaw = yaw + 3
    if (route) {
      const [x, y, z, to] = route[n]
      v = { x: x - pos.x, y: y - pos.y, z: z - pos.z }; yaw = headYaw = to; pitch = 0; mv = { x: 0, z: Math.hypot(v.x, v.z) > 0.01 ? 1 : 0 }
    }
    pos = { x: pos.x + v.x, y: pos.y + v.y, z: pos.z + v.z }; delta = v; tick++
    const mode = arg('send', 'auto'); const useAuth = mode === 'auth_input' || (mode === 'auto' && authority !== 'client')
    if (useAuth) {
      const input = { up: mv.z > 0, vertical_collision: path !== 'jump', block_breaking_delay_enabled: true, start_jumping: path === 'jump' && n % 12 === 0, jumping: path === 'jump' && n % 12 < 6, handled_teleport: pendingTp, received_server_data: n === 0 }
      pendingTp = false; flagsPrev = input
      const interact = { x: pitch, z: yaw }; const ry = yaw * Math.PI / 180, rp = pitch * Math.PI / 180
      c.queue('player_auth_input', {
        pitch, yaw, position: pos, move_vector: mv, head_yaw: headYaw, input_data: input, input_mode: 'mouse', play_mode: 'normal', interaction_model: 'crosshair',
        interact_rotation: interact, tick, delta, analogue_move_vector: mv, raw_move_vector: mv, camera_orientation: { x: -Math.sin(ry) * Math.cos(rp), y: -Math.sin(rp), z: Math.cos(ry) * Math.cos(rp) }
      })
    } else c.queue('move_player', { runtime_id: Number(sg.runtime_entity_id), position: pos, pitch, yaw, head_yaw: headYaw, mode: 'normal', on_ground: path !== 'jump', ridden_runtime_id: 0, tick })
    if (n % 20 === 10) c.queue('animate', { action_id: 'swing_arm', runtime_entity_id: sg.runtime_entity_id })
    if (n >= chatAt && (n - chatAt) % 5 === 0 && chatted < chats.length) {
      c.queue('text', { type: 'chat', needs_translation: false, source_name: name, message: chats[chatted++], xuid: '', platform_chat_id: '', filtered_message: '' })
    }
    if (n % 20 === 0) out({ ev: 'sent', kind: useAuth ? 'player_auth_input' : 'move_player', n, pos, yaw, tick })
    sent++
  }
}
