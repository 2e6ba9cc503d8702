package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.Optional;

/** A message that opens or ends a session. */
public sealed interface LoginMessage extends BedrockMessage {
    /** Maximum size of the tokens of a login, bytes: the largest skin, twice in base 64. */
    int MAX_LOGIN_BYTES = 5 << 20;

    /** The client's first message: its protocol version. */
    record RequestNetworkSettings(int protocol) implements LoginMessage {
        public static final RequestNetworkSettings BLANK = new RequestNetworkSettings(0);

        public static RequestNetworkSettings wire(Wire w, RequestNetworkSettings m) {
            return new RequestNetworkSettings(w.i32be("protocol", m.protocol));
        }
    }

    /**
     * The compression of all later batches.
     *
     * @param threshold smaller batches, in bytes, are not compressed; 0 means never to some servers
     *     and always to others
     * @param algorithm 0 deflate, 1 snappy, 0xFFFF none
     */
    record NetworkSettings(
            int threshold,
            int algorithm,
            boolean throttle,
            int throttleThreshold,
            float throttleScalar)
            implements LoginMessage {
        public static final NetworkSettings BLANK = new NetworkSettings(0, 0, false, 0, 0);

        public static NetworkSettings wire(Wire w, NetworkSettings m) {
            return new NetworkSettings(
                    w.u16le("threshold", m.threshold),
                    w.u16le("algorithm", m.algorithm),
                    w.bool("throttle", m.throttle),
                    w.u8("throttle threshold", m.throttleThreshold),
                    w.f32le("throttle scalar", m.throttleScalar));
        }
    }

    /**
     * The client's identity, skin and device.
     *
     * @param tokens two texts, each after its length of four bytes, little-endian: the chain of
     *     tokens as JSON, and the client's data as a token
     */
    record Login(int protocol, Bytes tokens) implements LoginMessage {
        public static final Login BLANK = new Login(0, Bytes.EMPTY);

        public static Login wire(Wire w, Login m) {
            return new Login(
                    w.i32be("protocol", m.protocol),
                    Encoding.blob(w, "tokens", m.tokens, MAX_LOGIN_BYTES));
        }
    }

    /** The server's key and salt, as a signed token. All that follows is encrypted. */
    record ServerToClientHandshake(String token) implements LoginMessage {
        public static final ServerToClientHandshake BLANK = new ServerToClientHandshake("");

        public static ServerToClientHandshake wire(Wire w, ServerToClientHandshake m) {
            return new ServerToClientHandshake(Encoding.text(w, "token", m.token));
        }
    }

    /** The client's first encrypted message. */
    record ClientToServerHandshake() implements LoginMessage {
        public static final ClientToServerHandshake BLANK = new ClientToServerHandshake();

        public static ClientToServerHandshake wire(Wire w, ClientToServerHandshake m) {
            return m;
        }
    }

    /** The progress of the login. */
    record PlayStatus(int status) implements LoginMessage {
        public static final PlayStatus BLANK = new PlayStatus(0);

        public static PlayStatus wire(Wire w, PlayStatus m) {
            return new PlayStatus(w.i32be("status", m.status));
        }
    }

    /**
     * Disconnects the other side.
     *
     * @param hidden whether no text follows
     */
    record Disconnect(int reason, boolean hidden, String message, String filtered)
            implements LoginMessage {
        public static final Disconnect BLANK = new Disconnect(0, false, "", "");

        /** The reason of a kick. */
        public static final int KICKED = 55;

        /** The reason of a server that ends. */
        public static final int SHUTDOWN = 68;

        public static Disconnect wire(Wire w, Disconnect m, Dialect d) {
            int reason = Encoding.varint(w, "reason", m.reason);
            boolean hidden = w.bool("hidden", m.hidden);
            return new Disconnect(
                    reason,
                    hidden,
                    hidden ? "" : Encoding.text(w, "message", m.message),
                    hidden || !d.has(ProtocolChange.DISCONNECT_FILTERED)
                            ? ""
                            : Encoding.text(w, "filtered", m.filtered));
        }
    }

    /** Sends the client to another server. */
    record Transfer(String host, int port, boolean reload, Optional<Gathering> gathering)
            implements LoginMessage {
        public static final Transfer BLANK = new Transfer("", 0, false, Optional.empty());

        public static Transfer wire(Wire w, Transfer m, Dialect d) {
            return new Transfer(
                    Encoding.text(w, "host", m.host),
                    w.u16le("port", m.port),
                    d.has(ProtocolChange.TRANSFER_RELOAD) && w.bool("reload", m.reload),
                    d.has(ProtocolChange.GATHERING_OPTIONAL)
                            ? Gathering.optional(w, m.gathering, d)
                            : Optional.empty());
        }
    }

    /** Measures the round trip through the whole client. */
    record NetworkStackLatency(long timestamp, boolean needsResponse) implements LoginMessage {
        public static final NetworkStackLatency BLANK = new NetworkStackLatency(0, false);

        public static NetworkStackLatency wire(Wire w, NetworkStackLatency m) {
            return new NetworkStackLatency(
                    w.i64le("timestamp", m.timestamp), w.bool("needs response", m.needsResponse));
        }
    }
}
