package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The session of one client: connection state, channel, body and configstrings. */
final class Quake3Session implements MemoryConsumer, LocalPlayer {
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

    /** What happens to a session as a whole: in its table, in the arena and at its address. */
    interface Lifecycle {
        /** Its player has joined the arena. */
        void onJoined(Quake3Session session, ArenaPlayer player);

        void drop(long now, Quake3Session session, LeaveReason reason);
    }

    /**
     * What the sessions of an endpoint share.
     *
     * @param openArena whether for clients of OpenArena, rather than of Quake III
     */
    record Shared(
            Arena arena,
            MovementCache movementCache,
            LocalPlayer.Lookup localPlayers,
            PlayerConfigstrings playerConfigstrings,
            CombatEntities combatEntities,
            boolean openArena,
            Lifecycle lifecycle) {}

    /** Heap bytes of a client's own fields and of its entries in maps, lists and queues. */
    private static final int HEAP_BYTES = 4_096;

    private final Shared shared;
    private final int clientNum;

    /** The client's place among the sessions of its address. */
    private final AddressLimits.Place place;

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
    Quake3Session(
            Shared shared,
            int clientNum,
            ClientChannel channel,
            InfoString userinfo,
            AddressLimits.Place place,
            long now) {
        this.shared = shared;
        this.clientNum = clientNum;
        this.channel = channel;
        this.userinfo = userinfo;
        this.place = place;
        state = new State.Connected(now);
        activity = new ClientActivity(now);
        PlayerSlots slots = new PlayerSlots(clientNum);
        following =
                new SpectatorFollow(
                        shared.arena(), shared.localPlayers(), shared.movementCache(), slots, body);
        snapshotBuilder =
                new SnapshotBuilder(
                        shared.movementCache(),
                        shared.combatEntities(),
                        slots,
                        body,
                        following,
                        clientNum,
                        shared.openArena());
        configstrings =
                new ClientConfigstrings(
                        clientNum,
                        slots,
                        shared.localPlayers(),
                        shared.playerConfigstrings(),
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
                        shared.movementCache(),
                        this::connectionInfo,
                        this::onJoined,
                        this::command,
                        this::drop);
    }

    @Override
    public int clientNum() {
        return clientNum;
    }

    /** Whether it is a client of OpenArena, rather than of Quake III. */
    boolean openArena() {
        return shared.openArena();
    }

    /** Whether the client has a download URL, perhaps unreachable, but has not loaded the level. */
    boolean lacksFiles() {
        return channel.downloads().url().isPresent()
                && state instanceof State.Primed
                && channel.gamestates().isAcknowledged();
    }

    InetSocketAddress address() {
        return channel.transport().address();
    }

    ClientChannel channel() {
        return channel;
    }

    ClientActivity activity() {
        return activity;
    }

    @Override
    public PlayerBody body() {
        return body;
    }

    UsercmdFilter usercmds() {
        return usercmdFilter;
    }

    SpectatorFollow following() {
        return following;
    }

    /** The configstrings that the client has. */
    ClientConfigstrings configstrings() {
        return configstrings;
    }

    Quake3Viewer viewer() {
        return viewer;
    }

    State state() {
        return state;
    }

    /** Whether the client was dropped. */
    boolean isZombie() {
        return state instanceof State.Zombie;
    }

    /** Whether the client is in the game. */
    boolean isActive() {
        return state instanceof State.Active;
    }

    /** Whether the client loads the level. */
    boolean isPrimed() {
        return state instanceof State.Primed;
    }

    /** The client's player; empty while it is not in the arena. */
    Optional<ArenaPlayer> player() {
        return player;
    }

    private void onJoined(ArenaPlayer joined) {
        player = Optional.of(joined);
        configstrings.joined(joined.id());
        shared.lifecycle().onJoined(this, joined);
    }

    /**
     * Leaves the arena and the client's place at its address.
     *
     * @return the player that has left, if it was in the arena
     */
    Optional<PlayerId> leave(long now, LeaveReason reason) {
        Optional<ArenaPlayer> left = player;
        player = Optional.empty();
        place.leave();
        left.ifPresent(it -> it.leave(now, reason));
        return left.map(ArenaPlayer::id);
    }

