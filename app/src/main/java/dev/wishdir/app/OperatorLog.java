package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.Counters;
import dev.wishdir.net.Duty;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The operator's lines about a running server: who came and went, who was refused, limited or moved
 * impossibly, what operators did, and once a minute what was dropped. Each join, leave, order and
 * claim of rights is a line at once. What a stranger or a player can repeat at will is merged by
 * {@link RepeatedLineLimiter}. On the arena's thread.
 */
final class OperatorLog implements ArenaListener, Duty {
    /**
     * One line of the log.
     *
     * @param event of what kind it is, in one word
     * @param text all of it, for people
     * @param fields parts of it, for programs
     */
    record Line(String event, String text, Map<String, Object> fields) {}

    /** What {@link #players} counts. */
    private static final String OTHERS = "limits, names, maps and impossible movements";

    private static final long TOTALS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Consumer<Line> lines;
    private final Counters counters;
    private final Function<PlayerId, ConnectionInfo> origins;
    private final boolean addresses;
    private final RepeatedLineLimiter refusals;
    private final RepeatedLineLimiter passwords;
    private final RepeatedLineLimiter players;
    private Map<String, Long> totals = Map.of();
    private long nextTotals;
    private boolean begun;

    /**
     * @param origins where the players come from
     * @param addresses whether lines have the addresses and accounts of players
     */
    OperatorLog(
            Consumer<Line> lines,
            Counters counters,
            Function<PlayerId, ConnectionInfo> origins,
            boolean addresses) {
        this.lines = lines;
        this.counters = counters;
        this.origins = origins;
        this.addresses = addresses;
        refusals = new RepeatedLineLimiter(lines);
        passwords = new RepeatedLineLimiter(lines);
        players = new RepeatedLineLimiter(lines);
    }

    /** An operator has done something. */
    void done(OperatorConsole.Done done) {
        lines.accept(
                new Line(
                        "operator-command",
                        done.author() + " " + done.what(),
                        Map.of("author", done.author(), "what", done.what())));
    }

