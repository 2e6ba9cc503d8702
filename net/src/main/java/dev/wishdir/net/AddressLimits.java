package dev.wishdir.net;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is counted by address, over all games of a server: bytes to those who have not proved that
 * they receive, sessions of one address, half-open peers of one network, wrong passwords. Trusted
 * addresses are free of the counts of how many come from one address, sessions, half-open peers and
 * what signalling counts so, and of nothing else; the loopback is like any other address. One a
 * server, shared by its endpoints, used by its one thread.
 */
public final class AddressLimits {
    /** Sessions of one address of IPv4, or of one /64 of IPv6, where nothing else is set. */
    public static final int SESSIONS = 8;

    /** Half-open peers of one /24 or /56 at one endpoint, and of one /48. */
    private static final PrefixLimits HALF_OPEN = new PrefixLimits(32, 32, 64);

    /**
     * Packets at once of a network that seem to continue a session from another port and do not.
     */
    private static final int PORT_GUESSES = 32;

    /** A session's place among those of its address, until it leaves. */
    public final class Place {
        private final Prefix of;
        private boolean left;

        private Place(Prefix of) {
            this.of = of;
        }

        /** Frees the place. Once is enough; more does nothing. */
        public void leave() {
            if (!left) {
                left = true;
                sessions.computeIfPresent(of, (_, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    private final int mostSessions;
    private final List<AddressRange> trusted;
    private final AmplificationLimiter limiter;
    private final FailedAttemptLimiter passwords;
    private final FailedAttemptLimiter blindPasswords;
    private final FailedAttemptLimiter ports;
    private final Map<Prefix, Integer> sessions = new HashMap<>();

    /**
     * @param mostSessions of one address, in all games together; at least 1
     * @param trusted who may have as many as he likes; empty for nobody
     * @param limiter the bytes for unproven addresses
     * @param seed random, so that a sender can't choose whose tries it uses up
     */
    public AddressLimits(
            int mostSessions, List<AddressRange> trusted, AmplificationLimiter limiter, long seed) {
        if (mostSessions < 1) {
            throw new IllegalArgumentException("at least one session an address");
        }
        this.mostSessions = mostSessions;
        this.trusted = List.copyOf(trusted);
        this.limiter = limiter;
        passwords = new FailedAttemptLimiter(10, 0.1, 16, seed);
        blindPasswords = new FailedAttemptLimiter(10, 0.1, Integer.MAX_VALUE, ~seed);
        ports = new FailedAttemptLimiter(PORT_GUESSES, 1, 16, ~seed);
    }

    /** {@value #SESSIONS} sessions an address, nobody trusted, the standard budget. */
    public static AddressLimits standard(long seed) {
        return trusting(List.of(), seed);
    }

    /** The standard, with trusted addresses. */
    public static AddressLimits trusting(List<AddressRange> trusted, long seed) {
        return new AddressLimits(SESSIONS, trusted, AmplificationLimiter.standard(seed), seed);
    }

    /** Whether an address is free of the counts by address. */
    public boolean isTrusted(InetAddress address) {
        for (AddressRange range : trusted) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a place for a session whose client has proved its address. A client that connects anew
     * leaves first.
     *
     * @return the place, which the session keeps and gives back; null if the address has as many as
     *     it may have
     */
    public @Nullable Place enter(InetAddress from) {
        Prefix of = Prefix.household(from);
        if (sessions.getOrDefault(of, 0) >= mostSessions && !isTrusted(from)) {
            return null;
        }
        sessions.merge(of, 1, Integer::sum);
        return new Place(of);
    }

    /** How many sessions more an address may have. */
    public int room(InetAddress of) {
        return isTrusted(of) ? Integer.MAX_VALUE : Math.max(0, mostSessions - sessions(of));
    }

    /** The sessions that an address has in all games. */
    public int sessions(InetAddress of) {
        return sessions.getOrDefault(Prefix.household(of), 0);
    }

    /**
     * Places for half-open peers of one endpoint.
     *
     * @param most in all; a newcomer's has to last until he answers, while a flood that the budget
     *     lets through, some 1,300 a second, takes places
     */
    public <T> HalfOpenTable<T> halfOpen(int most) {
        return halfOpen(most, HALF_OPEN);
    }

    /** The same with other limits of a prefix. */
    public <T> HalfOpenTable<T> halfOpen(int most, PrefixLimits limits) {
        return new HalfOpenTable<>(most, limits, this::isTrusted);
    }

    /** The bytes for those who have not proved that they receive at their address. */
    public AmplificationLimiter budget() {
        return limiter;
    }

    /**
     * Wrong passwords of those who have proved their address, in all games together: 10 at once and
     * then one in 10 s a household, and 16 times as many a network.
     */
    public FailedAttemptLimiter passwords() {
        return passwords;
    }

    /** Wrong passwords of senders that have proved their address, or of those that have not. */
    public FailedAttemptLimiter passwords(boolean proved) {
        return proved ? passwords : blindPasswords;
    }

    /**
     * Packets that come from an unknown port of a session's address, and do not continue it: 32 at
     * once and then one a second of a household, after which none is taken for a session that
     * moved.
     */
    public FailedAttemptLimiter ports() {
        return ports;
    }

    /**
     * Wrong passwords in datagrams whose sender may be forged, as rcon without a session: 10 at
     * once and then one in 10 s a household. Kept apart, so that nobody uses up the tries of those
     * who have proved their address. A forged sender is always a fresh one: against guesses from
     * everywhere only a long password helps.
     */
    public FailedAttemptLimiter blindPasswords() {
        return blindPasswords;
    }
}
