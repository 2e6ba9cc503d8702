package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.PlayerNotices;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.Links;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;
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
import java.util.function.Supplier;

/**
 * What one client is sent. While it is congested, nothing is added: later it receives the newest
 * state only, and misses the events of other players.
 */
final class SauerbratenViewer implements Viewer {
    /**
     * A client with more unacknowledged bytes is congested. More than a player may build at once,
     * and far less than what ends a connection.
     */
    static final int CONGESTED_BYTES = 192 << 10;

    /** The minimum interval between two positions of a player, nanoseconds. */
    private static final long MOVER_INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private final SauerbratenSession session;

    /** By number, the appearance that the client was sent last. */
    private final @Nullable PlayerAppearance[] shown =
            new @Nullable PlayerAppearance[ClientRegistry.MAX_CLIENT_NUMBERS];

    /** The numbers whose appearance has changed since. */
    private final BitSet stale = new BitSet();

    private final SequencedMap<Object, Supplier<List<SauerbratenMessage>>> news =
            new LinkedHashMap<>();

    /** The players whose bodies the arena shows this client. */
    private final Set<PlayerId> inSight = new HashSet<>();

    private final ForeignClientNumbers foreignNumbers;
    private final PositionBatcher positions;

    SauerbratenViewer(ClientRegistry registry, SauerbratenSession session) {
        this.registry = registry;
        this.session = session;
        foreignNumbers = new ForeignClientNumbers(registry, inSight);
        positions = new PositionBatcher(registry.scratch(), session.peer);
    }

    private boolean isBusy() {
        return session.peer.queuedBytes() > CONGESTED_BYTES;
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return new ConnectionInfo(session.peer.address(), "protocol 260", "");
    }

    @Override
    public ConnectionStats connectionStats() {
        return Links.of(session.peer.traffic());
    }

    @Override
    public boolean isCongested() {
        return isBusy() || !news.isEmpty() || !stale.isEmpty();
    }

    @Override
    public int maxVisiblePlayers() {
        return ClientRegistry.MAX_CLIENT_NUMBERS - 1;
    }

    @Override
    public long relayIntervalNanos() {
        return registry.relayInterval();
    }

    @Override
    public long minUpdateIntervalNanos() {
        return MOVER_INTERVAL_NANOS;
    }

    @Override
    public void onMovement(List<Player> movers) {
        for (int i = 0; i < movers.size(); i++) {
            MovementCache.Mover mover = registry.movementCache().of(movers.get(i));
            ForeignPlayer avatar = mover.avatar();
            int cn = avatar == null ? mover.cn() : foreignNumbers.of(avatar);
            if (cn >= 0 && hasBody(cn)) {
                positions.add(cn, mover.position());
            }
        }
        positions.send();
    }

    private boolean hasBody(int cn) {
        PlayerAppearance appearance = shown[cn];
        return appearance != null && appearance.presence().embodied();
    }

    /** Whether the client sees the body of another one. */
    boolean showsBody(SauerbratenSession other) {
        return other != session && hasBody(other.cn);
    }

    /** The number by which the client knows a player; -1 if it does not. */
    private int number(PlayerId playerId) {
        return number(registry.session(playerId), registry.foreignPlayers().find(playerId));
    }

    private int number(@Nullable SauerbratenSession other, @Nullable ForeignPlayer avatar) {
        if (other != null) {
            return other.cn;
        }
        return avatar == null ? -1 : foreignNumbers.of(avatar);
    }

    /** The foreign player that the client knows by a number. */
    Optional<PlayerId> avatar(int cn) {
        ForeignPlayer avatar = foreignNumbers.avatar(cn);
        return avatar == null ? Optional.empty() : Optional.of(avatar.id);
    }

    /** Frees a number that a client has from now on and a foreign player may have had. */
    void releaseNumber(int cn) {
        ForeignPlayer avatar = foreignNumbers.avatar(cn);
        if (avatar != null) {
            foreignNumbers.release(avatar);
            int other = foreignNumbers.assign(avatar);
            if (session.joined()) {
                refresh(cn);
                if (other >= 0) {
                    refresh(other);
                }
            }
        }
    }

    /** Removes a foreign player that has left. */
    void forget(ForeignPlayer avatar) {
        inSight.remove(avatar.id);
        int cn = foreignNumbers.of(avatar);
        if (cn >= 0) {
            foreignNumbers.release(avatar);
            if (session.joined()) {
                refresh(cn);
            }
            renumber();
        }
    }

