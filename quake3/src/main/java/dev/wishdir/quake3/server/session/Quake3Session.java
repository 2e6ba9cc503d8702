package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.UsercmdFilter;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.LocalPlayer;
import dev.wishdir.quake3.server.view.MovementCache;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.PlayerMarks;
import dev.wishdir.quake3.server.view.PlayerSlots;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.SnapshotBuilder;
import dev.wishdir.quake3.server.view.SpectatorFollow;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The session of one client: connection state, channel, body and configstrings. */
public final class Quake3Session implements MemoryConsumer, LocalPlayer, Quake3Viewer.ClientInfo {
    /** The connection state of a client, by the engine's names. */
    sealed interface State {
        /**
         * Accepted; waits for the gamestate.
         *
         * @param since when the client began to load the level, nanoseconds
         */
        record Connected(long since) implements State {}

        /**
         * Gamestate sent; the client loads the level.
         *
         * @param since when the client began to load the level, nanoseconds
         * @param pure whether it has proved the paks of a pure server
         */
        record Primed(long since, boolean pure) implements State {}

        /**
         * In the game.
         *
         * @param pure whether the client has proved the paks of a pure server
         */
        record Active(boolean pure) implements State {}

        /**
         * Dropped; the reason is repeated until the slot is free.
         *
         * @param until when the slot may be freed, nanoseconds
         */
        record Zombie(long until) implements State {}
    }

    /**
     * Admission of a client.
     *
     * @param place among the sessions of its address
     * @param proof of who its player is
     */
    public record Admission(AddressLimits.Place place, Proof proof) {}

    /** Life cycle of a session: in its table, in the arena and at its address. */
    public interface Lifecycle {
        /** Its player has joined the arena. */
        void onJoined(Quake3Session session, ArenaPlayer player);

        void drop(long now, Quake3Session session, LeaveReason reason);
    }

    /**
     * State that the sessions of an endpoint share.
     *
     * @param openArena whether for clients of OpenArena, rather than of Quake III
     */
    public record Services(
            Arena arena,
            MovementCache movementCache,
            LocalPlayer.Lookup localPlayers,
            PlayerConfigstrings playerConfigstrings,
            CombatEntities combatEntities,
            boolean openArena,
            Lifecycle lifecycle) {}

    /** Heap bytes of a client's own fields and of its entries in maps, lists and queues. */
    private static final int HEAP_BYTES = 4_096;

    private final Services services;
    private final int clientNum;

    private final Admission admission;

    private final ClientChannel channel;
    private final ClientActivity activity;
    private final PlayerBody body = new PlayerBody();
    private final UsercmdFilter usercmdFilter = new UsercmdFilter();
    private final SpectatorFollow following;
    private final SnapshotBuilder snapshotBuilder;
    private final ClientConfigstrings configstrings;
    private final Quake3Viewer viewer;

    /** Rate limit of answers to console commands. */
    private final TokenBucket answerLimit = new TokenBucket(8, 1);

    private InfoString userinfo;
    private State state;

    /** The client's player while it is in the arena. */
    private Optional<ArenaPlayer> player = Optional.empty();

    /**
     * @param userinfo of the client's {@code connect}
     */
    public Quake3Session(
            Services services,
            int clientNum,
            ClientChannel channel,
            InfoString userinfo,
            Admission admission,
            long now) {
        this.services = services;
        this.clientNum = clientNum;
        this.channel = channel;
        this.userinfo = userinfo;
        this.admission = admission;
        state = new State.Connected(now);
        activity = new ClientActivity(now);
        PlayerSlots slots = new PlayerSlots(clientNum);
        following =
                new SpectatorFollow(
                        services.arena(),
                        services.localPlayers(),
                        services.movementCache(),
                        slots,
                        body);
        snapshotBuilder =
                new SnapshotBuilder(
                        services.movementCache(),
                        services.combatEntities(),
                        slots,
                        body,
                        following,
                        clientNum,
                        services.openArena());
        configstrings =
                new ClientConfigstrings(
                        clientNum,
                        slots,
                        services.localPlayers(),
                        services.playerConfigstrings(),
                        new ClientConfigstrings.Commands() {
                            @Override
                            public boolean isCongested() {
                                return channel.transport().isCongested();
                            }

                            @Override
                            public void command(String text) {
                                Quake3Session.this.command(text);
                            }
                        });
        viewer =
                new Quake3Viewer(
                        channel,
                        configstrings,
                        following,
                        services.movementCache(),
                        this,
                        this::onJoined,
                        this::command,
                        this::drop);
    }

    @Override
    public int clientNum() {
        return clientNum;
    }

    /** Whether it is a client of OpenArena, rather than of Quake III. */
    public boolean openArena() {
        return services.openArena();
    }

    /** Whether the client has a download URL, perhaps unreachable, but has not loaded the level. */
    boolean lacksFiles() {
        return channel.downloads().url().isPresent()
                && state instanceof State.Primed
                && channel.gamestates().isAcknowledged();
    }

