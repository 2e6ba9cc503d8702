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
import dev.wishdir.sauerbraten.server.ForeignPlayers.Avatar;
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
 * The viewer of one client. While congested, state is deferred, so that only the newest is sent
 * later, and actions of others are dropped.
 */
final class SauerbratenViewer implements Viewer {
    /**
     * The viewer is congested above this many unacknowledged bytes: more than a player may build at
     * once, and far below the limit that ends a connection.
     */
    static final int CONGESTED_BYTES = 192 << 10;

    /** Interval of position updates of one player, as in the game itself. */
    private static final long UPDATE_INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private final SauerbratenSession session;

    /** The appearances that were sent last, by client number. */
    private final @Nullable PlayerAppearance[] sent =
            new @Nullable PlayerAppearance[ClientRegistry.NUMBERS];

    /** The numbers whose appearance has changed since. */
    private final BitSet stale = new BitSet();

    private final SequencedMap<Object, Supplier<List<SauerbratenMessage>>> news =
            new LinkedHashMap<>();

    /** The interest set: players whose bodies this client sees. */
    private final Set<PlayerId> inSight = new HashSet<>();

    private final ForeignClientNumbers foreignNumbers;
    private final PositionBatcher positions;

    SauerbratenViewer(ClientRegistry registry, SauerbratenSession session) {
        this.registry = registry;
        this.session = session;
        foreignNumbers = new ForeignClientNumbers(registry, inSight);
        positions = new PositionBatcher(registry.scratch(), session.peer);
    }

    private boolean hasUnackedBacklog() {
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
        return hasUnackedBacklog() || !news.isEmpty() || !stale.isEmpty();
    }

    @Override
    public int maxVisiblePlayers() {
        return ClientRegistry.NUMBERS - 1;
    }

    @Override
    public long relayIntervalNanos() {
        return registry.relayInterval();
    }

    @Override
    public long minUpdateIntervalNanos() {
        return UPDATE_INTERVAL_NANOS;
    }

    @Override
    public void onMovement(List<Player> movers) {
        for (int i = 0; i < movers.size(); i++) {
            MovementCache.Mover mover = registry.movers().of(movers.get(i));
            Avatar avatar = mover.avatar();
            int cn = avatar == null ? mover.cn() : foreignNumbers.of(avatar);
            if (cn >= 0 && hasBody(cn)) {
                positions.add(cn, mover.position());
            }
        }
        positions.send();
    }

    private boolean hasBody(int cn) {
        PlayerAppearance appearance = sent[cn];
        return appearance != null && appearance.presence().embodied();
    }

    /** Whether the client sees another's body. */
    boolean showsBody(SauerbratenSession other) {
        return other != session && hasBody(other.cn);
    }

    /** The client's number for a player; -1 for none. */
    private int number(PlayerId player) {
        return number(registry.session(player), registry.avatars().find(player));
    }

    private int number(@Nullable SauerbratenSession other, @Nullable Avatar avatar) {
        if (other != null) {
            return other.cn;
        }
        return avatar == null ? -1 : foreignNumbers.of(avatar);
    }

    /** The foreign player with a number of this client. */
    Optional<PlayerId> avatar(int cn) {
        Avatar avatar = foreignNumbers.avatar(cn);
        return avatar == null ? Optional.empty() : Optional.of(avatar.id);
    }

    /** Gives up a number that another client has taken from an avatar. */
    void vacate(int cn) {
        Avatar avatar = foreignNumbers.avatar(cn);
        if (avatar != null) {
            foreignNumbers.take(avatar);
            int other = foreignNumbers.give(avatar);
            if (session.joined()) {
                refresh(cn);
                if (other >= 0) {
                    refresh(other);
                }
            }
        }
    }

    /** Handles that a foreign player has left. */
    void forget(Avatar avatar) {
        inSight.remove(avatar.id);
        int cn = foreignNumbers.of(avatar);
        if (cn >= 0) {
            foreignNumbers.take(avatar);
            if (session.joined()) {
                refresh(cn);
            }
            renumber();
        }
    }

    /** Gives numbers to avatars without one, if any are free now. */
    void renumber() {
        if (!session.joined() || !foreignNumbers.wanting()) {
            return;
        }
        for (Avatar avatar : registry.avatars().all()) {
            int cn = foreignNumbers.of(avatar) < 0 ? foreignNumbers.give(avatar) : -1;
            if (cn >= 0) {
                refresh(cn);
            }
        }
    }

    /** Adds the players that are present, as the client joins. */
    void meet(List<Player> players) {
        PlayerId self = session.player();
        if (self == null) {
            return;
        }
        registry.arena().visiblePlayers(self).forEach(player -> inSight.add(player.id()));
        for (boolean visible : new boolean[] {true, false}) {
            for (Player player : players) {
                Avatar avatar = registry.avatars().find(player.id());
                if (avatar != null && inSight.contains(player.id()) == visible) {
                    foreignNumbers.give(avatar);
                }
            }
        }
    }

    /** Sends the positions of the bodies that the client was just sent. */
    void showBodies() {
        PlayerId self = session.player();
        if (self != null) {
            onMovement(registry.arena().visiblePlayers(self));
        }
    }

    /** The current appearance for a number; null for none. */
    @Nullable PlayerAppearance look(int cn) {
        SauerbratenSession other = registry.session(cn).orElse(null);
        if (other == session) {
            return session.ownLook();
        }
        if (other != null) {
            PlayerId player = other.player();
            return player != null && registry.arena().contains(player)
                    ? other.look(inSight.contains(player))
                    : null;
        }
        return avatar(cn)
                .flatMap(registry.arena()::find)
                .map(player -> ForeignPlayers.look(player, inSight.contains(player.id())))
                .orElse(null);
    }