    /** Assigns numbers to avatars without one, if there are free numbers now. */
    void renumber() {
        if (!session.joined() || !foreignNumbers.takeShortage()) {
            return;
        }
        for (ForeignPlayer avatar : registry.foreignPlayers().all()) {
            int cn = foreignNumbers.of(avatar) < 0 ? foreignNumbers.assign(avatar) : -1;
            if (cn >= 0) {
                refresh(cn);
            }
        }
    }

    /** Assigns numbers to the foreign players for a client that joins. */
    void addForeignPlayers(List<Player> players) {
        PlayerId self = session.player();
        if (self == null) {
            return;
        }
        registry.arena().visiblePlayers(self).forEach(player -> inSight.add(player.id()));
        for (boolean visible : new boolean[] {true, false}) {
            for (Player player : players) {
                ForeignPlayer avatar = registry.foreignPlayers().find(player.id());
                if (avatar != null && inSight.contains(player.id()) == visible) {
                    foreignNumbers.assign(avatar);
                }
            }
        }
    }

    /** Sends the positions of the visible players at once. */
    void showBodies() {
        PlayerId self = session.player();
        if (self != null) {
            onMovement(registry.arena().visiblePlayers(self));
        }
    }

    /** The present appearance of a number; null if no player has it. */
    @Nullable PlayerAppearance appearance(int cn) {
        SauerbratenSession other = registry.session(cn).orElse(null);
        if (other == session) {
            return session.ownAppearance();
        }
        if (other != null) {
            PlayerId playerId = other.player();
            return playerId != null && registry.arena().contains(playerId)
                    ? other.appearance(inSight.contains(playerId))
                    : null;
        }
        return avatar(cn)
                .flatMap(registry.arena()::find)
                .map(player -> ForeignPlayers.appearance(player, inSight.contains(player.id())))
                .orElse(null);
    }

    /** The message with the round trip of a number, if it is known. */
    List<SauerbratenMessage> pingMessages(int cn) {
        ForeignPlayer avatar = foreignNumbers.avatar(cn);
        int ping =
                avatar == null
                        ? registry.session(cn).map(other -> other.ping()).orElse(0)
                        : avatar.ping();
        return ping == 0
                ? List.of()
                : List.of(PlayerAppearance.from(cn, new SessionMessage.ClientPing(ping)));
    }

    /** Sends the changed round trips of foreign players. */
    void sendPings(List<ForeignPlayer> changed) {
        List<SauerbratenMessage> pings = new ArrayList<>();
        for (ForeignPlayer avatar : changed) {
            int cn = foreignNumbers.of(avatar);
            if (cn >= 0 && shown[cn] != null) {
                pings.add(PlayerAppearance.from(cn, new SessionMessage.ClientPing(avatar.ping())));
            }
        }
        if (!pings.isEmpty() && !isCongested()) {
            session.peer.send(
                    SauerbratenTransport.MESSAGES,
                    SauerbratenCodec.V260.packet(pings.toArray(SauerbratenMessage[]::new)),
                    false);
        }
    }

