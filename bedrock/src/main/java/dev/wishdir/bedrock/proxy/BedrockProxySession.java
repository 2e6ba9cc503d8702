package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.LoginMessage.Transfer;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TurnSchedule;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One client of the proxy, from its connection to its end. Login, compression and encryption are
 * agreed with the client and with the server apart from each other; then messages pass in both
 * directions, in their order.
 */
final class BedrockProxySession implements MemoryConsumer, ServerConnection.Listener {
    /**
     * Parts of the proxy that all sessions use.
     *
     * @param cycle of the clients, which verifies logins outside the loop
     * @param keys sign logins and agree on keys, on both sides
     * @param connector has the sockets
     * @param schedule of the sessions' turns
     */
    record Services(
            BedrockProxyConfig config,
            BedrockProxyListener listener,
            DutyCycle cycle,
            LoginKeys keys,
            Connector connector,
            TurnSchedule schedule) {}

    /** The sockets of the proxy. */
    interface Connector {
        /**
         * Opens a connection to the server.
         *
         * @param codec of the client's version, or the nearest
         * @throws IOException if no socket can be opened
         */
        ServerConnection connect(
                long now, BedrockCodec codec, int protocol, ServerConnection.Listener listener)
                throws IOException;

        /** Data is queued for a client: the clients' port has to send it now. */
        void onQueued();
    }

    private enum Step {
        AWAITING_SETTINGS,
        CONNECTING,
        AWAITING_LOGIN,
        VERIFYING,
        AWAITING_HANDSHAKE,
        PASSING,
        CLOSING,
        CLOSED
    }

    /** Maximum time from the connection to the login. */
    static final long LOGIN_TIMEOUT_NANOS = 30_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(BedrockProxySession.class);
    private static final String UNREACHABLE = "The proxy can't reach the server";

    /** Explanation for a server that wants accounts and refuses every client of a proxy. */
    private static final String NO_ACCOUNT =
            "the proxy signs logins with its own key, without an Xbox account, which a server in"
                    + " online mode refuses";

    /** Explanation for a server that refuses the operator's account. */
    private static final String ACCOUNT =
            "the proxy logs in with the operator's account, whose tokens are valid for some hours"
                    + " and for one player at a time";

    private static final String LEFT = "left";
    private static final long NANOS = 1_000_000_000;
    private static final int MAX_PORT = 0xFFFF;
    private static final long CLOSE_DELAY_NANOS = 100_000_000;
    private static final int MAX_EARLY_BATCHES = 8;
    private static final int SALT_BYTES = 16;
    private static final int CLIENT_OLD = 1;

    /** The messages that the proxy itself handles; others pass unread. */
    private static final Set<Class<? extends BedrockMessage>> HANDLED_MESSAGES =
            Set.of(
                    LoginMessage.RequestNetworkSettings.class,
                    LoginMessage.Login.class,
                    LoginMessage.ClientToServerHandshake.class,
                    Disconnect.class,
                    Transfer.class);

    private final Services services;
    private final Transport transport;
    private final InetSocketAddress address;
    private final String refusal;
    private final MessageChannel channel;
    private final @Nullable PlaintextCapture capture;
    private final TurnSchedule.Turn turn;
    private final List<byte[]> early = new ArrayList<>();
    private @Nullable MessageRelay relay;
    private @Nullable ServerConnection server;
    private @Nullable RebuiltLogin login;
    private Step step = Step.AWAITING_SETTINGS;

    /** Of the login, or of the close of a connection whose client was sent the reason. */
    private long deadline;

    /** Size of a login that is being verified, bytes. */
    private int verifiedBytes;

    /** Reason for which the proxy ended the session, for the operator; empty if it did not. */
    private String ending = "";

    /**
     * @param refusal why the client is refused once it has named its version; empty if it is not
     */
    BedrockProxySession(long now, Services services, Transport transport, String refusal) {
        this.services = services;
        this.transport = transport;
        this.refusal = refusal;
        InetSocketAddress client = transport.remote();
        address = client;
        channel = MessageChannel.toClient(transport);
        deadline = now + LOGIN_TIMEOUT_NANOS;
        turn = services.schedule.add(this::advance);
        BedrockProxyListener listener = services.listener;
        capture =
                listener.isObserving()
                        ? new PlaintextCapture(
                                now,
                                client,
                                (at, direction, datagram) ->
                                        listener.onDatagram(at, client, direction, datagram))
                        : null;
    }

    /** Reads what the proxy itself handles, in the client's version. */
    private BedrockCodec handled() {
        return channel.codec().reading(HANDLED_MESSAGES);
    }

    private boolean isClosing() {
        return step == Step.CLOSING || step == Step.CLOSED;
    }