    /** The ping of a number, if it is known. */
    List<SauerbratenMessage> pingOf(int cn) {
        Avatar avatar = foreignNumbers.avatar(cn);
        int ping =
                avatar == null
                        ? registry.session(cn).map(other -> other.ping()).orElse(0)
                        : avatar.ping();
        return ping == 0
                ? List.of()
                : List.of(PlayerAppearance.from(cn, new SessionMessage.ClientPing(ping)));
    }

    /** Sends the changed pings of foreign players. */
    void pinged(List<Avatar> changed) {
        List<SauerbratenMessage> pings = new ArrayList<>();
        for (Avatar avatar : changed) {
            int cn = foreignNumbers.of(avatar);
            if (cn >= 0 && sent[cn] != null) {
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
                registry.joining(player);
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
                    showForeignAction(player, action);
            case ArenaEvent.Chat(_, Player player, String text) ->
                    sendChat(player, CubeText.chat(text).strip());
            case ArenaEvent.Announcement(_, String text) -> tell(CubeText.chat(text).strip());
            case ArenaEvent.RateLimited(_, _, var action) ->
                    tell(PlayerNotices.rateLimited(action));
            case ArenaEvent.KickRequested(_, _, LeaveReason reason) ->
                    registry.dismiss(session, DisconnectReason.KICKED, reason);
            case ArenaEvent.Whisper(_, _, Player from, String text) ->
                    tell(ForeignPlayers.name(from) + " (whisper): " + CubeText.chat(text).strip());
            case ArenaEvent.EventsDropped(_, _, int deeds) ->
                    tell(PlayerNotices.eventsDropped(deeds));
            case ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void show(PlayerId player) {
        int cn = number(player);
        Avatar avatar = cn < 0 ? registry.avatars().find(player) : null;
        if (avatar != null) {
            cn = foreignNumbers.give(avatar);
        }
        if (cn >= 0) {
            refresh(cn);
        }
    }

    private void hide(PlayerId player) {
        inSight.remove(player);
        int cn = sentNumber(player);
        if (cn >= 0) {
            sent[cn] = null;
            send(new RosterMessage.CDis(cn));
            refresh(cn);
        }
    }

    private int sentNumber(PlayerId player) {
        for (int cn = 0; cn < sent.length; cn++) {
            PlayerAppearance appearance = sent[cn];
            if (appearance != null && appearance.who().equals(player)) {
                return cn;
            }
        }
        return -1;
    }

    private void showForeignAction(Player player, PlayerAction action) {
        int cn = sentNumber(player.id());
        if (cn >= 0 && hasBody(cn) && registry.session(player.id()) == null) {
            send(registry.avatars().act(cn, player, action));
        }
    }

    private void sendChat(Player player, String text) {
        if (text.isEmpty()) {
            return;
        }
        int cn = sentNumber(player.id());
        send(
                cn < 0
                        ? new ChatMessage.ServMsg(ForeignPlayers.name(player) + ": " + text)
                        : PlayerAppearance.from(cn, new ChatMessage.Text(text)));
    }

    void tell(String text) {
        if (!text.isEmpty()) {
            send(new ChatMessage.ServMsg(text));
        }
    }

    /** Sends what has changed of a number, now or when the client is no longer congested. */
    void refresh(int cn) {
        stale.set(cn);
        flush();
    }

    /**
     * Sets shared state to send, with its value at that time: a {@link SharedStateKey}, or an item.
     */
    void news(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        news.put(kind, newest);
        flush();
    }

    /**
     * Sends deferred state while the client is not congested; a new map first, as it removes all
     * bodies.
     */
    void flush() {
        Supplier<List<SauerbratenMessage>> map =
                hasUnackedBacklog() ? null : news.remove(SharedStateKey.MAP);
        if (map != null) {
            map.get().forEach(this::send);
            for (int cn = 0; cn < sent.length; cn++) {
                PlayerAppearance appearance = sent[cn];
                if (appearance != null) {
                    sent[cn] = appearance.withoutBody();
                    stale.set(cn);
                }
            }
        }
        for (int cn = stale.nextSetBit(0);
                cn >= 0 && !hasUnackedBacklog();
                cn = stale.nextSetBit(cn + 1)) {
            stale.clear(cn);
            show(cn, look(cn));
        }
        while (!news.isEmpty() && !hasUnackedBacklog()) {
            news.pollFirstEntry().getValue().get().forEach(this::send);
        }
    }

    private void show(int cn, @Nullable PlayerAppearance is) {
        PlayerAppearance was = sent[cn];
        boolean own = cn == session.cn;
        PlayerAppearance.changes(cn, was, is, own).forEach(this::send);
        sent[cn] = is;
        if (is == null || own) {
            return;
        }
        boolean known = was != null && was.who().equals(is.who());
        if (!known) {
            pingOf(cn).forEach(this::send);
        }
        if (hasBody(cn) && !(known && was != null && was.presence().embodied())) {
            registry.arena().find(is.who()).ifPresent(player -> onMovement(List.of(player)));
        }
    }

    /** Records an appearance that is sent in the welcome, the client's own included. */
    void introduced(int cn, PlayerAppearance appearance) {
        sent[cn] = appearance;
    }

    private void send(SauerbratenMessage message) {
        session.peer.send(
                SauerbratenCodec.channel(message),
                SauerbratenCodec.V260.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /**
     * Sends an action of another player, or counts it as dropped.
     *
     * @param deeds number of actions in the packet
     */
    void deeds(int channel, Bytes packet, boolean reliable, int deeds) {
        if (!isCongested()) {
            session.peer.send(channel, packet, reliable);
            return;
        }
        PlayerId player = session.player();
        for (int i = 0; player != null && i < deeds; i++) {
            registry.arena().missed(player);
        }
    }
}
