package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.NetherNetTransport;
import dev.wishdir.bedrock.protocol.transport.RakNetTransport;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetDatagram;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.raknet.RakNetSettings;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** A client that says whatever a test wants, over a real connection. */
public final class ScriptedClient implements Transport.Listener {
    final BedrockNetwork n;
    public final BedrockCodec codec;
    public final List<BedrockMessage> heard = new ArrayList<>();
    final LoginKeys keys = LoginKeys.generate(new SecureRandom());
    public final ClientBatches session;
    final BatchCodec batches;
    public final DutyCycle cycle;
    public @Nullable Transport transport;
    @Nullable NetherNetPeer peer;
    public boolean gone;
    boolean automatic = true;

    /** From now on it acknowledges nothing. */
    boolean deaf;

    public ScriptedClient(BedrockNetwork n, int port) {
        this(n, port, BedrockCodec.V748);
    }

    public ScriptedClient(BedrockNetwork n, int port, BedrockCodec codec) {
        this(n, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), codec);
    }

    public ScriptedClient(BedrockNetwork n, InetSocketAddress from) {
        this(n, from, BedrockCodec.V748);
    }

    ScriptedClient(BedrockNetwork n, InetSocketAddress from, BedrockCodec codec) {
        this.n = n;
        this.codec = codec;
        session = new ClientBatches(codec, keys);
        batches = session.batches;
        cycle = n.network.cycle();
        RakNetNetwork.<DatagramHandler>open(
                cycle,
                from,
                socket ->
                        n.transport().equals("raknet")
                                ? raknet(from, socket)
                                : nethernet(from, socket));
        n.network.runUntil(() -> transport != null, 5 * BedrockNetwork.SECOND);
    }

    private RakNetClient raknet(InetSocketAddress from, UdpSocket socket) {
        return new RakNetClient(
                n.endpoint.address(),
                RakNetTransport.configure(RakNetSettings.client()),
                (to, data, offset, length) -> {
                    if (!deaf || (data[offset] & RakNetDatagram.ACK) == 0) {
                        socket.send(to, data, offset, length);
                    }
                },
                RakNetTransport.adapt(this),
                new Random(from.hashCode()));
    }

    private NetherNetClient nethernet(InetSocketAddress from, UdpSocket socket) {
        NetherNetPeer.Listener told = NetherNetTransport.adapt(this);
        return new NetherNetClient(
                n.endpoint.address(),
                "localhost",
                NetherNetClient.Settings.standard(NetherNetTransport.identity(keys), Map.of()),
                socket,
                new NetherNetClient.Listener() {
                    @Override
                    public void onFailed(long now, NetherNetPeer.EndReason ending, String reason) {
                        throw new AssertionError(reason);
                    }

                    @Override
                    public void onConnected(long now, NetherNetPeer connected) {
                        peer = connected;
                        told.onConnected(now, connected);
                    }

                    @Override
                    public void onReceived(
                            long now, NetherNetPeer from, boolean reliable, byte[] packet) {
                        told.onReceived(now, from, reliable, packet);
                    }

                    @Override
                    public void onEnded(
                            long now,
                            NetherNetPeer gone,
                            NetherNetPeer.EndReason ending,
                            String reason) {
                        told.onEnded(now, gone, ending, reason);
                    }
                },
                cycle,
                new Random(from.hashCode()),
                () -> System.currentTimeMillis() / 1000);
    }

    @Override
    public void onConnected(long now, Transport connected) {
        transport = connected;
    }

    @Override
    public void onReceived(long now, Transport connected, byte[] batch) {
        session.read(batch, this::answer);
    }

    @Override
    public void onEnded(long now, Transport connected, Transport.EndReason ending, String reason) {
        gone = true;
    }

    private void answer(BedrockMessage message) {
        heard.add(message);
        if (message instanceof LoginMessage.ServerToClientHandshake && automatic) {
            send(LoginMessage.ClientToServerHandshake.BLANK);
        }
    }

    public void send(BedrockMessage... messages) {
        raw(session.pack(messages));
    }

    /** Sends a batch over the channel of NetherNet that keeps no order. */
    void unreliably(BedrockMessage... messages) {
        byte[] batch = session.pack(messages);
        NetherNetPeer to = Objects.requireNonNull(peer);
        cycle.execute(() -> to.sendUnreliably(batch, 0, batch.length));
        n.network.run(BedrockNetwork.SECOND / 10);
    }

    void raw(byte[] batch) {
        put(batch);
        n.network.run(BedrockNetwork.SECOND / 10);
    }

    private void put(byte[] batch) {
        Transport to = transport;
        if (to != null) {
            cycle.execute(() -> to.send(batch, 0, batch.length));
        }
    }

    /** Sends something whose arrival the test does not wait for. */
    void later(BedrockMessage message) {
        put(session.pack(message));
    }

    void settings() {
        send(new LoginMessage.RequestNetworkSettings(codec.protocol()));
    }

    Login login(String name) {
        return session.login(name, BedrockHostileInputTest.ID);
    }

    void logIn(String name) {
        settings();
        send(login(name));
    }

    /** In the game, at its start. */
    public void play(String name) {
        logIn(name);
        send(new PackMessage.ResourcePackClientResponse(3, List.of()));
        send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        load();
        assertThat(all(PlayStatus.class)).extracting(PlayStatus::status).contains(3);
        assertThat(n.arena.players()).anyMatch(player -> player.spawned());
    }

    /** From the end of the packs to the world, which it has then. */
    void load() {
        send(new WorldMessage.RequestChunkRadius(4, 4));
        send(new WorldMessage.SetLocalPlayerAsInitialized(id()));
    }

    public long id() {
        return all(StartGame.class).getFirst().runtimeId();
    }

    /** Says several things in one batch. */
    void sendAll(List<? extends BedrockMessage> messages) {
        send(messages.toArray(new BedrockMessage[0]));
    }

    public <M extends BedrockMessage> List<M> all(Class<M> type) {
        return heard.stream().filter(type::isInstance).map(type::cast).toList();
    }

    public boolean kicked() {
        n.network.run(2 * BedrockNetwork.SECOND);
        return gone;
    }
}
