package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Deed;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetFile;
import dev.wishdir.net.Allowance;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.Admin;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Item;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.sauerbraten.message.Match;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenLine.News;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The map that is played, how and how long: votes, time, items, the map's file. */
final class SauerbratenMatch {
    private static final long MATCH = TimeUnit.MINUTES.toNanos(10);
    private static final long INTERMISSION = TimeUnit.SECONDS.toNanos(10);
    private static final long NEVER = Long.MAX_VALUE;

    /** The most items of a map: every newcomer is told of all that lie there. */
    private static final int MOST_ITEMS = 1000;

    /** The side of a map that is in no file here: that of a large one, units. */
    static final int UNKNOWN_SIDE = 4096;

    private static final int FIRST_ITEM = 8;
    private static final int LAST_ITEM = 18;
    private static final int BOOST = 15;
    private static final int QUAD = 18;
    private static final int HEALTH = 14;

    /** What the smallest map costs whoever sends it, bytes: it is announced to all. */
    private static final int LEAST_PRICE = 8 << 10;

    /** What a client says that has not got the map. */
    private static final int NO_MAP = 0;

    private static final String GOOD = "good";
    private static final String EVIL = "evil";

    /** A name that can be no path out of a folder of maps. */
    private static final Pattern MAP_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");

    /** What a player votes for. */
    record Wish(String map, SauerbratenMode mode) {
        @Override
        public String toString() {
            return mode.title() + " on map " + map;
        }
    }

    /** An item of the map, and when of the time played it is there again. */
    private static final class Placed {
        final int type;
        long back = Long.MIN_VALUE;

        Placed(int type) {
            this.type = type;
        }

        boolean isThere() {
            return back == Long.MIN_VALUE;
        }
    }

    private final SauerbratenRoom room;
    private final FirstMap first;
    private final Map<Integer, Placed> items = new TreeMap<>();
    private SauerbratenMode mode;
    private String map;
    private @Nullable EnetFile mapFile;

    /** Changes of the map: each makes everybody load it and spawn anew. */
    private final Allowance changes = new Allowance(6, 0.1);

    private final MatchClock clock;
    private boolean itemsKnown;
    private long now;

    /** The end of the match or of the intermission, of the time played. */
    private long end;

    private boolean intermission;

    SauerbratenMatch(SauerbratenRoom room, long now, FirstMap first) {
        this.room = room;
        this.first = first;
        this.mode = first.mode();
        this.map = first.name();
        this.mapFile = encoded(first.file());
        this.now = now;
        clock = new MatchClock(now);
        end = mode.timed() ? MATCH : NEVER;
    }

    SauerbratenMode mode() {
        return mode;
    }

    String map() {
        return map;
    }

    boolean paused() {
        return clock.paused();
    }

    /** How fast the time of the match runs, percent. */
    int speed() {
        return clock.speed();
    }

