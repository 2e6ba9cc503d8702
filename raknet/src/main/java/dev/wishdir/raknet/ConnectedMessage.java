package dev.wishdir.raknet;

import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * RakNet's own messages inside a connection: docs/protocols/raknet.md#messages-inside-a-connection.
 *
 * <p>Times are milliseconds of the sender's own clock. Each walk starts at the message's id.
 */
public sealed interface ConnectedMessage {
    int CONNECTED_PING = 0x00;
    int CONNECTED_PONG = 0x03;
    int DETECT_LOST_CONNECTIONS = 0x04;
    int CONNECTION_REQUEST = 0x09;
    int CONNECTION_REQUEST_ACCEPTED = 0x10;
    int NEW_INCOMING_CONNECTION = 0x13;
    int DISCONNECTION_NOTIFICATION = 0x15;

    /** Highest id of these messages. */
    int MAX_ID = DISCONNECTION_NOTIFICATION;

    /**
     * Reads any message.
     *
     * @throws MalformedPacketException if it is unknown or truncated
     */
    static ConnectedMessage read(Reader r) {
        int id = r.peek("id");
        return switch (id) {
            case CONNECTED_PING -> ConnectedPing.wire(r, ConnectedPing.BLANK);
            case CONNECTED_PONG -> ConnectedPong.wire(r, ConnectedPong.BLANK);
            case CONNECTION_REQUEST -> ConnectionRequest.wire(r, ConnectionRequest.BLANK);
            case CONNECTION_REQUEST_ACCEPTED ->
                    ConnectionRequestAccepted.wire(r, ConnectionRequestAccepted.BLANK);
            case NEW_INCOMING_CONNECTION ->
                    NewIncomingConnection.wire(r, NewIncomingConnection.BLANK);
            case DETECT_LOST_CONNECTIONS, DISCONNECTION_NOTIFICATION -> Bare.wire(r, Bare.BLANK);
            default -> throw r.malformed("id", "is the unknown message " + id);
        };
    }

    /** Writes any message. */
    static void write(Writer w, ConnectedMessage message) {
        switch (message) {
            case ConnectedPing m -> ConnectedPing.wire(w, m);
            case ConnectedPong m -> ConnectedPong.wire(w, m);
            case ConnectionRequest m -> ConnectionRequest.wire(w, m);
            case ConnectionRequestAccepted m -> ConnectionRequestAccepted.wire(w, m);
            case NewIncomingConnection m -> NewIncomingConnection.wire(w, m);
            case Bare m -> Bare.wire(w, m);
        }
    }

    /** Request of a {@link ConnectedPong}, to measure the round trip and as a keep-alive. */
    record ConnectedPing(long time) implements ConnectedMessage {
        public static final ConnectedPing BLANK = new ConnectedPing(0);

        public static ConnectedPing wire(Wire w, ConnectedPing m) {
            w.u8("id", CONNECTED_PING);
            return new ConnectedPing(w.i64be("time", m.time));
        }
    }

    /**
     * @param ping the time of the ping
     * @param pong the sender's own time
     */
    record ConnectedPong(long ping, long pong) implements ConnectedMessage {
        public static final ConnectedPong BLANK = new ConnectedPong(0, 0);

        public static ConnectedPong wire(Wire w, ConnectedPong m) {
            w.u8("id", CONNECTED_PONG);
            return new ConnectedPong(w.i64be("ping", m.ping), w.i64be("pong", m.pong));
        }
    }

    /** The client's first message inside the connection. */
    record ConnectionRequest(long guid, long time, boolean security) implements ConnectedMessage {
        public static final ConnectionRequest BLANK = new ConnectionRequest(0, 0, false);

        public static ConnectionRequest wire(Wire w, ConnectionRequest m) {
            w.u8("id", CONNECTION_REQUEST);
            return new ConnectionRequest(
                    w.i64be("guid", m.guid),
                    w.i64be("time", m.time),
                    w.bool("security", m.security));
        }
    }

    /**
     * The server's answer to a {@link ConnectionRequest}.
     *
     * @param client the client's address as the server sees it
     * @param addresses the server's own addresses
     * @param ping the time of the request
     * @param pong the server's own time
     */
    record ConnectionRequestAccepted(
            InetSocketAddress client,
            int index,
            List<InetSocketAddress> addresses,
            long ping,
            long pong)
            implements ConnectedMessage {
        public static final ConnectionRequestAccepted BLANK =
                new ConnectionRequestAccepted(RakNet.NO_ADDRESS, 0, List.of(), 0, 0);

        public static ConnectionRequestAccepted wire(Wire w, ConnectionRequestAccepted m) {
            w.u8("id", CONNECTION_REQUEST_ACCEPTED);
            return new ConnectionRequestAccepted(
                    RakNet.address(w, "client", m.client),
                    w.u16be("index", m.index),
                    RakNet.addresses(w, m.addresses),
                    w.i64be("ping", m.ping),
                    w.i64be("pong", m.pong));
        }
    }

    /**
     * The client's last message of the handshake: the connection is open.
     *
     * @param server the server's address as the client sees it
     * @param addresses the client's own addresses
     * @param ping the time of the server's answer
     * @param pong the client's own time
     */
    record NewIncomingConnection(
            InetSocketAddress server, List<InetSocketAddress> addresses, long ping, long pong)
            implements ConnectedMessage {
        public static final NewIncomingConnection BLANK =
                new NewIncomingConnection(RakNet.NO_ADDRESS, List.of(), 0, 0);

        public static NewIncomingConnection wire(Wire w, NewIncomingConnection m) {
            w.u8("id", NEW_INCOMING_CONNECTION);
            return new NewIncomingConnection(
                    RakNet.address(w, "server", m.server),
                    RakNet.addresses(w, m.addresses),
                    w.i64be("ping", m.ping),
                    w.i64be("pong", m.pong));
        }
    }

    /** A message that is only an id: a disconnection notification or a request of a ping. */
    record Bare(int id) implements ConnectedMessage {
        public static final Bare BLANK = new Bare(DISCONNECTION_NOTIFICATION);

        public static Bare wire(Wire w, Bare m) {
            return new Bare(w.u8("id", m.id));
        }
    }
}
