package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * RakNet's messages outside a connection: docs/protocols/raknet.md#messages-outside-a-connection.
 *
 * <p>They ping servers and open connections. Each walk starts at the message's id.
 */
public sealed interface OfflineMessage {
    int UNCONNECTED_PING = 0x01;
    int UNCONNECTED_PING_OPEN_CONNECTIONS = 0x02;
    int OPEN_CONNECTION_REQUEST_1 = 0x05;
    int OPEN_CONNECTION_REPLY_1 = 0x06;
    int OPEN_CONNECTION_REQUEST_2 = 0x07;
    int OPEN_CONNECTION_REPLY_2 = 0x08;
    int ALREADY_CONNECTED = 0x12;
    int NO_FREE_INCOMING_CONNECTIONS = 0x14;
    int CONNECTION_BANNED = 0x17;
    int INCOMPATIBLE_PROTOCOL_VERSION = 0x19;
    int IP_RECENTLY_CONNECTED = 0x1A;
    int UNCONNECTED_PONG = 0x1C;

    /**
     * Reads a message.
     *
     * @param magic the 16 bytes that mark these messages
     * @param cookie whether a second request has a cookie, which it does not say itself
     */
    static OfflineMessage read(Reader r, Bytes magic, boolean cookie) {
        int id = r.peek("id");
        return switch (id) {
            case UNCONNECTED_PING, UNCONNECTED_PING_OPEN_CONNECTIONS ->
                    UnconnectedPing.wire(r, UnconnectedPing.BLANK, magic);
            case UNCONNECTED_PONG -> UnconnectedPong.wire(r, UnconnectedPong.BLANK, magic);
            case OPEN_CONNECTION_REQUEST_1 ->
                    OpenConnectionRequest1.wire(r, OpenConnectionRequest1.BLANK, magic);
            case OPEN_CONNECTION_REPLY_1 ->
                    OpenConnectionReply1.wire(r, OpenConnectionReply1.BLANK, magic);
            case OPEN_CONNECTION_REQUEST_2 ->
                    OpenConnectionRequest2.wire(r, OpenConnectionRequest2.BLANK, magic, cookie);
            case OPEN_CONNECTION_REPLY_2 ->
                    OpenConnectionReply2.wire(r, OpenConnectionReply2.BLANK, magic);
            case INCOMPATIBLE_PROTOCOL_VERSION ->
                    IncompatibleProtocolVersion.wire(r, IncompatibleProtocolVersion.BLANK, magic);
            case ALREADY_CONNECTED,
                    NO_FREE_INCOMING_CONNECTIONS,
                    CONNECTION_BANNED,
                    IP_RECENTLY_CONNECTED ->
                    Refusal.wire(r, Refusal.BLANK, magic);
            default -> throw r.malformed("id", "is the unknown message " + id);
        };
    }

    private static int id(Wire w, int value) {
        return w.u8("id", value);
    }

    /** Whether a message ends before its last field, which some programs omit. */
    private static boolean bare(Wire w, boolean value) {
        return w.reading() ? w.remaining() == 0 : value;
    }

    /**
     * Request of a server's entry in server lists.
     *
     * @param ifOpen answer only if there is room
     * @param time milliseconds of any epoch, echoed by the pong
     * @param bare whether it ends before the GUID, which then is 0
     */
    record UnconnectedPing(boolean ifOpen, long time, long guid, boolean bare)
            implements OfflineMessage {
        public static final UnconnectedPing BLANK = new UnconnectedPing(false, 0, 0);

        public UnconnectedPing(boolean ifOpen, long time, long guid) {
            this(ifOpen, time, guid, false);
        }

        public static UnconnectedPing wire(Wire w, UnconnectedPing m, Bytes magic) {
            int id = id(w, m.ifOpen ? UNCONNECTED_PING_OPEN_CONNECTIONS : UNCONNECTED_PING);
            long time = w.i64be("time", m.time);
            RakNet.magic(w, magic);
            boolean bare = OfflineMessage.bare(w, m.bare);
            long guid = bare ? 0 : w.i64be("guid", m.guid);
            return new UnconnectedPing(id == UNCONNECTED_PING_OPEN_CONNECTIONS, time, guid, bare);
        }
    }

