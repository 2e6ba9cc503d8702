package dev.wishdir.web.map;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The state of all players for views on other threads. The arena writes; any thread may read. */
public final class LivePlayers implements ArenaListener {
    /**
     * The state of a player.
     *
     * @param id as in {@link Seen}
     * @param spawned whether the player has a body
     */
    public record Entry(int id, String game, String name, Movement movement, boolean spawned) {}

    /**
     * The state of a player for a map.
     *
     * @param id the player's number; of a mirrored player one that no player of this server has
     * @param time the time of the last movement, on the arena's clock, in nanoseconds
     * @param leaps number of discontinuous movements: spawns and teleports
     * @param moves number of movements
     */
    record Seen(int id, Player player, long time, int leaps, long moves) {}

    /**
     * The statistics of a player's connection.
     *
     * @param time when they were taken, on the arena's clock, in nanoseconds
     */
    record Line(long time, ConnectionStats link) {}

    /**
     * A join, leave, chat text or announcement.
     *
     * @param number a consecutive number
     * @param game the player's game; empty for the server
     */
    public record TextEvent(long number, String game, String name, String text) {}

    /**
     * A board of a match: the scores, or the best times of a race.
     *
     * @param columns of the values
     */
    record Board(String title, List<String> columns, List<Row> rows) {
        /**
         * A line of the board, of one player.
         *
         * @param id as in {@link Seen}; 0 if the player may not be here any more
         */
        record Row(int id, String game, String name, List<String> values) {}
    }

    /** Maximum number of lines of a board. */
    static final int MAX_ROWS = 16;

    /** Items whose owner all want to know. */
    private static final Set<ItemKind> NOTABLE =
            EnumSet.of(ItemKind.QUAD, ItemKind.MEGA_HEALTH, ItemKind.HEAVY_ARMOUR);

    private static final long NEVER = Long.MIN_VALUE;

    /** Maximum number of events that are kept for later readers. */
    private static final int MAX_EVENTS = 50;

    /** The id of the first mirrored player. */
    private static final int FIRST_MIRRORED = 1 << 30;

    private final Map<PlayerId, Seen> seen = new ConcurrentHashMap<>();
    private final Map<String, String> levels = new ConcurrentHashMap<>();
    private final Deque<TextEvent> events = new ArrayDeque<>();
    private int nextMirrored = FIRST_MIRRORED;
    private long lastEvent;
    private volatile Map<Integer, Line> lines = Map.of();
    private volatile List<Board> boards = List.of();
    private final WeaponNames weapons;
    private @Nullable Match match;
    private volatile @Nullable LiveMatch liveMatch;

    private volatile Bounds bounds = ArenaCatalog.FLAT.bounds();

    /**
     * Without players.
     *
     * @param weapons as viewers read them
     */
    public LivePlayers(WeaponNames weapons) {
        this.weapons = weapons;
    }

    /** The bounds of all players, in metres. */
    public Bounds bounds() {
        return bounds;
    }

    /** All players, by id. */
    public List<Entry> entries() {
        return seen().stream().map(LivePlayers::entry).toList();
    }

    private static Entry entry(Seen each) {
        Player player = each.player();
        return new Entry(
                each.id(), player.game(), player.name(), player.movement(), player.spawned());
    }

    /** All players, by id. */
    List<Seen> seen() {
        return seen.values().stream().sorted(Comparator.comparingInt(Seen::id)).toList();
    }

