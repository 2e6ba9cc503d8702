package dev.wishdir.cluster.remote;

/** Times at which another node was heard. */
final class Liveness {
    private final long added;
    private long heard;
    private boolean hidden;

    Liveness(long nanos) {
        added = nanos;
        heard = nanos;
    }

    /** Time of its first message. */
    long added() {
        return added;
    }

    /** Time of its last message that was not late. */
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
