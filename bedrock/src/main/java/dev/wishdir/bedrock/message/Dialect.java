package dev.wishdir.bedrock.message;

/** How one version of the protocol writes its messages: what has changed since the oldest. */
public final class Dialect {
    /** The oldest version: nothing has changed. */
    public static final Dialect OLDEST = new Dialect(0);

    private final long changes;

    private Dialect(long changes) {
        this.changes = changes;
    }

    /** Whether this version does it the new way. */
    public boolean has(Change change) {
        return (changes >>> change.ordinal() & 1) != 0;
    }

    /** The dialect in which these things have changed too. */
    public Dialect with(Change... more) {
        return new Dialect(changes | bits(more));
    }

    /** The dialect that has gone back on these changes. */
    public Dialect without(Change... undone) {
        return new Dialect(changes & ~bits(undone));
    }

    private static long bits(Change... changes) {
        long bits = 0;
        for (Change change : changes) {
            if (change.ordinal() >= Long.SIZE) {
                throw new IllegalStateException("more changes than a long has bits");
            }
            bits |= 1L << change.ordinal();
        }
        return bits;
    }
}
