package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Origin;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Operations;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Counters;
import dev.wishdir.net.Duty;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tells the operator who came and went, who was refused, sent away, limited or found to move
 * impossibly, what operators did, and once a minute what was dropped, while the server runs. What
 * repeats is counted and told again at most every ten seconds, so that no attack writes the log. On
 * the arena's thread.
 */
final class OperatorLog implements ArenaListener, Duty {
    /**
     * One thing that is told.
     *
     * @param event of what kind it is, in one word
     * @param text all of it, for people
     * @param fields parts of it, for programs
     */
    record Line(String event, String text, Map<String, Object> fields) {}

    private static final long REPEAT = TimeUnit.SECONDS.toNanos(10);
    private static final long TOTALS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_CAUSES = 64;

    /** A cause that was told, and how often it has come since. */
    private static final class Repeated {
        long told;
        int since;
        Line last;

        Repeated(long told, Line first) {
            this.told = told;
            last = first;
        }

        Line collected() {
            Map<String, Object> fields = new LinkedHashMap<>(last.fields());
            fields.put("times", since);
            return new Line(last.event(), last.text() + " (" + since + " times in 10 s)", fields);
        }
    }

    /** Addresses from which somebody joins and has a line of his own. */
    private final Allowance joins = new Allowance(20, 0.5);

    private final Consumer<Line> lines;
    private final Counters counters;
    private final Function<PlayerId, Origin> origins;
    private final Map<String, Repeated> causes = new LinkedHashMap<>();
    private Map<String, Long> totals = Map.of();
    private long nextTotals;
    private boolean begun;

    /**
     * @param origins where the players come from
     */
    OperatorLog(Consumer<Line> lines, Counters counters, Function<PlayerId, Origin> origins) {
        this.lines = lines;
        this.counters = counters;
        this.origins = origins;
    }

    /** An operator has done something. */
    void done(Operations.Done done) {
        lines.accept(
                new Line(
                        "order",
                        done.author() + " " + done.what(),
                        Map.of("author", done.author(), "what", done.what())));
    }

    @Override
    public void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Refused e ->
                    tell(
                            e.time(),
                            "refused " + e.game() + " " + e.reason(),
                            new Line(
                                    "refuse",
                                    "refused " + e.from() + " (" + e.game() + "): " + e.reason(),
                                    Map.of(
                                            "game",
                                            e.game(),
                                            "from",
                                            e.from(),
                                            "reason",
                                            e.reason())));
            case ArenaEvent.Joined e -> joined(e);
            case ArenaEvent.Left e -> left(e);
            case ArenaEvent.Limited e ->
                    tell(
                            e.time(),
                            "limited " + e.player(),
                            of(
                                    "limit",
                                    e.player(),
                                    " is limited: " + e.deed().doing() + " too much",
                                    Map.of("deed", e.deed().doing())));
            case ArenaEvent.Verdict e ->
                    tell(
                            e.time(),
                            "verdict " + e.player() + e.rule(),
                            of(
                                    "verdict",
                                    e.player(),
                                    String.format(
                                            Locale.ROOT,
                                            ": %s %.2f, allowed %.2f (%.2f of it for lag)",
                                            e.rule(),
                                            e.measured(),
                                            e.allowed(),
                                            e.allowance()),
                                    Map.of(
                                            "rule",
                                            e.rule(),
                                            "measured",
                                            e.measured(),
                                            "allowed",
                                            e.allowed())));
            case ArenaEvent.LevelChanged e ->
                    tell(
                            e.time(),
                            "level " + e.game() + e.level().name(),
                            new Line(
                                    "map",
                                    e.game() + " plays " + e.level().name(),
                                    Map.of("game", e.game(), "map", e.level().name())));
            case ArenaEvent.OfPlayer _, ArenaEvent.Announced _ -> {}
        }
    }

    private void joined(ArenaEvent.Joined e) {
        Origin origin = origins.apply(e.id());
        InetSocketAddress address = origin.address();
        String host = address == null ? "" : address.getAddress().getHostAddress();
        String all = "joined " + e.player().game();
        String from = all + " " + host;
        tell(
                e.time(),
                causes.containsKey(from) || joins.take(e.time()) ? from : all,
                of(
                        "join",
                        e.player(),
                        " joined"
                                + (host.isEmpty() ? "" : " from " + origin.from())
                                + (origin.version().isEmpty() ? "" : ", " + origin.version())
                                + (origin.account().isEmpty() ? "" : ", " + origin.account()),
                        Map.of(
                                "from",
                                origin.from(),
                                "version",
                                origin.version(),
                                "account",
                                origin.account())));
    }

    private void left(ArenaEvent.Left e) {
        boolean sent = e.why().kind() == Departure.Kind.SENT_AWAY;
        tell(
                e.time(),
                "left " + e.player().game() + " " + e.why(),
                of(
                        "leave",
                        e.player(),
                        (sent || e.why().kind() == Departure.Kind.TIMED_OUT
                                ? (sent ? " was " : " ") + e.why()
                                : " left"),
                        Map.of("why", e.why().toString())));
    }

    private static Line of(String event, Player player, String what, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("player", player.id().number());
        fields.put("game", player.game());
        fields.put("name", player.name());
        fields.putAll(more);
        return new Line(event, player + what, fields);
    }

    private void tell(long now, String cause, Line line) {
        String key = causes.containsKey(cause) || causes.size() < MOST_CAUSES ? cause : "others";
        Repeated repeated = causes.get(key);
        if (repeated == null) {
            causes.put(key, new Repeated(now, line));
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
                    lines.accept(repeated.collected());
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
                        .filter(count -> !count.getKey().contains(".lost."))
                        .filter(count -> count.getValue() > totals.getOrDefault(count.getKey(), 0L))
                        .map(count ->
                                count.getKey()
                                        + " +"
                                        + (count.getValue()
                                                - totals.getOrDefault(count.getKey(), 0L)))
                        .collect(Collectors.joining(", "));
        totals = all;
        if (!news.isEmpty()) {
            lines.accept(new Line("totals", "in the last minute: " + news, Map.of()));
        }
    }
}
