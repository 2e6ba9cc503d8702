package dev.wishdir.record.mcap;

/**
 * A file within the file, without its data.
 *
 * @param offset of its record
 * @param length of its whole record
 * @param dataBytes size of its data
 */
public record AttachmentInfo(
        String name,
        String mediaType,
        long logTimeNanos,
        long createTimeNanos,
        long offset,
        long length,
        long dataBytes) {
    /** Maximum size of a record in front of its data. */
    static final int MAX_FRONT_BYTES = Opcode.HEAD_BYTES + 2 * McapLimits.MAX_TEXT_BYTES + 32;

    void write(RecordBuffer out) {
        int record = out.begin(Opcode.ATTACHMENT_INDEX);
        out.u64(offset);
        out.u64(length);
        out.u64(logTimeNanos);
        out.u64(createTimeNanos);
        out.u64(dataBytes);
        out.text("name", name);
        out.text("media_type", mediaType);
        out.end(record);
    }

    static AttachmentInfo read(RecordFields in) throws McapException {
        long offset = in.u64("attachment_index.offset");
        long length = in.u64("attachment_index.length");
        long logTime = in.u64("attachment_index.log_time");
        long createTime = in.u64("attachment_index.create_time");
        long dataBytes = in.u64("attachment_index.data_size");
        String name = in.text("attachment_index.name");
        String mediaType = in.text("attachment_index.media_type");
        return new AttachmentInfo(name, mediaType, logTime, createTime, offset, length, dataBytes);
    }

    /** Reads the fields of an attachment record before its data. */
    static AttachmentInfo readRecord(RecordFields in, long offset, long length)
            throws McapException {
        long logTime = in.u64("attachment.log_time");
        long createTime = in.u64("attachment.create_time");
        String name = in.text("attachment.name");
        String mediaType = in.text("attachment.media_type");
        long dataBytes = in.u64("attachment.data");
        return new AttachmentInfo(name, mediaType, logTime, createTime, offset, length, dataBytes);
    }
}
