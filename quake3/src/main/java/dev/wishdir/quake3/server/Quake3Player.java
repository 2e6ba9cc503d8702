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

/**
 * One client of the endpoint: who it is and how far it has come, with its line, its body, what it
 * sees and what it is told.
 */
final class Quake3Player implements MemoryConsumer {
    /** How far a client has come. */
    enum State {
        /** Accepted; wants a gamestate. */
        CONNECTED,
        /** Has been sent the gamestate; loads. */
        PRIMED,
        /** Plays. */
        ACTIVE,
        /** Has been sent away; is told so for a while. */
        ZOMBIE
    }

    /** Far more than an honest client sends at a thousand frames a second. */
    private static final double MAX_PACKET_BURST = 1_000;

    /** What a place in a map, a list or a queue takes, and a client's own fields with them. */
    private static final int HEAP = 4_096;

    private final Clients clients;
    private final int clientNum;
    private final long connectedAt;
    private final boolean openArena;

    /** Among the sessions of its address, until it leaves. */
    private final AddressLimits.Place place;

    private final ClientChannel channel;
    private final PlayerBody body = new PlayerBody();
    private final UsercmdFilter usercmdFilter = new UsercmdFilter();
    private final PlayerSlots visible;
    private final SpectatorFollow following;
    private final SnapshotBuilder snapshotBuilder;
    private final ClientConfigstrings told;
    private final Quake3Viewer viewer;

    /** Messages of it that are read. */
    private final TokenBucket messages = new TokenBucket(MAX_PACKET_BURST, MAX_PACKET_BURST / 2);

    /** Questions of it that are answered. */
    private final TokenBucket answers = new TokenBucket(8, 1);

    private InfoString userinfo;
    private State state = State.CONNECTED;
    private @Nullable PlayerId id;
    private long heard;

    /** When it had to begin to load what is played. */
    private long begun;

    /** Whether it has last said that it would watch rather than play. */
    private boolean wishesToWatch;

    /** Whether it has shown that it has the paks of a pure server. */
    private boolean proved;

    private long zombieUntil;

    /** Where it was told to fetch files over HTTP. */
    private final Optional<String> files;

    /**
     * @param userinfo what it said when it connected
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
        heard = now;
        begun = now;
        visible = new PlayerSlots(clientNum);
        following = new SpectatorFollow(clients, visible, body);
        snapshotBuilder =
                new SnapshotBuilder(clients, visible, body, following, clientNum, openArena);
        told = new ClientConfigstrings(clients, this);
        viewer = new Quake3Viewer(clients, this);
        files = clients.files(now, channel.address().getAddress());
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

    /** Where it fetches files over HTTP; empty where it is to do so in band. */
    Optional<String> files() {
        return files;
    }

    /** Whether it was given a URL of files and has not loaded the level: it may not reach them. */
    boolean lacksFiles() {
        return files.isPresent() && state == State.PRIMED && channel.hasGamestate();
    }

    InetSocketAddress address() {
        return channel.address();
    }

    /** Whether packets in band of an address and a qport come from it: its port may change. */
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

    /** Whom it knows by which slot. */
    PlayerSlots visible() {
        return visible;
    }

    SpectatorFollow following() {
        return following;
    }

    /** The configstrings that it has been told. */
    ClientConfigstrings told() {
        return told;
    }

    Quake3Viewer news() {
        return viewer;
    }

    State state() {
        return state;
    }

    /** Whether it has been sent away. */
    boolean isZombie() {
        return state == State.ZOMBIE;
    }

    boolean plays() {
        return state == State.ACTIVE;
    }

    /** The player that it is in the arena; null where it is not there. */
    @Nullable PlayerId id() {
        return id;
    }

    /** It is in the arena. */
    void entered(PlayerId player) {
        id = player;
    }

    /** It has left the arena, and gives its place back. */
    void left() {
        id = null;
        place.leave();
    }

    /** It has begun to play what it has loaded. */
    void play(long now) {
        state = State.ACTIVE;
        channel.expediteSnapshot(now);
    }

    /** How long it has been loading what is played; 0 once it plays. */
    long loading(long now) {
        return plays() ? 0 : now - begun;
    }

    /** Another level begins: it must be told of it. */
    void beginLevel(long now) {
        state = State.CONNECTED;
        begun = now;
        channel.beginLevel(now);
    }

