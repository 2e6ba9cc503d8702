package dev.wishdir.quake3.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Obstacle;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The session of one client: connection state, channel, body, player slots, configstrings. */
final class Quake3Player implements MemoryConsumer {
    /** Connection state of a client, by the engine's names. */
    enum State {
        /** Accepted; waits for the gamestate. */
        CONNECTED,
        /** Gamestate sent; the client loads the level. */
        PRIMED,
        /** In the game. */
        ACTIVE,
        /** Dropped; the reason is repeated until the slot is free. */
        ZOMBIE
    }

    /** Packets at once: far more than a genuine client sends at 1000 frames a second. */
    private static final double MAX_PACKET_BURST = 1_000;

    /** Heap bytes of a client's own fields and of its entries in maps, lists and queues. */
    private static final int HEAP_BYTES = 4_096;

    private final Clients clients;
    private final int clientNum;
    private final long connectedAt;
    private final boolean openArena;

    /** The client's place among the sessions of its address. */
    private final AddressLimits.Place place;

    private final ClientChannel channel;
    private final PlayerBody body = new PlayerBody();
    private final UsercmdFilter usercmdFilter = new UsercmdFilter();
    private final PlayerSlots slots;
    private final SpectatorFollow following;
    private final SnapshotBuilder snapshotBuilder;
    private final ClientConfigstrings configstrings;
    private final Quake3Viewer viewer;

    /** Rate limit of received packets. */
    private final TokenBucket packetLimit = new TokenBucket(MAX_PACKET_BURST, MAX_PACKET_BURST / 2);

    /** Rate limit of answers to console commands. */
    private final TokenBucket answerLimit = new TokenBucket(8, 1);

    private InfoString userinfo;
    private State state = State.CONNECTED;
    private @Nullable PlayerId id;
    private long lastReceived;

    /** When the client began to load the level. */
    private long loadingSince;

    /** Whether the client's last {@code team} command asked to spectate. */
    private boolean wantsToSpectate;

    /** Whether the client has proved the paks of a pure server. */
    private boolean pure;

    private long zombieUntil;

    /** URL for HTTP downloads that the client was given. */
    private final Optional<String> downloadUrl;

    /**
     * @param userinfo of the client's {@code connect}
     */
    Quake3Player(
            int clientNum,
            ClientChannel channel,
            InfoString userinfo,
            Clients clients,
            AddressLimits.Place place,
            boolean openArena,
            long now) {
        this.clientNum = clientNum;
        this.channel = channel;
        this.userinfo = userinfo;
        this.clients = clients;
        this.place = place;
        this.openArena = openArena;
        connectedAt = now;
        lastReceived = now;
        loadingSince = now;
        slots = new PlayerSlots(clientNum);
        following = new SpectatorFollow(clients, slots, body);
        snapshotBuilder =
                new SnapshotBuilder(clients, slots, body, following, clientNum, openArena);
        configstrings = new ClientConfigstrings(clients, this);
        viewer = new Quake3Viewer(clients, this);
        downloadUrl = clients.files(now, channel.address().getAddress());
    }

    int clientNum() {
        return clientNum;
    }

    long connectedAt() {
        return connectedAt;
    }

    /** Whether it is a client of OpenArena, rather than of Quake III. */
    boolean openArena() {
        return openArena;
    }

    /** The URL for HTTP downloads; empty if the client downloads in band. */
    Optional<String> files() {
        return downloadUrl;
    }

    /** Whether the client has a download URL, perhaps unreachable, but has not loaded the level. */
    boolean lacksFiles() {
        return downloadUrl.isPresent() && state == State.PRIMED && channel.hasGamestate();
    }

    InetSocketAddress address() {
        return channel.address();
    }

    /** Whether in-band packets of this address and qport are the client's, at whatever port. */
    boolean is(InetAddress address, int qport) {
        return channel.qport() == qport && channel.address().getAddress().equals(address);
    }

    ClientChannel line() {
        return channel;
    }

    PlayerBody body() {
        return body;
    }

    UsercmdFilter usercmds() {
        return usercmdFilter;
    }

    /** The players in the slots that the client knows. */
    PlayerSlots visible() {
        return slots;
    }

    SpectatorFollow following() {
        return following;
    }

    /** The configstrings that the client has. */
    ClientConfigstrings configstrings() {
        return configstrings;
    }

    Quake3Viewer news() {
        return viewer;
    }

    State state() {
        return state;
    }

    /** Whether the client was dropped. */
    boolean isZombie() {
        return state == State.ZOMBIE;
    }

    boolean plays() {
        return state == State.ACTIVE;
    }

    /** The client's player id; null while it is not in the arena. */
    @Nullable PlayerId id() {
        return id;
    }

    /** Records the player id after the client has joined the arena. */
    void entered(PlayerId player) {
        id = player;
    }

    /** Records that the client has left the arena, and frees its place at its address. */
    void left() {
        id = null;
        place.leave();
    }

    /** Enters the game after the level was loaded. */
    void play(long now) {
        state = State.ACTIVE;
        channel.expediteSnapshot(now);
    }

    /** Time since the client began to load the level, nanoseconds; 0 once it is in the game. */
    long loading(long now) {
        return plays() ? 0 : now - loadingSince;
    }

