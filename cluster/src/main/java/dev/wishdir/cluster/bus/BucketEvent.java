package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** An event of a bucket. */
public sealed interface BucketEvent {
    /**
     * A value, or that there is none any more.
     *
     * @param value null for a deleted one
     * @param millis when it was stored, by the day's clock of the bucket, milliseconds since 1970
     */
    @SuppressWarnings("ArrayRecordComponent") // It goes to the parser without a copy.
    record Entry(String key, byte @Nullable [] value, long millis) {}

    /**
     * All entries, deleted ones included: when the bucket is reached for the first time, when it
     * was created again, and when a node asks for them.
     */
    record Loaded(List<Entry> entries) implements BucketEvent {}

    /** An entry was changed, perhaps by this node. */
    record Changed(Entry entry) implements BucketEvent {}

    /** The bucket is reached. */
    record Available() implements BucketEvent {}

    /**
     * The bucket is not reached, though the bus is connected.
     *
     * @param cause for people
     */
    record Unavailable(String cause) implements BucketEvent {}
}
