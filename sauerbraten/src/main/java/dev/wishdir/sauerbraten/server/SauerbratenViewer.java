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
 * What one client is shown. While much waits for its acknowledgement, nothing is added: of what is
 * so, its line then tells the newest alone, and what others did meanwhile it misses.
 */
final class SauerbratenViewer implements Viewer {
    /**
     * Bytes that may wait for an acknowledgement before all else has to wait: more than anybody may
     * build at once, and far less than what ends a connection.
     */
    static final int CONGESTED_BYTES = 192 << 10;

    /** How often the game's own are shown to move, nanoseconds. */
    private static final long MOVER_INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private final SauerbratenSession session;

    /** By number, what the client was told last of who has it. */
    private final @Nullable PlayerAppearance[] shown =
            new @Nullable PlayerAppearance[ClientRegistry.NUMBERS];

    /** The numbers of which the client does not know the newest. */
    private final BitSet stale = new BitSet();

    private final SequencedMap<Object, Supplier<List<SauerbratenMessage>>> news =
            new LinkedHashMap<>();

    /** Whose bodies the arena shows this client. */
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
        return ClientRegistry.NUMBERS - 1;
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
        PlayerAppearance appearance = shown[cn];
        return appearance != null && appearance.presence().embodied();
    }

    /** Whether the client sees another's body. */
    boolean showsBody(SauerbratenSession other) {
        return other != session && hasBody(other.cn);
    }

    /** By which number the client knows a player; -1 where it does not. */
    private int number(PlayerId who) {
        return number(registry.session(who), registry.avatars().find(who));
    }

    private int number(@Nullable SauerbratenSession other, @Nullable Avatar avatar) {
        if (other != null) {
            return other.cn;
        }
        return avatar == null ? -1 : foreignNumbers.of(avatar);
    }

    /** The player whom the client knows by a number, if it is no client itself. */
    Optional<PlayerId> avatar(int cn) {
        Avatar avatar = foreignNumbers.avatar(cn);
        return avatar == null ? Optional.empty() : Optional.of(avatar.id);
    }

    /** Another client has a number from now on, which an avatar may have had. */
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

    /** A player who was no client is here no more. */
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

    /** Gives numbers to avatars who had to do without, if there are any now. */
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

    /** The client joins, and gets to know those who are here. */
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

    /** Shows the client at once where those are whose bodies it has just been told of. */
    void showBodies() {
        PlayerId self = session.player();
        if (self != null) {
            onMovement(registry.arena().visiblePlayers(self));
        }
    }

    /** What the client is to be shown of a number now; null where nobody has it. */
    @Nullable PlayerAppearance look(int cn) {
        SauerbratenSession other = registry.session(cn).orElse(null);
        if (other == session) {
            return session.ownLook();
        }
        if (other != null) {
            PlayerId who = other.player();
            return who != null && registry.arena().contains(who)
                    ? other.look(inSight.contains(who))
                    : null;
        }
        return avatar(cn)
                .flatMap(registry.arena()::find)
                .map(player -> ForeignPlayers.look(player, inSight.contains(player.id())))
                .orElse(null);
    }

    /** The round trip of who has a number, if it is known. */
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

    /** Tells the new round trips of players who are no clients. */
    void pinged(List<Avatar> changed) {
        List<SauerbratenMessage> pings = new ArrayList<>();
        for (Avatar avatar : changed) {
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
                    actedInAnotherGame(player, action);
            case ArenaEvent.Chat(_, Player player, String text) ->
                    said(player, CubeText.chat(text).strip());
            case ArenaEvent.Announcement(_, String text) -> tell(CubeText.chat(text).strip());
            case ArenaEvent.RateLimited(_, _, var action) ->
                    tell(PlayerNotices.rateLimited(action));
            case ArenaEvent.KickRequested(_, _, LeaveReason why) ->
                    registry.dismiss(session, DisconnectReason.KICKED, why);
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

    private void show(PlayerId who) {
        int cn = number(who);
        Avatar avatar = cn < 0 ? registry.avatars().find(who) : null;
        if (avatar != null) {
            cn = foreignNumbers.give(avatar);
        }
        if (cn >= 0) {
            refresh(cn);
        }
    }

    private void hide(PlayerId who) {
        inSight.remove(who);
        int cn = numberShown(who);
        if (cn >= 0) {
            shown[cn] = null;
            send(new RosterMessage.CDis(cn));
            refresh(cn);
        }
    }

    private int numberShown(PlayerId who) {
        for (int cn = 0; cn < shown.length; cn++) {
            PlayerAppearance appearance = shown[cn];
            if (appearance != null && appearance.who().equals(who)) {
                return cn;
            }
        }
        return -1;
    }

    private void actedInAnotherGame(Player player, PlayerAction action) {
        int cn = numberShown(player.id());
        if (cn >= 0 && hasBody(cn) && registry.session(player.id()) == null) {
            send(registry.avatars().act(cn, player, action));
        }
    }

    private void said(Player player, String text) {
        if (text.isEmpty()) {
            return;
        }
        int cn = numberShown(player.id());
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

    /** Tells what is new of a number, at once or as soon as it can be heard. */
    void refresh(int cn) {
        stale.set(cn);
        flush();
    }

    /**
     * Tells what is so for all, as it is when it can be heard: {@link SharedStateKey}, or an item.
     */
    void news(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        news.put(kind, newest);
        flush();
    }

    /** Tells what could not be told before. A new map comes first: it ends all bodies. */
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
            show(cn, look(cn));
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
        boolean known = was != null && was.who().equals(is.who());
        if (!known) {
            pingOf(cn).forEach(this::send);
        }
        if (hasBody(cn) && !(known && was != null && was.presence().embodied())) {
            registry.arena().find(is.who()).ifPresent(player -> onMovement(List.of(player)));
        }
    }

    /** The newcomer is told in its welcome of a number, its own too. */
    void introduced(int cn, PlayerAppearance appearance) {
        shown[cn] = appearance;
    }

    private void send(SauerbratenMessage message) {
        session.peer.send(
                SauerbratenCodec.channel(message),
                SauerbratenCodec.V260.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /**
     * Passes on what somebody did, or counts it as missed.
     *
     * @param deeds how many there are in the packet that count
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
