package dev.wishdir.record.mcap;

/**
 * Limits of a file. The writer refuses more, the reader checks before it allocates, so that a file
 * with all of them at once can be read next to a server with 512 MiB of heap.
 */
public final class McapLimits {
    /** Maximum size of a chunk's records before compression. */
    public static final int MAX_CHUNK_BYTES = 16 << 20;

    /** Maximum ratio of a chunk's uncompressed to its compressed size. */
    public static final int MAX_CHUNK_RATIO = 200;

    /** Maximum number of messages in a chunk. */
    public static final int MAX_CHUNK_MESSAGES = 1 << 19;

    /** Maximum number of chunks: more than two days of what a recorder writes. */
    public static final int MAX_CHUNKS = 1 << 18;

    /** Maximum size of the buffers of chunks that overlap in time, which a cursor holds at once. */
    public static final int MAX_OVERLAP_BYTES = 32 << 20;

    /** Maximum number of schemas; ids have 16 bits, and 0 is none. */
    public static final int MAX_SCHEMAS = 65_535;

    /** Maximum number of channels; ids have 16 bits. */
    public static final int MAX_CHANNELS = 65_536;

    /** Maximum number of metadata records. */
    public static final int MAX_METADATA = 4_096;

    /** Maximum number of attachments. */
    public static final int MAX_ATTACHMENTS = 4_096;

    /** Maximum size of an attachment's data. */
    public static final int MAX_ATTACHMENT_BYTES = 64 << 20;

    /** Maximum size of a text in UTF-8. */
    public static final int MAX_TEXT_BYTES = 1 << 16;

    /** Maximum number of entries in a map of texts. */
    public static final int MAX_MAP_ENTRIES = 4_096;

    /** Maximum size of one schema, channel or metadata record. */
    public static final int MAX_DEFINITION_BYTES = 4 << 20;

    /** Maximum size of all schemas, channels and metadata of a file. */
    public static final int MAX_DEFINITIONS_BYTES = 4 << 20;

    /** Maximum size of a file's summary. */
    public static final int MAX_SUMMARY_BYTES = 40 << 20;

    /** Maximum number of {@link Damage} that a reader reports; further damage is skipped too. */
    public static final int MAX_DAMAGE = 65_536;

    private McapLimits() {}
}
