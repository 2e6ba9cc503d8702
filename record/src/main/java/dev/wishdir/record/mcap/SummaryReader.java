package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.zip.CRC32;

/** Reads the summary at the end of a file. */
final class SummaryReader {
    private SummaryReader() {}

    /**
     * The summary of a file; null if the file has no end, or its summary does not describe it
     * wholly.
     *
     * @throws McapException if there is a summary, but a damaged one
     */
    static @Nullable Summary read(InputFile file) throws IOException {
        long size = file.size();
        long footerAt = size - Magic.LENGTH - Summary.FOOTER_BYTES;
        if (footerAt < Magic.LENGTH) {
            return null;
        }
        byte[] end = file.read(footerAt, Summary.FOOTER_BYTES + Magic.LENGTH);
        if (!Magic.isAt(end, Summary.FOOTER_BYTES)
                || end[0] != Opcode.FOOTER
                || RecordFields.getU64(end, 1) != Summary.FOOTER_BYTES - Opcode.HEAD_BYTES) {
            return null;
        }
        RecordFields footer =
                new RecordFields(
                        end, Opcode.HEAD_BYTES, Summary.FOOTER_BYTES - Opcode.HEAD_BYTES, footerAt);
        long start = footer.u64("footer.summary_start");
        footer.u64("footer.summary_offset_start");
        int crc = footer.u32("footer.summary_crc");
        if (start == 0) {
            return null;
        }
        if (start < Magic.LENGTH || start > footerAt) {
            throw footer.malformed("footer.summary_start", "is " + start);
        }
        if (footerAt - start > McapLimits.MAX_SUMMARY_BYTES) {
            throw new McapException(
                    Reason.LIMIT,
                    start,
                    "summary",
                    "has %,d bytes, at most %,d are allowed"
                            .formatted(footerAt - start, McapLimits.MAX_SUMMARY_BYTES));
        }
        byte[] data = file.read(start, (int) (footerAt - start));
        CRC32 actual = new CRC32();
        actual.update(data);
        actual.update(end, 0, Summary.FOOTER_BYTES - Integer.BYTES);
        if (crc != 0 && crc != (int) actual.getValue()) {
            throw new McapException(
                    Reason.CRC,
                    start,
                    "footer.summary_crc",
                    "is %08x, the summary has %08x".formatted(crc, actual.getValue()));
        }
        return parse(data, start);
    }

    private static @Nullable Summary parse(byte[] data, long start) throws McapException {
        Summary summary = new Summary();
        Statistics statistics = null;
        int at = 0;
        while (at < data.length) {
            int left = data.length - at - Opcode.HEAD_BYTES;
            long length = left < 0 ? -1 : RecordFields.getU64(data, at + 1);
            if (length < 0 || length > left) {
                throw new McapException(
                        Reason.MALFORMED, start + at, "record length", "is " + length);
            }
            RecordFields in = new RecordFields(data, at + Opcode.HEAD_BYTES, (int) length, start);
            long bytes = Opcode.HEAD_BYTES + length;
            switch (data[at]) {
                case Opcode.SCHEMA -> summary.add(Schema.read(in), bytes, start + at);
                case Opcode.CHANNEL -> summary.add(Channel.read(in), bytes, start + at);
                case Opcode.STATISTICS -> statistics = Statistics.read(in);
                case Opcode.CHUNK_INDEX -> {
                    ChunkIndex chunk = ChunkIndex.read(in);
                    require(chunk.offset(), chunk.length(), start);
                    summary.add(chunk);
                }
                case Opcode.ATTACHMENT_INDEX -> {
                    AttachmentInfo attachment = AttachmentInfo.read(in);
                    require(attachment.offset(), attachment.length(), start);
                    summary.add(attachment);
                }
                case Opcode.METADATA_INDEX -> {
                    MetadataIndex metadata = MetadataIndex.read(in);
                    require(metadata.offset(), metadata.length(), start);
                    summary.add(metadata);
                }
                default -> {
                    // Offsets of groups, and what later versions may add.
                }
            }
            at += (int) bytes;
        }
        if (statistics == null || !describes(statistics, summary)) {
            return null;
        }
        summary.setCounts(statistics);
        return summary;
    }

    /** Places that an index leads to are before the summary. */
    private static void require(long offset, long length, long end) throws McapException {
        if (offset < Magic.LENGTH || length < Opcode.HEAD_BYTES || offset > end - length) {
            throw new McapException(
                    Reason.MALFORMED,
                    offset,
                    "index",
                    "leads to %,d bytes, the data ends at %,d".formatted(length, end));
        }
    }

    /** Whether the summary repeats all channels and has an index of all else. */
    private static boolean describes(Statistics statistics, Summary summary) {
        return statistics.schemas() == summary.schemas().size()
                && statistics.channels() == summary.channels().size()
                && statistics.chunks() == summary.chunks().size()
                && statistics.attachments() == summary.attachments().size()
                && statistics.metadata() == summary.metadata().size()
                && statistics.startNanos() <= statistics.endNanos();
    }
}
