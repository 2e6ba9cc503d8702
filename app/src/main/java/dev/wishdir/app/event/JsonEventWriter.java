package dev.wishdir.app.event;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.Client;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.AddressMask;

import java.math.BigDecimal;
import java.time.Clock;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes events of the arena, or of a bot, as JSON lines. Units are metres, degrees and metres per
 * second; {@code time} is in seconds since 1970. docs/events.md describes the fields.
 */
public final class JsonEventWriter implements ArenaListener {
    /** The version of the fields, incremented when one changes its name or meaning. */
    static final int VERSION = 1;

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private final Consumer<String> lines;
    private final Clock clock;
    private final Function<PlayerId, ConnectionInfo> connectionInfo;
    private final boolean addresses;
    private volatile Set<EventKind> kinds = EnumSet.allOf(EventKind.class);

    /** A writer of events where the addresses of players are not known. */
    public JsonEventWriter(Consumer<String> lines, Clock clock) {
        this(lines, clock, _ -> ConnectionInfo.UNKNOWN, true);
    }

    /**
     * @param connectionInfo looks up the address and version of a player, for {@code join}
     * @param addresses whether lines contain the addresses and accounts of players
     */
    JsonEventWriter(
            Consumer<String> lines,
            Clock clock,
            Function<PlayerId, ConnectionInfo> connectionInfo,
            boolean addresses) {
        this.lines = lines;
        this.clock = clock;
        this.connectionInfo = connectionInfo;
        this.addresses = addresses;
    }

    /** A writer of an arena's events of some kinds. */
    public static JsonEventWriter of(
            Arena arena, Consumer<String> lines, Set<EventKind> kinds, boolean addresses) {
        JsonEventWriter eventWriter =
                new JsonEventWriter(lines, Clock.systemUTC(), arena::connectionInfo, addresses);
        eventWriter.setKinds(kinds);
        return eventWriter;
    }

    /** Sets the kinds to write from now on. On any thread. */
    public void setKinds(Set<EventKind> chosen) {
        kinds = chosen;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        EventKind kind = EventKind.of(event);
        if (kinds.contains(kind)) {
            Map<String, Object> line = event(kind.toString());
            if (event instanceof ArenaEvent.OfPlayer of) {
                withPlayer(line, of.player());
            }
            details(line, event);
            write(line);
        }
    }

    /** Writes an executed operator command. */
    public void onCommand(OperatorConsole.ExecutedCommand done) {
        if (kinds.contains(EventKind.OPERATOR_COMMAND)) {
            Map<String, Object> line = event(EventKind.OPERATOR_COMMAND.toString());
            line.put("author", done.author());
            if (!done.proof().isEmpty()) {
                line.put("proof", done.proof());
            }
            line.put("text", done.what());
            write(line);
        }
    }

