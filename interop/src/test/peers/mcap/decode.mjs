// Decodes an MCAP file by the protobuf schemas that it carries: node decode.mjs FILE
// Prints one JSON line a message: topic, schema, log time, fields.
import { McapIndexedReader } from '@mcap/core'
import { decompress } from 'fzstd'
import protobuf from 'protobufjs'
import descriptor from 'protobufjs/ext/descriptor/index.js'
import { open } from 'node:fs/promises'

const file = await open(process.argv[2])
const readable = {
  size: async () => BigInt((await file.stat()).size),
  read: async (offset, length) => {
    const data = new Uint8Array(Number(length))
    await file.read(data, 0, data.length, Number(offset))
    return data
  }
}
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) }
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers })
const types = new Map()
for (const [id, schema] of reader.schemasById) {
  const root = protobuf.Root.fromDescriptor(descriptor.FileDescriptorSet.decode(schema.data))
  types.set(id, root.lookupType(schema.name))
}
const options = { longs: String, bytes: String, defaults: true, oneofs: true }
for await (const each of reader.readMessages({ validateCrcs: true })) {
  const channel = reader.channelsById.get(each.channelId)
  const type = types.get(channel.schemaId)
  const fields = type.toObject(type.decode(each.data), options)
  process.stdout.write(JSON.stringify({ topic: channel.topic, time: String(each.logTime), fields }) + '\n')
}
await file.close()
