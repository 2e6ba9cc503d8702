package dev.wishdir.wire.dissect;

/** The direction of a datagram. */
public enum Direction {
    C2S,
    S2C;

    /** {@code c2s} or {@code s2c}. */
    public String label() {
        return this == C2S ? "c2s" : "s2c";
    }
}