    /** Whether the client has begun to load the level without a request for one of its files. */
    boolean loadsWithoutDownload() {
        return state instanceof State.Primed
                && channel.gamestates().isAcknowledged()
                && !channel.downloads().isRequested();
    }

    /** The flags and awards of players. */
    public PlayerMarks marks() {
        return services.movementCache().marks();
    }

    public InetSocketAddress address() {
        return channel.transport().address();
    }

    public ClientChannel channel() {
        return channel;
    }

    public ClientActivity activity() {
        return activity;
    }

    @Override
    public PlayerBody body() {
        return body;
    }

    public UsercmdFilter usercmds() {
        return usercmdFilter;
    }

    public SpectatorFollow following() {
        return following;
    }

    /** The configstrings that the client has. */
    public ClientConfigstrings configstrings() {
        return configstrings;
    }

    public Quake3Viewer viewer() {
        return viewer;
    }

    State state() {
        return state;
    }

    /** Whether the client was dropped. */
    public boolean isZombie() {
        return state instanceof State.Zombie;
    }

    /** Whether the client is in the game. */
    public boolean isActive() {
        return state instanceof State.Active;
    }

    /** Whether the client loads the level. */
    public boolean isPrimed() {
        return state instanceof State.Primed;
    }

    /** The client's player; empty while it is not in the arena. */
    public Optional<ArenaPlayer> player() {
        return player;
    }

    private void onJoined(ArenaPlayer joined) {
        player = Optional.of(joined);
        configstrings.joined(joined.id());
        services.lifecycle().onJoined(this, joined);
    }

    /**
     * Leaves the arena and the client's place at its address.
     *
     * @return the player that has left, if it was in the arena
     */
    Optional<PlayerId> leave(long now, LeaveReason reason) {
        Optional<ArenaPlayer> left = player;
        player = Optional.empty();
        admission.place().leave();
        left.ifPresent(it -> it.leave(now, reason));
        return left.map(ArenaPlayer::id);
    }

    private void drop(long now, LeaveReason reason) {
        services.lifecycle().drop(now, this, reason);
    }

    /** Enters the game after the level was loaded. */
    public void activate(long now) {
        state = new State.Active(isPure());
        channel.snapshots().schedule(now);
    }

    /** Time since the client began to load the level, nanoseconds; 0 if it does not load one. */
    public long loadingNanos(long now) {
        return switch (state) {
            case State.Connected(long since) -> now - since;
            case State.Primed(long since, _) -> now - since;
            case State.Active _, State.Zombie _ -> 0;
        };
    }

    /**
     * Begins another level, for which the client needs a gamestate.
     *
     * @param clockSetBack by how much its clock is behind that of the previous level, milliseconds
     */
    public void beginLevel(long now, int clockSetBack) {
        state = new State.Connected(now);
        channel.beginLevel(now, clockSetBack);
    }

    /** Ends the session: the client keeps its slot until the given time. */
    void becomeZombie(long until) {
        state = new State.Zombie(until);
    }

    /** Sends the reason of the end, and repeats it as long as the client keeps its slot. */
    void sendFarewell(long now, boolean serverEnds, String reason) {
        // A client shows a print in its console, but the reason of a disconnect only in its menu.
        // A server that ends prints just the reason, as the original does.
        String print = serverEnds ? reason : "Disconnected: " + reason;
        channel.end(now, "print \"" + print + "\n\"", "disconnect \"" + reason + "\"");
    }

    /** Whether a dropped client's slot may be freed. */
    public boolean isGone(long now) {
        return state instanceof State.Zombie(long until) && now >= until;
    }

    @Override
    public InfoString userinfo() {
        return userinfo;
    }

    public void userinfo(InfoString info) {
        userinfo = info;
        channel.adapt(info);
    }

    /** The requested name, without colours. */
    public String name() {
        return Quake3Text.plain(userinfo.get("name"));
    }

    @Override
    public ConnectionInfo connectionInfo() {
        int protocol = channel.transport().protocolNumber();
        return new ConnectionInfo(address(), protocol == 0 ? "" : "protocol " + protocol);
    }

    @Override
    public Proof proof() {
        return admission.proof();
    }

    /** Whether the client has proved the paks of a pure server since its last gamestate. */
    public boolean isPure() {
        return switch (state) {
            case State.Primed(_, boolean pure) -> pure;
            case State.Active(boolean pure) -> pure;
            case State.Connected _, State.Zombie _ -> false;
        };
    }

    /** Records whether the client has proved the paks of a pure server. */
    public void setPure(boolean pure) {
        switch (state) {
            case State.Primed(long since, _) -> state = new State.Primed(since, pure);
            case State.Active _ -> state = new State.Active(pure);
            case State.Connected _, State.Zombie _ -> {}
        }
    }

