package dev.wishdir.record.mcap;

/**
 * Index of a metadata record.
 *
 * @param length of the whole record
 */
record MetadataIndex(long offset, long length, String name) {
    void write(RecordBuffer out) {
        int record = out.begin(Opcode.METADATA_INDEX);
        out.u64(offset);
        out.u64(length);
        out.text("name", name);
        out.end(record);
    }

    static MetadataIndex read(RecordFields in) throws McapException {
        return new MetadataIndex(
                in.u64("metadata_index.offset"),
                in.u64("metadata_index.length"),
                in.text("metadata_index.name"));
    }
}
