package dev.wishdir.sauerbraten.client;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.PlayerModel;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Dissector.Direction;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A headless Sauerbraten player, of protocol 260 or 259 as the server asks. In coop edit it fetches
 * the map and walks in it; elsewhere it walks on an even floor in the middle of the world, which
 * every server of this game accepts, since players own their positions.
 */
public final class SauerbratenClient implements Client, DatagramHandler {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PING_INTERVAL_NANOS = SECOND / 4;
    private static final long JOIN_TIMEOUT_NANOS = 10 * SECOND;
    private static final long LEAVE_TIMEOUT_NANOS = 2 * SECOND;
    private static final long RESPAWN_DELAY_NANOS = SECOND;

    /** The mode in which a server has the map for its clients. */
    private static final int COOP_EDIT = 1;

    private final ClientConfig config;
    private final ClientListener listener;
    private final LocalPlayer localPlayer;
    private final RemotePlayers remotePlayers;
    private final @Nullable MapFile map;
    private String playing = "";
    private final UdpSocket socket;
    private final EnetHost host;
    private final EnetPeer peer;

    private SauerbratenCodec codec = SauerbratenCodec.V260;
    private final List<SauerbratenMessage> outgoing = new ArrayList<>();
    private final long begun;
    private long now;
    private int cn = -1;

    /** What the server said before it did not let this client in: more than its reason's number. */
    private String refusal = "";

    private boolean welcomed;
    private boolean joined;
    private boolean ended;
    private int ping;
    private long nextPing = NEVER;
    private long nextSpawn = NEVER;
    private long leaveBy = NEVER;

    /**
     * Starts a client: it connects at once and tells its listener what happens. To be called on the
     * thread of its duty cycle.
     *
     * @throws IOException if no socket can be opened, or the map's file can't be read
     */
    public static SauerbratenClient connect(ClientConfig config) throws IOException {
        String file = config.options().getOrDefault(MapFile.OPTION, "");
        MapFile map = file.isEmpty() ? null : MapFile.read(file);
        return config.cycle()
                .open(
                        new InetSocketAddress(0),
                        socket -> new SauerbratenClient(config, map, socket));
    }

    private SauerbratenClient(ClientConfig config, @Nullable MapFile map, UdpSocket socket) {
        this.config = config;
        this.map = map;
        this.socket = socket;
        listener = config.listener();
        localPlayer = new LocalPlayer(config.controller(), this::others);
        remotePlayers = new RemotePlayers(this, listener);
        begun = config.cycle().now();
        now = begun;
        host =
                new EnetHost(
                        SauerbratenTransport.client(),
                        new Transport(),
                        socket::send,
                        config.random());
        peer = host.connect(config.server(), 0);
    }

    /** What the connection tells. */
    private final class Transport implements EnetListener {
        @Override
        public void onConnected(EnetPeer peer) {
            // As the original does; it also measures the round trip.
            peer.configureThrottle(5000, 2, 2);
        }

        @Override
        public void onReceived(EnetPeer peer, int channel, Bytes payload, boolean reliable) {
            take(channel, payload);
        }

        @Override
        public void onDisconnected(EnetPeer peer, long data, EnetDisconnectReason cause) {
            hungUp(data, cause);
        }
    }

    @Override
    public boolean joined() {
        return joined && !ended;
    }

    @Override
    public int id() {
        return cn;
    }

    @Override
    public Movement movement() {
        return localPlayer.movement();
    }

    @Override
    public Collection<RemotePlayer> others() {
        return remotePlayers.seen();
    }

    @Override
    public void say(String text) {
        if (welcomed && !ended) {
            outgoing.add(new ChatMessage.Text(CubeText.chat(text)));
        }
    }

    @Override
    public boolean act(PlayerAction action) {
        if (joined()) {
            outgoing.add(remotePlayers.own(action, millis(), movement()));
        }
        return true;
    }

    @Override
    public boolean rename(String name) {
        if (welcomed && !ended) {
            outgoing.add(new RosterMessage.SwitchName(CubeText.playerName(name)));
        }
        return true;
    }

