// A headless Bedrock 1.21.40 (protocol 748) client built on the npm package "bedrock-protocol", which fights as it is told.
// Prints one JSON line per packet of interest; reads commands on its standard input, one a line:
//   fight NAME    walk up to the player whose name ends so, and strike it whenever its weapon may hurt again
//   rest          stand still
//   respawn       press the button of the death screen
//
//   node bedrock-fighter.mjs HOST PORT NAME [--timeout MS]
// Exit codes: 0 ok, 2 kicked / login refused, 3 timeout, 4 decode error.
import { createRequire } from 'node:module'
import readline from 'node:readline'
const require = createRequire(import.meta.url)
const { Client } = require('bedrock-protocol/src/client')

const [host, port, name] = process.argv.slice(2)
const arg = (n, d) => { const i = process.argv.indexOf('--' + n); return i < 0 ? d : process.argv[i + 1] }
const t0 = Date.now()
const out = o => process.stdout.write(JSON.stringify({ t: Date.now() - t0, ...o }, (k, v) => typeof v === 'bigint' ? Number(v) : v) + '\n')
const done = code => { out({ ev: 'exit', code }); setTimeout(() => process.exit(code), 150) }

const WALK = 0.2158          // blocks a tick
const NEAR = 1.7             // blocks from the victim: there it stops
const REACH = 2.6            // blocks: from there on it strikes
const BLOW = 11              // ticks: the victim can't be hurt again for ten
const EYES = 1.62; const CHEST = 1.0

const c = new Client({
  host, port: Number(port), username: name, version: '1.21.42', offline: true, skipPing: true, raknetBackend: 'raknet-native',
  useRaknetWorkers: false, conLog: null, autoInitPlayer: true, viewDistance: 4, connectTimeout: 9000, delayedInit: true
})
const guard = setTimeout(() => { out({ ev: 'timeout' }); done(3) }, Number(arg('timeout', 60000)))
const others = new Map()     // by runtime id
let self, pos, yaw = 0, pitch = 0, tick = 0n, sent = 0, lastBlow = -BLOW, hand, foe = '', teleported = false, health = 20, ended = false

const brief = {
  text: d => ({ type: d.type, message: d.message, parameters: d.parameters }), respawn: d => d, death_info: d => d, set_title: d => ({ type: d.type, text: d.text }),
  entity_event: d => ({ runtime_id: d.runtime_entity_id, event: d.event_id }), set_entity_motion: d => d, set_score: d => d, disconnect: d => d,
  add_player: d => ({ username: d.username, runtime_id: d.runtime_id, unique_id: d.unique_id }), remove_entity: d => d, mob_equipment: d => ({ runtime_id: d.runtime_entity_id, item: d.item.network_id }),
  start_game: d => ({ runtime_id: d.runtime_entity_id, unique_id: d.entity_id, pos: d.player_position }),
  update_attributes: d => ({ runtime_id: d.runtime_entity_id, attributes: d.attributes.map(a => [a.name, a.current]) })
}
c.on('packet', des => {
  const n = des.data.name
  const left = des.metadata ? des.fullBuffer.length - des.metadata.size : 0
  if (left !== 0) out({ ev: 'leftover', packet: n, left })
  if (brief[n]) out({ ev: 'recv', packet: n, ...brief[n](des.data.params) })
})
c.on('error', e => { if (!ended) { ended = true; out({ ev: 'error', error: String(e) }); done(4) } })
c.on('kick', d => { if (!ended) { ended = true; clearTimeout(guard); out({ ev: 'kick', reason: d.reason, message: d.message }); done(2) } })
c.on('close', () => { if (!ended) { ended = true; clearTimeout(guard); out({ ev: 'close' }); done(0) } })

