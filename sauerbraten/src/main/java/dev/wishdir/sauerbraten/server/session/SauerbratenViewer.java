package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.view.CombatMessages;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;
import dev.wishdir.sauerbraten.server.view.MatchBoard;
import dev.wishdir.sauerbraten.server.view.MovementCache;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;
import dev.wishdir.sauerbraten.server.view.PositionBatcher;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The stream of messages to one client. While it is congested, nothing is added: later it receives
 * the newest state only, and misses the events of other players.
 */
public final class SauerbratenViewer implements SessionViewer {
    /**
     * A client with more unacknowledged bytes is congested. More than a player may build at once,
     * and far less than what ends a connection.
     */
    static final int CONGESTED_BYTES = 192 << 10;

    /** The minimum interval between two positions of a player, nanoseconds. */
    private static final long MOVER_INTERVAL_NANOS = 30_000_000;

    /** The clients of the endpoint, as a viewer needs them. */
    public interface Clients {
        /** The client number of a player; -1 for a foreign player. */
        int number(PlayerId playerId);

        /** Adds the player of the client with a number. */
        void addPlayer(PlayerId playerId, int cn);

        /** Whether a number is that of a connection. */
        boolean isTaken(int cn);

        /**
         * The appearance of the joined client with a number; null if there is none.
         *
         * @param visible whether the viewer may see the body of a player
         */
        @Nullable PlayerAppearance appearance(int cn, Predicate<PlayerId> visible);

        /** The round trip that a client has measured, milliseconds; 0 if it is unknown. */
        int roundTrip(int cn);
    }

    /**
     * State that the viewers of all clients share.
     *
     * @param beforeEvent runs before an event is sent, so that what happened earlier comes first
     * @param onJoined is notified of another player that joins, before a viewer looks for its
     *     number
     * @param clock of the endpoint, nanoseconds
     */
    public record Services(
            Arena arena,
            Clients clients,
            ForeignPlayers foreignPlayers,
            MovementCache movementCache,
            Runnable beforeEvent,
            Consumer<Player> onJoined,
            PositionBatcher positions,
            MatchBoard board,
            LongSupplier clock) {}

    private final ClientConnection connection;
    private final Services services;
    private final Supplier<PlayerAppearance> ownAppearance;

    /** By number, the appearance that the client was sent last. */
    private final @Nullable PlayerAppearance[] lastSent =
            new @Nullable PlayerAppearance[ClientConnection.MAX_CLIENT_NUMBERS];

    /**
     * The numbers in {@link #lastSent} with a body. Each position of each viewer asks for one, and
     * would wait for the memory of the appearance.
     */
    private final BitSet bodies = new BitSet(ClientConnection.MAX_CLIENT_NUMBERS);

    /** The numbers whose appearance has changed since. */
    private final BitSet stale = new BitSet();

    /** The shared states that have changed since. */
    private final SequencedMap<Object, Supplier<List<SauerbratenMessage>>> deferred =
            new LinkedHashMap<>();

    /** The players whose bodies the arena shows this client. */
    private final Set<PlayerId> visible = new HashSet<>();

    private final PlayerSlots foreignNumbers;

    /** The flags that the client knows. */
    public final FlagView flags = new FlagView();

    /**
     * @param ownAppearance the present appearance of the client itself
     */
    SauerbratenViewer(
            ClientConnection connection,
            Services services,
            Supplier<PlayerAppearance> ownAppearance) {
        this.connection = connection;
        this.services = services;
        this.ownAppearance = ownAppearance;
        foreignNumbers = new PlayerSlots(services.clients()::isTaken, visible);
    }

    /** The client is known by its player before another one hears of it. */
    @Override
    public void onJoined(ArenaPlayer player) {
        connection.onJoined(player);
        services.clients().addPlayer(player.id(), connection.cn);
    }

    private boolean isBusy() {
        return connection.peer.queuedBytes() > CONGESTED_BYTES;
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return new ConnectionInfo(connection.peer.address(), "protocol 260");
    }

    @Override
    public Proof proof() {
        return connection.proof();
    }

