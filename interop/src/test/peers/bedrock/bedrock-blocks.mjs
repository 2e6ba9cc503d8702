// The blocks that a client was sent, read by the npm package "prismarine-chunk", as JSON: their names and states by a
// letter each, and of all that is not the air around them the letters: a list a layer, upwards, a string a row, to the
// south, from west to east.
//
//   new ReceivedBlocks(VERSION), started(START_GAME), take(LEVEL_CHUNK) for each, text()
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const SubChunk = require('prismarine-chunk/src/bedrock/1.18/SubChunk')
const PalettedStorage = require('prismarine-chunk/src/bedrock/common/PalettedStorage')

// prismarine-chunk 1.41.0 takes the one id of a cube of a single kind for an index, even where ids are hashes.
const load = SubChunk.prototype.loadPalettedBlocks
SubChunk.prototype.loadPalettedBlocks = function (layer, stream, bits, format) {
  if (bits !== 0) return load.call(this, layer, stream, bits, format)
  this.blocks[layer] = new PalettedStorage(1)
  this.loadRuntimePalette(layer, stream, 1)
}

const LETTERS = '.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export class ReceivedBlocks {
  constructor (version) {
    this.registry = require('prismarine-registry')('bedrock_' + version)
    this.Column = require('prismarine-chunk')(this.registry)
    this.cubes = new Map()
  }

  started (packet) { this.registry.handleStartGame(packet) }

  take (packet) {
    if (packet.sub_chunk_count < 0) throw new Error('a chunk without its blocks')
    const column = new this.Column({ x: packet.x, z: packet.z })
    column.networkDecodeNoCache(packet.payload, packet.sub_chunk_count)
    for (const cube of column.sections.filter(Boolean)) this.cubes.set([packet.x, cube.y << 24 >> 24, packet.z].join(), cube)
  }

  at (x, y, z) {
    const cube = this.cubes.get([x >> 4, y >> 4, z >> 4].join())
    if (!cube) return 'air'
    const { name, states } = this.registry.blockStates[cube.getBlockStateId(0, x & 15, y & 15, z & 15)]
    const all = Object.keys(states).sort().map(key => `${key}=${states[key].value}`)
    return all.length ? `${name}[${all}]` : name
  }

  text () {
    const lowest = [Infinity, Infinity, Infinity]; const highest = [-Infinity, -Infinity, -Infinity]
    for (const key of this.cubes.keys()) {
      const [x, y, z] = key.split(',').map(n => n * 16)
      for (let i = 0; i < 4096; i++) {
        const place = [x + (i >> 8), y + (i & 15), z + (i >> 4 & 15)]
        if (this.at(...place) !== 'air') place.forEach((n, axis) => { lowest[axis] = Math.min(lowest[axis], n); highest[axis] = Math.max(highest[axis], n) })
      }
    }
    const kinds = { air: LETTERS[0] }; const layers = []
    for (let y = lowest[1]; y <= highest[1]; y++) {
      const layer = []
      for (let z = lowest[2]; z <= highest[2]; z++) {
        let row = ''
        for (let x = lowest[0]; x <= highest[0]; x++) {
          const block = this.at(x, y, z)
          row += kinds[block] ??= LETTERS[Object.keys(kinds).length]
        }
        layer.push(row)
      }
      layers.push(layer)
    }
    return JSON.stringify({ lowest, kinds: Object.fromEntries(Object.entries(kinds).map(([block, letter]) => [letter, block])), layers }, null, 1)
  }
}
