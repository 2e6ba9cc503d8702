package dev.wishdir.cluster.remote;

/** When another node was heard. */
final class Liveness {
    private final long added;
    private long heard;
    private boolean hidden;

    Liveness(long nanos) {
        added = nanos;
        heard = nanos;
    }

    /** When its first message came. */
    long added() {
        return added;
    }

    /** When its last message came that was not late. */
    long heard() {
        return heard;
    }

    void hear(long nanos) {
        heard = nanos;
    }

    /** Hides its bodies, or shows them again. */
    void setHidden(boolean hidden) {
        this.hidden = hidden;
    }

    boolean isHidden() {
        return hidden;
    }
}
