// Opens many NetherNet connections to a Bedrock server and asks each for its network settings.
//   node nethernet-opens.mjs http://127.0.0.1:PORT --n 50 [--rtc wrtc|ndc]
import * as nn from './nethernet.mjs'

const base = process.argv[2]; const arg = (n, d) => { const i = process.argv.indexOf('--' + n); return i < 0 ? d : process.argv[i + 1] }
const n = Number(arg('n', 50)); const backend = await nn.rtc(arg('rtc', 'wrtc')); const key = nn.newKey(); const started = Date.now()
const asks = Buffer.from('06c10100000891', 'hex')   // RequestNetworkSettings, protocol 2193
let opened = 0; let answered = 0
await Promise.all(Array.from({ length: n }, async (_, i) => {
  await new Promise(resolve => setTimeout(resolve, i * 40))
  try {
    const c = await nn.connectHttp({ base, networkId: String(1000 + i), backend, address: '127.0.0.1', identity: sdp => nn.identityLine(sdp, nn.selfSignedToken(key), key.privateKey, '') })
    await new Promise((resolve, reject) => { c.on('open', resolve); c.on('close', reason => reject(new Error(reason))); setTimeout(() => reject(new Error('not open in 15 s')), 15000) })
    opened++
    await new Promise((resolve, reject) => { c.on('packet', resolve); c.on('close', reason => reject(new Error(reason))); setTimeout(() => reject(new Error('no answer in 10 s')), 10000); c.send(asks) })
    answered++; c.close()
  } catch (e) { console.log(JSON.stringify({ ev: 'failed', i, error: e.message })) }
}))
console.log(JSON.stringify({ ev: 'result', n, opened, answered, ms: Date.now() - started }))
setTimeout(() => process.exit(answered === n ? 0 : 1), 500)
