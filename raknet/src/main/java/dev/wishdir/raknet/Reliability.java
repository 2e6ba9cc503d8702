package dev.wishdir.raknet;

/** What RakNet promises about a message. The ordinal is the value on the wire. */
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

    /** That of a frame's flags: their upper three bits. */
    static Reliability ofFlags(int flags) {
        return VALUES[flags >> 5 & 7];
    }

    /** It arrives, and once. */
    public boolean reliable() {
        return reliable;
    }

    /** All of a channel arrive in order. */
    public boolean ordered() {
        return ordered;
    }

    /** What is older than the newest of a channel is dropped. */
    public boolean sequenced() {
        return sequenced;
    }

    /** Receipts are the sender's own affair: no peer writes these values. */
    boolean withReceipt() {
        return ordinal() >= UNRELIABLE_WITH_RECEIPT.ordinal();
    }

    /** The bytes of a frame before its payload, without the part about splitting. */
    int header() {
        return 3 + (reliable ? 3 : 0) + (sequenced ? 3 : 0) + (ordered || sequenced ? 4 : 0);
    }

    /** What a message becomes when it is split: a lost part must be sent again. */
    Reliability whenSplit() {
        return switch (this) {
            case UNRELIABLE -> RELIABLE;
            case UNRELIABLE_SEQUENCED -> RELIABLE_SEQUENCED;
            default -> this;
        };
    }
}