    /** Seconds left of the time to play; 0 in a mode without time and in the intermission. */
    int secondsLeft(long now) {
        if (end == NEVER || intermission) {
            return 0;
        }
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toSeconds(end - clock.played(now)));
    }

    /** Stops the time of the match, or lets it go on. */
    void pause(long now, boolean stop) {
        clock.setPaused(now, stop);
    }

    void setSpeed(long now, int percent) {
        clock.setSpeed(now, percent);
    }

    /** The arena hears what is played. */
    void play(long now) {
        boolean arena = map.equals(FirstMap.ARENA) && map.equals(first.name());
        int side = map.equals(first.name()) ? first.side() : UNKNOWN_SIDE;
        Level level = arena ? Level.BOX : new Level(map, room.motion().bounds(side));
        room.arena().play(now, SauerbratenCodec.GAME, level);
    }

    /** Ends matches and brings items back, where it is time; gives the time of the next turn. */
    long advance(long now) {
        this.now = now;
        long played = clock.played(now);
        long next = NEVER;
        for (Map.Entry<Integer, Placed> entry : items.entrySet()) {
            Placed item = entry.getValue();
            if (!item.isThere() && played >= item.back) {
                item.back = Long.MIN_VALUE;
                room.news(entry.getKey(), new Item.ItemSpawn(entry.getKey()));
            } else if (!item.isThere()) {
                next = Math.min(next, item.back);
            }
        }
        if (played >= end && !intermission) {
            intermission = true;
            end = played + INTERMISSION;
            room.news(News.TIME, new Match.TimeUp(0));
        } else if (played >= end) {
            change(now, map, mode);
        }
        return clock.when(Math.min(next, end));
    }

    /** The beginning of the welcome: map, mode, time, items. */
    void describe(long now, List<SauerbratenMessage> welcome) {
        boolean wanted = !itemsKnown && mode.items();
        welcome.add(new Match.MapChange(map, mode.number(), wanted));
        if (mode.timed() && !map.isEmpty()) {
            welcome.add(new Match.TimeUp(secondsLeft(now)));
        }
        if (!wanted) {
            welcome.add(new Item.ItemList(present()));
        }
    }

    private List<Item.Placed> present() {
        List<Item.Placed> present = new ArrayList<>();
        items.forEach((index, item) -> {
            if (item.isThere()) {
                present.add(new Item.Placed(index, item.type));
            }
        });
        return present;
    }

    /**
     * @param forces whether somebody's vote is an order
     */
    void received(
            long now,
            SauerbratenSession from,
            Match message,
            Predicate<SauerbratenSession> forces) {
        switch (message) {
            case Match.MapVote vote -> vote(now, from, vote, forces);
            case Match.MapCrc crc -> mapLoaded(now, from, crc);
            case Match.CheckMaps _ -> compareMaps(from);
            case Match.ForceIntermission _ -> {}
            default -> room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Orders a client to spawn. */
    void sendSpawn(SauerbratenSession session) {
        session.nextLife(mode);
        session.line.refresh(session.cn);
        session.line.news(News.SPAWN, () -> spawnOrder(session));
    }

    private static List<SauerbratenMessage> spawnOrder(SauerbratenSession session) {
        return session.presence == Presence.DEAD
                ? List.of(new Life.SpawnState(session.cn, session.state))
                : List.of();
    }

    private void vote(
            long now,
            SauerbratenSession from,
            Match.MapVote vote,
            Predicate<SauerbratenSession> forces) {
        String name = CubeText.map(vote.map());
        int number = vote.mode();
        SauerbratenMode wishedMode = new SauerbratenMode(number);
        if (from.presence == Presence.SPECTATOR && from.privilege == 0) {
            return;
        }
        if (!wishedMode.supported()) {
            room.tell(
                    from,
                    wishedMode.known()
                            ? "this server does not score flags, bases or tokens: choose a mode"
                                    + " from 0 to 8"
                            : "there is no mode " + number);
            return;
        }
        if (!name.isEmpty() && !MAP_NAME.matcher(name).matches()) {
            room.tell(from, "that is no name of a map");
            return;
        }
        PlayerId player = from.player;
        if (player != null) {
            Wish wish = new Wish(name, wishedMode);
            room.arena()
                    .change(
                            now,
                            player,
                            "vote",
                            time -> count(time, from, wish, forces.test(from)));
        }
    }

    /** A vote in the words of the original. */
    private void count(long now, SauerbratenSession from, Wish wish, boolean forced) {
        from.vote = wish;
        if (!forced) {
            room.tellAll(from.name() + " suggests " + wish + " (select map to vote)");
            List<SauerbratenSession> voters =
                    room.joined().stream()
                            .filter(voter -> voter.presence != Presence.SPECTATOR)
                            .toList();
            long votes = voters.stream().filter(voter -> wish.equals(voter.vote)).count();
            if (votes * 2 <= voters.size()) {
                return;
            }
        }
        if (!changes.take(now)) {
            room.tell(from, "the map has changed a moment ago: vote again in a while");
            return;
        }
        room.tellAll(forced ? from.name() + " forced " + wish : "vote passed by majority");
        change(now, wish.map(), wish.mode());
    }

    /** Starts another match: everyone who plays spawns anew. */
    private void change(long now, String name, SauerbratenMode next) {
        if (!name.equals(map)) {
            mapFile = name.equals(first.name()) ? encoded(first.file()) : null;
        }
        map = name;
        mode = next;
        play(now);
        items.clear();
        itemsKnown = false;
        intermission = false;
        end = next.timed() ? clock.played(now) + MATCH : NEVER;
        room.news(News.MAP, this::mapChange);
        if (paused()) {
            pause(now, false);
            room.news(News.PAUSE, new Admin.PauseGame(false, -1));
        }
        if (next.teams()) {
            formTeams();
        }
        if (next.timed() && !name.isEmpty()) {
            room.news(News.TIME, () -> List.of(new Match.TimeUp(secondsLeft(this.now))));
        }
        for (SauerbratenSession session : room.joined()) {
            session.vote = null;
            session.mapKnown = false;
            session.mapPushed = false;
            if (session.player != null) {
                room.arena().despawn(now, session.player);
            }
            if (session.presence != Presence.SPECTATOR) {
                sendSpawn(session);
            }
        }
    }

    /** The map as it is when somebody hears of it: others may have told what lies on it. */
    private List<SauerbratenMessage> mapChange() {
        Match.MapChange change = new Match.MapChange(map, mode.number(), !itemsKnown);
        return itemsKnown ? List.of(change, new Item.ItemList(present())) : List.of(change);
    }

    /** The players, in the order of their joining, by turns into the two teams. */
    private void formTeams() {
        boolean even = true;
        for (SauerbratenSession session : room.joined()) {
            if (session.presence != Presence.SPECTATOR) {
                String team = even ? GOOD : EVIL;
                even = !even;
                if (!team.equals(session.team)) {
                    session.team = team;
                    session.teamReason = SauerbratenSession.SILENTLY;
                    room.refresh(session.cn);
                }
            }
        }
    }

    /** The team of a newcomer: that with fewer players. */
    String teamOfNewcomer() {
        if (!mode.teams()) {
            return GOOD;
        }
        List<SauerbratenSession> others =
                room.joined().stream()
                        .filter(other -> other.presence != Presence.SPECTATOR)
                        .toList();
        long good = others.stream().filter(other -> other.team.equals(GOOD)).count();
        long evil = others.stream().filter(other -> other.team.equals(EVIL)).count();
        return good <= evil ? GOOD : EVIL;
    }

    private void mapLoaded(long now, SauerbratenSession from, Match.MapCrc loaded) {
        from.mapKnown = loaded.map().equals(map);
        from.mapCrc = loaded.crc();
        OptionalInt right = rightCrc(from);
        if (!from.mapKnown || right.isEmpty() || right.getAsInt() == from.mapCrc) {
            return;
        }
        PlayerId player = from.player;
        if (!mode.coopEdit() && player != null) {
            room.arena().change(now, player, "map", _ -> room.tellAll(modified(from)));
        } else if (!from.mapPushed && mapFile != null) {
            // A client takes a map unasked in coop edit; it says its new CRC when it has loaded it.
            from.mapPushed = room.sendFile(from, mapFile);
        }
    }

    /** The CRC that most clients have, or that of the server's own copy. */
    private OptionalInt rightCrc(SauerbratenSession but) {
        if (map.equals(first.name()) && first.crc().isPresent()) {
            return first.crc();
        }
        return room.joined().stream()
                .filter(other -> other != but && other.mapKnown && other.mapCrc != NO_MAP)
                .mapToInt(other -> other.mapCrc)
                .findFirst();
    }

    private String modified(SauerbratenSession who) {
        return who.name() + " has modified map \"" + map + "\"";
    }

    private void compareMaps(SauerbratenSession asker) {
        for (SauerbratenSession other : room.joined()) {
            OptionalInt right = rightCrc(other);
            if (other.mapKnown && right.isPresent() && right.getAsInt() != other.mapCrc) {
                room.tell(asker, modified(other));
            }
        }
    }

    void received(long now, SauerbratenSession from, Item message) {
        switch (message) {
            case Item.ItemList list -> take(list);
            case Item.ItemPickup pickup -> pickUp(now, from, pickup.item());
            default -> room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** The first client that has loaded the map tells what lies on it. */
    private void take(Item.ItemList list) {
        if (itemsKnown || !mode.items()) {
            return;
        }
        itemsKnown = true;
        for (Item.Placed item : list.items()) {
            boolean isItem = item.type() >= FIRST_ITEM && item.type() <= LAST_ITEM;
            boolean isOfMap = item.item() >= 0 && item.item() < Ogz.MAX_ENTITIES;
            if (isItem && isOfMap && items.size() < MOST_ITEMS) {
                items.put(item.item(), new Placed(item.type()));
            }
        }
    }

    private void pickUp(long now, SauerbratenSession from, int index) {
        Placed item = items.get(index);
        PlayerId player = from.player;
        if (item == null
                || !item.isThere()
                || from.presence != Presence.ALIVE
                || player == null
                || !room.arena().allows(now, player, Deed.ACT, 1)) {
            room.answer(from, new Item.ItemAcc(index, -1));
            return;
        }
        item.back = clock.played(now) + respawnTime(item.type);
        room.news(index, new Item.ItemAcc(index, from.cn));
    }

    private static long respawnTime(int type) {
        return TimeUnit.SECONDS.toNanos(
                switch (type) {
                    case HEALTH -> 20;
                    case BOOST, QUAD -> 60;
                    default -> type < HEALTH ? 16 : 30;
                });
    }

    /** Gives a client the map's file. */
    void fetchMap(SauerbratenSession to) {
        if (mapFile == null) {
            room.tell(to, "no map to send");
        } else if (room.sendFile(to, mapFile)) {
            room.tell(to, "server sending map...");
        } else {
            room.tell(to, "the server can't send you the map now: ask again in a while");
        }
    }

    /** The message with a file, which all who are sent it share; null for no file. */
    private static @Nullable EnetFile encoded(Bytes file) {
        return file.length() == 0
                ? null
                : new EnetFile(SauerbratenCodec.V260.packet(new Edit.SendMap(file)));
    }

    /** Keeps the map that a client has sent, for those who fetch it. */
    void storeMap(long now, SauerbratenSession from, Bytes file) {
        PlayerId player = from.player;
        int price = Math.max(file.length(), LEAST_PRICE);
        if (player == null || !room.arena().allows(now, player, Deed.BUILD, price)) {
            return;
        }
        if (!Ogz.isMap(file)) {
            room.tell(from, "that is no map");
            return;
        }
        mapFile = encoded(file);
        room.tellAll("[" + from.name() + " sent a map to server, \"/getmap\" to receive it]");
    }
}
