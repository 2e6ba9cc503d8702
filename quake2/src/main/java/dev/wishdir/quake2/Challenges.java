package dev.wishdir.quake2;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The numbers with which an address proves that it receives what is sent to it. A number holds the
 * time it was made and a keyed hash of that and the address, so that a flood of requests leaves
 * nothing behind; those that were used are remembered until they are too old.
 */
final class Challenges {
    private static final long STEP = 125_000_000;
    private static final int STAMPS = 1 << 16;
    private static final int MOST_STEPS = 60 * 8;
    private static final int MOST_USED = 1 << 14;

    private final long key;
    private final long otherKey;

    private record Use(InetAddress address, int qport, int challenge) {}

    private final Map<Use, Boolean> used =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Use, Boolean> eldest) {
                    return size() > MOST_USED;
                }
            };

    Challenges(RandomGenerator random) {
        key = random.nextLong();
        otherKey = random.nextLong();
    }

    /** A challenge for an address, 31 bits. */
    int give(long now, InetAddress address) {
        return make(stamp(now), address);
    }

    private static int stamp(long now) {
        return Math.floorMod(now / STEP, STAMPS);
    }

    private int make(int stamp, InetAddress address) {
        long hash = key ^ stamp * 0x9E3779B97F4A7C15L;
        for (byte b : address.getAddress()) {
            hash = (hash ^ b & 0xFF) * 0xBF58476D1CE4E5B9L;
            hash ^= hash >>> 31;
        }
        hash = (hash ^ otherKey) * 0x94D049BB133111EBL;
        hash ^= hash >>> 29;
        return stamp << 15 | (int) (hash >>> 40) & 0x7FFF;
    }

    /**
     * Whether a challenge was given to an address less than a minute ago, and the client of a qport
     * has not used it yet.
     */
    boolean isFresh(long now, InetAddress address, int qport, int challenge) {
        int stamp = challenge >>> 15;
        return challenge >= 0
                && Math.floorMod(stamp(now) - stamp, STAMPS) <= MOST_STEPS
                && make(stamp, address) == challenge
                && !used.containsKey(new Use(address, qport, challenge));
    }

    /** Marks a challenge as used. */
    void use(InetAddress address, int qport, int challenge) {
        used.put(new Use(address, qport, challenge), true);
    }
}