    @Override
    public void close() {
        if (!ended && leaveBy == NEVER) {
            leaveBy = config.cycle().now() + LEAVE_TIMEOUT_NANOS;
            flush();
            peer.disconnectLater(DisconnectReason.NONE.code());
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        if (!ended) {
            host.receive(now, from, data);
        }
    }

    @Override
    public long advance(long now) {
        this.now = now;
        if (ended) {
            return NEVER;
        }
        if (now >= leaveBy) {
            peer.reset();
            end(Ending.LEFT, "left");
            return NEVER;
        }
        if (!welcomed && leaveBy == NEVER && now - begun >= JOIN_TIMEOUT_NANOS) {
            peer.disconnectNow(DisconnectReason.NONE.code());
            end(
                    Ending.TIMED_OUT,
                    server() + " did not answer within " + JOIN_TIMEOUT_NANOS / SECOND + " s");
            return NEVER;
        }
        if (leaveBy == NEVER) {
            act();
        }
        long next = host.advance(now);
        return ended ? NEVER : Math.min(next, deadline());
    }

    private long deadline() {
        if (leaveBy != NEVER) {
            return leaveBy;
        }
        long next = Math.min(Math.min(localPlayer.deadline(), nextPing), nextSpawn);
        return welcomed ? next : Math.min(next, begun + JOIN_TIMEOUT_NANOS);
    }

    private void act() {
        if (now >= nextSpawn) {
            nextSpawn = now + RESPAWN_DELAY_NANOS;
            outgoing.add(new LifeMessage.TrySpawn());
        }
        // The pilot may end the client.
        if (localPlayer.advance(now) && !ended && leaveBy == NEVER) {
            Pos pos = localPlayer.position(cn);
            peer.send(SauerbratenTransport.POSITIONS, codec.packet(pos), false);
            localPlayer
                    .travel(cn)
                    .ifPresent(travel ->
                            peer.send(SauerbratenTransport.POSITIONS, codec.packet(travel), true));
        }
        flush();
        if (now >= nextPing) {
            nextPing = now + PING_INTERVAL_NANOS;
            SessionMessage.Ping measure = new SessionMessage.Ping(millis());
            peer.send(
                    SauerbratenTransport.MESSAGES,
                    // Before it has let a client in, a server takes nothing else from it.
                    welcomed
                            ? codec.packet(measure, new SessionMessage.ClientPing(ping))
                            : codec.packet(measure),
                    false);
        }
    }

    private void flush() {
        if (!outgoing.isEmpty()) {
            peer.send(
                    SauerbratenTransport.MESSAGES,
                    codec.packet(outgoing.toArray(SauerbratenMessage[]::new)),
                    true);
            outgoing.clear();
        }
    }

    private int millis() {
        return (int) TimeUnit.NANOSECONDS.toMillis(now - begun);
    }

    private void take(int channel, Bytes payload) {
        if (leaveBy != NEVER) {
            return;
        }
        try {
            for (SauerbratenMessage message :
                    codec.readPacket(Direction.S2C, channel, new Reader(payload))) {
                if (ended || leaveBy != NEVER) {
                    return;
                }
                take(message);
            }
        } catch (MalformedPacketException e) {
            fail("the server sent a message that is not of its protocol: " + e.getMessage());
        }
    }

    private void fail(String reason) {
        peer.disconnectNow(DisconnectReason.MESSAGE_ERROR.code());
        end(Ending.PROTOCOL_ERROR, reason);
    }

    private void take(SauerbratenMessage message) {
        switch (message) {
            case RelayMessage.Client m -> {
                for (SauerbratenMessage inner : codec.messages(m)) {
                    remotePlayers.relayed(m.cn(), inner);
                }
            }
            case SessionMessage.ServInfo m -> greet(m);
            case SessionMessage.Welcome _ -> {
                welcomed = true;
                localPlayer.begin(now);
            }
            case SessionMessage.Pong m ->
                    ping = (5 * ping + Math.max(0, millis() - m.millis())) / 6;
            case MatchMessage.MapChange m -> changeMap(m);
            case EditMessage.SendMap m -> enter(m.file());
            case LifeMessage.SpawnState m -> {
                if (m.cn() == cn) {
                    spawn(m.state().lifeseq(), m.state().gun());
                }
            }
            case LifeMessage.Died m when m.victim() == cn -> died();
            case LifeMessage.ForceDeath m when m.cn() == cn -> died();
            case RosterMessage.Spectator m when m.cn() == cn -> {
                localPlayer.die();
                nextSpawn = m.val() ? NEVER : now;
            }
            case AdminMessage.PauseGame m -> localPlayer.pause(m.paused());
            case ChatMessage.ServMsg m -> {
                refusal = welcomed ? "" : CubeText.chat(m.text());
                listener.onChat(this, "", CubeText.chat(m.text()));
            }
            default -> remotePlayers.received(now, message);
        }
    }

    private void greet(SessionMessage.ServInfo info) {
        if (cn >= 0) {
            return;
        }
        SauerbratenCodec spoken = SauerbratenCodec.of(info.protocol()).orElse(null);
        if (spoken == null) {
            peer.disconnectNow(DisconnectReason.NONE.code());
            end(
                    Ending.REFUSED,
                    "the server speaks protocol "
                            + info.protocol()
                            + ", this client speaks 260 and 259");
            return;
        }
        codec = spoken;
        cn = info.cn();
        remotePlayers.self(cn);
        outgoing.add(
                new SessionMessage.Connect(
                        CubeText.playerName(config.name()),
                        PlayerModel.of(config.name()),
                        PasswordHash.of(cn, info.sessionid(), config.password()),
                        "",
                        ""));
        nextPing = now;
    }

    private void changeMap(MatchMessage.MapChange change) {
        codec = codec.inMode(change.mode());
        playing = change.map();
        localPlayer.die();
        nextSpawn = NEVER;
        remotePlayers.clear();
        localPlayer.leave();
        remotePlayers.locate(SauerbratenMotion.CENTERED);
        if (change.map().isEmpty()) {
            outgoing.add(new MatchMessage.MapCrc(change.map(), 0));
        } else if (map != null && map.name().equals(change.map())) {
            outgoing.add(new MatchMessage.MapCrc(change.map(), map.crc()));
        } else if (change.mode() == COOP_EDIT) {
            outgoing.add(new EditMessage.GetMap());
        }
    }

    /** Walks in a map from now on, if it can be understood. */
    private void enter(Bytes file) {
        DecodedMap sent = DecodedMap.of(file);
        outgoing.add(new MatchMessage.MapCrc(playing, sent.crc()));
        sent.ground()
                .ifPresent(ground -> {
                    remotePlayers.locate(ground.octree().motion());
                    localPlayer.enter(ground.octree(), ground.starts(), ground.exits());
                });
    }

    private void spawn(int lifeseq, int gun) {
        outgoing.add(new LifeMessage.ClientSpawn(lifeseq, gun));
        localPlayer.spawn(now, lifeseq, cn);
        nextSpawn = NEVER;
        if (!joined) {
            joined = true;
            listener.onJoined(this);
        }
    }

    private void died() {
        localPlayer.die();
        nextSpawn = now + RESPAWN_DELAY_NANOS;
    }

    private void hungUp(long data, EnetDisconnectReason cause) {
        if (leaveBy != NEVER) {
            end(Ending.LEFT, "left");
            return;
        }
        switch (cause) {
            case TIMEOUT, NOT_ACKNOWLEDGING, INCOMPLETE ->
                    end(
                            Ending.TIMED_OUT,
                            server() + (welcomed ? " fell silent" : " did not answer"));
            case PROTOCOL ->
                    end(Ending.PROTOCOL_ERROR, server() + " did not answer as ENet demands");
            case OVERFLOW ->
                    end(Ending.PROTOCOL_ERROR, server() + " sent more than a client keeps");
            case LOCAL, REPLACED -> end(Ending.LEFT, "left");
            case REMOTE -> end(welcomed ? Ending.KICKED : Ending.REFUSED, reason(data));
        }
    }

    private String server() {
        InetSocketAddress server = config.server();
        return server.getHostString() + ":" + server.getPort();
    }

    private String reason(long data) {
        DisconnectReason reason = DisconnectReason.of(data).orElse(null);
        if (reason == null) {
            return "the server closed the connection for reason " + data;
        }
        if (reason == DisconnectReason.FULL && !refusal.isEmpty()) {
            return refusal;
        }
        return reason == DisconnectReason.PASSWORD && config.password().isEmpty()
                ? "the server asks for a password"
                : reason.text();
    }

    private void end(Ending ending, String reason) {
        if (!ended) {
            ended = true;
            remotePlayers.clear();
            socket.close();
            listener.onEnded(this, ending, reason);
        }
    }
}
