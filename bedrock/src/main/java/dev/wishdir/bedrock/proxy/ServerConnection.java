package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TransportConnection;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * The proxy's connection to the server for one client: a transport on a socket of its own, with its
 * own compression, login and encryption.
 */
final class ServerConnection implements DatagramHandler {
    /** The session of the client. Not called any more after {@link ServerConnection#close}. */
    interface Listener {
        /** The transport is open. */
        void onConnected(long now, InetSocketAddress local);

        /** Compression is agreed; the server waits for a login. */
        void onSettings(long now, LoginMessage.NetworkSettings settings);

        /**
         * The server refused the login.
         *
         * @param text of the server for the player
         */
        void onLoginRefused(long now, String text);

        /**
         * A message for the client was received.
         *
         * @param message its bytes, valid during the call
         */
        void onMessage(long now, Reader message);

        /**
         * The messages of a batch were received.
         *
         * @param from the channel that has read them
         */
        void onBatch(long now, MessageChannel from);

        /** The connection has ended, or could not be opened; nothing follows. */
        void onServerEnded(long now, String reason);
    }

    private enum State {
        OPENING,
        AWAITING_SETTINGS,
        AWAITING_LOGIN,
        LOGGING_IN,
        PASSING
    }

    /** Time until the server must have agreed on compression; less than time-outs of clients. */
    static final long CONNECT_TIMEOUT_NANOS = 8_000_000_000L;

    private static final int SUCCESS = 0;

    /** The messages that concern the connection itself. */
    private static final Set<Class<? extends BedrockMessage>> HANDLED_MESSAGES =
            Set.of(
                    LoginMessage.NetworkSettings.class,
                    LoginMessage.ServerToClientHandshake.class,
                    PlayStatus.class,
                    Disconnect.class);

    private final UdpSocket socket;
    private final BedrockCodec codec;
    private final BedrockCodec handled;
    private final LoginKeys keys;
    private final int protocol;
    private final TransportConnection connection;
    private final BooleanSupplier isClientDue;
    private final long deadline;
    private @Nullable Listener listener;
    private @Nullable MessageChannel channel;
    private @Nullable Transport transport;
    private State state = State.OPENING;
    private boolean over;
    private long now;

    /**
     * @param codec of the client's version, or the nearest
     * @param protocol of the client
     * @param keys that sign the login
     * @param connect starts to connect
     * @param isClientDue whether data for clients was queued after their port's turn
     */
    ServerConnection(
            long now,
            UdpSocket socket,
            BedrockCodec codec,
            int protocol,
            LoginKeys keys,
            Listener listener,
            BiFunction<UdpSocket, TransportConnection.Listener, TransportConnection> connect,
            BooleanSupplier isClientDue) {
        this.now = now;
        this.socket = socket;
        this.codec = codec;
        this.protocol = protocol;
        this.keys = keys;
        this.listener = listener;
        this.isClientDue = isClientDue;
        handled = codec.reading(HANDLED_MESSAGES);
        deadline = now + CONNECT_TIMEOUT_NANOS;
        connection = connect.apply(socket, new Connection());
    }

    private final class Connection implements TransportConnection.Listener {
        @Override
        public void onConnected(long now, Transport opened) {
            transport = opened;
            MessageChannel to = MessageChannel.toServer(opened, codec);
            channel = to;
            state = State.AWAITING_SETTINGS;
            if (listener != null) {
                listener.onConnected(now, socket.local());
            }
            to.send(new LoginMessage.RequestNetworkSettings(protocol));
            to.flush();
        }

        @Override
        public void onReceived(long now, Transport from, byte[] batch) {
            MessageChannel to = channel;
            if (to == null || listener == null) {
                return;
            }
            try {
                to.read(batch, reader -> handle(now, to, reader));
            } catch (MalformedPacketException | LoginFailure e) {
                end(now, "the server broke the protocol: " + e.getMessage());
            }
            if (listener != null) {
                listener.onBatch(now, to);
            }
        }

        /** Passes a message that may be lost on in the order of arrival, as all others. */
        @Override
        public void onReceivedUnreliably(long now, Transport from, byte[] batch) {
            onReceived(now, from, batch);
        }