    /** Sends a gamestate if one is requested and due. */
    public void sendGamestate(long now, RunningLevel running) {
        GamestateSender gamestates = channel.gamestates();
        if (isZombie() || !gamestates.isDue(now)) {
            return;
        }
        state = new State.Primed(isActive() ? now : now - loadingNanos(now), false);
        usercmdFilter.reset();
        player.ifPresent(self ->
                configstrings.assignSlots(now, self.visiblePlayers(), self.visibilityVersion()));
        ServerMessage.Gamestate gamestate =
                running.gamestate(
                        clientNum,
                        channel.downloads().url(),
                        gamestates.lastCommand(),
                        configstrings::player);
        configstrings.onGamestateSent(
                player.map(ArenaPlayer::name).orElse(""), gamestate.configstrings().keySet());
        gamestates.send(now, gamestate, running.entities().states());
    }

    /**
     * Sends the next snapshot, with changed configstrings, if it is due.
     *
     * @param maxPerSecond snapshots a second that the server has for each client
     * @return when to call again
     */
    public long sendSnapshot(long now, RunningLevel running, int maxPerSecond) {
        long due = channel.snapshotDue(now, running.time(now), maxPerSecond);
        if (now < due) {
            return due;
        }
        List<Player> visible = visiblePlayers();
        if (player.isPresent() && channel.gamestates().isAcknowledged()) {
            ArenaPlayer self = player.get();
            configstrings.assignSlots(now, visible, self.visibilityVersion());
            configstrings.sendChanges(self.name(), running);
        }
        int flags = running.serverCountFlag() | (isActive() ? 0 : Snapshot.NOT_ACTIVE);
        return channel.snapshots().send(now, frame(now, running, visible), flags);
    }

    /** Sends a snapshot immediately, unless fragments of another message are pending. */
    public void sendSnapshotNow(long now, RunningLevel running, int flags) {
        channel.snapshots().sendNow(frame(now, running, visiblePlayers()), flags);
    }

    /** Queues a reliable command; ignored unless the client is loading or in the game. */
    public void command(String text) {
        if (isPrimed() || isActive()) {
            channel.transport().command(text);
        }
    }

    /** Answers a console command unless the rate limit is exceeded or the channel is congested. */
    public void answer(long now, String command) {
        if (!channel.transport().isCongested() && answerLimit.tryAcquire(now)) {
            command(command);
        }
    }

    public boolean spectates() {
        return body.spectates();
    }

    public PlayerState playerState() {
        return body.playerState(clientNum, services.openArena());
    }

    /** The players visible to the client. */
    public List<Player> visiblePlayers() {
        return player.isPresent() ? player.get().visiblePlayers() : List.of();
    }

    /** The player in the slot of this number, or the only player with this name. */
    public Optional<Player> findPlayer(String nameOrSlot) {
        if (nameOrSlot.matches("\\d{1,2}")
                && Integer.parseInt(nameOrSlot) < EntityState.MAX_CLIENTS) {
            PlayerId id = at(Integer.parseInt(nameOrSlot));
            return id == null ? Optional.empty() : services.arena().find(id);
        }
        List<Player> found =
                services.arena().players().stream()
                        .filter(other -> hasName(other, nameOrSlot))
                        .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private static boolean hasName(Player player, String name) {
        return name.equalsIgnoreCase(player.name())
                || name.equalsIgnoreCase(Quake3Text.name(player.name()))
                || name.equalsIgnoreCase(PlayerConfigstrings.name(player));
    }

    /** The player in a slot, in the own slot the client's; or null. */
    public @Nullable PlayerId at(int slot) {
        return configstrings.at(slot);
    }

    /** The slot by which the client knows a player, itself included; -1 for none. */
    public int slot(PlayerId other) {
        return player.filter(self -> self.id().equals(other)).isPresent()
                ? clientNum
                : configstrings.slot(other);
    }

    /** As {@link #slot}, of players whose configstring the client has. */
    private int knownSlot(PlayerId other) {
        int slot = slot(other);
        return slot == clientNum || slot >= 0 && configstrings.isKnown(slot) ? slot : -1;
    }

    /**
     * The frame of the next snapshot.
     *
     * @param players visible to the client
     */
    Frame frame(long now, RunningLevel running, List<Player> players) {
        int serverTime = running.time(now) + channel.gamestates().clockAhead();
        return isActive()
                ? snapshotBuilder.frame(
                        now,
                        serverTime,
                        running.entities(),
                        running.isIntermission(),
                        running.level().intermission(),
                        players,
                        configstrings::isKnown,
                        this::knownSlot)
                : new Frame(
                        serverTime, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
    }

    /**
     * The players that the client's body can collide with.
     *
     * @param millis duration of the move
     */
    public List<Obstacle> obstacles(int millis) {
        return snapshotBuilder.obstacles(millis, visiblePlayers(), configstrings::isKnown);
    }

    @Override
    public long retainedBytes() {
        return HEAP_BYTES + channel.transport().retainedBytes();
    }

    @Override
    public void abort(long now, String reason) {
        drop(now, new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    @Override
    public void disconnect(long now, String reason) {
        drop(now, new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return Quake3Text.name(name()) + " (" + Quake3Codec.GAME + " " + address() + ")";
    }

    @Override
    public String nameWithoutAddress() {
        return Quake3Text.name(name()) + " (" + Quake3Codec.GAME + ")";
    }
}
