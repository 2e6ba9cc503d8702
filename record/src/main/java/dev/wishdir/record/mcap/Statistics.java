package dev.wishdir.record.mcap;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Statistics of a file, by its summary or a scan.
 *
 * @param channelMessages number of messages by channel; channels without messages may be missing
 * @param startNanos log time of the first message, 0 if there is none
 * @param endNanos log time of the last message, 0 if there is none
 */
public record Statistics(
        long messages,
        int schemas,
        int channels,
        int attachments,
        int metadata,
        int chunks,
        long startNanos,
        long endNanos,
        Map<Integer, Long> channelMessages) {
    public Statistics {
        channelMessages = Collections.unmodifiableMap(new TreeMap<>(channelMessages));
    }

    void write(RecordBuffer out) {
        int record = out.begin(Opcode.STATISTICS);
        out.u64(messages);
        out.u16(schemas);
        out.u32(channels);
        out.u32(attachments);
        out.u32(metadata);
        out.u32(chunks);
        out.u64(startNanos);
        out.u64(endNanos);
        out.u32(channelMessages.size() * (Short.BYTES + Long.BYTES));
        channelMessages.forEach((channel, count) -> {
            out.u16(channel);
            out.u64(count);
        });
        out.end(record);
    }

    static Statistics read(RecordFields in) throws McapException {
        long messages = in.u64("statistics.message_count");
        int schemas = in.u16("statistics.schema_count");
        int channels = in.u32("statistics.channel_count");
        int attachments = in.u32("statistics.attachment_count");
        int metadata = in.u32("statistics.metadata_count");
        int chunks = in.u32("statistics.chunk_count");
        long start = in.u64("statistics.message_start_time");
        long end = in.u64("statistics.message_end_time");
        RecordFields counts = in.part("statistics.channel_message_counts");
        Map<Integer, Long> channelMessages = new TreeMap<>();
        while (counts.remaining() > 0) {
            channelMessages.put(
                    counts.u16("statistics.channel_message_counts"),
                    counts.u64("statistics.channel_message_counts"));
        }
        return new Statistics(
                messages,
                schemas,
                channels,
                attachments,
                metadata,
                chunks,
                start,
                end,
                channelMessages);
    }
}