    /** Somebody has got rights, or has tried to. */
    void access(OperatorConsole.Access access) {
        switch (access) {
            case OperatorConsole.Claim e ->
                    lines.accept(
                            new Line(
                                    "privilege",
                                    e.author() + " is " + e.right() + " now",
                                    Map.of("author", e.author(), "privilege", e.right())));
            case OperatorConsole.WrongPassword e -> {
                String network = addresses ? AddressRange.network(e.from()).toString() : "";
                String of = " (" + e.game() + ")";
                passwords.add(
                        e.time(),
                        e.game() + network,
                        new Line(
                                "wrong-password",
                                "wrong password of an operator"
                                        + from(AddressText.of(e.from()))
                                        + of,
                                from(AddressText.of(e.from()), Map.of("game", e.game()))),
                        times ->
                                new Line(
                                        "wrong-password",
                                        times
                                                + " wrong passwords of an operator"
                                                + from(network)
                                                + RepeatedLineLimiter.INTERVAL
                                                + of,
                                        Map.of("game", e.game(), "from", network)),
                        "wrong passwords of an operator");
            }
        }
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.JoinRefused e -> refused(e);
            case ArenaEvent.Joined e -> joined(e);
            case ArenaEvent.Left e -> left(e);
            case ArenaEvent.Renamed e ->
                    repeated(
                            e.time(),
                            "rename",
                            e.player(),
                            "",
                            " was called " + e.oldName() + " before",
                            "changed the name",
                            Map.of("old", e.oldName()));
            case ArenaEvent.RateLimited e ->
                    repeated(
                            e.time(),
                            "rate-limit",
                            e.player(),
                            e.deed().noun(),
                            " exceeds the rate limit: " + e.deed().noun(),
                            "was limited",
                            Map.of("action", e.deed().toString()));
            case ArenaEvent.MovementViolation e ->
                    repeated(
                            e.time(),
                            "violation",
                            e.player(),
                            e.rule().toString(),
                            ": "
                                    + e.rule().describe(e.measured(), e.allowed())
                                    + " ("
                                    + e.rule().format(e.allowance())
                                    + " of it for lag)",
                            "moved impossibly",
                            Map.of(
                                    "rule",
                                    e.rule().toString(),
                                    "value",
                                    e.measured(),
                                    "limit",
                                    e.allowed()));
            case ArenaEvent.LevelChanged e -> levelChanged(e);
            case ArenaEvent.OfPlayer _, ArenaEvent.Announcement _ -> {}
        }
    }

    private void levelChanged(ArenaEvent.LevelChanged e) {
        String plays = e.game() + " plays " + e.level().name();
        Map<String, Object> fields = Map.of("game", e.game(), "map", e.level().name());
        players.add(
                e.time(),
                "map " + plays,
                new Line("map", plays, fields),
                times ->
                        new Line(
                                "map",
                                plays
                                        + " again, "
                                        + times
                                        + " times"
                                        + RepeatedLineLimiter.INTERVAL,
                                fields),
                OTHERS);
    }

    private String from(String address) {
        return addresses && !address.isEmpty() ? " from " + address : "";
    }

    private Map<String, Object> from(String address, Map<String, Object> fields) {
        Map<String, Object> all = new LinkedHashMap<>(fields);
        if (addresses && !address.isEmpty()) {
            all.put("from", address);
        }
        return all;
    }

    private void refused(ArenaEvent.JoinRefused e) {
        String network = addresses ? network(e.from()) : "";
        Map<String, Object> fields =
                Map.of(
                        "game",
                        e.game(),
                        "reason",
                        e.why().code().toString(),
                        "text",
                        e.why().text());
        String why = ": " + e.why().text();
        String of = " (" + e.game() + ")";
        refusals.add(
                e.time(),
                e.game() + " " + network + " " + e.why().text(),
                new Line(
                        "refusal",
                        "refused " + (addresses ? e.from() : "a connection") + of + why,
                        from(e.from(), fields)),
                times ->
                        new Line(
                                "refusal",
                                "refused "
                                        + times
                                        + (times == 1 ? " connection" : " connections")
                                        + from(network)
                                        + RepeatedLineLimiter.INTERVAL
                                        + of
                                        + why,
                                from(network, fields)),
                "refused connections");
    }

    private static String network(String address) {
        try {
            return AddressRange.network(InetAddress.ofLiteral(address)).toString();
        } catch (IllegalArgumentException _) {
            return address;
        }
    }

    private void joined(ArenaEvent.Joined e) {
        ConnectionInfo connectionInfo = origins.apply(e.id());
        String account = addresses ? connectionInfo.account() : "";
        lines.accept(
                of(
                        "join",
                        e.player(),
                        " joined"
                                + from(connectionInfo.from())
                                + (connectionInfo.version().isEmpty()
                                        ? ""
                                        : ", " + connectionInfo.version())
                                + (account.isEmpty() ? "" : ", " + account),
                        from(
                                connectionInfo.from(),
                                Map.of("version", connectionInfo.version(), "account", account))));
    }

    private void left(ArenaEvent.Left e) {
        boolean sent = e.why().code().isKick();
        lines.accept(
                of(
                        "leave",
                        e.player(),
                        (sent || e.why().code() == LeaveReason.Code.TIMED_OUT
                                ? (sent ? " was " : " ") + e.why()
                                : " left"),
                        Map.of("reason", e.why().code().toString(), "text", e.why().text())));
    }

    /** What one player does again and again: the first time is a line, further ones are counted. */
    private void repeated(
            long now,
            String event,
            Player player,
            String detail,
            String what,
            String again,
            Map<String, Object> fields) {
        players.add(
                now,
                event + " " + player.id() + " " + detail,
                of(event, player, what, fields),
                times ->
                        of(
                                event,
                                player,
                                " "
                                        + again
                                        + " "
                                        + times
                                        + (times == 1 ? " more time" : " more times")
                                        + RepeatedLineLimiter.INTERVAL
                                        + ", last:"
                                        + what,
                                fields),
                OTHERS);
    }

    private static Line of(String event, Player player, String what, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("player", player.id().number());
        fields.put("game", player.game());
        fields.put("name", player.name());
        fields.putAll(more);
        return new Line(event, player + what, fields);
    }

    /** Writes what has repeated for long enough. */
    @Override
    public long advance(long now) {
        long next =
                Math.min(
                        refusals.advance(now),
                        Math.min(passwords.advance(now), players.advance(now)));
        if (!begun || now >= nextTotals) {
            begun = true;
            nextTotals = now + TOTALS_NANOS;
            totals();
        }
        return Math.min(nextTotals, next);
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
            lines.accept(new Line("counters", "in the last minute: " + news, Map.of()));
        }
    }
}
