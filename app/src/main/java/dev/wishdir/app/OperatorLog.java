package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Departure;
import dev.wishdir.net.Counters;
import dev.wishdir.net.Duty;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells the operator who was refused, sent away, limited or found to move impossibly, and once a
 * minute what was dropped, while the server runs. What repeats is counted and told again at most
 * every ten seconds, so that no attack writes the log. On the arena's thread.
 */
final class OperatorLog implements ArenaListener, Duty {
    private static final long REPEAT = TimeUnit.SECONDS.toNanos(10);
    private static final long TOTALS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_CAUSES = 64;

    /** A cause that was told, and how often it has come since. */
    private static final class Repeated {
        long told;
        int since;
        String last = "";

        Repeated(long told) {
            this.told = told;
        }
    }

    private final Consumer<String> lines;
    private final Counters counters;
    private final Map<String, Repeated> causes = new LinkedHashMap<>();
    private Map<String, Long> totals = Map.of();
    private long nextTotals;
    private boolean begun;

    OperatorLog(Consumer<String> lines, Counters counters) {
        this.lines = lines;
        this.counters = counters;
    }

    @Override
    public void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Refused e ->
                    tell(
                            e.time(),
                            "refused " + e.game() + " " + e.reason(),
                            "refused " + e.from() + " (" + e.game() + "): " + e.reason());
            case ArenaEvent.Left e when e.why().kind() == Departure.Kind.SENT_AWAY ->
                    tell(
                            e.time(),
                            "left " + e.player().game() + " " + e.why(),
                            e.player() + " was " + e.why());
            case ArenaEvent.Limited e ->
                    tell(
                            e.time(),
                            "limited " + e.player(),
                            e.player() + " is limited: " + e.deed().doing() + " too much");
            case ArenaEvent.Verdict e ->
                    tell(
                            e.time(),
                            "verdict " + e.player() + e.rule(),
                            String.format(
                                    Locale.ROOT,
                                    "%s: %s %.2f, allowed %.2f (%.2f of it for lag)",
                                    e.player(),
                                    e.rule(),
                                    e.measured(),
                                    e.allowed(),
                                    e.allowance()));
            case ArenaEvent.LevelChanged e ->
                    tell(
                            e.time(),
                            "level " + e.game() + e.level().name(),
                            e.game() + " plays " + e.level().name());
            case ArenaEvent.OfPlayer _, ArenaEvent.Announced _ -> {}
        }
    }

    private void tell(long now, String cause, String line) {
        String key = causes.containsKey(cause) || causes.size() < MOST_CAUSES ? cause : "others";
        Repeated repeated = causes.get(key);
        if (repeated == null) {
            causes.put(key, new Repeated(now));
            lines.accept(line);
        } else {
            repeated.since++;
            repeated.last = line;
        }
    }

    /** Tells what has repeated for long enough, and forgets what has not. */
    @Override
    public long advance(long now) {
        causes.values()
                .removeIf(repeated -> {
                    if (now - repeated.told < REPEAT) {
                        return false;
                    }
                    if (repeated.since == 0) {
                        return true;
                    }
                    lines.accept(repeated.last + " (" + repeated.since + " times in 10 s)");
                    repeated.told = now;
                    repeated.since = 0;
                    return false;
                });
        if (!begun || now >= nextTotals) {
            begun = true;
            nextTotals = now + TOTALS;
            totals();
        }
        return Math.min(nextTotals, causes.isEmpty() ? NEVER : now + REPEAT);
    }

    private void totals() {
        Map<String, Long> all = counters.snapshot();
        String news =
                all.entrySet().stream()
                        .filter(count -> count.getValue() > totals.getOrDefault(count.getKey(), 0L))
                        .map(count ->
                                count.getKey()
                                        + " +"
                                        + (count.getValue()
                                                - totals.getOrDefault(count.getKey(), 0L)))
                        .collect(Collectors.joining(", "));
        totals = all;
        if (!news.isEmpty()) {
            lines.accept("in the last minute: " + news);
        }
    }
}