    /** It is sent away, and told why until a moment. */
    void sendAway(long now, String reason, long until) {
        state = State.ZOMBIE;
        zombieUntil = until;
        // A client shows a print in its console, but the reason of a disconnect in its menu alone.
        channel.end(now, "print \"" + reason + "\n\"", "disconnect \"" + reason + "\"");
    }

    /** Whether it was sent away and has been told so for long enough. */
    boolean isGone(long now) {
        return isZombie() && now >= zombieUntil;
    }

    /** Whether it may send another message. */
    boolean maySend(long now) {
        return messages.canAcquire(now, 1);
    }

    /** A message of it has come. */
    void recordActivity(long now) {
        messages.tryAcquire(now);
        heard = now;
    }

    /** How long nothing has come from it. */
    long silence(long now) {
        return now - heard;
    }

    /** What it says of itself. */
    InfoString userinfo() {
        return userinfo;
    }

    void userinfo(InfoString info) {
        userinfo = info;
        channel.adapt(info);
    }

    /** The name that it wishes. */
    String name() {
        return Quake3Text.plain(userinfo.get("name"));
    }

    /** Takes in whether it would watch rather than play. Returns whether that is a change. */
    boolean wish(boolean watch) {
        boolean change = watch != spectates() || watch != wishesToWatch;
        wishesToWatch = watch;
        return change;
    }

    /** Whether it has shown that it has the paks of a pure server. */
    boolean isProved() {
        return proved;
    }

    /** It has shown whether it has the paks of a pure server, or is going to anew. */
    void prove(boolean has) {
        proved = has;
    }

    /** Tells the client all that it must know of a level, if it wants that and it is time. */
    void sendGamestate(long now, RunningLevel running) {
        if (!channel.mayHaveGamestate(now)) {
            return;
        }
        if (plays()) {
            begun = now;
        }
        state = State.PRIMED;
        usercmdFilter.reset();
        proved = false;
        told.settle(now, shown());
        ServerMessage.Gamestate gamestate = running.gamestate(this, channel.lastCommand(), clients);
        told.gamestate(gamestate.configstrings().keySet());
        channel.sendGamestate(now, gamestate, running.entities().states());
    }

    /** Adds a reliable command, for a client that has a level and listens. */
    void command(String text) {
        if (state == State.PRIMED || state == State.ACTIVE) {
            channel.command(text);
        }
    }

    /** Answers what it asks for, if it does not ask too much and can hear it. */
    void answer(long now, String command) {
        if (!channel.isCongested() && answers.tryAcquire(now)) {
            command(command);
        }
    }

    boolean spectates() {
        return body.spectates();
    }

    /** The state of the own body. */
    PlayerState playerState() {
        return body.playerState(clientNum, openArena);
    }

    /** The player that it is, if it is in the arena. */
    Optional<Player> player() {
        return id == null ? Optional.empty() : clients.arena().find(id);
    }

    /** Whom it is shown with a body. */
    List<Player> shown() {
        return id == null ? List.of() : clients.arena().visiblePlayers(id);
    }

    /** The player in the slot of this number, or the only one of this name as it is shown. */
    Optional<Player> named(String who) {
        if (who.matches("\\d{1,2}") && Integer.parseInt(who) < EntityState.MAX_CLIENTS) {
            PlayerId there = at(Integer.parseInt(who));
            return there == null ? Optional.empty() : clients.arena().find(there);
        }
        List<Player> found =
                clients.arena().players().stream().filter(other -> isCalled(other, who)).toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private static boolean isCalled(Player player, String name) {
        return name.equalsIgnoreCase(player.name())
                || name.equalsIgnoreCase(Quake3Text.name(player.name()))
                || name.equalsIgnoreCase(PlayerConfigstring.name(player));
    }

    /** Who is in a slot, itself in its own; or null. */
    @Nullable PlayerId at(int slot) {
        return slot == clientNum ? id : visible.at(slot);
    }

    /**
     * What it sees at a moment.
     *
     * @param shown whom it is shown with a body
     */
    Frame frame(long now, RunningLevel running, List<Player> shown) {
        int serverTime = running.time(now);
        return plays()
                ? snapshotBuilder.frame(now, serverTime, running.entities(), shown, told::isKnown)
                : new Frame(
                        serverTime, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
    }

    /**
     * What is in its way beside the level itself.
     *
     * @param millis how long it is going to move
     */
    List<Obstacle> obstacles(int millis) {
        return snapshotBuilder.obstacles(millis, shown(), told::isKnown);
    }

    @Override
    public long retainedBytes() {
        return HEAP + channel.retainedBytes();
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
