package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TransportConnection;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

/** A client that logs in, and records what it receives after that. */
final class RecordingClient implements DatagramHandler, TransportConnection.Listener {
    static final Map<String, Object> DATA =
            Map.of("SkinId", "green", "DeviceOS", 7L, "ServerAddress", "example.org:19132");

    final List<Bytes> received = new ArrayList<>();
    final UUID uuid;
    final UdpSocket socket;
    private final DutyCycle cycle;
    private final String name;
    private final int protocol;
    private final TransportConnection connection;
    private final LoginKeys keys;
    private @Nullable MessageChannel channel;
    @Nullable Transport transport;
    boolean ready;
    boolean isSilent;

    /** Whether it only opens the transport. */
    boolean isMute;

    int status = -1;

    /** The text of the server's disconnect, or why the connection ended. */
    String ending = "";

    private RecordingClient(
            DutyCycle cycle,
            UdpSocket socket,
            InetSocketAddress server,
            ServerTransport kind,
            int protocol,
            String name) {
        Random random = new Random(name.hashCode());
        this.cycle = cycle;
        this.socket = socket;
        this.protocol = protocol;
        this.name = name;
        keys = LoginKeys.generate(random);
        uuid = new UUID(random.nextLong(), random.nextLong());
        connection =
                switch (kind) {
                    case RAKNET ->
                            TransportConnection.raknet(
                                    server,
                                    ClientConfig.DEFAULT_JOIN_TIMEOUT,
                                    socket,
                                    this,
                                    random);
                    case NETHERNET ->
                            TransportConnection.nethernet(
                                    server,
                                    name,
                                    keys,
                                    socket,
                                    this,
                                    cycle,
                                    random,
                                    () -> ProxyNetwork.seconds());
                };
    }

    static RecordingClient connect(
            DutyCycle cycle,
            InetSocketAddress server,
            ServerTransport kind,
            int protocol,
            String name)
            throws IOException {
        return cycle.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                socket -> new RecordingClient(cycle, socket, server, kind, protocol, name));
    }

    @Override
    public void onConnected(long now, Transport transport) {
        this.transport = transport;
        channel = MessageChannel.toServer(transport, BedrockCodec.nearest(protocol));
        if (!isMute) {
            channel.send(new LoginMessage.RequestNetworkSettings(protocol));
            channel.flush();
        }
    }

    @Override
    public void onReceived(long now, Transport transport, byte[] batch) {
        MessageChannel from = Objects.requireNonNull(channel);
        from.read(batch, reader -> handle(from, reader));
        from.flush();
    }

    private void handle(MessageChannel to, Reader reader) {
        Bytes bytes = reader.slice(0, reader.remaining());
        if (ready) {
            received.add(bytes);
        }
        int id = bytes.get(0) & 0xFF;
        if (ready && id != 5) {
            return;
        }
        switch (to.codec().read(reader)) {
            case LoginMessage.NetworkSettings settings -> {
                to.compress(Algorithm.ofSetting(settings.algorithm()), settings.threshold());
                to.send(
                        LoginIdentity.selfSigned(
                                protocol, keys, name, uuid, DATA, ProxyNetwork.seconds()));
            }
            case LoginMessage.ServerToClientHandshake handshake -> {
                try {
                    to.encrypt(EncryptionHandshake.accept(keys, handshake.token()).key());
                } catch (LoginRejectedException e) {
                    throw new AssertionError(e);
                }
                to.send(LoginMessage.ClientToServerHandshake.BLANK);
            }
            case LoginMessage.PlayStatus play -> {
                status = play.status();
                ready = status == 0;
            }
            case LoginMessage.Disconnect disconnect -> ending = disconnect.message();
            default -> throw new AssertionError("out of turn: " + bytes);
        }
    }

    boolean isEncrypted() {
        return Objects.requireNonNull(channel).isEncrypted();
    }

    void send(Bytes message) {
        MessageChannel to = Objects.requireNonNull(channel);
        cycle.execute(() -> {
            to.send(message);
            to.flush();
        });
    }

    void sendBatch(byte[] batch) {
        Transport to = Objects.requireNonNull(transport);
        cycle.execute(() -> to.send(batch, 0, batch.length));
    }

    @Override
    public void onEnded(long now, Transport transport, Transport.EndReason how, String reason) {
        onFailed(how, reason);
    }

    @Override
    public void onFailed(Transport.EndReason how, String reason) {
        ending = ending.isEmpty() ? how + ": " + reason : ending;
        isSilent = true;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (!isSilent) {
            connection.receive(now, from, data);
        }
    }

    @Override
    public long advance(long now) {
        return isSilent ? NEVER : connection.advance(now);
    }

    void close() {
        cycle.execute(() -> connection.close().accept(cycle.now()));
    }
}
