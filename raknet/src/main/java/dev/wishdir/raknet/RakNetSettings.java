package dev.wishdir.raknet;

import dev.wishdir.net.Requirements;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Settings of a RakNet server or client. Start with {@link #server} or {@link #client} and change
 * what differs; both sides must agree on protocol, magic and lowest id.
 *
 * @param protocol the version of RakNet, 0..255
 * @param magic the 16 bytes that mark a message outside a connection
 * @param lowestId the lowest first byte of an application's messages, unsigned; messages below it
 *     are RakNet's own, and ignored if unknown
 * @param mtus lengths of datagrams that a client tries, descending, with the headers of IP and UDP,
 *     within 576..1500; a server grants at most the first and at least the last
 * @param counters prefix of the drop counters' names, before a dot and the reason; {@code
 *     raknet.drop} by default
 * @param limits of each connection
 * @param cookie whether a server's clients must repeat a cookie, to prove their address before
 *     anything is kept for them; without it, nothing is retransmitted to an unproven address
 * @param connections maximum of a server, without half-open ones
 * @param pong the server's current entry in server lists, at most 1000 bytes in UTF-8
 * @param orderedOnly whether an application's messages are ignored unless reliable and ordered,
 *     which a forger can hardly imitate
 */
public record RakNetSettings(
        int protocol,
        Bytes magic,
        int lowestId,
        List<Integer> mtus,
        String counters,
        RakNetLimits limits,
        boolean cookie,
        int connections,
        Supplier<String> pong,
        boolean orderedOnly) {
    /** RakNet's own magic, which all known applications keep. */
    public static final Bytes MAGIC = Bytes.ofHex("00FFFF00FEFEFEFEFDFDFDFD12345678");

    /** The lowest id that RakNet leaves to applications. */
    public static final int USER_PACKET = 0x86;

    private static final int PROTOCOL = 11;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public RakNetSettings {
        mtus = List.copyOf(Objects.requireNonNull(mtus, "mtus"));
        Objects.requireNonNull(counters, "counters");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(pong, "pong");
        Requirements.notNegative("connections", connections);
        if (protocol < 0 || protocol > 255) {
            throw new IllegalArgumentException("protocol is " + protocol + ", must be 0..255");
        }
        if (Objects.requireNonNull(magic, "magic").length() != RakNet.MAGIC_LENGTH) {
            throw new IllegalArgumentException(
                    "magic has " + magic.length() + " bytes, must have 16");
        }
        if (lowestId <= ConnectedMessage.MAX_ID || lowestId > 255) {
            throw new IllegalArgumentException(
                    "lowestId is "
                            + lowestId
                            + ", must be "
                            + (ConnectedMessage.MAX_ID + 1)
                            + "..255");
        }
        if (mtus.isEmpty() || mtus.getLast() < 576 || mtus.getFirst() > 1500) {
            throw new IllegalArgumentException(
                    "mtus are " + mtus + ", must be at least one, within 576..1500");
        }
    }

    /** Defaults of a server: with cookies and {@link RakNetLimits#SERVER}. */
    public static RakNetSettings server(int connections) {
        return standard(RakNetLimits.SERVER, connections);
    }

    /** Defaults of a client: {@link RakNetLimits#CLIENT}. */
    public static RakNetSettings client() {
        return standard(RakNetLimits.CLIENT, 0);
    }

    private static RakNetSettings standard(RakNetLimits limits, int connections) {
        return new RakNetSettings(
                PROTOCOL,
                MAGIC,
                USER_PACKET,
                List.of(1492, 1200, 576),
                "raknet.drop",
                limits,
                true,
                connections,
                () -> "",
                false);
    }

    /** A copy with another protocol, magic and lowest id. */
    public RakNetSettings dialect(int protocol, Bytes magic, int lowestId) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy with other MTUs. */
    public RakNetSettings mtus(List<Integer> mtus) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy with another prefix of the drop counters' names. */
    public RakNetSettings counters(String counters) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy with other limits. */
    public RakNetSettings limits(RakNetLimits limits) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy with or without cookies. */
    public RakNetSettings cookie(boolean cookie) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy with another entry in server lists. */
    public RakNetSettings pong(Supplier<String> pong) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    /** A copy that takes any messages of an application, or only reliable and ordered ones. */
    public RakNetSettings orderedOnly(boolean orderedOnly) {
        return with(protocol, magic, lowestId, mtus, counters, limits, cookie, pong, orderedOnly);
    }

    private RakNetSettings with(
            int protocol,
            Bytes magic,
            int lowestId,
            List<Integer> mtus,
            String counters,
            RakNetLimits limits,
            boolean cookie,
            Supplier<String> pong,
            boolean orderedOnly) {
        return new RakNetSettings(
                protocol,
                magic,
                lowestId,
                mtus,
                counters,
                limits,
                cookie,
                connections,
                pong,
                orderedOnly);
    }

    /** The MTU of a connection whose client requests the given one. */
    int mtu(int requested) {
        return Math.clamp(requested, mtus.getLast(), mtus.getFirst());
    }
}