    /** Handles a batch of the client. */
    void receive(long now, byte[] batch) {
        if (isClosing()) {
            return;
        }
        if (step == Step.CONNECTING || step == Step.VERIFYING) {
            keepEarly(now, batch);
            return;
        }
        try {
            channel.read(now, batch, reader -> onClientMessage(now, reader));
        } catch (MalformedPacketException e) {
            kick(
                    now,
                    "Your game sent something that the proxy can't pass on: " + e.getMessage(),
                    "malformed packet of the client: " + e.getMessage());
        }
        if (capture != null) {
            capture.flush(now, Direction.C2S);
        }
        if (server != null) {
            server.flush(channel);
        }
    }

    /** Keeps a batch that is read after the answer of the server, or the check of the login. */
    private void keepEarly(long now, byte[] batch) {
        early.add(batch);
        if (early.size() > MAX_EARLY_BATCHES
                || batch.length > MessageChannel.MAX_FIRST_BATCH_BYTES) {
            kick(
                    now,
                    "Your game sent too much while its login was checked.",
                    "the client sent too much before its login");
        }
    }

    private void replayEarly(long now) {
        List<byte[]> batches = List.copyOf(early);
        early.clear();
        batches.forEach(batch -> receive(now, batch));
    }

    private void onClientMessage(long now, Reader reader) {
        ServerConnection to = server;
        MessageRelay passing = relay;
        if (step == Step.PASSING && to != null && passing != null) {
            if (capture != null) {
                capture.add(now, Direction.C2S, reader.slice(0, reader.remaining()));
            }
            passing.pass(
                    Direction.C2S,
                    reader,
                    (message, encoded) -> {
                        if (isOfLogin(message)) {
                            refuseOutOfTurn(now);
                        } else if (!isClosing()) {
                            to.send(encoded);
                            if (message instanceof Disconnect) {
                                leave(now);
                            }
                        }
                    });
        } else if (!isClosing()) {
            onLoginMessage(now, reader);
        }
    }

    /** The client has left; its transport may not say so. */
    private void leave(long now) {
        ending = LEFT;
        step = Step.CLOSED;
        deadline = DatagramHandler.NEVER;
        leaveServer(now);
        transport.close();
    }

    private static boolean isOfLogin(BedrockMessage message) {
        return message instanceof LoginMessage.RequestNetworkSettings
                || message instanceof LoginMessage.Login
                || message instanceof LoginMessage.ClientToServerHandshake;
    }

    private void onLoginMessage(long now, Reader reader) {
        Bytes bytes = reader.slice(0, reader.remaining());
        BedrockMessage message = handled().read(reader);
        // The handshake is not captured: a capture in the clear is not encrypted after it.
        if (capture != null && !(message instanceof LoginMessage.ClientToServerHandshake)) {
            capture.add(now, Direction.C2S, bytes);
        }
        switch (message) {
            case LoginMessage.RequestNetworkSettings request when step == Step.AWAITING_SETTINGS ->
                    connect(now, request.protocol());
            case LoginMessage.Login request when step == Step.AWAITING_LOGIN ->
                    verify(now, request);
            case LoginMessage.ClientToServerHandshake _ when step == Step.AWAITING_HANDSHAKE ->
                    logIn(now);
            default -> refuseOutOfTurn(now);
        }
    }

    private void refuseOutOfTurn(long now) {
        kick(now, "Your game sent something out of turn.", "the client sent a message out of turn");
    }

    private void connect(long now, int protocol) {
        BedrockCodec codec = BedrockCodec.nearest(protocol);
        channel.setCodec(codec);
        if (!refusal.isEmpty()) {
            kick(now, refusal, refusal);
            return;
        }
        if (protocol < BedrockCodec.OLDEST.protocol()) {
            send(now, new PlayStatus(CLIENT_OLD));
            close(
                    now,
                    "protocol "
                            + protocol
                            + " is older than "
                            + BedrockCodec.OLDEST.protocol()
                            + ", the oldest that the proxy passes on");
            return;
        }
        Interceptor<BedrockMessage> interceptor =
                services.config.interceptors().map(Supplier::get).orElse(null);
        relay =
                new MessageRelay(
                        interceptor != null && codec.protocol() == protocol ? codec : handled(),
                        interceptor,
                        problem -> services.listener.onProblem(address, problem));
        step = Step.CONNECTING;
        try {
            server = services.connector.connect(now, codec, protocol, this);
        } catch (IOException e) {
            kick(
                    now,
                    "The proxy can't connect to the server.",
                    "cannot open a socket: " + ExceptionMessage.of(e));
        }
    }

    @Override
    public void onConnected(long now, InetSocketAddress local) {
        services.listener.onConnected(address, local);
    }