    @Override
    public ConnectionStats connectionStats() {
        return ConnectionStatsFactory.of(connection.peer.traffic());
    }

    @Override
    public boolean isCongested() {
        return isBusy() || !deferred.isEmpty() || !stale.isEmpty();
    }

    @Override
    public int maxVisiblePlayers() {
        return ClientConnection.MAX_CLIENT_NUMBERS - 1;
    }

    @Override
    public long relayIntervalNanos() {
        return services.positions().relayIntervalNanos();
    }

    @Override
    public long minUpdateIntervalNanos() {
        return MOVER_INTERVAL_NANOS;
    }

    @Override
    public void onMovement(List<Player> movers) {
        PositionBatcher positions = services.positions();
        for (int i = 0; i < movers.size(); i++) {
            MovementCache.Mover mover = services.movementCache().of(movers.get(i));
            ForeignPlayer foreign = mover.foreignPlayer();
            int cn = foreign == null ? mover.cn() : foreignNumbers.of(foreign);
            if (cn >= 0 && hasBody(cn)) {
                positions.add(connection.peer, cn, mover.position());
            }
        }
        positions.send(connection.peer);
    }

    private boolean hasBody(int cn) {
        return bodies.get(cn);
    }

    private void setLastSent(int cn, @Nullable PlayerAppearance appearance) {
        lastSent[cn] = appearance;
        bodies.set(cn, appearance != null && appearance.hasBody());
    }

    /** Whether the client sees the body of another one. */
    public boolean showsBody(int cn) {
        return cn != connection.cn && hasBody(cn);
    }

    /** The foreign player that the client knows by a number. */
    public Optional<PlayerId> foreignPlayer(int cn) {
        return Optional.ofNullable(foreignNumbers.player(cn)).map(player -> player.id);
    }

    /** Frees a number that a client has from now on and a foreign player may have had. */
    public void releaseNumber(int cn) {
        ForeignPlayer player = foreignNumbers.player(cn);
        if (player != null) {
            foreignNumbers.release(player);
            int other = foreignNumbers.assign(player);
            if (connection.isJoined()) {
                refresh(cn);
                if (other >= 0) {
                    refresh(other);
                }
            }
        }
    }

    /** Removes a foreign player that has left. */
    void forget(ForeignPlayer player) {
        visible.remove(player.id);
        int cn = foreignNumbers.of(player);
        if (cn >= 0) {
            foreignNumbers.release(player);
            if (connection.isJoined()) {
                refresh(cn);
            }
            renumber();
        }
    }

    /** Assigns numbers to foreign players without one, if there are free numbers now. */
    public void renumber() {
        if (!connection.isJoined() || !foreignNumbers.takeShortage()) {
            return;
        }
        for (PlayerId id : List.copyOf(visible)) {
            ForeignPlayer player = services.foreignPlayers().find(id);
            if (player != null) {
                renumber(player);
            }
        }
        for (ForeignPlayer player : services.foreignPlayers().all()) {
            if (!renumber(player)) {
                // None of the others gets one either.
                return;
            }
        }
    }

    /** Assigns a number to a foreign player without one; returns whether it has one now. */
    private boolean renumber(ForeignPlayer player) {
        if (foreignNumbers.of(player) >= 0) {
            return true;
        }
        int cn = foreignNumbers.assign(player);
        if (cn >= 0) {
            refresh(cn);
        }
        return cn >= 0;
    }

    /** The messages that introduce the other players to the client, which joins. */
    public List<SauerbratenMessage> introductions() {
        List<LifeMessage.Score> scores = new ArrayList<>();
        List<SauerbratenMessage> introductions = new ArrayList<>();
        assignForeignNumbers();
        for (int cn = 0; cn < lastSent.length; cn++) {
            PlayerAppearance appearance = cn == connection.cn ? null : appearance(cn);
            if (appearance != null) {
                scores.add(appearance.score(cn, quadMillis(appearance)));
                introductions.add(appearance.introduction(cn));
                introductions.addAll(pingMessages(cn));
                setLastSent(cn, appearance);
            }
        }
        PlayerAppearance own = ownAppearance.get();
        if (own.needsScore()) {
            // Its score of before, when it comes back.
            scores.add(own.score(connection.cn, 0));
        }
        setLastSent(connection.cn, own);
        if (!scores.isEmpty()) {
            introductions.addFirst(new LifeMessage.Resume(scores));
        }
        return introductions;
    }

