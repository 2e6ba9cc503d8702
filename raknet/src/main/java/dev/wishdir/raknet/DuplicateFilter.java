package dev.wishdir.raknet;

/** Filter of repeated reliable frames by message index: docs/protocols/raknet.md#receiving. */
final class DuplicateFilter {
    /** Distance from the first missing message index up to which a frame is accepted. */
    static final int WINDOW = 8192;

    private final SequenceBits received = new SequenceBits(WINDOW);
    private long firstMissing;

    /** The distance of a message index from the first missing one; negative if it was received. */
    private long ahead(int messageIndex) {
        return RakNet.unwrap(messageIndex, firstMissing) - firstMissing;
    }

    /** Whether a message index is too far ahead to be recorded. */
    boolean isTooFar(int messageIndex) {
        return ahead(messageIndex) >= WINDOW;
    }

    /** Whether a message index is less than {@link #WINDOW} from the first missing one. */
    boolean isInWindow(int messageIndex) {
        return Math.abs(ahead(messageIndex)) < WINDOW;
    }

    /** Whether a message index is so near that a forger is unlikely to have guessed it. */
    boolean isNear(int messageIndex) {
        return Math.abs(ahead(messageIndex)) < ReceivedDatagrams.NEAR;
    }

    /** Whether a message index that is not too far was not received before. */
    boolean isNew(int messageIndex) {
        long ahead = ahead(messageIndex);
        return ahead >= 0 && !received.isSet(firstMissing + ahead);
    }

    /** Records a new message index. */
    void add(int messageIndex) {
        received.set(firstMissing + ahead(messageIndex));
        for (; received.isSet(firstMissing); firstMissing++) {
            received.clear(firstMissing);
        }
    }
}
