package dev.wishdir.cluster;

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
        hidden = false;
    }

    /** Hides its bodies until it is heard again. */
    void hide() {
        hidden = true;
    }

    boolean isHidden() {
        return hidden;
    }
}
