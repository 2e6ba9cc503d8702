package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.function.Supplier;

/**
 * What an application chooses. Both sides must agree on the protocol, the magic and the lowest id;
 * begin with {@link #server} or {@link #client} and change what is otherwise.
 *
 * @param protocol the version that both sides must speak, 0..255; RakNet leaves its meaning to the
 *     application
 * @param magic 16 bytes that mark a message outside a connection
 * @param lowestId the first byte of an application's messages, unsigned, is at least this; what is
 *     below is RakNet's own, and passed over where RakNet does not know it
 * @param mtus the sizes of datagrams that a client tries one after the other, descending, with the
 *     headers of IP and UDP; the first is the largest that is agreed to, the last the smallest;
 *     within 576..1500
 * @param counted what drops are counted under: {@code raknet.drop} is followed by a dot and the
 *     reason
 * @param limits of each connection
 * @param cookie whether a server's clients must prove their address before anything is kept for
 *     them; without it, what they get before they have shown themselves is never sent twice
 * @param connections the most at once of a server, besides those that are opening
 * @param pong what a server says of itself at this moment to who asks without a connection, at most
 *     1000 bytes in UTF-8
 */
public record RakNetSettings(
        int protocol,
        Bytes magic,
        int lowestId,
        List<Integer> mtus,
        String counted,
        RakNetLimits limits,
        boolean cookie,
        int connections,
        Supplier<String> pong) {
    /** The magic of RakNet itself, which all known applications keep. */
    public static final Bytes MAGIC = Bytes.ofHex("00FFFF00FEFEFEFEFDFDFDFD12345678");

    /** The first id that RakNet itself leaves to applications. */
    public static final int USER_PACKET = 0x86;

    private static final int PROTOCOL = 11;

    /**
     * @throws IllegalArgumentException if a bound is broken
     */
    public RakNetSettings {
        mtus = List.copyOf(mtus);
        if (protocol < 0 || protocol > 255) {
            throw new IllegalArgumentException("the protocol is 0..255");
        }
        if (magic.length() != RakNet.MAGIC_LENGTH) {
            throw new IllegalArgumentException("the magic has 16 bytes");
        }
        if (lowestId <= ConnectedMessage.MAX_ID || lowestId > 255) {
            throw new IllegalArgumentException("the lowest id is above RakNet's own, to 255");
        }
        if (mtus.isEmpty() || mtus.getLast() < 576 || mtus.getFirst() > 1500) {
            throw new IllegalArgumentException("at least one MTU, within 576..1500");
        }
    }

    /** A server's, with cookies and the limits for anybody. */
    public static RakNetSettings server(int connections) {
        return standard(RakNetLimits.SERVER, connections);
    }

    /** A client's, with the limits for a server of one's choice. */
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
                () -> "");
    }

    /** These with other words for each other: protocol, magic and lowest id. */
    public RakNetSettings speaking(int protocol, Bytes magic, int lowestId) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** These with other sizes of datagrams. */
    public RakNetSettings mtus(List<Integer> mtus) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** These with drops counted under another name. */
    public RakNetSettings counted(String counted) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** These with other limits. */
    public RakNetSettings limits(RakNetLimits limits) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** These with cookies or without. */
    public RakNetSettings cookie(boolean cookie) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** These with something to say of the server. */
    public RakNetSettings pong(Supplier<String> pong) {
        return new RakNetSettings(
                protocol, magic, lowestId, mtus, counted, limits, cookie, connections, pong);
    }

    /** The size of a connection's datagrams where the other side wishes this. */
    int mtu(int wished) {
        return Math.clamp(wished, mtus.getLast(), mtus.getFirst());
    }
}