    @Override
    public void onSettings(long now, LoginMessage.NetworkSettings settings) {
        Algorithm algorithm =
                services.config
                        .compression()
                        .orElseGet(() -> Algorithm.ofSetting(settings.algorithm()));
        send(
                now,
                new LoginMessage.NetworkSettings(
                        settings.threshold(),
                        algorithm.setting,
                        settings.throttle(),
                        settings.throttleThreshold(),
                        settings.throttleScalar()));
        channel.compress(algorithm, Math.max(1, settings.threshold()));
        channel.setMaxBatchBytes(BatchCodec.MAX_LOGIN_BATCH_BYTES);
        if (capture != null) {
            capture.compress(now);
        }
        step = Step.AWAITING_LOGIN;
        replayEarly(now);
    }

    private void verify(long now, LoginMessage.Login request) {
        step = Step.VERIFYING;
        verifiedBytes = request.tokens().length();
        Bytes salt = transport.encrypts() ? Bytes.EMPTY : salt();
        ECPublicKey proven = transport.key();
        LoginKeys keys = services.keys;
        InetSocketAddress target = services.config.server();
        Optional<LoginAccount> account = services.config.account();
        long seconds = services.config.seconds();
        if (!services.cycle.offload(
                () -> RebuiltLogin.of(request, proven, keys, account, salt, target, seconds),
                rebuilt -> onVerified(services.cycle.now(), rebuilt),
                failure -> onRejected(services.cycle.now(), failure))) {
            kick(now, "The proxy is too busy, try again.", "too many logins at once");
        }
    }

    private Bytes salt() {
        byte[] salt = new byte[SALT_BYTES];
        services.config.random().nextBytes(salt);
        return Bytes.wrap(salt);
    }

    private void onVerified(long now, RebuiltLogin rebuilt) {
        if (step != Step.VERIFYING) {
            return;
        }
        login = rebuilt;
        verifiedBytes = rebuilt.login().tokens().length();
        Bytes key = rebuilt.handshake().key();
        if (key.length() > 0) {
            channel.send(new LoginMessage.ServerToClientHandshake(rebuilt.handshake().token()));
            channel.encrypt(key);
            step = Step.AWAITING_HANDSHAKE;
        } else {
            logIn(now);
        }
        replayEarly(now);
    }

    private void onRejected(long now, Throwable failure) {
        if (step != Step.VERIFYING) {
            return;
        }
        String reason =
                switch (failure) {
                    case LoginRejectedException rejected -> rejected.reason();
                    case TimeoutException _ -> "the proxy is too busy, try again";
                    default -> {
                        LOG.error("defect in the check of a login", failure);
                        yield "it can't be checked";
                    }
                };
        kick(now, "Login refused by the proxy: " + reason, "login refused: " + reason);
    }

    /** The client has logged in to the proxy, which now logs in to the server. */
    private void logIn(long now) {
        RebuiltLogin rebuilt = login;
        ServerConnection to = server;
        if (rebuilt == null || to == null) {
            kick(now, UNREACHABLE, "the server is gone");
            return;
        }
        step = Step.PASSING;
        deadline = DatagramHandler.NEVER;
        transport.admit();
        channel.setMaxBatchBytes(BatchCodec.MAX_PLAY_BATCH_BYTES);
        to.login(rebuilt.login());
        verifiedBytes = 0;
        login = rebuilt.sent();
    }

    @Override
    public void onLoginRefused(long now, String text) {
        String why =
                text + " (" + (services.config.account().isEmpty() ? NO_ACCOUNT : ACCOUNT) + ")";
        kick(now, "The server refused the login: " + why, "the server refused the login: " + why);
    }

    @Override
    public void onMessage(long now, Reader reader) {
        MessageRelay passing = relay;
        if (isClosing() || passing == null) {
            return;
        }
        try {
            passing.pass(
                    Direction.S2C, reader, (message, encoded) -> toClient(now, message, encoded));
        } catch (MalformedPacketException e) {
            kick(
                    now,
                    "The server sent something that the proxy can't pass on: " + e.getMessage(),
                    "malformed packet of the server: " + e.getMessage());
        }
    }

    private void toClient(long now, BedrockMessage message, Bytes encoded) {
        if (isClosing()) {
            return;
        }
        if (message instanceof Transfer transfer) {
            transfer(now, transfer);
            return;
        }
        send(now, encoded);
        if (message instanceof Disconnect disconnect) {
            close(now, "the server disconnected the client: " + disconnect.message());
        }
    }

