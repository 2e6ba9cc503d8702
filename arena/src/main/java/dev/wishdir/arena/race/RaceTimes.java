package dev.wishdir.arena.race;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The best times of races, one for each player of each game and arena. At most {@value
 * #MAX_TIMES_PER_GAME} of a game in an arena, and {@value #MAX_ARENAS} arenas. Owned by the arena's
 * thread.
 */
public final class RaceTimes {
    /** The slowest of more are dropped. */
    public static final int MAX_TIMES_PER_GAME = 32;

    /** Times of further arenas are not kept. */
    public static final int MAX_ARENAS = 64;

    /**
     * The best time of a player.
     *
     * @param arena name of the arena
     * @param name of the player
     */
    public record Time(String arena, String game, String name, int millis) {}

    /**
     * Rank of a new time among those before it.
     *
     * @param bestOfPlayer whether it is better than the player's
     * @param bestOfGame whether it is better than all of the game
     * @param bestOfAll whether it is better than all
     */
    public record Rank(boolean bestOfPlayer, boolean bestOfGame, boolean bestOfAll) {}

    /** The best first; of equal ones the same on each server. */
    private static final Comparator<Time> ORDER =
            Comparator.comparingInt(Time::millis)
                    .thenComparing(Time::name)
                    .thenComparing(Time::game);

    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND;

    /** By the name of the arena, the best first. */
    private final Map<String, List<Time>> arenas = new LinkedHashMap<>();

    private Consumer<List<Time>> listener = _ -> {};

    /** Adds times that were kept before, without a call of the listener. */
    public void load(List<Time> kept) {
        kept.forEach(this::insert);
    }

    /** Replaces all times, without a call of the listener. */
    public void replace(List<Time> others) {
        arenas.clear();
        load(others);
    }

    /** Sets the listener, which gets all times after each change. */
    public void onChange(Consumer<List<Time>> listener) {
        this.listener = listener;
    }

    /** Compares a time with those that are kept. */
    Rank rank(Time time) {
        return new Rank(
                isBest(time, it -> isOf(it, time)),
                isBest(time, it -> it.game().equals(time.game())),
                isBest(time, _ -> true));
    }

    /** The place of a time among some of its arena, from 1. */
    long place(Time time, Predicate<Time> among) {
        return 1
                + arenas.getOrDefault(time.arena(), List.of()).stream()
                        .filter(among)
                        .filter(it -> it.millis() < time.millis())
                        .count();
    }

    /** Counts a new time. */
    Rank record(Time time) {
        Rank rank = rank(time);
        if (rank.bestOfPlayer()) {
            add(time);
        }
        return rank;
    }

    /** Adds a time, if it is the player's best. */
    public void add(Time time) {
        if (insert(time)) {
            listener.accept(arenas.values().stream().flatMap(List::stream).toList());
        }
    }

    private static boolean isOf(Time one, Time other) {
        return one.game().equals(other.game()) && one.name().equals(other.name());
    }

    private boolean isBest(Time time, Predicate<Time> among) {
        return arenas.getOrDefault(time.arena(), List.of()).stream()
                .filter(among)
                .allMatch(it -> time.millis() < it.millis());
    }

    /** Returns whether the times have changed. */
    private boolean insert(Time time) {
        if (!arenas.containsKey(time.arena()) && arenas.size() >= MAX_ARENAS) {
            return false;
        }
        List<Time> times = arenas.computeIfAbsent(time.arena(), _ -> new ArrayList<>());
        Optional<Time> before = times.stream().filter(it -> isOf(it, time)).findFirst();
        if (before.isPresent() && before.get().millis() <= time.millis()) {
            return false;
        }
        before.ifPresent(times::remove);
        times.add(time);
        times.sort(ORDER);
        List<Time> ofGame = times.stream().filter(it -> it.game().equals(time.game())).toList();
        if (ofGame.size() > MAX_TIMES_PER_GAME) {
            times.remove(ofGame.getLast());
            return !ofGame.getLast().equals(time);
        }
        return true;
    }

    /** The best times in an arena, the best first. */
    public List<Time> best(String arena, int count) {
        return arenas.getOrDefault(arena, List.of()).stream().limit(count).toList();
    }

    /** A time for people: {@code 35.123} or {@code 1:05.003}. */
    public static String text(int millis) {
        int minutes = millis / MILLIS_PER_MINUTE;
        int seconds = millis % MILLIS_PER_MINUTE / MILLIS_PER_SECOND;
        int rest = millis % MILLIS_PER_SECOND;
        return minutes == 0
                ? String.format(Locale.ROOT, "%d.%03d", seconds, rest)
                : String.format(Locale.ROOT, "%d:%02d.%03d", minutes, seconds, rest);
    }
}
