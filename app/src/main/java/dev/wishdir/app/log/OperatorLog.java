package dev.wishdir.app.log;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The log of a running server: joins and leaves, refusals, rate limits, violations, operator
 * commands, and counters once a minute. Each join, leave, command and new privilege is logged at
 * once. Lines that a client can cause at will are merged by {@link RepeatedLineLimiter}. On the
 * arena's thread.
 */
public final class OperatorLog implements ArenaListener, Duty {
    /** The kinds of lines that {@link #players} limits. */
    private static final String PLAYER_LINES = "rate limits, renames, map changes and violations";

    private static final long COUNTERS_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Consumer<LogLine> lines;
    private final Counters counters;
    private final Function<PlayerId, ConnectionInfo> connectionInfo;
    private final boolean addresses;
    private final RepeatedLineLimiter refusals;
    private final RepeatedLineLimiter passwords;
    private final RepeatedLineLimiter players;
    private Map<String, Long> lastCounters = Map.of();
    private long nextCounters;
    private boolean started;

    /**
     * @param connectionInfo looks up the address and account of a player
     * @param addresses whether lines contain the addresses and accounts of players
     */
    public OperatorLog(
            Consumer<LogLine> lines,
            Counters counters,
            Function<PlayerId, ConnectionInfo> connectionInfo,
            boolean addresses) {
        this.lines = lines;
        this.counters = counters;
        this.connectionInfo = connectionInfo;
        this.addresses = addresses;
        refusals = new RepeatedLineLimiter(lines);
        passwords = new RepeatedLineLimiter(lines);
        players = new RepeatedLineLimiter(lines);
    }

