package dev.wishdir.arena.race;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.player.NameRegistry;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.relay.Subscriber;
import dev.wishdir.blocks.arena.RaceCourse;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The race of a match: the runs of all players over the course of their level, the times of the
 * round, the best times of each arena, and the ghost of the best run. The score of a player is the
 * points of its place in the round among the players of its game, as games are not equally fast; 0
 * without a time. Owned by the arena's thread.
 */
public final class Race {
    /**
     * The best time of a player in the round.
     *
     * @param millis of the best run
     */
    public record RoundTime(Player player, int millis) {}

    /** Number of times that a player's command shows. */
    public static final int LISTED_TIMES = 10;

    /** The times of players that have left this round are kept for at most this many. */
    private static final int MAX_LEFT_TIMES = 1_024;

    /** The ghosts of this many arenas are kept. */
    private static final int MAX_PATHS = 8;

    /** Times of players of other servers are kept for at most this many games in an arena. */
    private static final int MAX_GAMES = 8;

    private static final Pattern GAME = Pattern.compile("[a-z0-9]{1,32}");

    /** No player is as fast, even in a long fall, metres a second. */
    private static final double MAX_SPEED = 100;

    private static final int MAX_MILLIS = 24 * 3_600_000;

    private static final String COMMAND = "!times";

    /** The best times of the games together. */
    private static final String COMMAND_ALL = "!times all";

    /** By place; later places have as many as the last. */
    private static final int[] POINTS = {10, 8, 6, 5, 4, 3, 2, 1};

    /**
     * A player that crosses the edge of the start back and forth reads of a run at most so often.
     */
    private static final long START_NOTICE_NANOS = 2_000_000_000L;

    /** A player of this or another server, and its time in the round; 0 for none. */
    private final class Runner implements RaceRun.Listener {
        final Entrant entrant;

        /** Null for a player of another server. */
        final @Nullable String key;

        final RaceRun run = new RaceRun(this);
        int millis;

        /** The arena whose course was explained to the player; empty for none. */
        private String explainedArena = "";

        private long startNoticeAt = Long.MIN_VALUE / 2;

        Runner(Entrant entrant, @Nullable String key) {
            this.entrant = entrant;
            this.key = key;
        }

        private Player player() {
            return entrant.player().snapshot();
        }

        private void dispatch(ArenaEvent.OfPlayer event) {
            dispatcher.dispatch(event, entrant.player());
        }

        private void notice(long now, String text) {
            dispatch(new ArenaEvent.Notice(now, player(), text));
        }

        /** Notifies the player of what to do, once in each arena. */
        void explain(long now, String arena, RaceCourse course) {
            if (!explainedArena.equals(arena)) {
                explainedArena = arena;
                notice(now, "Race: leave the start, " + way(course) + ".");
            }
        }

        @Override
        public void onStarted(long now) {
            dispatch(new ArenaEvent.RunStarted(now, player()));
            if (now - startNoticeAt >= START_NOTICE_NANOS) {
                startNoticeAt = now;
                levels.level(entrant.player().game())
                        .course()
                        .ifPresent(course -> notice(now, "Your time runs: " + way(course) + "."));
            }
        }

        @Override
        public void onCheckpoint(long now, int number, int time) {
            int count =
                    levels.level(entrant.player().game())
                            .course()
                            .map(course -> course.checkpoints().size())
                            .orElse(number);
            dispatch(new ArenaEvent.CheckpointPassed(now, player(), number, count, time));
            notice(now, "Check point " + number + " of " + count + ": " + RaceTimes.text(time));
        }

        @Override
        public void onFinished(long now, int time, List<RacePath.Step> path) {
            finished(now, this, time, path);
        }
    }

    /** Way after the start. */
    private static String way(RaceCourse course) {
        int count = course.checkpoints().size();
        String checkpoints =
                count == 0
                        ? ""
                        : "pass "
                                + count
                                + (count == 1 ? " check point" : " check points in order")
                                + ", ";
        return checkpoints + "reach the finish";
    }

    private final EventDispatcher dispatcher;
    private final ActiveLevels levels;
    private final BooleanSupplier open;
    private final BooleanSupplier counting;
    private final RaceGhost ghost;
    private final RaceTimes times = new RaceTimes();
    private final Map<PlayerId, Runner> runners = new LinkedHashMap<>();
    private final Map<String, Integer> leftTimes = new HashMap<>();

