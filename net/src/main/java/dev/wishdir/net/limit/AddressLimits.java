package dev.wishdir.net.limit;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The limits by client address over all games of a server: sessions, half-open peers, wrong
 * passwords, amplification. Trusted addresses are exempt from the limits on connections of one
 * address (sessions, half-open peers, those of signalling) and from nothing else; the loopback is
 * like any other address. One per server, shared by its endpoints, used only by its thread.
 */
public final class AddressLimits {
    /** Default maximum of sessions of one IPv4 address or one IPv6 /64. */
    public static final int DEFAULT_MAX_SESSIONS = AmplificationLimiter.CLIENTS_OF_ADDRESS;

    /**
     * Maximum half-open peers at one endpoint by prefix: of an address, a /24 or a /56, and of a
     * /48.
     */
    private static final PrefixLimits HALF_OPEN = new PrefixLimits(32, 32, 64);

    /** Sessions of a subscriber that may begin at once, and per second. */
    private static final int SESSION_BURST = 32;

    private static final int SESSIONS_PER_SECOND = 1;

    /** The limits of a network, as a multiple of a subscriber's. */
    private static final int NETWORK_FACTOR = 16;

    /**
     * Burst of packets of a subscriber that seem to continue a session from another port but do
     * not.
     */
    private static final int PORT_GUESSES = 32;

    /** One counted session of an address. */
    public final class Place {
        private final Prefix prefix;
        private boolean left;

        private Place(Prefix prefix) {
            this.prefix = prefix;
        }

        /** Frees the place; further calls do nothing. */
        public void leave() {
            if (!left) {
                left = true;
                sessions.computeIfPresent(prefix, (_, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    private final int maxSessions;
    private final List<AddressRange> trusted;
    private final AmplificationLimiter limiter;
    private final FailedAttemptLimiter passwords;
    private final FailedAttemptLimiter blindPasswords;
    private final FailedAttemptLimiter ports;
    private final SubscriberRateLimiter newSessions;
    private final Map<Prefix, Integer> sessions = new HashMap<>();

    /**
     * @param maxSessions maximum of one address, in all games together; at least 1
     * @param trusted addresses without that limit
     * @param limiter the amplification limit
     * @param seed random, so that a sender can't choose whose attempts it uses up
     */
    public AddressLimits(
            int maxSessions, List<AddressRange> trusted, AmplificationLimiter limiter, long seed) {
        if (maxSessions < 1) {
            throw new IllegalArgumentException(
                    "maximum of sessions of an address must be at least 1, is " + maxSessions);
        }
        this.maxSessions = maxSessions;
        this.trusted = List.copyOf(Objects.requireNonNull(trusted, "trusted"));
        this.limiter = Objects.requireNonNull(limiter, "limiter");
        passwords = new FailedAttemptLimiter(10, 0.1, NETWORK_FACTOR, seed);
        blindPasswords = new FailedAttemptLimiter(10, 0.1, Integer.MAX_VALUE, ~seed);
        ports = new FailedAttemptLimiter(PORT_GUESSES, 1, NETWORK_FACTOR, ~seed);
        newSessions =
                new SubscriberRateLimiter(SESSION_BURST, SESSIONS_PER_SECOND, NETWORK_FACTOR, seed);
    }

    /**
     * {@value #DEFAULT_MAX_SESSIONS} sessions an address, no trusted addresses, the standard
     * amplification limit.
     */
    public static AddressLimits standard(long seed) {
        return trusting(List.of(), seed);
    }

    /** As {@link #standard}, with trusted addresses. */
    public static AddressLimits trusting(List<AddressRange> trusted, long seed) {
        return new AddressLimits(
                DEFAULT_MAX_SESSIONS, trusted, AmplificationLimiter.standard(seed), seed);
    }

    /** Whether an address is exempt from the limits on connections of one address. */
    public boolean isTrusted(InetAddress address) {
        for (AddressRange range : trusted) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a place for a session whose client has proved its address. A client that reconnects
     * must leave first. Joining and leaving without end would take the server's time: 32 sessions
     * of a subscriber may begin at once and then one a second, 16 times that of a network.
     *
     * @return the place, to be freed with the session; null if the address has its maximum of
     *     sessions, or begins them too often
     */
    public @Nullable Place enter(long now, InetAddress from) {
        Prefix prefix = Prefix.subscriber(from);
        if (!isTrusted(from)) {
            if (sessions.getOrDefault(prefix, 0) >= maxSessions
                    || !newSessions.hasToken(now, from)) {
                return null;
            }
            newSessions.take(now, from);
        }
        sessions.merge(prefix, 1, Integer::sum);
        return new Place(prefix);
    }

    /** Number of further sessions that an address may have. */
    public int remainingSessions(InetAddress prefix) {
        return isTrusted(prefix) ? Integer.MAX_VALUE : Math.max(0, maxSessions - sessions(prefix));
    }

    /** The sessions of an address in all games. */
    public int sessions(InetAddress prefix) {
        return sessions.getOrDefault(Prefix.subscriber(prefix), 0);
    }

    /**
     * A table of half-open peers for one endpoint.
     *
     * @param most maximum in all; an entry must last until its client replies, while a flood within
     *     the amplification limit, some 1,300 a second, takes places
     */
    public <T> HalfOpenTable<T> halfOpen(int most) {
        return halfOpen(most, HALF_OPEN);
    }

    /** As {@link #halfOpen(int)}, with other limits by prefix. */
    public <T> HalfOpenTable<T> halfOpen(int most, PrefixLimits limits) {
        return new HalfOpenTable<>(most, limits, this::isTrusted);
    }

    /** The amplification limit for unproven addresses. */
    public AmplificationLimiter amplificationLimiter() {
        return limiter;
    }

    /**
     * Limit on wrong passwords from proven addresses, in all games together: 10 at once and then
     * one every 10 s for a subscriber, 16 times that for a network.
     */
    public FailedAttemptLimiter passwords() {
        return passwords;
    }

    /**
     * Limit on wrong passwords from proven or from unproven addresses, as rcon without a session.
     *
     * <p>Unproven addresses have the same limit for a subscriber and none for a network. It is a
     * separate one, so that forged senders can't use up the attempts of proven addresses. As
     * senders can be forged without end, only a long password helps against guessing.
     */
    public FailedAttemptLimiter passwords(boolean proved) {
        return proved ? passwords : blindPasswords;
    }

    /**
     * Limit on guesses at sessions after NAT rebinding: packets from an unknown port of a session's
     * address that do not continue it. 32 at once and then one a second for a subscriber; past that
     * no packet moves a session.
     */
    public FailedAttemptLimiter portGuesses() {
        return ports;
    }
}
