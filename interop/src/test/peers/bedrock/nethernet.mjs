// NetherNet for our test peers: framing, identity assertions, HTTP signalling, LAN discovery, over two WebRTC libraries.
// No word of the game in it; bedrock-nethernet.mjs puts the game on it.
import crypto from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import dgram from 'node:dgram'
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)

export const RELIABLE = 'ReliableDataChannel'
export const UNRELIABLE = 'UnreliableDataChannel'
export const MAX_MESSAGE = 262144

// ---------------------------------------------------------------- framing
/** Splits a packet into data channel messages: one countdown byte + payload. */
export function split (payload, maxMessage = MAX_MESSAGE) {
  const room = maxMessage - 1
  const n = Math.max(1, Math.ceil(payload.length / room))
  if (n > 256) throw new Error(`packet of ${payload.length} bytes needs ${n} fragments`)
  return Array.from({ length: n }, (_, i) => Buffer.concat([Buffer.from([n - 1 - i]), payload.subarray(i * room, (i + 1) * room)]))
}
/** Joins data channel messages; returns the packet when complete, else null; throws on protocol errors. */
export class Joiner {
  parts = []; left = 0; size = 0
  constructor (limit = 8 << 20) { this.limit = limit }
  push (msg) {
    if (msg.length < 2) throw new Error('message without payload')
    const count = msg[0]
    if (this.left > 0 && count !== this.left - 1) throw new Error(`fragment ${count} after ${this.left}`)
    this.size += msg.length - 1
    if (this.size > this.limit) throw new Error('packet too large')
    this.parts.push(msg.subarray(1)); this.left = count
    if (count > 0) return null
    const whole = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts)
    this.parts = []; this.size = 0
    return whole
  }
}