// the way the real client does it
c.on('resource_packs_info', () => { c.write('client_cache_status', { enabled: false }); c.write('resource_pack_client_response', { response_status: 'have_all_packs', resourcepackids: [] }) })
c.on('resource_pack_stack', () => { c.write('resource_pack_client_response', { response_status: 'completed', resourcepackids: [] }) })
c.on('network_stack_latency', d => { if (d.needs_response) c.write('network_stack_latency', { timestamp: BigInt(d.timestamp) * 1000000n, needs_response: 0 }) })
c.on('start_game', d => {
  self = BigInt(d.runtime_entity_id); pos = { ...d.player_position }; tick = BigInt(d.current_tick); yaw = d.rotation.z ?? 0
  c.write('request_chunk_radius', { chunk_radius: 4, max_radius: 8 })
})
c.on('add_player', d => others.set(BigInt(d.runtime_id), { name: d.username, unique: BigInt(d.unique_id), eyes: { ...d.position, y: d.position.y + EYES } }))
c.on('remove_entity', d => { for (const [id, other] of others) if (other.unique === BigInt(d.entity_id_self)) others.delete(id) })
c.on('move_player', d => {
  if (BigInt(d.runtime_id) === self) { pos = { ...d.position }; teleported = d.mode === 'teleport' } else if (others.has(BigInt(d.runtime_id))) others.get(BigInt(d.runtime_id)).eyes = { ...d.position }
})
c.on('correct_player_move_prediction', d => { pos = { ...d.position } })
c.on('inventory_content', d => { if (d.window_id === 'inventory') hand = d.input[0] })
c.on('inventory_slot', d => { if (d.window_id === 'inventory' && d.slot === 0) hand = d.item })
c.on('update_attributes', d => {
  if (BigInt(d.runtime_entity_id) === self) for (const a of d.attributes) if (a.name === 'minecraft:health') health = a.current
})
c.on('respawn', d => {
  if (d.state === 1) c.queue('player_action', { runtime_entity_id: self, action: 'respawn', position: { x: 0, y: 0, z: 0 }, result_position: { x: 0, y: 0, z: 0 }, face: -1 })
})
c.on('spawn', () => { out({ ev: 'spawned' }); setInterval(step, 50) })
readline.createInterface({ input: process.stdin }).on('line', line => {
  const [command, ...rest] = line.split(' ')
  if (command === 'fight') foe = rest.join(' ')
  if (command === 'rest') foe = ''
  if (command === 'respawn') c.queue('respawn', { position: pos, state: 2, runtime_entity_id: self })
})
c.init(); c.connect()

function step () {
  let v = { x: 0, y: 0, z: 0 }
  const [victim, body] = foe && health > 0 ? [...others].find(([, other]) => other.name.endsWith(foe)) ?? [] : []
  if (body) {
    const x = body.eyes.x - pos.x, z = body.eyes.z - pos.z, y = body.eyes.y - EYES + CHEST - pos.y
    const far = Math.hypot(x, z)
    if (far > 0) { yaw = Math.atan2(-x, z) * 180 / Math.PI; pitch = Math.atan2(-y, far) * 180 / Math.PI }
    if (far > NEAR) { const part = Math.min(WALK, far - NEAR) / far; v = { x: x * part, y: 0, z: z * part } }
    if (far < REACH && sent - lastBlow >= BLOW) {
      lastBlow = sent
      c.queue('animate', { action_id: 'swing_arm', runtime_entity_id: self })
      c.queue('inventory_transaction', {
        transaction: {
          legacy: { legacy_request_id: 0 }, transaction_type: 'item_use_on_entity', actions: [],
          transaction_data: { entity_runtime_id: victim, action_type: 'attack', hotbar_slot: 0, held_item: hand, player_pos: pos, click_pos: { x: 0, y: CHEST, z: 0 } }
        }
      })
    }
  }
  pos = { x: pos.x + v.x, y: pos.y, z: pos.z + v.z }; tick++
  const mv = { x: 0, z: v.x || v.z ? 1 : 0 }; const ry = yaw * Math.PI / 180, rp = pitch * Math.PI / 180
  const input = { up: mv.z > 0, vertical_collision: true, block_breaking_delay_enabled: true, handled_teleport: teleported, received_server_data: sent === 0 }
  teleported = false
  c.queue('player_auth_input', {
    pitch, yaw, position: pos, move_vector: mv, head_yaw: yaw, input_data: input, input_mode: 'mouse', play_mode: 'normal', interaction_model: 'crosshair',
    interact_rotation: { x: pitch, z: yaw }, tick, delta: v, analogue_move_vector: mv, raw_move_vector: mv, camera_orientation: { x: -Math.sin(ry) * Math.cos(rp), y: -Math.sin(rp), z: Math.cos(ry) * Math.cos(rp) }
  })
  sent++
}
