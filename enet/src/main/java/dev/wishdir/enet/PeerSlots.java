package dev.wishdir.enet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/** The numbered places of a host's connections, and the sessions that each had last. */
final class PeerSlots {
    private static final int NO_SESSION = 0xFF;

    private final int size;
    private final RandomGenerator random;
    private final BitSet used = new BitSet();
    private final byte[] inSessions;
    private final byte[] outSessions;

    PeerSlots(int size, RandomGenerator random) {
        this.size = size;
        this.random = random;
        inSessions = new byte[size];
        outSessions = new byte[size];
        Arrays.fill(inSessions, (byte) NO_SESSION);
        Arrays.fill(outSessions, (byte) NO_SESSION);
    }

    int size() {
        return size;
    }

    /** The lowest free one. */
    int lowest() {
        return used.nextClearBit(0);
    }

    /** A random free slot, which an attacker cannot guess. */
    int any() {
        int index = used.nextClearBit(random.nextInt(size));
        return index < size ? index : lowest();
    }

    void take(int index) {
        used.set(index);
    }

    void free(int index) {
        used.clear(index);
    }

    /** The session of what came to a slot last, 255 if none did. */
    int inSession(int index) {
        return inSessions[index] & 0xFF;
    }

    /** The session of what left a slot last, 255 if none did. */
    int outSession(int index) {
        return outSessions[index] & 0xFF;
    }

    void setSessions(int index, int in, int out) {
        inSessions[index] = (byte) in;
        outSessions[index] = (byte) out;
    }

    /** A session id that is neither the one that the client has had nor the slot's last. */
    int nextSession(int asked, int last) {
        int session = (asked == NO_SESSION ? last : asked) + 1 + random.nextInt(4) & 3;
        while (session == asked || session == last) {
            session = session + 1 & 3;
        }
        return session;
    }
}