    /** The best run since the server started, by the name of the arena. */
    private final Map<String, RacePath> paths = new LinkedHashMap<>();

    private boolean showsGhost = true;

    /**
     * @param open whether players may run now
     * @param counting whether times count for the round now
     */
    public Race(
            EventDispatcher dispatcher,
            ActiveLevels levels,
            RaceGhost.Mirror mirror,
            BooleanSupplier open,
            BooleanSupplier counting) {
        this.dispatcher = dispatcher;
        this.levels = levels;
        this.open = open;
        this.counting = counting;
        ghost = new RaceGhost(mirror);
    }

    /** The best times of all arenas. */
    public RaceTimes times() {
        return times;
    }

    /** The best times in the arena that is played, the best first. */
    public List<RaceTimes.Time> bestTimes(int count) {
        return times.best(levels.level().name(), count);
    }

    /** Sets whether the best run walks as a ghost; it does by default. */
    public void setGhost(boolean shown) {
        showsGhost = shown;
    }

    /** The players with a time in this round, the best first. */
    public List<RoundTime> roundTimes() {
        return runners.values().stream()
                .filter(runner -> runner.millis > 0)
                .map(runner -> new RoundTime(runner.player(), runner.millis))
                .sorted(Comparator.comparingInt(RoundTime::millis))
                .toList();
    }

    /** The best of each game in this round, the best of all first; of equal ones all. */
    public List<RoundTime> winners() {
        List<RoundTime> all = roundTimes();
        return all.stream()
                .filter(one ->
                        all.stream()
                                .noneMatch(other ->
                                        isSameGame(one, other) && other.millis() < one.millis()))
                .toList();
    }

    private static boolean isSameGame(RoundTime one, RoundTime other) {
        return one.player().game().equals(other.player().game());
    }

    /** The time of a player in this round; empty if it has none. */
    public Optional<Integer> millis(PlayerId id) {
        Runner runner = runners.get(id);
        return runner == null || runner.millis == 0 ? Optional.empty() : Optional.of(runner.millis);
    }

    /**
     * Adds a player; its time of this round is kept if it only was away.
     *
     * @param key the same when it comes back; null for a player of another server
     */
    public void add(Entrant entrant, @Nullable String key) {
        Runner runner = new Runner(entrant, key);
        if (key != null) {
            runner.millis = Optional.ofNullable(leftTimes.remove(key)).orElse(0);
        }
        runners.put(entrant.player().id, runner);
    }

    /** Removes a player that has left. */
    public void remove(long now, PlayerId id) {
        Runner runner = runners.remove(id);
        if (runner != null && runner.millis > 0) {
            if (runner.key != null && leftTimes.size() < MAX_LEFT_TIMES) {
                leftTimes.put(runner.key, runner.millis);
            }
            updateScores(now);
        }
    }

    /** Clears the times of the round, and ends all runs. */
    public void clearRound(long now) {
        leftTimes.clear();
        abortAll();
        runners.values().forEach(runner -> runner.millis = 0);
        updateScores(now);
    }

    /** Ends all runs without a time. */
    public void abortAll() {
        runners.values().forEach(runner -> runner.run.abort());
    }

    /** Ends the run of a player without a time: it did not walk to where it is. */
    public void abort(PlayerId id) {
        Runner runner = runners.get(id);
        if (runner != null) {
            runner.run.abort();
        }
    }

    /**
     * A player has moved.
     *
     * @param own the client's time, nanoseconds
     */
    public void onMoved(long now, long own, ActivePlayer player) {
        Runner runner = runners.get(player.id);
        if (runner == null || runner.key == null) {
            return;
        }
        if (!open.getAsBoolean()) {
            runner.run.abort();
            return;
        }
        Level level = levels.level(player.game());
        RacePath best = paths.get(level.name());
        long maxPathNanos =
                best == null
                        ? RacePath.MAX_NANOS
                        : Math.min(
                                RacePath.MAX_NANOS,
                                1_000_000L * best.millis() + RacePath.STEP_NANOS);
        level.course()
                .ifPresentOrElse(
                        course -> {
                            runner.explain(now, level.name(), course);
                            runner.run.move(now, own, player.movement(), course, maxPathNanos);
                        },
                        runner.run::abort);
    }