    /** A client that is sent to the same server comes back to the proxy. */
    private void transfer(long now, Transfer transfer) {
        Optional<InetSocketAddress> own = ownAddress();
        if (isServer(transfer) && own.isPresent()) {
            send(
                    now,
                    new Transfer(
                            own.get().getHostString(),
                            own.get().getPort(),
                            transfer.reload(),
                            transfer.gathering()));
            return;
        }
        String target = transfer.host() + " port " + transfer.port();
        kick(
                now,
                "The server sends you to " + target + ", to which this proxy does not lead.",
                "the server transferred the client to "
                        + target
                        + ": a proxy with that server as its target is needed");
    }

    private boolean isServer(Transfer transfer) {
        InetSocketAddress target = services.config.server();
        return transfer.port() == target.getPort()
                && (transfer.host().equalsIgnoreCase(target.getHostString())
                        || transfer.host().equals(target.getAddress().getHostAddress()));
    }

    /** The proxy's address for the client: as the player typed it, or as the proxy is bound. */
    private Optional<InetSocketAddress> ownAddress() {
        RebuiltLogin from = login;
        InetSocketAddress bound = services.config.listen();
        String typed = from == null ? "" : from.typed();
        int colon = typed.lastIndexOf(':');
        if (colon > 0 && typed.substring(colon + 1).matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(typed.substring(colon + 1));
            if (port > 0 && port <= MAX_PORT) {
                return Optional.of(
                        InetSocketAddress.createUnresolved(typed.substring(0, colon), port));
            }
        }
        return bound.getAddress().isAnyLocalAddress()
                ? Optional.empty()
                : Optional.of(
                        InetSocketAddress.createUnresolved(
                                bound.getAddress().getHostAddress(), bound.getPort()));
    }

    @Override
    public void onBatch(long now, MessageChannel from) {
        channel.flush(from);
        onFlushed(now);
    }

    private void onFlushed(long now) {
        services.connector.onQueued();
        if (capture != null) {
            capture.flush(now, Direction.S2C);
        }
    }

    @Override
    public void onServerEnded(long now, String reason) {
        boolean reached = step != Step.CONNECTING;
        server = null;
        kick(
                now,
                (reached ? "The connection of proxy and server has ended: " : UNREACHABLE + ": ")
                        + reason,
                (reached ? "" : "server not reached: ") + reason);
    }

    private void send(long now, BedrockMessage message) {
        Writer w = new Writer(MessageRelay.MAX_MESSAGE_BYTES);
        channel.codec().write(w, message);
        send(now, w.toBytes());
    }

    private void send(long now, Bytes message) {
        channel.send(message);
        if (capture != null) {
            capture.add(now, Direction.S2C, message);
        }
    }

    /**
     * Disconnects the client with a reason that its game shows.
     *
     * @param why for the operator
     */
    void kick(long now, String text, String why) {
        if (!isClosing()) {
            send(now, new Disconnect(Disconnect.KICKED, false, BedrockText.literal(text), ""));
            close(now, why);
        }
    }

    /** Closes the connection after what was sent has had time to arrive. */
    private void close(long now, String why) {
        channel.flush();
        onFlushed(now);
        ending = BedrockText.literal(why);
        step = Step.CLOSING;
        deadline = now + CLOSE_DELAY_NANOS;
        turn.request();
        leaveServer(now);
    }

    private void leaveServer(long now) {
        ServerConnection left = server;
        server = null;
        early.clear();
        login = null;
        verifiedBytes = 0;
        if (left != null) {
            left.close(now);
        }
    }

    /** The client's connection has ended. */
    void onEnded(long now, Transport.EndReason how, String reason) {
        step = Step.CLOSED;
        turn.cancel();
        leaveServer(now);
        boolean hasLeft = ending.equals(LEFT) || how == Transport.EndReason.LEFT;
        if (capture != null) {
            capture.end(now, hasLeft || ending.isEmpty() ? Direction.C2S : Direction.S2C);
        }
        services.listener.onClosed(address, !ending.isEmpty() ? ending : hasLeft ? LEFT : reason);
    }

    /**
     * Ends what takes too long.
     *
     * @return when to call again, nanoseconds
     */
    private long advance(long now) {
        if (now >= deadline) {
            if (step == Step.CLOSING) {
                step = Step.CLOSED;
                deadline = DatagramHandler.NEVER;
                transport.close();
            } else {
                kick(
                        now,
                        "Your login took too long.",
                        "the login took longer than " + LOGIN_TIMEOUT_NANOS / NANOS + " s");
            }
        }
        return deadline;
    }

    @Override
    public long retainedBytes() {
        long waiting = verifiedBytes;
        for (byte[] batch : early) {
            waiting += HeapFootprint.bytes(batch.length);
        }
        return waiting + transport.retainedBytes() + (server == null ? 0 : server.retainedBytes());
    }

    @Override
    public void abort(long now, String reason) {
        ending = reason;
        transport.abort(now, reason);
    }

    @Override
    public String toString() {
        return "client " + AddressText.of(address);
    }
}