    private void drop(long now, LeaveReason reason) {
        shared.lifecycle().drop(now, this, reason);
    }

    /** Enters the game after the level was loaded. */
    void activate(long now) {
        state = new State.Active(isPure());
        channel.snapshots().schedule(now);
    }

    /** Time since the client began to load the level, nanoseconds; 0 if it does not load one. */
    long loadingNanos(long now) {
        return switch (state) {
            case State.Connected(long since) -> now - since;
            case State.Primed(long since, _) -> now - since;
            case State.Active _, State.Zombie _ -> 0;
        };
    }

    /** Begins another level, for which the client needs a gamestate. */
    void beginLevel(long now) {
        state = new State.Connected(now);
        channel.beginLevel(now);
    }

    /** Disconnects the client; the reason is repeated until the given time. */
    void becomeZombie(long now, String reason, long until) {
        state = new State.Zombie(until);
        // A client shows a print in its console, but the reason of a disconnect only in its menu.
        channel.end(now, "print \"" + reason + "\n\"", "disconnect \"" + reason + "\"");
    }

    /** Whether a dropped client's slot may be freed. */
    boolean isGone(long now) {
        return state instanceof State.Zombie(long until) && now >= until;
    }

    @Override
    public InfoString userinfo() {
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

    private ConnectionInfo connectionInfo() {
        String protocol = userinfo.get("protocol");
        return new ConnectionInfo(address(), protocol.isEmpty() ? "" : "protocol " + protocol, "");
    }

    /** Whether the client has proved the paks of a pure server since its last gamestate. */
    boolean isPure() {
        return switch (state) {
            case State.Primed(_, boolean pure) -> pure;
            case State.Active(boolean pure) -> pure;
            case State.Connected _, State.Zombie _ -> false;
        };
    }

    /** Records whether the client has proved the paks of a pure server. */
    void setPure(boolean pure) {
        switch (state) {
            case State.Primed(long since, _) -> state = new State.Primed(since, pure);
            case State.Active _ -> state = new State.Active(pure);
            case State.Connected _, State.Zombie _ -> {}
        }
    }

    /** Sends a gamestate if one is requested and due. */
    void sendGamestate(long now, RunningLevel running) {
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
    long sendSnapshot(long now, RunningLevel running, int maxPerSecond) {
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
    void sendSnapshotNow(long now, RunningLevel running, int flags) {
        channel.snapshots().sendNow(frame(now, running, visiblePlayers()), flags);
    }

    /** Queues a reliable command; ignored unless the client is loading or in the game. */
    void command(String text) {
        if (isPrimed() || isActive()) {
            channel.transport().command(text);
        }
    }

    /** Answers a console command unless the rate limit is exceeded or the channel is congested. */
    void answer(long now, String command) {
        if (!channel.transport().isCongested() && answerLimit.tryAcquire(now)) {
            command(command);
        }
    }

    boolean spectates() {
        return body.spectates();
    }

    PlayerState playerState() {
        return body.playerState(clientNum, shared.openArena());
    }

    /** The players visible to the client. */
    List<Player> visiblePlayers() {
        return player.isPresent() ? player.get().visiblePlayers() : List.of();
    }

    /** The player in the slot of this number, or the only player with this name. */
    Optional<Player> findPlayer(String nameOrSlot) {
        if (nameOrSlot.matches("\\d{1,2}")
                && Integer.parseInt(nameOrSlot) < EntityState.MAX_CLIENTS) {
            PlayerId id = at(Integer.parseInt(nameOrSlot));
            return id == null ? Optional.empty() : shared.arena().find(id);
        }
        List<Player> found =
                shared.arena().players().stream()
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
    @Nullable PlayerId at(int slot) {
        return configstrings.at(slot);
    }

    /** The slot by which the client knows a player, itself included; -1 for none. */
    int slot(PlayerId other) {
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
        int serverTime = running.time(now);
        return isActive()
                ? snapshotBuilder.frame(
                        now,
                        serverTime,
                        running.entities(),
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
    List<Obstacle> obstacles(int millis) {
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