    /**
     * Sets the statistics of all connections, about once a second.
     *
     * @param now on the arena's clock, in nanoseconds
     */
    public void links(long now, Map<PlayerId, ConnectionStats> links) {
        updateMatch(now);
        lines =
                links.entrySet().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        each -> each.getKey().number(),
                                        each -> new Line(now, each.getValue())));
    }

    /** The last statistics of a player's connection; empty if there are none yet. */
    Optional<Line> line(int id) {
        return Optional.ofNullable(lines.get(id));
    }

    /** Sets the match whose boards are shown, on the arena's thread, before the first event. */
    public void watch(Match watched) {
        match = watched;
        liveMatch = new LiveMatch(watched);
    }

    /** The match; empty if there is none to watch. */
    Optional<LiveMatch> match() {
        return Optional.ofNullable(liveMatch);
    }

    private void updateMatch(long now) {
        LiveMatch shown = liveMatch;
        if (shown != null) {
            shown.update(now, seen.values().stream().map(Seen::player).toList());
        }
    }

    /** The boards of the match; empty without one. */
    List<Board> boards() {
        return boards;
    }

    private static boolean changesBoards(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined _,
                    ArenaEvent.Left _,
                    ArenaEvent.Renamed _,
                    ArenaEvent.Scored _,
                    ArenaEvent.TeamChanged _,
                    ArenaEvent.RunFinished _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.Announcement _,
                    ArenaEvent.LevelChanged _ ->
                    true;
            default -> false;
        };
    }

    private void updateBoards() {
        Match watched = match;
        if (watched == null || !watched.isOn()) {
            return;
        }
        boards =
                watched.isRace()
                        ? List.of(scores(watched), bestTimes(watched))
                        : List.of(scores(watched));
    }

    /** The columns of the scores in a mode. */
    static List<String> columns(MatchMode mode) {
        if (mode == MatchMode.RACE) {
            return List.of(mode.scoreName(), "time");
        }
        return mode.hasFlags()
                ? List.of(mode.scoreName(), "captures", "deaths")
                : List.of(mode.scoreName(), "deaths");
    }

    private Board scores(Match watched) {
        List<String> columns = columns(watched.rules().mode());
        return new Board(
                "Scores",
                columns,
                watched.standings().stream()
                        .limit(MAX_ROWS)
                        .map(each ->
                                new Board.Row(
                                        idOf(each.player().id()),
                                        each.player().game(),
                                        each.player().name(),
                                        columns.stream()
                                                .map(column -> value(watched, each, column))
                                                .toList()))
                        .toList());
    }

    private static String value(Match watched, Match.PlayerScore of, String column) {
        PlayerId id = of.player().id();
        return switch (column) {
            case "captures" -> String.valueOf(watched.captures(id));
            case "deaths" -> String.valueOf(of.score().deaths());
            // Of the round; the points are those of the place within a game.
            case "time" -> watched.race().millis(id).map(RaceTimes::text).orElse("–");
            default -> String.valueOf(of.score().frags());
        };
    }

    private static Board bestTimes(Match race) {
        return new Board(
                "Best times",
                List.of("time"),
                race.race().bestTimes(MAX_ROWS).stream()
                        .map(time ->
                                new Board.Row(
                                        0,
                                        time.game(),
                                        time.name(),
                                        List.of(RaceTimes.text(time.millis()))))
                        .toList());
    }

    private int idOf(PlayerId id) {
        Seen known = seen.get(id);
        return known == null ? 0 : known.id();
    }

    /** The names of the current levels. */
    public Set<String> levels() {
        return levels.values().stream().collect(Collectors.toUnmodifiableSet());
    }

    /** The kept events after a number, the oldest first. */
    public List<TextEvent> since(long number) {
        synchronized (events) {
            return events.stream().filter(each -> each.number() > number).toList();
        }
    }

    private void addEvent(String game, String name, String text) {
        synchronized (events) {
            events.add(new TextEvent(++lastEvent, game, name, text));
            if (events.size() > MAX_EVENTS) {
                events.remove();
            }
        }
    }

    private int newId(PlayerId player) {
        return player.isMirrored() ? nextMirrored++ : player.number();
    }

    private void put(Player player, int leaps, long moved) {
        seen.compute(
                player.id(),
                (id, before) ->
                        new Seen(
                                before == null ? newId(id) : before.id(),
                                player,
                                moved != NEVER || before == null ? moved : before.time(),
                                leaps + (before == null ? 0 : before.leaps()),
                                (moved == NEVER ? 0 : 1) + (before == null ? 0 : before.moves())));
    }

    @Override
    public void onEvent(ArenaEvent event) {
        LiveMatch shown = liveMatch;
        if (shown != null) {
            shown.onEvent(event);
        }
        update(event);
        if (changesBoards(event)) {
            updateBoards();
            updateMatch(event.time());
        }
    }

    private void update(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left left -> {
                seen.remove(left.id());
                addEventOf(left.player(), "left");
            }
            case ArenaEvent.Chat chat ->
                    addEvent(chat.player().game(), chat.player().name(), ": " + chat.text());
            case ArenaEvent.Announcement announced -> addEvent("", "", announced.text());
            case ArenaEvent.ItemTaken taken -> {
                if (NOTABLE.contains(taken.item().kind())) {
                    addEventOf(taken.player(), "took " + LiveMatch.text(taken.item().kind()));
                }
            }
            case ArenaEvent.ActionPerformed _,
                    ArenaEvent.Hit _,
                    ArenaEvent.Scored _,
                    ArenaEvent.TeamChanged _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.JoinRefused _,
                    ArenaEvent.AppearanceChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.ToPlayer _ -> {}
            case ArenaEvent.FlagChanged e ->
                    e.player()
                            .ifPresentOrElse(
                                    player -> addEventOf(player, LiveMatch.text(e)),
                                    () -> addEvent("", "", LiveMatch.text(e)));
            case ArenaEvent.Died e -> {
                put(e.player(), 0, NEVER);
                addEvent(e.killer().game(), e.killer().name(), LiveMatch.text(e, weapons));
            }
            case ArenaEvent.LevelChanged e -> {
                levels.put(e.game(), e.level().name());
                bounds = e.bounds();
            }
            case ArenaEvent.Joined joined -> {
                put(joined.player(), 0, NEVER);
                addEventOf(joined.player(), "joined");
            }
            case ArenaEvent.Spawned e -> put(e.player(), 1, e.time());
            case ArenaEvent.Teleported e -> put(e.player(), 1, e.time());
            case ArenaEvent.Moved e -> put(e.player(), 0, e.time());
            case ArenaEvent.OfPlayer of -> put(of.player(), 0, NEVER);
        }
    }

    /** Adds an event of a player; the ghost of a recording or of a race is no news. */
    private void addEventOf(Player player, String text) {
        if (!player.isGhost()) {
            addEvent(player.game(), player.name(), text);
        }
    }
}