    @Override
    public void onEvent(ArenaEvent event) {
        registry.flushMessages();
        switch (event) {
            case ArenaEvent.Joined(_, Player player) -> {
                registry.onJoining(player);
                show(player.id());
            }
            case ArenaEvent.Spawned spawned -> {
                inSight.add(spawned.id());
                show(spawned.id());
            }
            case ArenaEvent.Despawned despawned -> {
                inSight.remove(despawned.id());
                show(despawned.id());
            }
            case ArenaEvent.Renamed renamed -> show(renamed.id());
            case ArenaEvent.AppearanceChanged restyled -> show(restyled.id());
            case ArenaEvent.Left left -> hide(left.id());
            case ArenaEvent.ActionPerformed(_, Player player, PlayerAction action) ->
                    actedInAnotherGame(player, action);
            case ArenaEvent.Chat(_, Player player, String text) ->
                    showChat(player, CubeText.chat(text).strip());
            case ArenaEvent.Announcement(_, String text) -> sendText(CubeText.chat(text).strip());
            case ArenaEvent.RateLimited(_, _, var action) ->
                    sendText(PlayerNotices.rateLimited(action));
            case ArenaEvent.KickRequested(_, _, LeaveReason reason) ->
                    registry.disconnect(session, DisconnectReason.KICKED, reason);
            case ArenaEvent.Whisper(_, _, Player from, String text) ->
                    sendText(
                            ForeignPlayers.name(from)
                                    + " (whisper): "
                                    + CubeText.chat(text).strip());
            case ArenaEvent.EventsDropped(_, _, int count) ->
                    sendText(PlayerNotices.eventsDropped(count));
            case ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void show(PlayerId playerId) {
        int cn = number(playerId);
        ForeignPlayer avatar = cn < 0 ? registry.foreignPlayers().find(playerId) : null;
        if (avatar != null) {
            cn = foreignNumbers.assign(avatar);
        }
        if (cn >= 0) {
            refresh(cn);
        }
    }

    private void hide(PlayerId playerId) {
        inSight.remove(playerId);
        int cn = numberShown(playerId);
        if (cn >= 0) {
            shown[cn] = null;
            send(new RosterMessage.CDis(cn));
            refresh(cn);
        }
    }

    private int numberShown(PlayerId playerId) {
        for (int cn = 0; cn < shown.length; cn++) {
            PlayerAppearance appearance = shown[cn];
            if (appearance != null && appearance.player().equals(playerId)) {
                return cn;
            }
        }
        return -1;
    }

    private void actedInAnotherGame(Player player, PlayerAction action) {
        int cn = numberShown(player.id());
        if (cn >= 0 && hasBody(cn) && registry.session(player.id()) == null) {
            send(registry.foreignPlayers().act(cn, player, action));
        }
    }

    private void showChat(Player player, String text) {
        if (text.isEmpty()) {
            return;
        }
        int cn = numberShown(player.id());
        send(
                cn < 0
                        ? new ChatMessage.ServMsg(ForeignPlayers.name(player) + ": " + text)
                        : PlayerAppearance.from(cn, new ChatMessage.Text(text)));
    }

    void sendText(String text) {
        if (!text.isEmpty()) {
            send(new ChatMessage.ServMsg(text));
        }
    }

    /** Sends the changed appearance of a number, at once or when the client is not congested. */
    void refresh(int cn) {
        stale.set(cn);
        flush();
    }

    /**
     * Sends a shared state, as it is when the client is not congested.
     *
     * @param kind a {@link SharedStateKey}, or the index of an item
     */
    void publish(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        news.put(kind, newest);
        flush();
    }

    /** Sends what could not be sent before. A new map comes first: it ends all bodies. */
    void flush() {
        Supplier<List<SauerbratenMessage>> map = isBusy() ? null : news.remove(SharedStateKey.MAP);
        if (map != null) {
            map.get().forEach(this::send);
            for (int cn = 0; cn < shown.length; cn++) {
                PlayerAppearance appearance = shown[cn];
                if (appearance != null) {
                    shown[cn] = appearance.withoutBody();
                    stale.set(cn);
                }
            }
        }
        for (int cn = stale.nextSetBit(0); cn >= 0 && !isBusy(); cn = stale.nextSetBit(cn + 1)) {
            stale.clear(cn);
            show(cn, appearance(cn));
        }
        while (!news.isEmpty() && !isBusy()) {
            news.pollFirstEntry().getValue().get().forEach(this::send);
        }
    }

    private void show(int cn, @Nullable PlayerAppearance is) {
        PlayerAppearance was = shown[cn];
        boolean own = cn == session.cn;
        PlayerAppearance.changes(cn, was, is, own).forEach(this::send);
        shown[cn] = is;
        if (is == null || own) {
            return;
        }
        boolean known = was != null && was.player().equals(is.player());
        if (!known) {
            pingMessages(cn).forEach(this::send);
        }
        if (hasBody(cn) && !(known && was != null && was.presence().embodied())) {
            registry.arena().find(is.player()).ifPresent(player -> onMovement(List.of(player)));
        }
    }

    /** The welcome has the appearance of a number, which may be the client's own. */
    void onIntroduced(int cn, PlayerAppearance appearance) {
        shown[cn] = appearance;
    }

    private void send(SauerbratenMessage message) {
        session.peer.send(
                SauerbratenCodec.channel(message),
                SauerbratenCodec.V260.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /**
     * Sends events of other players, or counts them as missed.
     *
     * @param count the number of events in the packet that count
     */
    void sendEvents(int channel, Bytes packet, boolean reliable, int count) {
        if (!isCongested()) {
            session.peer.send(channel, packet, reliable);
            return;
        }
        PlayerId player = session.player();
        for (int i = 0; player != null && i < count; i++) {
            registry.arena().missed(player);
        }
    }
}
