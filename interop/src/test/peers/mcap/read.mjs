// Reads an MCAP file with @mcap/core, by its index or as a stream: node read.mjs indexed|stream FILE
// Prints one JSON line a message, then one of statistics. Exits with status 1 if a CRC is wrong.
import { McapIndexedReader, McapStreamReader } from '@mcap/core'
import { decompress } from 'fzstd'
import { open, readFile } from 'node:fs/promises'

const [how, path] = process.argv.slice(2)
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) }
const print = (line) => process.stdout.write(JSON.stringify(line) + '\n')
const counts = { messages: 0, schemas: 0, channels: 0, chunks: 0, attachments: 0, metadata: 0 }
const topics = new Map()

function message (topic, each) {
  counts.messages++
  print({
    topic,
    sequence: each.sequence,
    logTime: String(each.logTime),
    publishTime: String(each.publishTime),
    data: Buffer.from(each.data).toString('base64')
  })
}

async function indexed () {
  const file = await open(path)
  const readable = {
    size: async () => BigInt((await file.stat()).size),
    read: async (offset, length) => {
      const data = new Uint8Array(Number(length))
      const { bytesRead } = await file.read(data, 0, data.length, Number(offset))
      if (bytesRead !== data.length) throw new Error('file ends at ' + (Number(offset) + bytesRead))
      return data
    }
  }
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers })
  for await (const each of reader.readMessages({ validateCrcs: true })) {
    message(reader.channelsById.get(each.channelId).topic, each)
  }
  for await (const each of reader.readAttachments({ validateCrcs: true })) {
    print({ attachment: each.name, mediaType: each.mediaType, data: Buffer.from(each.data).toString('base64') })
  }
  for await (const each of reader.readMetadata()) {
    print({ metadata: each.name, values: Object.fromEntries(each.metadata) })
  }
  const found = reader.statistics
  print({
    statistics: {
      messages: Number(found.messageCount),
      schemas: found.schemaCount,
      channels: found.channelCount,
      chunks: found.chunkCount,
      attachments: found.attachmentCount,
      metadata: found.metadataCount
    },
    start: String(found.messageStartTime),
    end: String(found.messageEndTime),
    channelMessages: Object.fromEntries([...found.channelMessageCounts].map(([id, count]) => [id, Number(count)]))
  })
  await file.close()
}

async function stream () {
  const reader = new McapStreamReader({ decompressHandlers, includeChunks: true, validateCrcs: true })
  // A file that was cut ends within a record: what is whole is read.
  reader.append(await readFile(path))
  const kinds = { Chunk: 'chunks', Attachment: 'attachments', Metadata: 'metadata', Schema: 'schemas' }
  const schemas = new Set()
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic)
    else if (record.type === 'Schema') schemas.add(record.id)
    else if (record.type === 'Message') message(topics.get(record.channelId), record)
    else if (record.type in kinds) counts[kinds[record.type]]++
  }
  counts.schemas = schemas.size
  counts.channels = topics.size
  print({ statistics: counts, done: reader.done() })
}

await (how === 'indexed' ? indexed() : stream())