    /** Remaining quad damage of a player, milliseconds. */
    private int quadMillis(@Nullable PlayerAppearance appearance) {
        return appearance == null
                ? 0
                : (int)
                        TimeUnit.NANOSECONDS.toMillis(
                                services.arena()
                                        .match()
                                        .quadLeft(
                                                services.clock().getAsLong(), appearance.player()));
    }

    private void assignForeignNumbers() {
        visiblePlayers().forEach(player -> visible.add(player.id()));
        for (boolean inSight : new boolean[] {true, false}) {
            for (Player player : services.arena().players()) {
                ForeignPlayer foreign = services.foreignPlayers().find(player.id());
                if (foreign != null
                        && visible.contains(player.id()) == inSight
                        && foreignNumbers.assign(foreign) < 0
                        && !inSight) {
                    // None of the others gets one either.
                    return;
                }
            }
        }
    }

    private List<Player> visiblePlayers() {
        return connection.player().map(ArenaPlayer::visiblePlayers).orElse(List.of());
    }

    /** Sends the positions of the visible players at once. */
    public void showBodies() {
        onMovement(visiblePlayers());
    }

    /** The present appearance of a number; null if no player has it. */
    private @Nullable PlayerAppearance appearance(int cn) {
        if (cn == connection.cn) {
            return ownAppearance.get();
        }
        if (services.clients().isTaken(cn)) {
            return services.clients().appearance(cn, visible::contains);
        }
        return foreignPlayer(cn)
                .flatMap(services.arena()::find)
                .map(player ->
                        ForeignPlayers.appearance(
                                player,
                                visible.contains(player.id()),
                                services.arena().match().vitals(player.id()),
                                services.board()))
                .orElse(null);
    }

    /** The message with the round trip of a number, if it is known. */
    private List<SauerbratenMessage> pingMessages(int cn) {
        ForeignPlayer player = foreignNumbers.player(cn);
        int ping = player == null ? services.clients().roundTrip(cn) : player.ping();
        return ping == 0
                ? List.of()
                : List.of(PlayerAppearance.from(cn, new SessionMessage.ClientPing(ping)));
    }

    /** Sends the changed round trips of foreign players. */
    void sendPings(List<ForeignPlayer> changed) {
        List<SauerbratenMessage> pings = new ArrayList<>();
        for (ForeignPlayer player : changed) {
            int cn = foreignNumbers.of(player);
            if (cn >= 0 && lastSent[cn] != null) {
                pings.add(PlayerAppearance.from(cn, new SessionMessage.ClientPing(player.ping())));
            }
        }
        if (!pings.isEmpty() && !isCongested()) {
            connection.send(pings, false);
        }
    }

