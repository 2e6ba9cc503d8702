package dev.wishdir.bedrock.message;

/**
 * How one version of the protocol writes its messages.
 *
 * @param changes what has changed since the oldest, a bit for each {@link ProtocolChange}
 */
public record Dialect(long changes) {
    /** The oldest version: nothing has changed. */
    public static final Dialect OLDEST = new Dialect(0);

    /** Whether this version does it the new way. */
    public boolean has(ProtocolChange change) {
        return (changes & change.bit) != 0;
    }

    /** The dialect in which these things have changed too. */
    public Dialect with(ProtocolChange... more) {
        return new Dialect(changes | bits(more));
    }

    /** The dialect that has gone back on these changes. */
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
