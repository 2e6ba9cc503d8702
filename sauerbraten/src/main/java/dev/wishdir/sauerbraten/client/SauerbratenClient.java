package dev.wishdir.sauerbraten.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.sauerbraten.combat.FlagMark;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
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
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.PlayerModel;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * A headless Sauerbraten player, of protocol 260 or 259 as the server requires. In coop edit it
 * downloads the map and walks in it; in other modes it walks on a flat floor at the centre of the
 * world, which every server of this game accepts, as clients own their positions.
 */
public final class SauerbratenClient implements Client, DatagramHandler {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LEAVE_TIMEOUT_NANOS = 2 * SECOND;
    private static final long RESPAWN_DELAY_NANOS = SECOND;

    /** Largest lateness of its own loop, in the last second together, at which it fires. */
    private static final long MAX_LATE_NANOS = SECOND / 2;

    /** A server that pushes more than this, units a second, means no push. */
    private static final double MAX_PUSH = 4000;

    /**
     * A text of the server.
     *
     * @param at when it was received
     */
    private record ServerText(String text, long at) {}

    /** In the order in which they are entered. */
    private enum State {
        CONNECTING,
        /** Accepted by the server, without a body yet. */
        WELCOMED,
        /** Has had a body, or is a spectator. */
        JOINED,
        ENDED
    }

    private final ClientConfig config;
    private final ClientListener listener;
    private final LocalPlayer localPlayer;
    private final RemotePlayers remotePlayers;
    private final ServerConnection connection;
    private final PingMeter pings;
    private final @Nullable MapFile map;
    private final FlagTracker flags = new FlagTracker();
    private GameMode mode = GameMode.FFA;

    /** Those of its own map in a mode with flags, whose starts are for one team each. */
    private Optional<FlagBases> bases = Optional.empty();

    private String mapName = "";
    private final long started;
    private long now;
    private State state = State.CONNECTING;
    private int cn = -1;

    /** Last text of the server; before it disconnects, it says more than the reason's number. */
    private ServerText lastText = new ServerText("", NEVER);

    private long nextSpawn = NEVER;

    private boolean isConnected;

    /** ENet gives up an attempt earlier than some clients want to wait. */
    private boolean reconnects;

    /** Time at which the client ends if the server does not acknowledge that it leaves. */
    private long leaveBy = NEVER;

    /**
     * Starts a client, which connects at once; on the thread of its duty cycle.
     *
     * @throws IOException if no socket can be opened, or the file of the map or the keys can't be
     *     read
     */
    public static SauerbratenClient connect(ClientConfig config) throws IOException {
        String file = config.options().getOrDefault(MapFile.OPTION, "");
        MapFile map = file.isEmpty() ? null : MapFile.read(file);
        PlayerKeys keys = PlayerKeys.read(config.options().getOrDefault(PlayerKeys.OPTION, ""));
        return config.cycle()
                .open(
                        new InetSocketAddress(0),
                        socket -> new SauerbratenClient(config, map, keys, socket));
    }

    private SauerbratenClient(
            ClientConfig config, @Nullable MapFile map, PlayerKeys keys, UdpSocket socket) {
        this.config = config;
        this.map = map;
        listener = config.listener();
        localPlayer = new LocalPlayer(config.controller(), this::others, config.random());
        remotePlayers = new RemotePlayers(this, listener);
        started = config.cycle().now();
        now = started;
        pings = new PingMeter(started);
        connection = new ServerConnection(config, keys, socket, new Transport());
    }

    private final class Transport implements EnetListener {
        @Override
        public void onConnected(long now, EnetPeer peer) {
            isConnected = true;
            // As the original does; also measures the round trip.
            peer.configureThrottle(5000, 2, 2);
        }

        @Override
        public void onReceived(
                long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {
            onPacket(channel, payload);
        }

        @Override
        public void onDisconnected(long now, EnetPeer peer, long data, EnetDisconnectReason cause) {
            SauerbratenClient.this.onDisconnected(data, cause);
        }
    }

    @Override
    public boolean joined() {
        config.cycle().checkThread("uses a client");
        return state == State.JOINED;
    }