    /** Logs an executed operator command. */
    public void onCommand(OperatorConsole.ExecutedCommand done) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("author", done.author());
        if (!done.proof().isEmpty()) {
            fields.put("proof", done.proof());
        }
        fields.put("what", done.what());
        lines.accept(new LogLine("operator-command", done.identity() + " " + done.what(), fields));
    }

    /** Logs a new privilege or a wrong password. */
    public void onAccess(OperatorConsole.AccessEvent access) {
        switch (access) {
            case OperatorConsole.GrantedRights e ->
                    lines.accept(
                            new LogLine(
                                    "privilege",
                                    e.author() + " became " + e.right() + " by " + e.proof(),
                                    Map.of(
                                            "author",
                                            e.author(),
                                            "privilege",
                                            e.right(),
                                            "proof",
                                            e.proof())));
            case OperatorConsole.WrongPassword e ->
                    addWrong(
                            e.time(),
                            e.from(),
                            "wrong-password",
                            "wrong operator password",
                            "",
                            Map.of("game", e.game()));
            case OperatorConsole.WrongKey e ->
                    addWrong(
                            e.time(),
                            e.from(),
                            "wrong-key",
                            "wrong answer",
                            " for " + e.key(),
                            Map.of("game", e.game(), "key", e.key()));
        }
    }

    /**
     * Logs what was wrong, merged by network.
     *
     * @param what in the singular
     * @param detail after that
     * @param fields with the game
     */
    private void addWrong(
            long now,
            InetAddress from,
            String event,
            String what,
            String detail,
            Map<String, Object> fields) {
        String network = addresses ? AddressRange.network(from).toString() : "";
        String address = AddressText.of(from);
        String of = " (" + fields.get("game") + ")";
        passwords.add(
                now,
                event + fields + network,
                new LogLine(event, what + detail + from(address) + of, from(address, fields)),
                times ->
                        new LogLine(
                                event,
                                times
                                        + " "
                                        + what
                                        + (times == 1 ? "" : "s")
                                        + detail
                                        + from(network)
                                        + RepeatedLineLimiter.INTERVAL
                                        + of,
                                from(network, fields)),
                what + "s");
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.JoinRefused e -> refused(e);
            case ArenaEvent.Joined e when e.player().isGhost() -> {}
            case ArenaEvent.Left e when e.player().isGhost() -> {}
            case ArenaEvent.Joined e -> joined(e);
            case ArenaEvent.Left e -> left(e);
            case ArenaEvent.Renamed e ->
                    logLimited(
                            e.time(),
                            "rename",
                            e.player(),
                            "",
                            " changed its name from " + e.oldName(),
                            "changed its name",
                            Map.of("old", e.oldName()));
            case ArenaEvent.RateLimited e ->
                    logLimited(
                            e.time(),
                            "rate-limit",
                            e.player(),
                            e.action().noun(),
                            " exceeded the rate limit: " + e.action().noun(),
                            "exceeded the rate limit",
                            Map.of("action", e.action().toString()));
            case ArenaEvent.MovementViolation e ->
                    logLimited(
                            e.time(),
                            "violation",
                            e.player(),
                            e.rule().toString(),
                            (e.rule().isOfShot() ? " shot impossibly: " : " moved impossibly: ")
                                    + e.rule().describe(e.measured(), e.allowed())
                                    + " ("
                                    + e.rule().format(e.allowance())
                                    + " of it for lag)",
                            e.rule().isOfShot() ? "shot impossibly" : "moved impossibly",
                            Map.of(
                                    "rule",
                                    e.rule().toString(),
                                    "value",
                                    e.measured(),
                                    "limit",
                                    e.allowed()));
            case ArenaEvent.LevelChanged e -> levelChanged(e);
            case ArenaEvent.RoundStarted e ->
                    lines.accept(
                            new LogLine(
                                    "round-start",
                                    "a round of " + e.mode() + " started",
                                    Map.of("mode", e.mode().toString())));
            case ArenaEvent.RoundEnded e ->
                    lines.accept(
                            new LogLine(
                                    "round-end",
                                    "the round ended: "
                                            + e.reason()
                                            + e.winner().map(it -> ", winner " + it).orElse("")
                                            + e.team().map(it -> ", winner " + it).orElse(""),
                                    Map.of("reason", e.reason().toString())));
            case ArenaEvent.FlagChanged e ->
                    lines.accept(
                            new LogLine(
                                    "flag",
                                    "the "
                                            + e.flag()
                                            + " flag was "
                                            + e.change()
                                            + e.player().map(it -> ", player " + it).orElse("")
                                            + ", cause "
                                            + e.cause(),
                                    Map.of(
                                            "flag",
                                            e.flag().toString(),
                                            "change",
                                            e.change().toString(),
                                            "cause",
                                            e.cause().toString())));
            case ArenaEvent.RunFinished e when e.bestOfGame() || e.bestOfAll() ->
                    lines.accept(
                            new LogLine(
                                    "best-time",
                                    e.player()
                                            + " has the best time"
                                            + (e.bestOfAll() ? "" : " of " + e.player().game())
                                            + ": "
                                            + RaceTimes.text(e.millis()),
                                    Map.of(
                                            "player",
                                            e.player().name(),
                                            "game",
                                            e.player().game(),
                                            "millis",
                                            e.millis(),
                                            "of-all",
                                            e.bestOfAll())));
            case ArenaEvent.OfPlayer _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.Announcement _ -> {}
        }
    }

    private void levelChanged(ArenaEvent.LevelChanged e) {
        String plays = e.game() + " plays " + e.level().name();
        Map<String, Object> fields = Map.of("game", e.game(), "map", e.level().name());
        players.add(
                e.time(),
                "map " + plays,
                new LogLine("map", plays, fields),
                times ->
                        new LogLine(
                                "map",
                                plays
                                        + " again, "
                                        + times
                                        + " times"
                                        + RepeatedLineLimiter.INTERVAL,
                                fields),
                PLAYER_LINES);
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
                        e.reason().code().toString(),
                        "text",
                        e.reason().text());
        String why = ": " + e.reason().text();
        String of = " (" + e.game() + ")";
        refusals.add(
                e.time(),
                e.game() + " " + network + " " + e.reason().text(),
                new LogLine(
                        "refusal",
                        "refused " + (addresses ? e.from() : "a connection") + of + why,
                        from(e.from(), fields)),
                times ->
                        new LogLine(
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
        ConnectionInfo info = connectionInfo.apply(e.id());
        Proof proof = e.player().proof();
        boolean isHidden = !addresses && proof.kind() == Proof.Kind.ACCOUNT;
        String proved = isHidden ? proof.kind().toString() : proof.toString();
        lines.accept(
                of(
                        "join",
                        e.player(),
                        " joined"
                                + from(info.from())
                                + (info.version().isEmpty() ? "" : ", " + info.version())
                                + (proof.kind().compareTo(Proof.Kind.NONE) > 0
                                        ? ", " + proved
                                        : ""),
                        from(info.from(), Map.of("version", info.version(), "proof", proved))));
    }

    private void left(ArenaEvent.Left e) {
        boolean sent = e.reason().code().isKick();
        lines.accept(
                of(
                        "leave",
                        e.player(),
                        (sent || e.reason().code() == LeaveReason.Code.TIMED_OUT
                                ? (sent ? " was " : " ") + e.reason()
                                : " left"),
                        Map.of("reason", e.reason().code().toString(), "text", e.reason().text())));
    }

    /** Logs a repeatable event of a player: the first time at once, further times as a count. */
    private void logLimited(
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
                PLAYER_LINES);
    }

    private static LogLine of(String event, Player player, String what, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (player.id().isMirrored()) {
            fields.put("node", player.id().node());
        }
        fields.put("player", player.id().number());
        fields.put("game", player.game());
        fields.put("name", player.name());
        fields.putAll(more);
        return new LogLine(event, player + what, fields);
    }

    /** Logs the counts of repeated events, and once a minute the counters. */
    @Override
    public long advance(long now) {
        long next =
                Math.min(
                        refusals.advance(now),
                        Math.min(passwords.advance(now), players.advance(now)));
        if (!started || now >= nextCounters) {
            started = true;
            nextCounters = now + COUNTERS_INTERVAL_NANOS;
            logCounters();
        }
        return Math.min(nextCounters, next);
    }

    private void logCounters() {
        Map<String, Long> all = counters.snapshot();
        String changes =
                all.entrySet().stream()
                        .filter(count ->
                                count.getValue() > lastCounters.getOrDefault(count.getKey(), 0L))
                        .map(count ->
                                count.getKey()
                                        + " +"
                                        + (count.getValue()
                                                - lastCounters.getOrDefault(count.getKey(), 0L)))
                        .collect(Collectors.joining(", "));
        lastCounters = all;
        if (!changes.isEmpty()) {
            lines.accept(
                    new LogLine("counters", "counters in the last minute: " + changes, Map.of()));
        }
    }
}