        @Override
        public void onEnded(long now, Transport from, Transport.EndReason ending, String reason) {
            over(now, ending == Transport.EndReason.LEFT ? "the server disconnected" : reason);
        }

        @Override
        public void onFailed(Transport.EndReason ending, String reason) {
            over(now, reason);
        }
    }

    /** Carries a rejection out of the reader of a batch. */
    private static final class LoginFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        LoginFailure(LoginRejectedException cause) {
            super(cause.reason(), cause, false, false);
        }
    }

    private void handle(long now, MessageChannel to, Reader reader) {
        Listener session = listener;
        if (session == null) {
            return;
        }
        if (state == State.PASSING) {
            session.onMessage(now, reader);
            return;
        }
        Reader again = new Reader(reader.slice(0, reader.remaining()));
        switch (handled.read(reader)) {
            case LoginMessage.NetworkSettings settings when state == State.AWAITING_SETTINGS -> {
                // A threshold of 0 means never to one kind of server and always to another.
                to.compress(
                        Algorithm.ofSetting(settings.algorithm()),
                        Math.max(1, settings.threshold()));
                state = State.AWAITING_LOGIN;
                session.onSettings(now, settings);
            }
            case LoginMessage.ServerToClientHandshake handshake when state == State.LOGGING_IN ->
                    encrypt(to, handshake.token());
            case Disconnect disconnect when state == State.LOGGING_IN ->
                    session.onLoginRefused(now, disconnect.message());
            case LoginMessage.NetworkSettings _, LoginMessage.ServerToClientHandshake _ ->
                    throw reader.malformed("message", "came out of turn");
            case PlayStatus status when state == State.LOGGING_IN -> {
                state = status.status() == SUCCESS ? State.PASSING : state;
                session.onMessage(now, again);
            }
            default -> session.onMessage(now, again);
        }
    }

    private void encrypt(MessageChannel to, String token) {
        if (to.isEncrypted()) {
            throw new MalformedPacketException(0, "handshake", "came twice");
        }
        try {
            to.encrypt(EncryptionHandshake.accept(keys, token).key());
        } catch (LoginRejectedException e) {
            throw new LoginFailure(e);
        }
        to.send(LoginMessage.ClientToServerHandshake.BLANK);
        to.flush();
    }

    /** Sends the login; call once, after {@link Listener#onSettings}. */
    void login(LoginMessage.Login login) {
        MessageChannel to = channel;
        if (to != null && state == State.AWAITING_LOGIN) {
            state = State.LOGGING_IN;
            to.send(login);
            to.flush();
        }
    }

    /** Adds a message to the next batch. */
    void send(Bytes message) {
        if (channel != null) {
            channel.send(message);
        }
    }

    /**
     * Sends the messages that were added.
     *
     * @param from the channel that has read them
     */
    void flush(MessageChannel from) {
        if (channel != null) {
            channel.flush(from);
        }
    }

    /** The heap of queued, unacknowledged and incomplete data, bytes. */
    long retainedBytes() {
        return transport == null ? 0 : transport.retainedBytes();
    }

    /** Ends the connection once all sent data has arrived, or after a short time. */
    void close(long now) {
        listener = null;
        if (!over) {
            if (channel != null) {
                channel.flush();
            }
            connection.close().accept(now);
        }
    }

    private void end(long now, String reason) {
        Listener session = listener;
        listener = null;
        connection.end().accept(now);
        over(now, reason);
        if (session != null) {
            session.onServerEnded(now, reason);
        }
    }

    private void over(long now, String reason) {
        if (over) {
            return;
        }
        over = true;
        Listener session = listener;
        listener = null;
        if (session != null) {
            session.onServerEnded(now, reason);
        }
        socket.close();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        if (!over) {
            connection.receive(now, from, data);
        }
    }

    /** Emulated links deliver datagrams here, after the turn of the clients' port. */
    @Override
    public long advance(long now) {
        this.now = now;
        long next = over ? NEVER : work(now);
        return isClientDue.getAsBoolean() ? now : next;
    }

    private long work(long now) {
        boolean opening = state == State.OPENING || state == State.AWAITING_SETTINGS;
        if (opening && now >= deadline) {
            end(now, "the server does not answer");
            return NEVER;
        }
        long next = connection.advance(now);
        return over ? NEVER : opening ? Math.min(next, deadline) : next;
    }
}