    private void details(Map<String, Object> line, ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                ConnectionInfo info = connectionInfo.apply(e.id());
                if (addresses && !info.from().isEmpty()) {
                    line.put("address", info.from());
                }
                if (!info.version().isEmpty()) {
                    line.put("version", info.version());
                }
                withProof(line, e.player().proof());
            }
            case ArenaEvent.Proved e -> withProof(line, e.player().proof());
            case ArenaEvent.Left e -> with(line, e.reason());
            case ArenaEvent.Spawned e -> withMovement(line, e.movement());
            case ArenaEvent.Moved e -> withMovement(line, e.movement());
            case ArenaEvent.Teleported e -> withMovement(line, e.movement());
            case ArenaEvent.ActionPerformed e ->
                    line.put("action", e.action().name().toLowerCase(Locale.ROOT));
            case ArenaEvent.Chat e -> line.put("text", e.text());
            case ArenaEvent.Renamed e -> line.put("old", e.oldName());
            case ArenaEvent.MovementViolation e -> {
                line.put("rule", e.rule().toString());
                line.put("value", rounded(e.measured()));
                line.put("limit", rounded(e.allowed()));
                line.put("allowance", rounded(e.allowance()));
            }
            case ArenaEvent.RateLimited e -> line.put("action", e.action().toString());
            case ArenaEvent.KickRequested e -> with(line, e.reason());
            case ArenaEvent.EventsDropped e -> line.put("count", e.count());
            case ArenaEvent.Whisper e -> {
                line.put("from", e.from().name());
                line.put("text", e.text());
            }
            case ArenaEvent.LevelChanged e -> {
                line.put("game", e.game());
                line.put("map", e.level().name());
            }
            case ArenaEvent.Announcement e -> line.put("text", e.text());
            case ArenaEvent.JoinRefused e -> {
                line.put("game", e.game());
                if (addresses) {
                    line.put("from", e.from());
                }
                with(line, e.reason());
            }
            case ArenaEvent.Hit e -> {
                withOther(line, "attacker", e.attacker());
                line.put("means", e.means().toString());
                line.put("damage", rounded(e.damage()));
                line.put("knockback", list(e.knockback()));
                line.put("position", list(e.place()));
                line.put("health", rounded(e.vitals().health()));
                line.put("armour", rounded(e.vitals().armour()));
            }
            case ArenaEvent.Died e -> {
                withOther(line, "killer", e.killer());
                line.put("means", e.means().toString());
            }
            case ArenaEvent.Scored e -> {
                line.put("frags", e.score().frags());
                line.put("deaths", e.score().deaths());
                e.team()
                        .ifPresent(it -> {
                            line.put("team", it.team().toString());
                            line.put("teamfrags", it.frags());
                        });
            }
            case ArenaEvent.TeamChanged e -> line.put("team", e.team().toString());
            case ArenaEvent.ItemTaken e -> withItem(line, e.number(), e.item());
            case ArenaEvent.ItemVanished e -> withItem(line, e.number(), e.item());
            case ArenaEvent.ItemReturned e -> withItem(line, e.number(), e.item());
            case ArenaEvent.FlagChanged e -> {
                line.put("flag", e.flag().toString());
                line.put("change", e.change().toString());
                line.put("cause", e.cause().toString());
                e.player().ifPresent(player -> withPlayer(line, player));
                line.put("position", list(e.place()));
                line.put("version", e.version());
                line.put("millis", e.carried().toMillis());
            }
            case ArenaEvent.RoundStarted e -> {
                line.put("mode", e.mode().toString());
                line.put("seconds", e.timeLimit().toSeconds());
                line.put("frags", e.scoreLimit());
            }
            case ArenaEvent.RoundEnded e -> {
                line.put("reason", e.reason().toString());
                e.winner()
                        .ifPresentOrElse(
                                winner -> withOther(line, "winner", winner),
                                () -> {
                                    line.put("winner", 0);
                                    line.put("by", "");
                                });
                e.team().ifPresent(team -> line.put("team", team.toString()));
            }
            case ArenaEvent.CheckpointPassed e -> {
                line.put("number", e.number());
                line.put("count", e.count());
                line.put("millis", e.millis());
            }
            case ArenaEvent.RunFinished e -> {
                line.put("millis", e.millis());
                line.put("best", best(e));
            }
            case ArenaEvent.Notice e -> line.put("text", e.text());
            case ArenaEvent.RunStarted _,
                    ArenaEvent.Despawned _,
                    ArenaEvent.AppearanceChanged _ -> {}
        }
    }

    private static void withPlayer(Map<String, Object> line, Player player) {
        if (player.id().isMirrored()) {
            line.put("node", player.id().node());
        }
        with(line, player.id().number(), player.game(), player.name());
    }

    private void withProof(Map<String, Object> line, Proof proof) {
        switch (proof.kind()) {
            case UNKNOWN -> {}
            case NONE, PASSWORD, ADMIN_PASSWORD -> line.put("proof", proof.kind().toString());
            case KEY, GLOBAL_KEY -> {
                line.put("proof", proof.kind().toString());
                line.put("key", proof.name());
            }
            case ACCOUNT -> {
                line.put("proof", proof.kind().toString());
                if (addresses) {
                    line.put("account", proof.name());
                }
            }
        }
    }

    /** Another player than that of the line, which may be of another node. */
    private static void withOther(Map<String, Object> line, String role, Player other) {
        line.put(role, other.id().number());
        if (other.id().isMirrored()) {
            line.put("bynode", other.id().node());
        }
        line.put("by", other.name());
    }

    private static void withItem(Map<String, Object> line, int number, PlacedItem item) {
        line.put("item", number);
        line.put("kind", item.kind().toString());
        line.put("position", list(item.place()));
    }

    /** Writes an event that a bot sees. */
    public void writeSeen(String event, String game, Client.RemotePlayer player, boolean self) {
        Map<String, Object> line = event(event, player.id(), game, player.name());
        if (event.equals("move")) {
            withMovement(line, player.movement());
        }
        line.put("self", self);
        write(line);
    }

    /** Writes a chat text that a bot received; {@code player} is 0, as only the name is known. */
    public void writeChat(String game, String name, String text) {
        Map<String, Object> line = event("chat", 0, game, name);
        line.put("text", text);
        write(line);
    }

    private Map<String, Object> event(String event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("v", VERSION);
        line.put("time", BigDecimal.valueOf(clock.millis(), 3));
        line.put("event", event);
        return line;
    }

    private Map<String, Object> event(String event, long player, String game, String name) {
        return with(event(event), player, game, name);
    }

    private static Map<String, Object> with(
            Map<String, Object> line, long player, String game, String name) {
        line.put("player", player);
        line.put("game", game);
        line.put("name", name);
        return line;
    }

    private static void with(Map<String, Object> line, LeaveReason why) {
        line.put("reason", why.code().toString());
        if (!why.text().isEmpty()) {
            line.put("text", why.text());
        }
    }

    private static void withMovement(Map<String, Object> line, Movement movement) {
        line.put("position", list(movement.position()));
        line.put("yaw", rounded(movement.yaw()));
        line.put("pitch", rounded(movement.pitch()));
        line.put("velocity", list(movement.velocity()));
        line.put("flags", movement.stance().labels());
    }

    private static List<String> best(ArenaEvent.RunFinished run) {
        return Stream.of(
                        run.bestOfPlayer() ? "player" : "",
                        run.bestOfGame() ? "game" : "",
                        run.bestOfAll() ? "all" : "")
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static List<Double> list(Vec3 v) {
        return List.of(rounded(v.x()), rounded(v.y()), rounded(v.z()));
    }

    /** Without addresses: most texts, such as those of movements, can have none. */
    private static String hidden(String text) {
        return text.indexOf('.') < 0 && text.indexOf(':') < 0 ? text : AddressMask.hide(text);
    }

    /** Rounds to a tenth of a millimetre, which is finer than any game's protocol. */
    private static double rounded(double value) {
        return Math.rint(value * 10_000) / 10_000;
    }

    private void write(Map<String, Object> line) {
        if (!addresses) {
            line.replaceAll((_, value) -> value instanceof String text ? hidden(text) : value);
        }
        lines.accept(GSON.toJson(line));
    }
}