    /** Begins another level, for which the client needs a gamestate. */
    void beginLevel(long now) {
        state = State.CONNECTED;
        loadingSince = now;
        channel.beginLevel(now);
    }

    /** Disconnects the client; the reason is repeated until the given time. */
    void sendAway(long now, String reason, long until) {
        state = State.ZOMBIE;
        zombieUntil = until;
        // A client shows a print in its console, but the reason of a disconnect only in its menu.
        channel.end(now, "print \"" + reason + "\n\"", "disconnect \"" + reason + "\"");
    }

    /** Whether a dropped client's slot may be freed. */
    boolean isGone(long now) {
        return isZombie() && now >= zombieUntil;
    }

    /** Whether the rate limit allows another packet of the client. */
    boolean maySend(long now) {
        return packetLimit.canAcquire(now, 1);
    }

    /** Records a received message. */
    void recordActivity(long now) {
        packetLimit.tryAcquire(now);
        lastReceived = now;
    }

    /** Time since the client's last message, nanoseconds. */
    long silence(long now) {
        return now - lastReceived;
    }

    InfoString userinfo() {
        return userinfo;
    }

    void userinfo(InfoString info) {
        userinfo = info;
        channel.adapt(info);
    }

    /** The requested name, without colours. */
    String name() {
        return Quake3Text.plain(userinfo.get("name"));
    }

    /** Handles a request to spectate or to play. Returns whether it changes anything. */
    boolean wish(boolean watch) {
        boolean change = watch != spectates() || watch != wantsToSpectate;
        wantsToSpectate = watch;
        return change;
    }

    boolean isProved() {
        return pure;
    }

    /** Records whether the client has proved the paks of a pure server. */
    void prove(boolean has) {
        pure = has;
    }

    /** Sends a gamestate if one is requested and due. */
    void sendGamestate(long now, RunningLevel running) {
        if (!channel.mayHaveGamestate(now)) {
            return;
        }
        if (plays()) {
            loadingSince = now;
        }
        state = State.PRIMED;
        usercmdFilter.reset();
        pure = false;
        configstrings.settle(now, shown());
        ServerMessage.Gamestate gamestate = running.gamestate(this, channel.lastCommand(), clients);
        configstrings.gamestate(gamestate.configstrings().keySet());
        channel.sendGamestate(now, gamestate, running.entities().states());
    }

    /** Queues a reliable command; ignored unless the client is loading or in the game. */
    void command(String text) {
        if (state == State.PRIMED || state == State.ACTIVE) {
            channel.command(text);
        }
    }

    /** Answers a console command unless the rate limit is exceeded or the channel is congested. */
    void answer(long now, String command) {
        if (!channel.isCongested() && answerLimit.tryAcquire(now)) {
            command(command);
        }
    }

    boolean spectates() {
        return body.spectates();
    }

    PlayerState playerState() {
        return body.playerState(clientNum, openArena);
    }

    /** The client's player, if it is in the arena. */
    Optional<Player> player() {
        return id == null ? Optional.empty() : clients.arena().find(id);
    }

    /** The players visible to the client. */
    List<Player> shown() {
        return id == null ? List.of() : clients.arena().visiblePlayers(id);
    }

    /** The player in the slot of this number, or the only player with this name. */
    Optional<Player> named(String nameOrSlot) {
        if (nameOrSlot.matches("\\d{1,2}")
                && Integer.parseInt(nameOrSlot) < EntityState.MAX_CLIENTS) {
            PlayerId id = at(Integer.parseInt(nameOrSlot));
            return id == null ? Optional.empty() : clients.arena().find(id);
        }
        List<Player> found =
                clients.arena().players().stream()
                        .filter(other -> hasName(other, nameOrSlot))
                        .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private static boolean hasName(Player player, String name) {
        return name.equalsIgnoreCase(player.name())
                || name.equalsIgnoreCase(Quake3Text.name(player.name()))
                || name.equalsIgnoreCase(PlayerConfigstring.name(player));
    }

    /** The player in a slot, in the own slot the client's; or null. */
    @Nullable PlayerId at(int slot) {
        return slot == clientNum ? id : slots.at(slot);
    }

    /**
     * The frame of the next snapshot.
     *
     * @param players visible to the client
     */
    Frame frame(long now, RunningLevel running, List<Player> players) {
        int serverTime = running.time(now);
        return plays()
                ? snapshotBuilder.frame(
                        now, serverTime, running.entities(), players, configstrings::isKnown)
                : new Frame(
                        serverTime, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
    }

    /**
     * The players that the client's body can collide with.
     *
     * @param millis duration of the move
     */
    List<Obstacle> obstacles(int millis) {
        return snapshotBuilder.obstacles(millis, shown(), configstrings::isKnown);
    }

    @Override
    public long retainedBytes() {
        return HEAP_BYTES + channel.retainedBytes();
    }

    @Override
    public void abort(long now, String reason) {
        clients.drop(now, this, new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    @Override
    public void disconnect(long now, String reason) {
        clients.drop(now, this, new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return Quake3Text.name(name()) + " (" + Quake3Codec.GAME + " " + channel.address() + ")";
    }

    @Override
    public String nameWithoutAddress() {
        return Quake3Text.name(name()) + " (" + Quake3Codec.GAME + ")";
    }
}
