package dev.wishdir.sauerbraten;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.sauerbraten.message.Chat;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.Roster;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What one client is shown. While much waits for its acknowledgement, nothing is added: of what is
 * so, its line then tells the newest alone, and what others did meanwhile it misses.
 */
final class SauerbratenLine implements Viewer {
    /** Of what there is one for all; of an item it is its number. */
    enum News {
        MAP,
        TIME,
        SPAWN,
        MASTERS,
        MASTER_MODE,
        PAUSE,
        SPEED
    }

    /**
     * Bytes that may wait for an acknowledgement before all else has to wait: more than anybody may
     * build at once, and far less than what ends a connection.
     */
    static final int BEHIND = 192 << 10;

    private final SauerbratenRoom room;
    private final SauerbratenSession session;

    /** By number, what the client was told last of who has it. */
    private final @Nullable Look[] shown = new @Nullable Look[SauerbratenRoom.NUMBERS];

    /** The numbers of which the client does not know the newest. */
    private final BitSet stale = new BitSet();

    private final Map<Object, Supplier<List<SauerbratenMessage>>> news = new LinkedHashMap<>();

    SauerbratenLine(SauerbratenRoom room, SauerbratenSession session) {
        this.room = room;
        this.session = session;
    }

    private boolean isBusy() {
        return session.peer.queuedBytes() > BEHIND;
    }

    @Override
    public boolean isBehind() {
        return isBusy() || !news.isEmpty() || !stale.isEmpty();
    }

    @Override
    public void moved(List<Player> movers) {
        room.showMoved(session, movers);
    }

    @Override
    public void told(ArenaEvent event) {
        room.flushMessages();
        switch (event) {
            case ArenaEvent.Joined(_, Player player) -> {
                room.joining(player);
                show(player);
            }
            case ArenaEvent.Spawned(_, Player player, _) -> show(player);
            case ArenaEvent.Despawned(_, Player player) -> show(player);
            case ArenaEvent.Renamed(_, Player player, _, _) -> show(player);
            case ArenaEvent.Restyled(_, Player player) -> show(player);
            case ArenaEvent.Left left -> hide(left.id());
            case ArenaEvent.Said(_, Player player, String text) ->
                    said(player, CubeText.chat(text).strip());
            case ArenaEvent.Announced(_, String text) -> announced(CubeText.chat(text).strip());
            case ArenaEvent.Limited(_, _, var deed) ->
                    tell("You are " + deed.doing() + " too much: not all of it is passed on.");
            case ArenaEvent.Dismissed(_, _, String reason) ->
                    room.dismiss(session, DisconnectReason.OVERFLOW, reason);
            case ArenaEvent.Missed(_, _, int deeds) ->
                    tell(
                            "Your line was busy: you missed "
                                    + deeds
                                    + " things that others said and did.");
            case ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.Verdict _,
                    ArenaEvent.Refused _ -> {}
        }
    }

    private void show(Player player) {
        int cn = room.number(player);
        if (cn >= 0) {
            refresh(cn);
        }
    }

    private void hide(PlayerId who) {
        int cn = numberShown(who);
        if (cn >= 0) {
            shown[cn] = null;
            send(new Roster.CDis(cn));
            refresh(cn);
        }
    }

    private int numberShown(PlayerId who) {
        for (int cn = 0; cn < shown.length; cn++) {
            Look look = shown[cn];
            if (look != null && look.who().equals(who)) {
                return cn;
            }
        }
        return -1;
    }

    private void said(Player player, String text) {
        if (text.isEmpty()) {
            return;
        }
        int cn = numberShown(player.id());
        send(
                cn < 0
                        ? new Chat.ServMsg(CubeText.playerName(player.name()) + ": " + text)
                        : Look.from(cn, new Chat.Text(text)));
    }

    private void announced(String text) {
        if (!text.isEmpty()) {
            tell(text);
        }
    }

    void tell(String text) {
        send(new Chat.ServMsg(text));
    }

    /** Tells what is new of a number, at once or as soon as it can be heard. */
    void refresh(int cn) {
        stale.set(cn);
        flush();
    }

    /** Tells something that is so for all, as it is when it can be heard. */
    void news(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        news.put(kind, newest);
        flush();
    }

    /** Tells what could not be told before. A new map comes first: it ends all bodies. */
    void flush() {
        Supplier<List<SauerbratenMessage>> map = isBusy() ? null : news.remove(News.MAP);
        if (map != null) {
            map.get().forEach(this::send);
            for (int cn = 0; cn < shown.length; cn++) {
                Look look = shown[cn];
                if (look != null) {
                    shown[cn] = look.withoutBody();
                    stale.set(cn);
                }
            }
        }
        for (int cn = stale.nextSetBit(0); cn >= 0 && !isBusy(); cn = stale.nextSetBit(cn + 1)) {
            stale.clear(cn);
            boolean own = cn == session.cn;
            Look is = own ? session.ownLook() : room.look(cn);
            Look.changes(cn, shown[cn], is, own).forEach(this::send);
            shown[cn] = is;
        }
        while (!news.isEmpty() && !isBusy()) {
            Object first = news.keySet().iterator().next();
            Supplier<List<SauerbratenMessage>> newest = news.remove(first);
            if (newest != null) {
                newest.get().forEach(this::send);
            }
        }
    }

    /** The newcomer is told in its welcome of a number, its own too. */
    void introduced(int cn, Look look) {
        shown[cn] = look;
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
        if (!isBehind()) {
            session.peer.send(channel, packet, reliable);
            return;
        }
        Player player = session.player;
        for (int i = 0; player != null && i < deeds; i++) {
            room.arena().missed(player);
        }
    }
}
