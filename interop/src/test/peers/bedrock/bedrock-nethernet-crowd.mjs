// Several clients of one process on a server of Minecraft: Bedrock over NetherNet, all at once: each joins, walks, says its name and
// leaves.  node bedrock-nethernet-crowd.mjs HOST PORT N --rtc wrtc|ndc [--game 1.26.51] [--ticks 40] [--wait-players N]
import { packets, game } from './bedrock-any.mjs'
import { NetherClient } from './bedrock-nethernet.mjs'

const [host, port, n] = process.argv.slice(2); const arg = (k, d) => { const i = process.argv.indexOf('--' + k); return i < 0 ? d : process.argv[i + 1] }
const version = game(arg('game', '2193')); const make = packets(version.protocol, version.game); const ticks = Number(arg('ticks', 40))
const out = o => process.stdout.write(JSON.stringify(o, (k, v) => typeof v === 'bigint' ? Number(v) : v) + '\n')
const live = name => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('too late')), 100000)
  const c = new NetherClient({ host, port: Number(port), username: name, version: version.game, offline: true, conLog: null, delayedInit: true, rtc: arg('rtc', 'wrtc'), bad: '' })
  let pos; let id; let tick = 0n; let leaving = false; const seen = new Set(); const heard = new Set()
  c.on('error', reject); c.on('kick', d => reject(new Error(d.message))); c.on('close', reason => { if (!leaving) reject(new Error(reason)) })
  c.on('packet', des => { const left = des.metadata ? des.fullBuffer.length - des.metadata.size : 0; if (left) reject(new Error(left + ' bytes left of ' + des.data.name)) })
  c.on('resource_packs_info', () => { c.write('client_cache_status', { enabled: false }); c.write('resource_pack_client_response', make.pack_response('have_all_packs')) })
  c.on('resource_pack_stack', () => c.write('resource_pack_client_response', make.pack_response('completed')))
  c.on('start_game', d => { id = d.runtime_entity_id; pos = { ...d.player_position }; c.write('request_chunk_radius', { chunk_radius: 4, max_radius: 8 }) })
  c.on('correct_player_move_prediction', d => { pos = { ...d.position } })
  c.on('add_player', d => seen.add(d.username))
  c.on('text', d => heard.add(d.source_name))
  c.on('spawn', () => {
    out({ ev: 'spawned', name })
    const timer = setInterval(() => {
      if (seen.size < Number(arg('wait-players', 0))) return
      pos = { ...pos, z: pos.z + 0.1 }; tick++
      c.queue('player_auth_input', make.player_auth_input({ pitch: 0, yaw: 0, pos, move: { x: 0, z: 0.4 }, headYaw: 0, input: { up: true, vertical_collision: true }, tick, delta: { x: 0, y: 0, z: 0.1 }, camera: { x: 0, y: 0, z: 1 }, blockActions: false }))
      if (tick === 20n) c.queue('text', make.text('chat', name, 'I am ' + name))
      if (tick < ticks) return
      clearInterval(timer)
      leaving = true
      c.write('disconnect', { reason: 'unknown', hide_disconnect_reason: true, message: '', filtered_message: '' })
      setTimeout(() => { c.close(); out({ ev: 'left', name, id, seen: seen.size, heard: heard.size }); resolve() }, 300)
    }, 50)
  })
  c.init(); c.connect().catch(reject)
})
const results = await Promise.allSettled(Array.from({ length: Number(n) }, (_, i) => live('Guest' + i)))
for (const r of results) if (r.reason) out({ ev: 'failed', error: String(r.reason.message) })
setTimeout(() => process.exit(results.some(r => r.reason) ? 1 : 0), 500)