    @Override
    public void onEvent(ArenaEvent event) {
        services.beforeEvent().run();
        switch (event) {
            case ArenaEvent.Joined(_, Player player) -> {
                services.onJoined().accept(player);
                show(player.id());
            }
            case ArenaEvent.Spawned spawned -> {
                visible.add(spawned.id());
                show(spawned.id());
            }
            case ArenaEvent.Despawned despawned -> {
                visible.remove(despawned.id());
                if (services.arena().contains(despawned.id())) {
                    show(despawned.id());
                }
            }
            case ArenaEvent.Renamed renamed -> show(renamed.id());
            case ArenaEvent.AppearanceChanged restyled -> show(restyled.id());
            case ArenaEvent.Left left -> hide(left.id());
            case ArenaEvent.ActionPerformed(_, Player player, PlayerAction action) ->
                    showAction(player, action);
            case ArenaEvent.Chat(_, Player player, String text) ->
                    showChat(player, CubeText.chat(text).strip());
            case ArenaEvent.Announcement(_, String text) -> sendText(CubeText.chat(text).strip());
            case ArenaEvent.Notice(_, _, String text) -> sendText(CubeText.chat(text).strip());
            case ArenaEvent.RateLimited(_, _, var action) ->
                    sendText(PlayerNotices.rateLimited(action));
            case ArenaEvent.KickRequested(_, _, LeaveReason reason) ->
                    disconnect(DisconnectReason.KICKED, reason);
            case ArenaEvent.Whisper(_, _, Player from, String text) ->
                    sendText(
                            ForeignPlayers.name(from)
                                    + " (whisper): "
                                    + CubeText.chat(text).strip());
            case ArenaEvent.EventsDropped(_, _, int count) ->
                    sendText(PlayerNotices.eventsDropped(count));
            case ArenaEvent.Hit hit -> showHit(hit);
            case ArenaEvent.Died died -> showDeath(died);
            case ArenaEvent.Scored scored -> show(scored.id());
            case ArenaEvent.TeamChanged changed -> {
                show(changed.id());
                boolean isOwn = services.clients().number(changed.id()) == connection.cn;
                // The welcome says it to a client that joins.
                if (isOwn && lastSent[connection.cn] != null) {
                    sendText(PlayerNotices.team(changed.team()));
                }
            }
            case ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.FlagChanged _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.OfRace _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void showHit(ArenaEvent.Hit hit) {
        int target = numberShown(hit.id());
        if (target < 0) {
            return;
        }
        if (hit.damage() > 0) {
            // A client ignores damage by a number that it does not know.
            int actor = numberShown(hit.attacker().id());
            connection.send(CombatMessages.damage(target, actor < 0 ? target : actor, hit));
        }
        boolean dead = hit.vitals().health() <= 0;
        if (CombatMessages.pushes(hit) && (target == connection.cn || dead)) {
            connection.send(CombatMessages.push(target, hit));
        }
    }

    private void showDeath(ArenaEvent.Died died) {
        int victim = numberShown(died.id());
        PlayerAppearance was = victim < 0 ? null : lastSent[victim];
        if (was == null) {
            return;
        }
        Score before = was.score().orElse(Score.ZERO);
        Score counted = new Score(before.frags(), before.deaths() + 1);
        int killer = numberShown(died.killer().id());
        PlayerAppearance killed = killer < 0 ? null : lastSent[killer];
        if (killed == null || killer == victim) {
            int frags = killer == victim ? died.score().frags() : before.frags();
            connection.send(new LifeMessage.Died(victim, victim, frags, teamFrags(died.player())));
            setLastSent(victim, was.withoutBody().withScore(new Score(frags, counted.deaths())));
            return;
        }
        connection.send(
                new LifeMessage.Died(
                        victim, killer, died.score().frags(), teamFrags(died.killer())));
        setLastSent(victim, was.withoutBody().withScore(counted));
        setLastSent(
                killer,
                killed.withScore(
                        new Score(
                                died.score().frags(),
                                killed.score().map(Score::deaths).orElse(0))));
    }

    /** The frags of a player's team. */
    private int teamFrags(Player player) {
        Match match = services.arena().match();
        return match.team(player.id()).map(services.board()::frags).orElse(0);
    }

    private void show(PlayerId playerId) {
        int cn = services.clients().number(playerId);
        ForeignPlayer foreign = cn < 0 ? services.foreignPlayers().find(playerId) : null;
        if (foreign != null) {
            cn = foreignNumbers.of(foreign);
            cn = cn < 0 ? foreignNumbers.assign(foreign) : cn;
        }
        if (cn >= 0) {
            refresh(cn);
        }
    }

    private void hide(PlayerId playerId) {
        visible.remove(playerId);
        int cn = numberShown(playerId);
        if (cn >= 0) {
            setLastSent(cn, null);
            releaseFlags(cn);
            connection.send(new RosterMessage.CDis(cn));
            refresh(cn);
        }
    }

    /** Clients lose a flag before the number of its carrier is gone, as on the original server. */
    private void releaseFlags(int cn) {
        flags.release(cn).ifPresent(connection::send);
    }

    /** The number by which the client knows a player; -1 if it does not know it. */
    public int numberShown(PlayerId playerId) {
        for (int cn = 0; cn < lastSent.length; cn++) {
            PlayerAppearance appearance = lastSent[cn];
            if (appearance != null && appearance.player().equals(playerId)) {
                return cn;
            }
        }
        return -1;
    }

    /** Shows the action of a foreign player; those of clients are relayed as they sent them. */
    private void showAction(Player player, PlayerAction action) {
        int cn = numberShown(player.id());
        if (cn >= 0 && hasBody(cn) && services.clients().number(player.id()) < 0) {
            connection.send(services.foreignPlayers().actionMessage(cn, player, action));
        }
    }

    private void showChat(Player player, String text) {
        if (text.isEmpty()) {
            return;
        }
        int cn = numberShown(player.id());
        connection.send(
                cn < 0
                        ? new ChatMessage.ServMsg(ForeignPlayers.name(player) + ": " + text)
                        : PlayerAppearance.from(cn, new ChatMessage.Text(text)));
    }

    public void sendText(String text) {
        if (!text.isEmpty()) {
            connection.send(new ChatMessage.ServMsg(text));
        }
    }

    /** Sends the changed appearance of a number, at once or when the client is not congested. */
    public void refresh(int cn) {
        stale.set(cn);
        flush();
    }

    /**
     * Sends a shared state, as it is when the client is not congested.
     *
     * @param kind a {@link SharedStateKey}, or the index of an item
     */
    public void publish(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        deferred.put(kind, newest);
        flush();
    }

    /** Sends what could not be sent before. A new map comes first: it ends all bodies. */
    void flush() {
        if (deferred.isEmpty() && stale.isEmpty()) {
            return;
        }
        Supplier<List<SauerbratenMessage>> map =
                isBusy() ? null : deferred.remove(SharedStateKey.MAP);
        if (map != null) {
            map.get().forEach(connection::send);
            for (int cn = 0; cn < lastSent.length; cn++) {
                PlayerAppearance appearance = lastSent[cn];
                if (appearance != null) {
                    setLastSent(
                            cn,
                            appearance.score().isPresent()
                                    ? appearance.withoutBody().withScore(Score.ZERO)
                                    : appearance.withoutBody());
                    stale.set(cn);
                }
            }
        }
        for (int cn = stale.nextSetBit(0); cn >= 0 && !isBusy(); cn = stale.nextSetBit(cn + 1)) {
            stale.clear(cn);
            show(cn, appearance(cn));
        }
        while (!deferred.isEmpty() && !isBusy()) {
            deferred.pollFirstEntry().getValue().get().forEach(connection::send);
        }
    }

    private void show(int cn, @Nullable PlayerAppearance is) {
        PlayerAppearance was = lastSent[cn];
        boolean own = cn == connection.cn;
        if (was != null && (is == null || !was.player().equals(is.player()))) {
            releaseFlags(cn);
        }
        PlayerAppearance.changes(cn, was, is, own, quadMillis(is)).forEach(connection::send);
        setLastSent(cn, is);
        if (is == null || own) {
            return;
        }
        boolean known = was != null && was.player().equals(is.player());
        if (!known) {
            pingMessages(cn).forEach(connection::send);
        }
        if (hasBody(cn) && !(known && was != null && was.hasBody())) {
            services.arena().find(is.player()).ifPresent(player -> onMovement(List.of(player)));
        }
    }

    /** Disconnects the client with a text that says more than the reason of the protocol. */
    public void disconnect(DisconnectReason reason, LeaveReason arenaReason) {
        if (connection.leaveReason().isPresent() || isCongested()) {
            connection.disconnect(reason, arenaReason);
        } else {
            sendText(CubeText.chat(arenaReason.text()));
            connection.disconnectLater(reason, arenaReason);
        }
    }

    /**
     * Sends events of other players, or counts them as missed.
     *
     * @param count the number of events in the packet that count
     */
    void sendEvents(int channel, Bytes packet, boolean reliable, int count) {
        if (!isCongested()) {
            connection.peer.send(channel, packet, reliable);
            return;
        }
        connection
                .player()
                .ifPresent(player -> {
                    for (int i = 0; i < count; i++) {
                        player.recordDroppedEvent();
                    }
                });
    }
}
