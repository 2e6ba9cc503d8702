package dev.wishdir.record.message;

import dev.wishdir.record.mcap.MessageCursor;

/** The messages of a recording that may grow. */
public interface MessageSource {
    /** Messages of our topics in order; both times are included, nanoseconds since 1970. */
    MessageCursor messages(long fromNanos, long toNanos);

    /** The topic of a channel of these messages. */
    Topic topic(int channel);

    /** Number of times that messages were added since the recording was opened. */
    int growths();
}