// ---------------------------------------------------------------- identity
const b64url = b => Buffer.from(b).toString('base64url')
export const fingerprints = sdp => [...sdp.matchAll(/^a=fingerprint:(\S+) (\S+)\s*$/gm)].map(m => ({ algorithm: m[1], digest: m[2] }))
export const canonicalFingerprints = sdp => JSON.stringify({ fingerprint: fingerprints(sdp) })
function jws (header, payload, key) {
  const h = b64url(JSON.stringify(header)); const p = b64url(payload)
  const s = crypto.sign('sha384', Buffer.from(`${h}.${p}`), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return { full: `${h}.${p}.${s}`, detached: `${h}..${s}` }
}
function verifyJws (h, p, s, key) {
  const alg = JSON.parse(Buffer.from(h, 'base64url')).alg
  if (alg !== 'ES384') throw new Error('alg ' + alg)
  if (!crypto.verify('sha384', Buffer.from(`${h}.${p}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(s, 'base64url'))) throw new Error('signature does not match')
}
export const spki = key => key.export({ format: 'der', type: 'spki' }).toString('base64')
export function newKey () { return crypto.generateKeyPairSync('ec', { namedCurve: 'secp384r1' }) }
/** Self-signed token; cpkForm 'jwk' (as the guide says) or 'spki' (as the game's own server does). */
export function selfSignedToken ({ privateKey, publicKey }, { cpkForm = 'jwk', claims = {}, lifetime = 3600, now = Math.floor(Date.now() / 1000) } = {}) {
  const jwk = publicKey.export({ format: 'jwk' })
  const cpk = cpkForm === 'jwk' ? { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y } : spki(publicKey)
  return jws({ alg: 'ES384', x5u: spki(publicKey) }, JSON.stringify({ cpk, exp: now + lifetime, iat: now, ...claims }), privateKey).full
}
export function identityLine (sdp, token, privateKey, domain) {
  const assertion = JSON.stringify({ fingerprints: jws({ alg: 'ES384' }, canonicalFingerprints(sdp), privateKey).detached, token })
  return 'a=identity:' + Buffer.from(JSON.stringify({ assertion, idp: { domain, protocol: 'default' } })).toString('base64')
}
/** Puts a=identity at session level: before the first m= line. */
export const addIdentity = (sdp, line) => sdp.replace(/^m=/m, line + '\r\nm=')
export const stripIdentity = sdp => sdp.replace(/^a=identity:.*\r?\n/gm, '')
function keyOf (cpk) {
  const key = typeof cpk === 'string' ? crypto.createPublicKey({ key: Buffer.from(cpk, 'base64'), format: 'der', type: 'spki' }) : crypto.createPublicKey({ key: cpk, format: 'jwk' })
  if (key.asymmetricKeyDetails?.namedCurve !== 'secp384r1') throw new Error('cpk is not P-384')
  return key
}
/** Returns {claims, key, idp} or throws; null when there is no a=identity. trusted(header, claims): verification of tokens that are not self-signed. */
export function checkIdentity (sdp, { now = Date.now() / 1000, trusted = null } = {}) {
  const lines = [...sdp.matchAll(/^a=identity:(\S+)/gm)]
  if (lines.length === 0) return null
  if (lines.length > 1) throw new Error('more than one a=identity')
  if (sdp.indexOf('\nm=') >= 0 && sdp.indexOf('a=identity:') > sdp.indexOf('\nm=')) throw new Error('a=identity is not at session level')
  const { assertion, idp } = JSON.parse(Buffer.from(lines[0][1], 'base64'))
  if (idp?.protocol !== 'default') throw new Error('idp.protocol')
  const { token, fingerprints: detached } = JSON.parse(assertion)
  const [th, tp, ts] = token.split('.'); const claims = JSON.parse(Buffer.from(tp, 'base64url'))
  const key = keyOf(claims.cpk)
  if (trusted) trusted(JSON.parse(Buffer.from(th, 'base64url')), claims, token); else verifyJws(th, tp, ts, key)
  if (claims.exp !== undefined && claims.exp < now) throw new Error('token expired')
  if (claims.nbf !== undefined && claims.nbf > now + 60) throw new Error('token not valid yet')
  const [fh, empty, fs] = detached.split('.')
  if (empty !== '') throw new Error('fingerprint JWS is not detached')
  if (fingerprints(sdp).length === 0) throw new Error('no fingerprint')
  verifyJws(fh, b64url(canonicalFingerprints(sdp)), fs, key)
  return { claims, key, idp }
}

// ---------------------------------------------------------------- WebRTC back ends (all with the W3C interface)
export async function rtc (name) {
  if (name === 'wrtc') { const w = require('@roamhq/wrtc'); return { name, create: o => new w.RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle', ...(o.ports ? { portRange: { min: o.ports[0], max: o.ports[1] } } : {}) }) } }
  if (name === 'ndc') { const w = await import('node-datachannel/polyfill'); return { name, create: o => new w.RTCPeerConnection({ iceServers: [], ...(o.ports ? { portRangeBegin: o.ports[0], portRangeEnd: o.ports[1] } : {}), bindAddress: o.address, maxMessageSize: MAX_MESSAGE }) } }
  throw new Error('unknown WebRTC back end ' + name)
}
async function gathered (pc, ms = 4000) {
  const t = Date.now()
  while (pc.iceGatheringState !== 'complete' && Date.now() - t < ms) await new Promise(resolve => setTimeout(resolve, 5))
  return pc.localDescription.sdp
}
/** Keeps only UDP host candidates of this address, and says that this is all. */
export function dressSdp (sdp, { address = null } = {}) {
  let lines = sdp.split(/\r?\n/).filter(l => l !== '')
  if (address) lines = lines.filter(l => !l.startsWith('a=candidate:') || l.split(' ')[4] === address)
  lines = lines.filter(l => !/^a=candidate:\S+ \d+ tcp /i.test(l))
  if (!lines.some(l => l.startsWith('a=max-message-size:'))) lines.push('a=max-message-size:' + MAX_MESSAGE)
  lines = lines.map(l => l.startsWith('a=max-message-size:') ? 'a=max-message-size:' + MAX_MESSAGE : l)
  if (!lines.some(l => l.startsWith('a=end-of-candidates'))) lines.push('a=end-of-candidates')
  return lines.join('\r\n') + '\r\n'
}
export const remoteMaxMessage = sdp => { const m = /^a=max-message-size:(\d+)/m.exec(sdp); const v = m ? Number(m[1]) : 65536; return v === 0 ? MAX_MESSAGE : Math.min(v, MAX_MESSAGE) }

/**
 * One NetherNet connection. Events: open, packet(Buffer), unreliable(Buffer), message({dir, label, data}), close(reason), error.
 * A busy process can be told of a packet before it is told that the second channel is open: the packet waits for that.
 */
export class NetherConnection extends EventEmitter {
  channels = {}; joiner = new Joiner(); early = []; isOpen = false; ended = false; maxMessage = MAX_MESSAGE
  constructor (pc, address) {
    super(); this.pc = pc; this.address = address
    const state = () => { if (['failed', 'closed', 'disconnected'].includes(pc.connectionState)) this.end('peer connection ' + pc.connectionState) }
    pc.onconnectionstatechange = state
  }
  adopt (ch) {
    const reliable = ch.label === RELIABLE
    if (!reliable && ch.label !== UNRELIABLE) return this.end('unexpected data channel ' + ch.label)
    if (this.channels[ch.label]) return this.end('data channel opened twice')
    this.channels[ch.label] = ch
    try { ch.binaryType = 'arraybuffer' } catch {}
    ch.onmessage = e => {
      const data = typeof e.data === 'string' ? Buffer.from(e.data) : Buffer.from(e.data)
      this.emit('message', { dir: 'in', label: ch.label, data })
      try {
        if (reliable) { const p = this.joiner.push(data); if (p) { if (this.isOpen) this.emit('packet', p); else this.early.push(p) } } else { if (data[0] !== 0) throw new Error('fragment on the unreliable channel'); this.emit('unreliable', data.subarray(1)) }
      } catch (e) { this.emit('error', e); this.end(String(e.message)) }
    }
    const opened = () => { if (!this.isOpen && this.channels[RELIABLE]?.readyState === 'open' && this.channels[UNRELIABLE]?.readyState === 'open') { this.isOpen = true; this.emit('open'); for (const p of this.early.splice(0)) this.emit('packet', p) } }
    ch.onopen = opened; ch.onclose = () => this.end('data channel closed')
    if (ch.readyState === 'open') setImmediate(opened)
  }
  send (packet) { for (const m of split(packet, this.maxMessage)) { this.emit('message', { dir: 'out', label: RELIABLE, data: m }); this.channels[RELIABLE].send(m) } }
  sendUnreliable (packet) { if (packet.length + 1 > this.maxMessage) return false; const m = split(packet, this.maxMessage)[0]; this.emit('message', { dir: 'out', label: UNRELIABLE, data: m }); this.channels[UNRELIABLE].send(m); return true }
  end (reason) { if (this.ended) return; this.ended = true; this.emit('close', reason); setTimeout(() => { try { this.pc.close() } catch {} }, 20) }
  // what bedrock-protocol expects of a transport
  sendReliable (buffer) { if (!this.ended && this.isOpen) this.send(buffer) }
  close () { setTimeout(() => this.end('closed here'), 150) }
}

// ---------------------------------------------------------------- HTTP
export function request (method, url, { body, headers = {}, timeout = 60000, log } = {}) {
  const u = new URL(url); const lib = u.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const h = { ...(body !== undefined ? { 'Content-Type': 'application/sdp', 'Content-Length': Buffer.byteLength(body) } : {}), 'User-Agent': 'libhttpclient/1.0.0.0', ...headers }
    const req = lib.request(u, { method, headers: h, timeout, rejectUnauthorized: false, agent: false }, res => {
      const parts = []; res.on('data', d => parts.push(d))
      res.on('end', () => { const r = { status: res.statusCode, headers: res.headers, body: Buffer.concat(parts).toString() }; log?.({ request: { method, url, headers: h, body: body ?? '' }, response: r }); resolve(r) })
    })
    req.on('timeout', () => req.destroy(new Error('HTTP timeout'))); req.on('error', e => { log?.({ request: { method, url, headers: h, body: body ?? '' }, error: e.code ?? e.message }); reject(e) })
    req.end(body)
  })
}
/** The client's order of tries. */
export const probeUrls = (host, port, explicit = true) => explicit ? [`https://${host}:${port}`, `http://${host}:${port}`] : [`https://${host}:${port}`, `https://${host}`, `http://${host}:${port}`, `http://${host}`]
export async function probe (host, port, { timeout = 30000, log, urls = probeUrls(host, port) } = {}) {
  for (const base of urls) {
    try { const r = await request('GET', base + '/v1/join', { timeout, log }); if (r.status >= 200 && r.status < 300) { let status = null; try { status = JSON.parse(r.body) } catch {} return { base, status } } } catch {}
  }
  return null
}
/** Joins over HTTP. o: {base, networkId, backend, ports, address, identity: sdp => line|null, log} */
export async function connectHttp (o) {
  const pc = o.backend.create(o); const c = new NetherConnection(pc, o.base)
  c.adopt(pc.createDataChannel(RELIABLE, { ordered: true }))
  c.adopt(pc.createDataChannel(UNRELIABLE, { ordered: false, maxRetransmits: 0 }))
  await pc.setLocalDescription(await pc.createOffer())
  let offer = dressSdp(await gathered(pc), o); c.rawOffer = offer
  const line = o.identity?.(offer); if (line) offer = addIdentity(offer, line)
  if (o.mangle) offer = o.mangle(offer)
  const r = await request('POST', `${o.base}/v1/join/${o.networkId}`, { body: offer, log: o.log })
  if (r.status < 200 || r.status > 299) { c.end('HTTP ' + r.status); throw Object.assign(new Error(`HTTP ${r.status}: ${r.body.slice(0, 200)}`), { status: r.status }) }
  c.serverIdentity = checkIdentity(r.body)
  if (!c.serverIdentity && !o.allowAnonymousServer) { c.end('no identity'); throw new Error('the answer has no a=identity') }
  c.maxMessage = Math.min(o.maxMessage ?? MAX_MESSAGE, remoteMaxMessage(r.body)); c.answer = r.body; c.offer = offer
  await pc.setRemoteDescription({ type: 'answer', sdp: stripIdentity(r.body) })
  return c
}
/** Turns an offer into {connection, answer}. */
export async function answerOffer (offer, o) {
  const identity = checkIdentity(offer, { trusted: o.trusted })
  if (!identity && o.requireIdentity) throw Object.assign(new Error('no identity'), { status: 403, code: 37 })
  const pc = o.backend.create(o); const c = new NetherConnection(pc, 'c' + (o.id ?? crypto.randomUUID()))
  c.clientIdentity = identity; c.maxMessage = Math.min(o.maxMessage ?? MAX_MESSAGE, remoteMaxMessage(offer))
  pc.ondatachannel = e => c.adopt(e.channel)
  await pc.setRemoteDescription({ type: 'offer', sdp: stripIdentity(offer) })
  await pc.setLocalDescription(await pc.createAnswer())
  let answer = dressSdp(await gathered(pc), o)
  if (o.key) answer = addIdentity(answer, identityLine(answer, selfSignedToken(o.key, o.token), o.key.privateKey, o.domain ?? 'self'))
  return { connection: c, answer }
}
/** HTTP signalling server. o: {port, host, status(), onConnection(c), backend, key, ports, address, tls?, log, limits} */
export function serveHttp (o) {
  let pending = 0, nextId = 1
  const handler = async (req, res) => {
    const reply = (status, type, body) => { o.log?.({ request: { method: req.method, path: req.url, headers: req.headers, body: req.bodyText ?? '' }, response: { status, headers: { 'content-type': type }, body } }); res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }); res.end(body) }
    const path = new URL(req.url, 'http://x').pathname
    if (path === '/v1/join' && req.method === 'GET') return reply(200, 'application/json', JSON.stringify(o.status()))
    const m = /^\/v1\/join\/([^/]{1,64})$/.exec(path)
    if (!m) return reply(404, 'text/plain', 'Not found')
    if (req.method !== 'POST') return reply(405, 'text/plain', 'POST only')
    const parts = []; let size = 0; const limit = o.maxBody ?? 16384
    for await (const d of req) { size += d.length; if (size > limit) { reply(413, 'text/plain', 'offer too large'); req.destroy(); return } parts.push(d) }
    req.bodyText = Buffer.concat(parts).toString()
    if (pending >= (o.maxPending ?? 32)) return reply(503, 'text/plain', 'busy')
    pending++
    try {
      const { connection, answer } = await answerOffer(req.bodyText, { ...o, id: nextId++ })
      connection.networkId = decodeURIComponent(m[1]); connection.remote = req.socket.remoteAddress
      const guard = setTimeout(() => { if (!connection.isOpen) connection.end('not open in time') }, o.openTimeout ?? 60000); guard.unref()
      o.onConnection(connection)
      reply(200, 'application/sdp', answer)
    } catch (e) { o.onError?.(e); reply(e.status ?? 400, 'text/plain', 'offer refused: ' + e.message) } finally { pending-- }
  }
  const s = o.tls ? https.createServer(o.tls, handler) : http.createServer(handler)
  s.headersTimeout = 5000; s.requestTimeout = 10000; s.maxConnections = 256
  return new Promise((resolve, reject) => { s.once('error', reject); s.listen(o.port, o.host ?? '127.0.0.1', () => resolve(s)) })
}

// ---------------------------------------------------------------- LAN discovery, UDP 7551
export const LAN_KEY = crypto.createHash('sha256').update(Buffer.from('efbeadde00000000', 'hex')).digest()
export function lanEncode (type, sender, body = Buffer.alloc(0)) {
  const plain = Buffer.alloc(20 + body.length)
  plain.writeUInt16LE(plain.length, 0); plain.writeUInt16LE(type, 2); plain.writeBigUInt64LE(BigInt(sender), 4); body.copy(plain, 20)
  const c = crypto.createCipheriv('aes-256-ecb', LAN_KEY, null)
  return { plain, datagram: Buffer.concat([crypto.createHmac('sha256', LAN_KEY).update(plain).digest(), c.update(plain), c.final()]) }
}
export function lanDecode (d) {
  if (d.length < 64 || (d.length - 32) % 16) throw new Error('length')
  const c = crypto.createDecipheriv('aes-256-ecb', LAN_KEY, null); const plain = Buffer.concat([c.update(d.subarray(32)), c.final()])
  if (!crypto.timingSafeEqual(d.subarray(0, 32), crypto.createHmac('sha256', LAN_KEY).update(plain).digest())) throw new Error('HMAC')
  return { length: plain.readUInt16LE(0), type: plain.readUInt16LE(2), sender: plain.readBigUInt64LE(4), body: plain.subarray(20), plain }
}
const uv = n => { const b = []; n >>>= 0; while (n > 127) { b.push((n & 127) | 128); n >>>= 7 } b.push(n); return Buffer.from(b) }
const zz = n => uv((n << 1) ^ (n >> 31)); const str = s => { const b = Buffer.from(s); return Buffer.concat([uv(b.length), b]) }; const bool = v => Buffer.from([v ? 1 : 0])
const i32 = n => { const b = Buffer.alloc(4); b.writeInt32LE(n); return b }
/** LAN advertisement. version 4 (1.21.x): layer + connection type; 6 (1.26.40): hardcore, auth flags, nonce; 7 (1.26.50+): protocol and game version, zigzag counts. */
export function lanAdvertisement (a, version = 7) {
  if (version === 7) return Buffer.concat([Buffer.from([7]), str(a.name), zz(a.protocol), str(a.version), str(a.level), zz(a.players), zz(a.maxPlayers), zz(a.gameType), bool(a.editor), bool(a.hardcore), bool(a.onlineAuth), bool(a.selfSignedAuth), str(a.nonce ?? ''), zz(a.connectionType ?? 4)])
  if (version === 6) return Buffer.concat([Buffer.from([6]), str(a.name), str(a.level), zz(a.gameType), i32(a.players), i32(a.maxPlayers), bool(a.editor), bool(a.hardcore), bool(a.onlineAuth), bool(a.selfSignedAuth), str(a.nonce ?? ''), zz(2), zz(a.connectionType ?? 4)])
  throw new Error('version ' + version)
}
export function lanReadAdvertisement (b) {
  let o = 0; const u8 = () => b[o++]; const ruv = () => { let r = 0, s = 0, c; do { c = b[o++]; r |= (c & 127) << s; s += 7 } while (c & 128); return r >>> 0 }
  const rzz = () => { const v = ruv(); return (v >>> 1) ^ -(v & 1) }; const rs = () => { const n = ruv(); o += n; return b.subarray(o - n, o).toString() }
  const v = u8(); if (v !== 7) return { layout: v }
  const a = { layout: 7, name: rs(), protocol: rzz(), version: rs(), level: rs(), players: rzz(), maxPlayers: rzz(), gameType: rzz(), editor: !!u8(), hardcore: !!u8(), onlineAuth: !!u8(), selfSignedAuth: !!u8(), nonce: rs(), connectionType: rzz() }
  if (o !== b.length) throw new Error('advertisement: bytes left over')
  return a
}
export const lanResponseBody = adv => { const hex = Buffer.from(adv.toString('hex')); const l = Buffer.alloc(4); l.writeUInt32LE(hex.length); return Buffer.concat([l, hex]) }
export const lanMessageBody = (recipient, text) => { const t = Buffer.from(text); const h = Buffer.alloc(12); h.writeBigUInt64LE(BigInt(recipient), 0); h.writeUInt32LE(t.length, 8); return Buffer.concat([h, t]) }
export const lanReadMessage = b => ({ recipient: b.readBigUInt64LE(0), text: b.subarray(12, 12 + b.readUInt32LE(8)).toString() })

/** LAN side of a server: answers discovery and offers. */
export function serveLan (o) {
  const sock = dgram.createSocket('udp4'); const me = BigInt(o.networkId)
  sock.on('message', async (d, r) => {
    let p; try { p = lanDecode(d) } catch { return }
    if (p.sender === me) return
    const send = (type, body) => { const e = lanEncode(type, me, body); o.log?.({ dir: 'server', type, plain: e.plain.toString('hex'), datagram: e.datagram.toString('hex') }); sock.send(e.datagram, r.port, r.address) }
    o.log?.({ dir: 'client', type: p.type, plain: p.plain.toString('hex'), datagram: d.toString('hex') })
    if (p.type === 0) return send(1, lanResponseBody(lanAdvertisement(o.advertisement())))
    if (p.type !== 2) return
    const m = lanReadMessage(p.body); if (m.recipient !== me) return
    const [kind, id, ...rest] = m.text.split(' '); const data = rest.join(' ')
    if (kind === 'CONNECTREQUEST') {
      try {
        const { connection, answer } = await answerOffer(data, { ...o, requireIdentity: false })
        connection.networkId = String(p.sender); o.onConnection(connection)
        send(2, lanMessageBody(p.sender, `CONNECTRESPONSE ${id} ${answer}`))
      } catch (e) { send(2, lanMessageBody(p.sender, `CONNECTERROR ${id} ${e.code ?? 13}`)) }
    }
  })
  return new Promise(resolve => sock.bind(o.port ?? 7551, o.host ?? '127.0.0.1', () => resolve(sock)))
}
/** Joins through LAN discovery (offer with all candidates inside). */
export async function connectLan (o) {
  const sock = dgram.createSocket('udp4'); await new Promise(resolve => sock.bind(0, o.bind ?? '127.0.0.1', resolve))
  const me = BigInt(o.networkId); const send = (type, body) => { const e = lanEncode(type, me, body); sock.send(e.datagram, o.port ?? 7551, o.host) }
  const next = (f, ms = 60000) => new Promise((resolve, reject) => { const t = setTimeout(() => reject(new Error('LAN timeout')), ms); sock.on('message', d => { let p; try { p = lanDecode(d) } catch { return } const r = f(p); if (r) { clearTimeout(t); resolve(r) } }) })
  const seen = next(p => p.type === 1 ? { sender: p.sender, advertisement: lanReadAdvertisement(Buffer.from(p.body.subarray(4).toString(), 'hex')) } : null); send(0); const server = await seen
  const pc = o.backend.create(o); const c = new NetherConnection(pc, 'lan'); c.advertisement = server.advertisement
  c.adopt(pc.createDataChannel(RELIABLE, { ordered: true })); c.adopt(pc.createDataChannel(UNRELIABLE, { ordered: false, maxRetransmits: 0 }))
  await pc.setLocalDescription(await pc.createOffer()); const offer = dressSdp(await gathered(pc), o)
  const id = crypto.randomBytes(8).readBigUInt64LE()
  const got = next(p => { if (p.type !== 2) return null; const m = lanReadMessage(p.body); const [k, i, ...r] = m.text.split(' '); return m.recipient === me && i === String(id) ? { k, data: r.join(' ') } : null })
  send(2, lanMessageBody(server.sender, `CONNECTREQUEST ${id} ${offer}`)); const a = await got
  if (a.k !== 'CONNECTRESPONSE') throw new Error(a.k + ' ' + a.data)
  c.maxMessage = remoteMaxMessage(a.data); await pc.setRemoteDescription({ type: 'answer', sdp: stripIdentity(a.data) }); sock.close()
  return c
}
