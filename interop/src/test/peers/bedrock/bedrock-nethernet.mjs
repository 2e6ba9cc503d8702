// The npm package "bedrock-protocol" over NetherNet instead of its own RakNet: no byte before a batch, no encryption of the game's.
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import crypto from 'node:crypto'
import fs from 'node:fs'
import { Client, Player, ClientStatus, LoginPhase, parseLoginEnvelope } from './bedrock-any.mjs'
import * as nn from './nethernet.mjs'

const require = createRequire(import.meta.url)
const { createDeserializer, createSerializer } = require('bedrock-protocol/src/transforms/serializer')
const { Versions, defaultOptions } = require('bedrock-protocol/src/options')
const auth = require('bedrock-protocol/src/client/auth')
const KeyExchange = require('bedrock-protocol/src/handshake/keyExchange')
const Login = require('bedrock-protocol/src/handshake/login')
const LoginVerify = require('bedrock-protocol/src/handshake/loginVerify')

const FE = Buffer.from([0xfe])
/** What the library takes for a connection; it puts a byte before each batch that NetherNet does not have. */
const transport = (conn, address) => ({ address, connected: true, sendReliable: b => conn.sendReliable(b.subarray(1)), close: () => conn.close() })

/** A client whose options also have rtc, and the identity that it brings: bad is '', 'none', 'signer', 'expired' or 'login-key'. */
export class NetherClient extends Client {
  init () {
    this.validateOptions()
    this.serializer = createSerializer(this.options.version); this.deserializer = createDeserializer(this.options.version)
    this._loadFeatures(); KeyExchange(this); Login(this, null, this.options); LoginVerify(this, null, this.options)
  }

  /** Looks for the server, posts the offer; the game begins when the channels are open. Throws what refuses it. */
  async connect () {
    const { host, port, username, rtc, bad } = this.options; const own = this.ecdhKeyPair; const other = nn.newKey()
    const identity = sdp => {
      if (bad === 'none') return null
      const claims = { iss: 'self', xname: username, xid: '0', ...(bad === 'expired' ? { exp: Math.floor(Date.now() / 1000) - 100 } : {}) }
      const token = nn.selfSignedToken(bad === 'login-key' ? other : own, { claims })
      return nn.identityLine(sdp, token, (bad === 'signer' || bad === 'login-key' ? other : own).privateKey, '')
    }
    const found = await nn.probe(host, port)
    if (!found) throw new Error('no NetherNet there')
    this.emit('probed', found)
    const conn = await nn.connectHttp({ base: found.base, networkId: String(crypto.randomBytes(8).readBigUInt64LE()), backend: await nn.rtc(rtc), address: '127.0.0.1', identity })
    conn.on('close', reason => { if (!this.gone) { this.gone = true; this.emit('close', reason) } })
    conn.on('error', e => this.emit('error', e))
    conn.on('packet', b => this.handle(Buffer.concat([FE, b])))
    conn.on('open', () => {
      this.connection = transport(conn, host)
      auth.createOfflineSession(this, this.options); this.startQueue(); this.status = ClientStatus.Connecting
      this.queue('request_network_settings', { client_protocol: this.options.protocolVersion })
    })
  }
}

/** A server as bedrock.createServer gives one. o: {version, host, port, rtc, motd, tlsKey, tlsCert} */
export async function createNetherServer (o) {
  const library = {
    options: { ...defaultOptions, version: o.version, protocolVersion: Versions[o.version], offline: true }, serializer: createSerializer(o.version), deserializer: createDeserializer(o.version), conLog: () => {}, batchHeader: 0xfe,
    features: { compressorInHeader: true, newLoginIdentityFields: true }, compressionAlgorithm: 'deflate', compressionLevel: 6, compressionThreshold: 256, compressionHeader: 0
  }
  const server = new EventEmitter(); const key = nn.newKey(); const clients = new Set()
  const accept = conn => conn.on('open', () => {
    const c = new Player(library, transport(conn, conn.address)); clients.add(c)
    conn.on('close', () => { clients.delete(c); c.close('transport') })
    conn.on('error', e => c.emit('error', e))
    conn.on('packet', b => c.handle(Buffer.concat([FE, b])))
    c.onLogin = async packet => {   // no handshake for encryption, and the key of the login must be the one that signed the fingerprint
      try {
        c.loginState.transition(LoginPhase.VerifyingLogin)
        const envelope = parseLoginEnvelope(packet)
        if (!c.handleClientProtocolVersion(envelope.protocolVersion)) { c.loginState.reject(); return }
        const login = await c.verifyLogin(envelope)
        const der = k => k.export({ format: 'der', type: 'spki' })
        if (!conn.clientIdentity || !der(login.clientPublicKey).equals(der(conn.clientIdentity.key))) throw new Error('login key is not the key of the identity')
        c.profile = { name: login.identity.displayName, uuid: login.identity.identity, xuid: login.identity.XUID }; c.version = envelope.protocolVersion
        c.loginState.transition(LoginPhase.AwaitingClientHandshake); c.loginState.transition(LoginPhase.Complete)
        c.status = ClientStatus.Initializing; c.write('play_status', { status: 'login_success' }); c.emit('join')
      } catch (e) { c.emit('error', e); c.disconnect('login refused') }
    }
    server.emit('connect', c)
  })
  const tls = o.tlsKey ? { key: fs.readFileSync(o.tlsKey), cert: fs.readFileSync(o.tlsCert) } : undefined
  const http = await nn.serveHttp({
    backend: await nn.rtc(o.rtc), address: o.host, host: o.host, port: o.port, key, requireIdentity: true, tls, onConnection: accept, onError: e => server.emit('refused', e),
    status: () => ({ name: o.motd, protocol: Versions[o.version], version: o.version, level: 'box', players: clients.size, maxPlayers: 20, gameType: 0 })
  })
  server.close = async reason => { for (const c of clients) c.disconnect(reason); http.close() }
  return server
}
