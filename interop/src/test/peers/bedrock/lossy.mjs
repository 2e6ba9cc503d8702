// A bad line to a NetherNet server on this machine: HTTP passes, with the port of the answer changed to this one's, and of the
// UDP datagrams a share is lost each way.  node lossy.mjs LISTEN TARGET SHARE
import http from 'node:http'
import dgram from 'node:dgram'

const [listen, target, loss] = process.argv.slice(2).map(Number)
const flows = new Map(); let passed = 0; let lost = 0
const front = dgram.createSocket('udp4')
const pass = send => { if (Math.random() < loss) lost++; else { passed++; send() } }
front.on('message', (data, from) => {
  const key = from.address + ':' + from.port
  let back = flows.get(key)
  if (!back) {
    back = dgram.createSocket('udp4'); back.bind(0, '127.0.0.1'); flows.set(key, back)
    back.on('message', answer => pass(() => front.send(answer, from.port, from.address)))
  }
  pass(() => back.send(data, target, '127.0.0.1'))
})
front.bind(listen, '0.0.0.0')
http.createServer((request, response) => {
  const parts = []
  request.on('data', part => parts.push(part)).on('end', () => {
    const onward = http.request({ host: '127.0.0.1', port: target, method: request.method, path: request.url, headers: request.headers, agent: false }, answer => {
      const got = []
      answer.on('data', part => got.push(part)).on('end', () => {
        const body = Buffer.from(Buffer.concat(got).toString().replaceAll(` ${target} typ`, ` ${listen} typ`).replaceAll(`m=application ${target} `, `m=application ${listen} `))
        response.writeHead(answer.statusCode, { 'Content-Type': answer.headers['content-type'], 'Content-Length': body.length, Connection: 'close' }); response.end(body)
      })
    })
    onward.on('error', () => response.destroy()); onward.end(Buffer.concat(parts))
  })
}).listen(listen, '127.0.0.1', () => console.log(JSON.stringify({ ev: 'listening' })))
process.on('SIGTERM', () => { console.log(JSON.stringify({ ev: 'stopped', passed, lost })); process.exit(0) })