    private void finished(long now, Runner runner, int millis, List<RacePath.Step> path) {
        Player player = runner.player();
        Level level = levels.level(player.game());
        if (!isPossible(millis, minMillis(level))) {
            // Other servers of a cluster would not believe it.
            return;
        }
        String arena = level.name();
        RaceTimes.Time time = new RaceTimes.Time(arena, player.game(), player.name(), millis);
        RaceTimes.Rank rank = times.record(time);
        RacePath best = paths.get(arena);
        if (!path.isEmpty() && (best == null || millis < best.millis())) {
            keep(arena, new RacePath(player.game(), player.name(), millis, path));
        }
        runner.dispatch(
                new ArenaEvent.RunFinished(
                        now,
                        player,
                        millis,
                        rank.bestOfPlayer(),
                        rank.bestOfGame(),
                        rank.bestOfAll()));
        runner.notice(
                now,
                "Finish: "
                        + RaceTimes.text(millis)
                        + (rank.bestOfPlayer() ? ", your best time: " + places(time) : ""));
        announce(now, time, rank);
        if (counting.getAsBoolean() && (runner.millis == 0 || millis < runner.millis)) {
            runner.millis = millis;
            updateScores(now);
        }
    }

    /** The places of a player's best time in its game and of all. */
    private String places(RaceTimes.Time time) {
        return "place "
                + times.place(time, it -> it.game().equals(time.game()))
                + " of "
                + time.game()
                + ", "
                + times.place(time, _ -> true)
                + " of all";
    }

    private void announce(long now, RaceTimes.Time time, RaceTimes.Rank rank) {
        if (rank.bestOfGame()) {
            dispatcher.dispatch(
                    new ArenaEvent.Announcement(
                            now,
                            time.name()
                                    + " has the best time"
                                    + (rank.bestOfAll() ? "" : " of " + time.game())
                                    + ": "
                                    + RaceTimes.text(time.millis())
                                    + "."));
        }
    }

    /** The name of the arena that is played. */
    public String arena() {
        return levels.level().name();
    }

    /** The times of this server's players in the round, the best first. */
    public List<RoundTime> ownTimes() {
        return roundTimes().stream().filter(it -> !it.player().id().isMirrored()).toList();
    }

    /**
     * Takes over the times of players of another server in the round that is played here.
     *
     * @param reported milliseconds of each of its players; 0 for none
     * @return false, without effect, if no player can have such a time
     */
    public boolean mirror(long now, Map<PlayerId, Integer> reported) {
        double min = minMillis(levels.level());
        if (!reported.values().stream()
                .allMatch(millis -> millis == 0 || isPossible(millis, min))) {
            return false;
        }
        boolean isChanged = false;
        for (Map.Entry<PlayerId, Integer> each : reported.entrySet()) {
            Runner runner = runners.get(each.getKey());
            if (runner != null && runner.key == null && runner.millis != each.getValue()) {
                runner.millis = each.getValue();
                isChanged = true;
            }
        }
        if (isChanged) {
            updateScores(now);
        }
        return true;
    }

    /**
     * Takes over a best time that another server reports, and announces it as one of this server's
     * players. The time of a player that is here counts only from its own server.
     *
     * @param limit whether the server may change the best times, given what changes
     * @return false, without effect, if no player can have such a time, or by the limit
     */
    public boolean mirror(
            long now, int node, RaceTimes.Time time, Predicate<RaceTimes.Rank> limit) {
        if (!isPossible(time.millis(), minMillis(levels.level()))) {
            return false;
        }
        RaceTimes.Rank rank = times.rank(time);
        if (!rank.bestOfPlayer() || isOfOther(node, time)) {
            return true;
        }
        if (!isOfArena(time) || !limit.test(rank)) {
            return false;
        }
        times.add(time);
        announce(now, time, rank);
        return true;
    }

    /** The time for the course at the maximum speed, milliseconds. */
    private static double minMillis(Level level) {
        double length = level.course().map(RaceCourse::minLength).orElse(0.0);
        return length / MAX_SPEED * 1_000;
    }