    /**
     * A server's entry in server lists.
     *
     * @param time the time of the ping
     * @param motd the entry, its parts separated by semicolons
     * @param bare whether it ends before the entry and its length; the entry then is empty
     */
    record UnconnectedPong(long time, long guid, String motd, boolean bare)
            implements OfflineMessage {
        public static final UnconnectedPong BLANK = new UnconnectedPong(0, 0, "");

        /** The longest entry that a datagram can hold is shorter. */
        private static final int MAX_MOTD_BYTES = 0xFFFF;

        public UnconnectedPong(long time, long guid, String motd) {
            this(time, guid, motd, false);
        }

        public static UnconnectedPong wire(Wire w, UnconnectedPong m, Bytes magic) {
            id(w, UNCONNECTED_PONG);
            long time = w.i64be("time", m.time);
            long guid = w.i64be("guid", m.guid);
            RakNet.magic(w, magic);
            if (OfflineMessage.bare(w, m.bare)) {
                return new UnconnectedPong(time, guid, "", true);
            }
            Bytes text = Bytes.wrap(m.motd.getBytes(StandardCharsets.UTF_8));
            int length = w.bounded("length", w.u16be("length", text.length()), MAX_MOTD_BYTES);
            Bytes motd = w.bytes("motd", text, length);
            return new UnconnectedPong(
                    time, guid, new String(motd.toArray(), StandardCharsets.UTF_8));
        }
    }

    /**
     * The client's first request.
     *
     * @param padding zeros after the version, so that the datagram is as large as the tried MTU
     */
    record OpenConnectionRequest1(int protocol, int padding) implements OfflineMessage {
        public static final OpenConnectionRequest1 BLANK = new OpenConnectionRequest1(0, 0);

        /** Length of the message before the padding, bytes. */
        static final int LENGTH = 18;

        public static OpenConnectionRequest1 wire(Wire w, OpenConnectionRequest1 m, Bytes magic) {
            id(w, OPEN_CONNECTION_REQUEST_1);
            RakNet.magic(w, magic);
            int protocol = w.u8("protocol", m.protocol);
            return new OpenConnectionRequest1(protocol, RakNet.padding(w, m.padding));
        }
    }

    /**
     * The server's first reply.
     *
     * @param security whether a cookie follows, which the second request must repeat
     * @param cookie 0..2^32-1; 0 without security
     */
    record OpenConnectionReply1(long guid, boolean security, long cookie, int mtu, int padding)
            implements OfflineMessage {
        public static final OpenConnectionReply1 BLANK =
                new OpenConnectionReply1(0, false, 0, 0, 0);

        public static OpenConnectionReply1 wire(Wire w, OpenConnectionReply1 m, Bytes magic) {
            id(w, OPEN_CONNECTION_REPLY_1);
            RakNet.magic(w, magic);
            long guid = w.i64be("guid", m.guid);
            boolean security = w.bool("security", m.security);
            long cookie = security ? w.u32be("cookie", m.cookie) : 0;
            int mtu = w.u16be("mtu", m.mtu);
            return new OpenConnectionReply1(
                    guid, security, cookie, mtu, RakNet.padding(w, m.padding));
        }
    }

    /**
     * The client's second request. Whether it has a cookie depends on the first reply, so the
     * caller passes that to {@code wire}.
     *
     * @param challenge whether the client supports RakNet's own encryption, which is not supported
     *     here
     * @param server the server's address as the client sees it
     */
    record OpenConnectionRequest2(
            long cookie, boolean challenge, InetSocketAddress server, int mtu, long guid)
            implements OfflineMessage {
        public static final OpenConnectionRequest2 BLANK =
                new OpenConnectionRequest2(0, false, RakNet.NO_ADDRESS, 0, 0);

        public static OpenConnectionRequest2 wire(
                Wire w, OpenConnectionRequest2 m, Bytes magic, boolean security) {
            id(w, OPEN_CONNECTION_REQUEST_2);
            RakNet.magic(w, magic);
            long cookie = security ? w.u32be("cookie", m.cookie) : 0;
            boolean challenge = security && w.bool("challenge", m.challenge);
            InetSocketAddress server = RakNet.address(w, "server", m.server);
            int mtu = w.u16be("mtu", m.mtu);
            return new OpenConnectionRequest2(
                    cookie, challenge, server, mtu, w.i64be("guid", m.guid));
        }
    }

