package dev.wishdir.bedrock.message;

/**
 * The wire format of one version of the protocol, as a set of changes.
 *
 * @param changes since the oldest version, a bit for each {@link ProtocolChange}
 */
public record Dialect(long changes) {
    /** The oldest version, without changes. */
    public static final Dialect OLDEST = new Dialect(0);

    /** Whether this version has a change. */
    public boolean has(ProtocolChange change) {
        return (changes & change.bit) != 0;
    }

    /** This dialect with more changes. */
    public Dialect with(ProtocolChange... more) {
        return new Dialect(changes | bits(more));
    }

    /** This dialect without some of its changes. */
    public Dialect without(ProtocolChange... undone) {
        return new Dialect(changes & ~bits(undone));
    }

    private static long bits(ProtocolChange... changes) {
        long bits = 0;
        for (ProtocolChange change : changes) {
            bits |= change.bit;
        }
        return bits;
    }
}