    private static boolean isPossible(int millis, double minMillis) {
        return millis > 0 && millis >= minMillis && millis <= MAX_MILLIS;
    }

    /** Whether a time can be kept, also in a file: of the arena, a game and a player. */
    private boolean isOfArena(RaceTimes.Time time) {
        String name = time.name();
        List<String> games =
                bestTimes(Integer.MAX_VALUE).stream().map(RaceTimes.Time::game).distinct().toList();
        return time.arena().equals(arena())
                && GAME.matcher(time.game()).matches()
                && (games.contains(time.game()) || games.size() < MAX_GAMES)
                && !name.isEmpty()
                && name.equals(NameRegistry.cleaned(name, Player.MAX_NAME_CHARS));
    }

    /** Whether the time is of a player that is here, and not at a server. */
    private boolean isOfOther(int node, RaceTimes.Time time) {
        return runners.values().stream()
                .map(runner -> runner.entrant.player())
                .anyMatch(player ->
                        player.id.node() != node
                                && player.game().equals(time.game())
                                && player.name().equals(time.name()));
    }

    private void keep(String arena, RacePath path) {
        paths.remove(arena);
        paths.put(arena, path);
        if (paths.size() > MAX_PATHS) {
            paths.remove(paths.keySet().iterator().next());
        }
    }

    /** Gives all players their score by place, and notifies of those that changed. */
    public void updateScores(long now) {
        for (Runner runner : runners.values()) {
            int points = points(runner);
            Score score = runner.entrant.score();
            if (score.frags() != points) {
                runner.entrant.setScore(new Score(points, score.deaths()));
                runner.dispatch(
                        new ArenaEvent.Scored(
                                now, runner.player(), runner.entrant.score(), Optional.empty()));
            }
        }
    }

    private int points(Runner runner) {
        if (runner.millis == 0) {
            return 0;
        }
        String game = runner.entrant.player().game();
        long faster =
                runners.values().stream()
                        .filter(other -> other.entrant.player().game().equals(game))
                        .filter(other -> other.millis > 0 && other.millis < runner.millis)
                        .count();
        return POINTS[(int) Math.min(faster, POINTS.length - 1)];
    }

    /**
     * Answers a player's command in the chat: {@value #COMMAND}, the best times of its game, or
     * {@value #COMMAND_ALL}.
     *
     * @return whether the text was a command
     */
    public boolean answer(long now, Subscriber asker, String text) {
        boolean ofAll = text.equalsIgnoreCase(COMMAND_ALL);
        if (!runners.containsKey(asker.player.id) || !ofAll && !text.equalsIgnoreCase(COMMAND)) {
            return false;
        }
        String game = asker.player.game();
        List<RaceTimes.Time> best =
                times.best(levels.level(game).name(), Integer.MAX_VALUE).stream()
                        .filter(time -> ofAll || time.game().equals(game))
                        .limit(LISTED_TIMES)
                        .toList();
        if (best.isEmpty()) {
            dispatcher.dispatchTo(
                    asker,
                    new ArenaEvent.Announcement(
                            now,
                            "There is no time "
                                    + (ofAll ? "" : "of " + game + " ")
                                    + "in this arena yet."));
        }
        for (int i = 0; i < best.size(); i++) {
            RaceTimes.Time time = best.get(i);
            dispatcher.dispatchTo(
                    asker,
                    new ArenaEvent.Announcement(
                            now,
                            (i + 1)
                                    + ". "
                                    + RaceTimes.text(time.millis())
                                    + " "
                                    + time.name()
                                    + " ("
                                    + time.game()
                                    + ")"));
        }
        return true;
    }

    /** Removes the ghost that an operator kicks, until there is a better run. */
    public void dismissGhost(long now, PlayerId id) {
        ghost.dismiss(now, id);
    }

    /** Removes the ghost, as the last player has left. */
    public void close(long now) {
        leftTimes.clear();
        ghost.show(now, null);
    }

    /**
     * Walks the ghost.
     *
     * @return when to call again
     */
    public long advance(long now) {
        @Nullable RacePath path =
                showsGhost && open.getAsBoolean() ? paths.get(levels.level().name()) : null;
        ghost.show(now, path);
        return ghost.advance(now);
    }
}
