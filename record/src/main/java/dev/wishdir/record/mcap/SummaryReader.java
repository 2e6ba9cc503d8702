package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
                    String.format(
                            Locale.ROOT,
                            "has %,d bytes, at most %,d are allowed",
                            footerAt - start,
                            McapLimits.MAX_SUMMARY_BYTES));
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
                    String.format(
                            Locale.ROOT, "is %08x, the summary has %08x", crc, actual.getValue()));
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
            if (data[at] == Opcode.STATISTICS) {
                statistics = Statistics.read(in);
            } else {
                add(summary, data[at], in, bytes, start, start + at);
            }
            at += (int) bytes;
        }
        if (statistics == null || !describes(statistics, summary)) {
            return null;
        }
        requireApart(summary, start);
        summary.setCounts(statistics);
        return summary;
    }

    /**
     * Adds a record.
     *
     * @param bytes size of the whole record
     * @param start of the summary
     * @param place of the record
     * @throws McapException whose offset is in the summary, not where an index leads to
     */
    private static void add(
            Summary summary, int opcode, RecordFields in, long bytes, long start, long place)
            throws McapException {
        try {
            switch (opcode) {
                case Opcode.SCHEMA -> summary.add(Schema.read(in), bytes, place);
                case Opcode.CHANNEL -> summary.add(Channel.read(in), bytes, place);
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
        } catch (McapException e) {
            McapException here =
                    new McapException(e.reason(), place, e.field(), "in the summary is wrong");
            here.initCause(e);
            throw here;
        }
    }

    /** Places that an index leads to are before the summary. */
    private static void require(long offset, long length, long end) throws McapException {
        if (offset < Magic.LENGTH || length < Opcode.HEAD_BYTES || offset > end - length) {
            throw new McapException(
                    Reason.MALFORMED,
                    offset,
                    "index",
                    String.format(
                            Locale.ROOT, "leads to %,d bytes, the data ends at %,d", length, end));
        }
    }

    /** Chunks, attachments and metadata that an index names: each place only once. */
    private static void requireApart(Summary summary, long start) throws McapException {
        record Place(long offset, long length) {}
        List<Place> places = new ArrayList<>();
        summary.chunks().forEach(each -> places.add(new Place(each.offset(), each.length())));
        summary.attachments().forEach(each -> places.add(new Place(each.offset(), each.length())));
        summary.metadata().forEach(each -> places.add(new Place(each.offset(), each.length())));
        places.sort(Comparator.comparingLong(Place::offset));
        long end = Magic.LENGTH;
        for (Place place : places) {
            if (place.offset() < end) {
                throw new McapException(
                        Reason.CONFLICT,
                        start,
                        "index",
                        "leads twice to what is at " + place.offset());
            }
            end = place.offset() + place.length();
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
