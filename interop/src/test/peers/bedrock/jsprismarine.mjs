// JSPrismarine, a server whose RakNet is its own: no line of it is the original's.
//
//   node jsprismarine.mjs PORT
//
// It keeps its worlds and settings in the folder it is started in, and prints "listening".
import { Config, Server } from '@jsprismarine/prismarine'
import { Logger } from '@jsprismarine/logger'

const server = new Server({ logger: new Logger('info'), config: new Config(), headless: true })
await server.bootstrap('127.0.0.1', Number(process.argv[2]))
console.log('listening')
// Its socket alone would not keep the process.
setInterval(() => {}, 1 << 30)
