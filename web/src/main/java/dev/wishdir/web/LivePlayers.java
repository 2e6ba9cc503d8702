package dev.wishdir.web;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.world.blocks.ArenaCatalog;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Who is where, for views on other threads: the arena writes it, anyone reads it. */
public final class LivePlayers implements ArenaListener {
    /**
     * One player at one moment.
     *
     * @param id its number in the arena
     * @param spawned whether it has a body
     */
    public record Entry(int id, String game, String name, Movement movement, boolean spawned) {}

    /**
     * A player as a map shows it.
     *
     * @param time when it moved last, on the arena's clock, nanoseconds
     * @param leaps how often it was of a sudden somewhere else
     * @param moves how often it moved
     */
    record Seen(Player player, long time, int leaps, long moves) {}

    /**
     * What came and went on a player's line.
     *
     * @param time when it was looked at, on the arena's clock, nanoseconds
     */
    record Line(long time, ConnectionStats link) {}

    /**
     * Something that is told in words.
     *
     * @param number one more than that of the last
     * @param game of who says or does it; empty where it is the server
     */
    public record News(long number, String game, String name, String text) {}

    private static final long NEVER = Long.MIN_VALUE;

    /** What is remembered for those who come later. */
    private static final int MAX_NEWS = 50;

    private final Map<Integer, Seen> seen = new ConcurrentHashMap<>();
    private final Map<String, String> levels = new ConcurrentHashMap<>();
    private final Deque<News> news = new ArrayDeque<>();
    private long told;
    private volatile Map<Integer, Line> lines = Map.of();

    private volatile Bounds bounds = ArenaCatalog.FLAT.bounds();

    /** Where everyone may be, metres. */
    public Bounds bounds() {
        return bounds;
    }

    /** Everyone, by id. */
    public List<Entry> entries() {
        return seen().stream().map(LivePlayers::entry).toList();
    }

    private static Entry entry(Seen each) {
        Player player = each.player();
        return new Entry(
                player.id().number(),
                player.game(),
                player.name(),
                player.movement(),
                player.spawned());
    }

    /** Everyone, by id. */
    List<Seen> seen() {
        return seen.values().stream()
                .sorted(Comparator.comparingInt(each -> each.player().id().number()))
                .toList();
    }

    /**
     * What came and went on the players' lines so far; to be told about once a second.
     *
     * @param now on the arena's clock, nanoseconds
     */
    public void links(long now, Map<PlayerId, ConnectionStats> links) {
        lines =
                links.entrySet().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        each -> each.getKey().number(),
                                        each -> new Line(now, each.getValue())));
    }

    /** The line of a player, as it was looked at last; empty where nobody has yet. */
    Optional<Line> line(int id) {
        return Optional.ofNullable(lines.get(id));
    }

    /** The names of what is played. */
    public Set<String> levels() {
        return levels.values().stream().collect(Collectors.toUnmodifiableSet());
    }

    /** What was told after a number, the oldest first, as far as it is remembered. */
    public List<News> since(long number) {
        synchronized (news) {
            return news.stream().filter(each -> each.number() > number).toList();
        }
    }

    private void tell(String game, String name, String text) {
        synchronized (news) {
            news.add(new News(++told, game, name, text));
            if (news.size() > MAX_NEWS) {
                news.remove();
            }
        }
    }

    private void put(Player player, int leaps, long moved) {
        seen.compute(
                player.id().number(),
                (_, before) ->
                        new Seen(
                                player,
                                moved != NEVER || before == null ? moved : before.time(),
                                leaps + (before == null ? 0 : before.leaps()),
                                (moved == NEVER ? 0 : 1) + (before == null ? 0 : before.moves())));
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left left -> {
                seen.remove(left.id().number());
                tell(left.player().game(), left.player().name(), "left");
            }
            case ArenaEvent.Chat said ->
                    tell(said.player().game(), said.player().name(), ": " + said.text());
            case ArenaEvent.Announcement announced -> tell("", "", announced.text());
            case ArenaEvent.ActionPerformed _,
                    ArenaEvent.JoinRefused _,
                    ArenaEvent.AppearanceChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.ToPlayer _ -> {}
            case ArenaEvent.LevelChanged e -> {
                levels.put(e.game(), e.level().name());
                bounds = e.bounds();
            }
            case ArenaEvent.Joined joined -> {
                put(joined.player(), 0, NEVER);
                tell(joined.player().game(), joined.player().name(), "joined");
            }
            case ArenaEvent.Spawned e -> put(e.player(), 1, e.time());
            case ArenaEvent.Teleported e -> put(e.player(), 1, e.time());
            case ArenaEvent.Moved e -> put(e.player(), 0, e.time());
            case ArenaEvent.OfPlayer of -> put(of.player(), 0, NEVER);
        }
    }
}
