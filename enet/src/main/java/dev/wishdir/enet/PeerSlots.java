package dev.wishdir.enet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/** Allocation of a host's peer slots, with the last sessions of each. */
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

    /** The lowest free slot. */
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

    /** The last incoming session of a slot, 255 if none. */
    int inSession(int index) {
        return inSessions[index] & 0xFF;
    }

    /** The last outgoing session of a slot, 255 if none. */
    int outSession(int index) {
        return outSessions[index] & 0xFF;
    }

    void setSessions(int index, int in, int out) {
        inSessions[index] = (byte) in;
        outSessions[index] = (byte) out;
    }

    /** A session ID other than the client's and the slot's last one. */
    int nextSession(int requested, int last) {
        int session = (requested == NO_SESSION ? last : requested) + 1 + random.nextInt(4) & 3;
        while (session == requested || session == last) {
            session = session + 1 & 3;
        }
        return session;
    }
}
