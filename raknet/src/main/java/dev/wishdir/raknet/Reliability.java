package dev.wishdir.raknet;

/** Reliability and order of the delivery of a message. The ordinal is the value on the wire. */
public enum Reliability {
    UNRELIABLE(false, false, false),
    UNRELIABLE_SEQUENCED(false, false, true),
    RELIABLE(true, false, false),
    RELIABLE_ORDERED(true, true, false),
    RELIABLE_SEQUENCED(true, false, true),
    UNRELIABLE_WITH_RECEIPT(false, false, false),
    RELIABLE_WITH_RECEIPT(true, false, false),
    RELIABLE_ORDERED_WITH_RECEIPT(true, true, false);

    private static final Reliability[] VALUES = values();

    private final boolean reliable;
    private final boolean ordered;
    private final boolean sequenced;

    Reliability(boolean reliable, boolean ordered, boolean sequenced) {
        this.reliable = reliable;
        this.ordered = ordered;
        this.sequenced = sequenced;
    }

    /** The reliability in a frame's flags: their upper three bits. */
    static Reliability ofFlags(int flags) {
        return VALUES[flags >> 5 & 7];
    }

    /** Whether the message is retransmitted until it is acknowledged, and delivered once. */
    public boolean reliable() {
        return reliable;
    }

    /** Whether the messages of a channel are delivered in order. */
    public boolean ordered() {
        return ordered;
    }

    /** Whether a message older than the newest of its channel is dropped. */
    public boolean sequenced() {
        return sequenced;
    }

    /** Whether the sender's application is notified of the acknowledgement; never on the wire. */
    boolean withReceipt() {
        return ordinal() >= UNRELIABLE_WITH_RECEIPT.ordinal();
    }

    /** Length of a frame's header without the fields of a part, bytes. */
    int headerLength() {
        return 3 + (reliable ? 3 : 0) + (sequenced ? 3 : 0) + (ordered || sequenced ? 4 : 0);
    }

    /** The reliability of the parts of a split message: a lost part must be retransmitted. */
    Reliability whenSplit() {
        return switch (this) {
            case UNRELIABLE -> RELIABLE;
            case UNRELIABLE_SEQUENCED -> RELIABLE_SEQUENCED;
            default -> this;
        };
    }
}