    /**
     * The server's second reply: the connection exists.
     *
     * @param client the client's address as the server sees it
     * @param mtu maximum length of a datagram from now on, with the headers of IP and UDP
     * @param bare whether it ends before the encryption flag, which then is false
     */
    record OpenConnectionReply2(
            long guid, InetSocketAddress client, int mtu, boolean encryption, boolean bare)
            implements OfflineMessage {
        public static final OpenConnectionReply2 BLANK =
                new OpenConnectionReply2(0, RakNet.NO_ADDRESS, 0, false);

        public OpenConnectionReply2(
                long guid, InetSocketAddress client, int mtu, boolean encryption) {
            this(guid, client, mtu, encryption, false);
        }

        public static OpenConnectionReply2 wire(Wire w, OpenConnectionReply2 m, Bytes magic) {
            id(w, OPEN_CONNECTION_REPLY_2);
            RakNet.magic(w, magic);
            long guid = w.i64be("guid", m.guid);
            InetSocketAddress client = RakNet.address(w, "client", m.client);
            int mtu = w.u16be("mtu", m.mtu);
            boolean bare = OfflineMessage.bare(w, m.bare);
            boolean encryption = !bare && w.bool("encryption", m.encryption);
            return new OpenConnectionReply2(guid, client, mtu, encryption, bare);
        }
    }

    /**
     * The server speaks another version of RakNet than the client asked for.
     *
     * @param bare whether it ends before the GUID, which then is 0
     */
    record IncompatibleProtocolVersion(int protocol, long guid, boolean bare)
            implements OfflineMessage {
        public static final IncompatibleProtocolVersion BLANK =
                new IncompatibleProtocolVersion(0, 0);

        public IncompatibleProtocolVersion(int protocol, long guid) {
            this(protocol, guid, false);
        }

        public static IncompatibleProtocolVersion wire(
                Wire w, IncompatibleProtocolVersion m, Bytes magic) {
            id(w, INCOMPATIBLE_PROTOCOL_VERSION);
            int protocol = w.u8("protocol", m.protocol);
            RakNet.magic(w, magic);
            boolean bare = OfflineMessage.bare(w, m.bare);
            return new IncompatibleProtocolVersion(
                    protocol, bare ? 0 : w.i64be("guid", m.guid), bare);
        }
    }

    /**
     * The server refuses the connection: it is full, bans the address, or has a connection of it.
     *
     * @param bare whether it ends before the GUID, which then is 0
     */
    record Refusal(int id, long guid, boolean bare) implements OfflineMessage {
        public static final Refusal BLANK = new Refusal(NO_FREE_INCOMING_CONNECTIONS, 0);

        public Refusal(int id, long guid) {
            this(id, guid, false);
        }

        public static Refusal wire(Wire w, Refusal m, Bytes magic) {
            int id = OfflineMessage.id(w, m.id);
            RakNet.magic(w, magic);
            boolean bare = OfflineMessage.bare(w, m.bare);
            return new Refusal(id, bare ? 0 : w.i64be("guid", m.guid), bare);
        }

        /** The reason as a text for a player. */
        public String reason() {
            return switch (id) {
                case ALREADY_CONNECTED -> "the server has a connection from this address already";
                case NO_FREE_INCOMING_CONNECTIONS ->
                        "the server is full, or takes no more connections of your address";
                case CONNECTION_BANNED -> "the server banned this address";
                default -> "the server had a connection from this address a moment ago";
            };
        }
    }
}
