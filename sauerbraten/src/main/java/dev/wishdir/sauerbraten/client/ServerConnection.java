package dev.wishdir.sauerbraten.client;

import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.KeyResponder;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A headless client's connection to its server, in the protocol that the server requires. */
final class ServerConnection {
    private final UdpSocket socket;
    private final EnetHost host;
    private final InetSocketAddress server;
    private EnetPeer peer;
    private final KeyResponder keys;
    private final KickRequest kick;
    private final List<SauerbratenMessage> queued = new ArrayList<>();
    private SauerbratenCodec codec = SauerbratenCodec.V260;

    /** Starts to connect. */
    ServerConnection(
            ClientConfig config, PlayerKeys keys, UdpSocket socket, EnetListener listener) {
        this.socket = socket;
        this.keys = new KeyResponder(keys);
        kick = new KickRequest(config.options().getOrDefault(KickRequest.OPTION, ""));
        host = new EnetHost(SauerbratenTransport.client(), listener, socket, config.random());
        server = config.server();
        peer = host.connect(server, 0);
    }

    /** Starts to connect again, after ENet has given up the attempt before. */
    void reconnect() {
        peer = host.connect(server, 0);
    }

    void receive(long now, InetSocketAddress from, byte[] data) {
        host.receive(now, from, data);
    }

    /** Sends what is due; returns when to call again. */
    long advance(long now) {
        return host.advance(now);
    }

    /**
     * Changes to another protocol.
     *
     * @return false if this client does not support it
     */
    boolean setProtocol(int protocol) {
        Optional<SauerbratenCodec> supported = SauerbratenCodec.of(protocol);
        supported.ifPresent(other -> codec = other);
        return supported.isPresent();
    }

    /** Changes to the encodings of a mode. */
    void setMode(int mode) {
        codec = codec.inMode(mode);
    }

    /**
     * The messages of a packet.
     *
     * @throws MalformedPacketException if the server has sent anything else
     */
    List<SauerbratenMessage> read(int channel, Bytes payload) {
        return codec.readPacket(Direction.S2C, channel, new Reader(payload));
    }

    /** The messages of another client that the server relays. */
    List<SauerbratenMessage> read(RelayMessage.Client relayed) {
        return codec.messages(relayed);
    }

    /** Queues the answer to what the server has asked about keys, and the kick that is due. */
    void answer(long now, SauerbratenMessage message) {
        keys.answer(now, message).ifPresent(this::queue);
        kick.after(now, message).ifPresent(this::queue);
    }

    /** Reason for which the player of the option is not kicked, once, when it is due. */
    Optional<String> kickProblem(long now) {
        return kick.problem(now);
    }

    /** The key that is named at connect. */
    Optional<PlayerKeys.Entry> namedKey() {
        return keys.named();
    }

    /** Queues {@code N_CONNECT}, with the key of the server's domain. */
    void queueConnect(SessionMessage.Connect message) {
        queue(keys.connect(message));
    }

    /** Queues a message, reliably, for the next {@link #flush}. */
    void queue(SauerbratenMessage message) {
        queued.add(message);
    }

    /** Sends what is queued, in one packet. */
    void flush() {
        if (!queued.isEmpty()) {
            SauerbratenMessage[] packet = queued.toArray(SauerbratenMessage[]::new);
            peer.send(SauerbratenTransport.MESSAGES, codec.packet(packet), true);
            queued.clear();
        }
    }

    /** Sends a message on the channel of positions. */
    void sendPosition(SauerbratenMessage message, boolean reliable) {
        peer.send(SauerbratenTransport.POSITIONS, codec.packet(message), reliable);
    }

    /** Sends messages in one packet that may be lost. */
    void sendUnreliable(SauerbratenMessage... messages) {
        peer.send(SauerbratenTransport.MESSAGES, codec.packet(messages), false);
    }

    /** Disconnects once all that is queued has arrived. */
    void disconnectLater() {
        flush();
        peer.disconnectLater(DisconnectReason.NONE.code());
    }

    /** Disconnects at once, without waiting for an answer. */
    void disconnectNow(DisconnectReason reason) {
        peer.disconnectNow(reason.code());
    }

    /** Forgets the server without a disconnect. */
    void reset() {
        peer.reset();
    }

    void close() {
        socket.close();
    }
}