    @Override
    public long id() {
        config.cycle().checkThread("uses a client");
        return cn;
    }

    @Override
    public String level() {
        config.cycle().checkThread("uses a client");
        return mapName;
    }

    @Override
    public Movement movement() {
        config.cycle().checkThread("uses a client");
        return localPlayer.movement();
    }

    @Override
    public Collection<RemotePlayer> others() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.visible();
    }

    @Override
    public void say(String text) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(text, "text");
        if (isWelcomed()) {
            connection.queue(new ChatMessage.Text(CubeText.chat(text)));
        }
    }

    @Override
    public boolean act(PlayerAction action) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(action, "action");
        if (joined()) {
            connection.queue(remotePlayers.actionMessage(action, pings.millis(now), movement()));
        }
        return true;
    }

    /** Does not fire while its own loop is late: the client would claim hits of an old view. */
    @Override
    public boolean shoot(Vec3 at) {
        config.cycle().checkThread("uses a client");
        Vec3.requireFinite("at", at);
        if (!joined() || leaveBy != NEVER || config.cycle().lateNanos() > MAX_LATE_NANOS) {
            return false;
        }
        List<ActionMessage> messages =
                localPlayer.shoot(now, pings.millis(now), at, remotePlayers.targets());
        messages.forEach(connection::queue);
        return !messages.isEmpty();
    }

    @Override
    public List<BotWeapon> weapons() {
        config.cycle().checkThread("uses a client");
        return localPlayer.isAlive() ? localPlayer.fighter().weapons() : List.of();
    }

    @Override
    public void select(BotWeapon weapon) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(weapon, "weapon");
        localPlayer.fighter().select(weapon);
    }

    @Override
    public OptionalDouble health() {
        config.cycle().checkThread("uses a client");
        return localPlayer.isAlive()
                ? OptionalDouble.of(localPlayer.fighter().health())
                : OptionalDouble.empty();
    }

    @Override
    public List<Vec3> items() {
        config.cycle().checkThread("uses a client");
        return localPlayer.items();
    }

    @Override
    public Map<Long, Integer> frags() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.frags();
    }

    /**
     * In coop edit, which has no teams, those of a server that calls them as this program's matches
     * do.
     */
    @Override
    public Map<Long, String> teams() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.teams();
    }

    @Override
    public Map<String, Integer> teamFrags() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.teamFrags();
    }

    /**
     * In a mode with flags those of its map file: without it none. In coop edit those that this
     * program's server draws, where only its own carrier is known.
     */
    @Override
    public List<RemoteFlag> flags() {
        config.cycle().checkThread("uses a client");
        return flags.snapshot(
                cn,
                number ->
                        number == cn
                                ? Optional.of(movement().position())
                                : remotePlayers.place(number),
                localPlayer.motion());
    }

    @Override
    public boolean dropFlag() {
        config.cycle().checkThread("uses a client");
        if (joined() && mode.coopEdit()) {
            say(FlagMark.DROP_LINE);
        } else if (joined()) {
            connection.queue(new FlagMessage.TryDropFlag());
        }
        return true;
    }

    @Override
    public boolean rename(String name) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(name, "name");
        if (isWelcomed()) {
            connection.queue(new RosterMessage.SwitchName(CubeText.playerName(name)));
        }
        return true;
    }

    @Override
    public void close() {
        config.cycle().checkThread("uses a client");
        if (state != State.ENDED && leaveBy == NEVER) {
            leaveBy = config.cycle().now() + LEAVE_TIMEOUT_NANOS;
            connection.disconnectLater();
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        if (state != State.ENDED) {
            connection.receive(now, from, data);
        }
    }

    @Override
    public long advance(long now) {
        this.now = now;
        if (state == State.ENDED) {
            return NEVER;
        }
        if (now >= leaveBy) {
            connection.reset();
            end(EndReason.LEFT, "left");
            return NEVER;
        }
        if (state == State.CONNECTING && leaveBy == NEVER && now >= joinBy()) {
            connection.disconnectNow(DisconnectReason.NONE);
            end(EndReason.TIMED_OUT, config.joinTimedOut());
            return NEVER;
        }
        if (leaveBy == NEVER) {
            sendDue();
        }
        if (reconnects) {
            reconnects = false;
            connection.reconnect();
        }
        long next = connection.advance(now);
        if (reconnects) {
            return now;
        }
        return state == State.ENDED ? NEVER : Math.min(next, deadline());
    }

    private long deadline() {
        if (leaveBy != NEVER) {
            return leaveBy;
        }
        long next = Math.min(Math.min(localPlayer.deadline(), pings.deadline()), nextSpawn);
        return state != State.CONNECTING ? next : Math.min(next, joinBy());
    }

    private long joinBy() {
        return started + config.joinTimeout().toNanos();
    }

    private void sendDue() {
        if (now >= nextSpawn) {
            nextSpawn = now + RESPAWN_DELAY_NANOS;
            connection.queue(new LifeMessage.TrySpawn());
        }
        localPlayer
                .explosions(now, pings.millis(now), remotePlayers.targets())
                .forEach(connection::queue);
        // The controller may close the client.
        if (localPlayer.advance(now) && state != State.ENDED && leaveBy == NEVER) {
            Pos pos = localPlayer.position(cn);
            connection.sendPosition(pos, false);
            if (localPlayer.isAlive()) {
                localPlayer
                        .touchedItems()
                        .forEach(item -> connection.queue(new ItemMessage.ItemPickup(item)));
                flags.touched(pos.pos(), remotePlayers.ownTeam(), cn).forEach(connection::queue);
            }
            localPlayer.useTrigger(cn).ifPresent(message -> connection.sendPosition(message, true));
        }
        connection.flush();
        if (pings.takeDue(now)) {
            SessionMessage.Ping ping = new SessionMessage.Ping(pings.millis(now));
            // Before the welcome, a server accepts nothing else.
            if (isWelcomed()) {
                connection.sendUnreliable(ping, new SessionMessage.ClientPing(pings.roundTrip()));
            } else {
                connection.sendUnreliable(ping);
            }
        }
        connection.kickProblem(now).ifPresent(text -> listener.onChat(this, "", text));
    }

    private boolean isWelcomed() {
        return state == State.WELCOMED || state == State.JOINED;
    }

    private void onPacket(int channel, Bytes payload) {
        if (leaveBy != NEVER) {
            return;
        }
        try {
            for (SauerbratenMessage message : connection.read(channel, payload)) {
                if (state == State.ENDED || leaveBy != NEVER) {
                    return;
                }
                onMessage(message);
            }
        } catch (MalformedPacketException e) {
            fail("the server sent a malformed message: " + e.getMessage());
        }
    }

    private void fail(String reason) {
        connection.disconnectNow(DisconnectReason.MESSAGE_ERROR);
        end(EndReason.PROTOCOL_ERROR, reason);
    }

    private void onMessage(SauerbratenMessage message) {
        connection.answer(now, message);
        switch (message) {
            case RelayMessage.Client m -> {
                for (SauerbratenMessage inner : connection.read(m)) {
                    if (inner instanceof EditMessage.EditEnt entity) {
                        localPlayer.fighter().items().place(entity);
                        localPlayer.setStart(entity);
                        flags.onEntity(entity, localPlayer.motion());
                    } else {
                        remotePlayers.onRelayed(m.cn(), inner);
                    }
                }
            }
            case SessionMessage.ServInfo m -> onServInfo(m);
            case SessionMessage.Welcome _ -> {
                state = state == State.CONNECTING ? State.WELCOMED : state;
                localPlayer.start(now);
                if (config.spectates()) {
                    connection.queue(new RosterMessage.Spectator(cn, true));
                }
            }
            case SessionMessage.Pong m -> pings.onPong(now, m.millis());
            case MatchMessage.MapChange m -> changeMap(m);
            case EditMessage.SendMap m -> enter(m.file());
            case LifeMessage.SpawnState m -> {
                if (m.cn() == cn && !config.spectates()) {
                    spawn(m);
                }
            }
            case LifeMessage.Died m when m.victim() == cn -> {
                remotePlayers.onMessage(now, m);
                onDeath();
            }
            case LifeMessage.Damage m when m.target() == cn -> {
                localPlayer.fighter().setHealth(m.health());
                remotePlayers.onMessage(now, m);
            }
            case LifeMessage.Resume m -> {
                m.players().stream()
                        .filter(score -> score.cn() == cn)
                        .forEach(score -> localPlayer.fighter().setHealth(score.body().health()));
                remotePlayers.onMessage(now, m);
            }
            case ItemMessage.ItemSpawn m -> localPlayer.fighter().items().spawn(m);
            case ItemMessage.ItemAcc m -> {
                int type = localPlayer.fighter().items().taken(m);
                if (m.cn() == cn) {
                    localPlayer.fighter().take(type);
                }
            }
            case LifeMessage.HitPush m when m.target() == cn -> push(m);
            case MatchMessage.TimeUp m -> localPlayer.setIntermission(m.secs() == 0);
            case LifeMessage.ForceDeath m when m.cn() == cn -> onDeath();
            case RosterMessage.Spectator m when m.cn() == cn -> {
                localPlayer.die();
                nextSpawn = m.val() || config.spectates() ? NEVER : now;
                if (m.val() && config.spectates()) {
                    join();
                }
            }
            case FlagMessage.InitFlags m when m.flags().isEmpty() -> {
                if (!flags.placed().isEmpty()) {
                    connection.queue(new FlagMessage.ClientInitFlags(flags.placed()));
                }
            }
            case FlagMessage m -> {
                flags.onMessage(m, cn);
                remotePlayers.onMessage(now, m);
            }
            case AdminMessage.PauseGame m -> localPlayer.pause(m.paused());
            case ChatMessage.ServMsg m -> {
                lastText = new ServerText(CubeText.chat(m.text()), now);
                listener.onChat(this, "", lastText.text);
            }
            default -> remotePlayers.onMessage(now, message);
        }
    }

    private void onServInfo(SessionMessage.ServInfo info) {
        if (cn >= 0) {
            return;
        }
        if (!connection.setProtocol(info.protocol())) {
            connection.disconnectNow(DisconnectReason.NONE);
            end(
                    EndReason.REFUSED,
                    "the server speaks protocol "
                            + info.protocol()
                            + ", this client supports 260 and 259");
            return;
        }
        cn = info.cn();
        remotePlayers.setSelf(cn);
        connection.queueConnect(
                new SessionMessage.Connect(
                        CubeText.playerName(config.name()),
                        PlayerModel.of(config.name()),
                        PasswordHash.of(cn, info.sessionid(), config.password()),
                        "",
                        ""));
        pings.start(now);
    }

    private void push(LifeMessage.HitPush push) {
        Weapon gun = Weapon.of(push.gun()).orElse(Weapon.FIST);
        double speed = gun.push * push.damage() / 100.0 / 100;
        Vec3 units = new Vec3(push.dir().x(), push.dir().y(), push.dir().z()).times(speed);
        if (units.length() < MAX_PUSH) {
            localPlayer.push(SauerbratenMotion.velocity(units));
        }
    }

    private void changeMap(MatchMessage.MapChange change) {
        localPlayer.setIntermission(false);
        localPlayer.fighter().clear();
        flags.start(List.of());
        bases = Optional.empty();
        mode = new GameMode(change.mode());
        remotePlayers.startMatch(mode);
        connection.setMode(change.mode());
        mapName = change.map();
        localPlayer.die();
        nextSpawn = NEVER;
        remotePlayers.clear();
        localPlayer.leave();
        remotePlayers.setMotion(SauerbratenMotion.CENTERED);
        if (change.map().isEmpty()) {
            connection.queue(new MatchMessage.MapCrc(change.map(), 0));
        } else if (map != null && map.name().equals(change.map())) {
            connection.queue(new MatchMessage.MapCrc(change.map(), map.crc()));
            if (mode.hasFlags()) {
                flags.start(map.flags());
                enterOwn(map);
            }
        } else if (mode.coopEdit()) {
            connection.queue(new EditMessage.GetMap());
        }
    }

    /** Walks in its own map from now on, if its geometry is supported. */
    private void enterOwn(MapFile own) {
        DecodedMap.of(own.bytes())
                .ground()
                .ifPresent(ground -> {
                    enter(ground);
                    bases = Ogz.read(own.bytes()).bases(ground.octree().motion());
                });
    }

    private void enter(DecodedMap.Ground ground) {
        remotePlayers.setMotion(ground.octree().motion());
        localPlayer.enter(ground.octree(), ground.starts(), ground.triggers());
    }

    /** Walks in a map from now on, if its geometry is supported. */
    private void enter(Bytes file) {
        DecodedMap decoded = DecodedMap.of(file);
        connection.queue(new MatchMessage.MapCrc(mapName, decoded.crc()));
        // A loaded map ends all entities that were placed before.
        localPlayer.fighter().items().clear();
        flags.clearMarks();
        decoded.ground().ifPresent(this::enter);
    }

    private void spawn(LifeMessage.SpawnState order) {
        connection.queue(new LifeMessage.ClientSpawn(order.state().lifeseq(), order.state().gun()));
        bases.ifPresent(this::chooseStarts);
        localPlayer.spawn(now, order.state(), cn);
        nextSpawn = NEVER;
        join();
    }

    private void chooseStarts(FlagBases of) {
        GameTeam.of(remotePlayers.ownTeam())
                .map(team -> team == GameTeam.EVIL ? of.red() : of.blue())
                .ifPresent(base -> localPlayer.setStarts(base.spawns()));
    }

    private void join() {
        if (state == State.WELCOMED) {
            state = State.JOINED;
            listener.onJoined(this);
        }
    }

    private void onDeath() {
        localPlayer.die();
        nextSpawn = config.spectates() ? NEVER : now + RESPAWN_DELAY_NANOS;
    }

    private void onDisconnected(long data, EnetDisconnectReason cause) {
        if (leaveBy != NEVER) {
            end(EndReason.LEFT, "left");
            return;
        }
        switch (cause) {
            case TIMEOUT, NOT_ACKNOWLEDGING, INCOMPLETE -> {
                reconnects = !isConnected && now < joinBy();
                if (!reconnects) {
                    end(
                            EndReason.TIMED_OUT,
                            isWelcomed() ? server() + " fell silent" : config.joinTimedOut());
                }
            }
            case PROTOCOL ->
                    end(EndReason.PROTOCOL_ERROR, server() + " violated the ENet protocol");
            case OVERFLOW ->
                    end(
                            EndReason.PROTOCOL_ERROR,
                            server() + " sent more data than the client's limit");
            case LOCAL, REPLACED, DEFECT -> end(EndReason.LEFT, "left");
            case REMOTE -> {
                boolean closes = data == DisconnectReason.NONE.code();
                EndReason welcomed = closes ? EndReason.SERVER_CLOSED : EndReason.KICKED;
                end(isWelcomed() ? welcomed : EndReason.REFUSED, reason(data));
            }
        }
    }

    private String server() {
        InetSocketAddress server = config.server();
        return server.getHostString() + ":" + server.getPort();
    }

    private String reason(long data) {
        DisconnectReason reason = DisconnectReason.of(data).orElse(null);
        if (reason == null) {
            return "the server disconnected with unknown reason " + data;
        }
        boolean said = !lastText.text.isEmpty();
        if (reason == DisconnectReason.FULL && said && !isWelcomed()) {
            return lastText.text;
        }
        if (reason == DisconnectReason.NONE && said && now - lastText.at < SECOND) {
            return lastText.text;
        }
        if (reason == DisconnectReason.PASSWORD && config.password().isEmpty()) {
            return connection
                    .namedKey()
                    .map(key ->
                            "the server did not accept the key "
                                    + key.name()
                                    + " of "
                                    + key.domain())
                    .orElse("the server asks for a password");
        }
        return reason.text();
    }

    private void end(EndReason ending, String reason) {
        if (state != State.ENDED) {
            state = State.ENDED;
            remotePlayers.clear();
            connection.close();
            listener.onEnded(this, ending, reason);
        }
    }
}
