package dev.wishdir.app.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class EventsTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z-]+)` \\|([^|]*)\\|[^|]+\\|$");
    private static final Pattern FIELD = Pattern.compile("`([a-z]+)(\\??)`");
    private static final ConnectionInfo ORIGIN =
            new ConnectionInfo(
                    new InetSocketAddress(InetAddress.ofLiteral("2001:db8::7"), 27_960),
                    "protocol 71");
    private static final Player ANN = proved(Proof.account("xuid:1"));

    private static final Player FAR =
            new Player(
                    new PlayerId(PlayerId.MAX_NODE, 7),
                    "quake3",
                    "far",
                    0,
                    50,
                    true,
                    Movement.ORIGIN,
                    NativeMovement.Stored.NONE);

    private static Player proved(Proof proof) {
        return new Player(
                new PlayerId(0, 7),
                "quake3",
                "ann",
                0,
                50,
                proof,
                true,
                Movement.ORIGIN,
                NativeMovement.Stored.NONE);
    }

    private static final LeaveReason FULL =
            new LeaveReason(LeaveReason.Code.SERVER_FULL, "Server is full.");

    private final List<String> lines = new ArrayList<>();

    private JsonEventWriter events(boolean addresses) {
        Clock clock = Clock.fixed(Instant.ofEpochMilli(1_764_043_200_120L), ZoneOffset.UTC);
        return new JsonEventWriter(lines::add, clock, _ -> ORIGIN, addresses);
    }

    /** One of each kind; a kind that is missing is found by the page. */
    private static List<ArenaEvent> samples() {
        Movement movement = Movement.ORIGIN;
        return List.of(
                new ArenaEvent.Joined(0, ANN),
                new ArenaEvent.Joined(0, proved(Proof.key("ada", "example.org"))),
                new ArenaEvent.Left(
                        0, ANN, new LeaveReason(LeaveReason.Code.TIMED_OUT, "fell silent")),
                new ArenaEvent.Renamed(0, ANN, "bea", "ann"),
                new ArenaEvent.Proved(0, ANN),
                new ArenaEvent.Proved(0, proved(Proof.key("ada", "example.org"))),
                new ArenaEvent.AppearanceChanged(0, ANN),
                new ArenaEvent.Chat(0, ANN, "hi"),
                new ArenaEvent.Whisper(0, ANN, ANN, "hi"),
                new ArenaEvent.Announcement(0, "hi"),
                new ArenaEvent.Spawned(0, ANN, movement),
                new ArenaEvent.Despawned(0, ANN),
                new ArenaEvent.Moved(0, ANN, movement),
                new ArenaEvent.Teleported(0, ANN, movement),
                new ArenaEvent.ActionPerformed(0, ANN, PlayerAction.TAUNT),
                new ArenaEvent.MovementViolation(0, ANN, ViolationRule.DISTANCE, 30, 12.5, 2.5),
                new ArenaEvent.RateLimited(0, ANN, RateLimitedAction.CHAT),
                new ArenaEvent.KickRequested(
                        0, ANN, new LeaveReason(LeaveReason.Code.KICKED, "Bye.")),
                new ArenaEvent.EventsDropped(0, ANN, 3),
                new ArenaEvent.JoinRefused(0, "quake2", "192.0.2.7", FULL),
                new ArenaEvent.LevelChanged(
                        0, "quake2", Level.BOX, new Bounds(Vec3.ZERO, Vec3.ZERO)),
                new ArenaEvent.Hit(
                        0,
                        ANN,
                        FAR,
                        DamageMeans.ROCKET,
                        60,
                        Vec3.ZERO,
                        Vec3.ZERO,
                        new Vitals(40, 10, 0.5)),
                new ArenaEvent.Died(0, ANN, FAR, DamageMeans.ROCKET, new Score(-1, 1)),
                new ArenaEvent.Scored(
                        0, ANN, new Score(-1, 1), Optional.of(new TeamScore(Team.RED, 3))),
                new ArenaEvent.TeamChanged(0, ANN, Team.RED),
                new ArenaEvent.ItemTaken(0, ANN, 3, new PlacedItem(ItemKind.HEALTH, Vec3.ZERO)),
                new ArenaEvent.ItemVanished(0, 3, new PlacedItem(ItemKind.HEALTH, Vec3.ZERO)),
                new ArenaEvent.ItemReturned(0, 3, new PlacedItem(ItemKind.HEALTH, Vec3.ZERO)),
                new ArenaEvent.FlagChanged(
                        0,
                        Team.BLUE,
                        FlagChange.TAKEN,
                        FlagCause.TOUCH,
                        Optional.of(ANN),
                        Vec3.ZERO,
                        1,
                        Duration.ZERO),
                new ArenaEvent.RoundStarted(0, MatchMode.FFA, Duration.ofMinutes(10), 30),
                new ArenaEvent.RoundEnded(
                        0, RoundEndReason.TIME_LIMIT, Optional.of(FAR), Optional.of(Team.RED)),
                new ArenaEvent.RunStarted(0, ANN),
                new ArenaEvent.CheckpointPassed(0, ANN, 1, 4, 12_345),
                new ArenaEvent.RunFinished(0, ANN, 35_123, true, false, false),
                new ArenaEvent.Notice(0, ANN, "Finish: 35.123"));
    }

    /** The fields of each kind by docs/events.md, those with a question mark too. */
    private static Map<String, Set<String>> page(boolean optional) throws IOException {
        Map<String, Set<String>> kinds = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "events.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Set<String> fields = new LinkedHashSet<>();
                Matcher field = FIELD.matcher(row.group(2));
                while (field.find()) {
                    if (optional || field.group(2).isEmpty()) {
                        fields.add(field.group(1));
                    }
                }
                kinds.put(row.group(1), fields);
            }
        }
        return kinds;
    }

    private Map<String, Set<String>> written(boolean addresses) {
        JsonEventWriter eventWriter = events(addresses);
        samples().forEach(eventWriter::onEvent);
        eventWriter.onCommand(
                new OperatorConsole.ExecutedCommand(
                        0, "bob (sauerbraten 192.0.2.9)", "key bob@dom", "kicked ann"));
        Map<String, Set<String>> kinds = new TreeMap<>();
        for (String line : lines) {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            Set<String> fields = new LinkedHashSet<>(json.keySet());
            fields.removeAll(Set.of("v", "time", "event"));
            if (json.has("player")) {
                fields.removeAll(Set.of("player", "game", "name"));
            }
            kinds.computeIfAbsent(json.get("event").getAsString(), _ -> new LinkedHashSet<>())
                    .addAll(fields);
        }
        return kinds;
    }

    @Test
    void writesNodeOfMirroredPlayers() {
        Player ghost =
                new Player(
                        new PlayerId(PlayerId.GHOST_NODE, 7),
                        "quake3",
                        "~ann",
                        0,
                        0,
                        true,
                        Movement.ORIGIN,
                        NativeMovement.Stored.NONE);
        events(true).onEvent(new ArenaEvent.Despawned(0, ghost));
        events(true).onEvent(new ArenaEvent.Despawned(0, ANN));
        assertThat(lines)
                .containsExactly(
                        "{\"v\":1,\"time\":1764043200.120,\"event\":\"despawn\",\"node\":1,"
                                + "\"player\":7,\"game\":\"quake3\",\"name\":\"~ann\"}",
                        "{\"v\":1,\"time\":1764043200.120,\"event\":\"despawn\","
                                + "\"player\":7,\"game\":\"quake3\",\"name\":\"ann\"}");
    }

    /** A killer and its victim may have the same number at their nodes. */
    @Test
    void writesNodeOfOtherPlayer() {
        events(true).onEvent(new ArenaEvent.Died(0, ANN, FAR, DamageMeans.RIFLE, new Score(0, 1)));
        events(true).onEvent(new ArenaEvent.Died(0, FAR, ANN, DamageMeans.RIFLE, new Score(0, 1)));
        assertThat(lines.getFirst())
                .endsWith(
                        ",\"player\":7,\"game\":\"quake3\",\"name\":\"ann\",\"killer\":7,"
                                + "\"bynode\":1073741823,\"by\":\"far\",\"means\":\"rifle\"}");
        assertThat(lines.getLast())
                .contains("\"node\":1073741823,")
                .endsWith(",\"killer\":7,\"by\":\"ann\",\"means\":\"rifle\"}");
    }

    @Test
    void writesFlagWithAndWithoutPlayer() {
        for (Optional<Player> player : List.of(Optional.of(FAR), Optional.<Player>empty())) {
            events(true)
                    .onEvent(
                            new ArenaEvent.FlagChanged(
                                    0,
                                    Team.RED,
                                    FlagChange.RESET,
                                    FlagCause.VOID,
                                    player,
                                    new Vec3(1, 2, 3),
                                    7,
                                    Duration.ofMillis(1_500)));
        }
        String place = "\"position\":[1.0,2.0,3.0],\"version\":7,\"millis\":1500}";
        assertThat(lines.getFirst())
                .endsWith(
                        "\"event\":\"flag\",\"flag\":\"red\",\"change\":\"reset\","
                                + "\"cause\":\"void\",\"node\":1073741823,\"player\":7,"
                                + "\"game\":\"quake3\",\"name\":\"far\","
                                + place);
        assertThat(lines.getLast()).endsWith("\"cause\":\"void\"," + place);
    }

    @Test
    void writesDocumentedEvents() throws IOException {
        assertThat(written(true)).isEqualTo(page(true));
        assertThat(page(true).keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(EventKind.values()).map(EventKind::toString).toList());
    }

    @Test
    void hidesAddressesOnRequest() throws IOException {
        Map<String, Set<String>> expected = page(false);
        expected.computeIfAbsent("join", _ -> new LinkedHashSet<>())
                .addAll(List.of("version", "proof", "key"));
        expected.computeIfAbsent("proof", _ -> new LinkedHashSet<>()).add("key");
        expected.computeIfAbsent("operator-command", _ -> new LinkedHashSet<>()).add("proof");
        List.of("leave", "kick", "refusal")
                .forEach(kind ->
                        expected.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add("text"));
        expected.computeIfAbsent("score", _ -> new LinkedHashSet<>())
                .addAll(List.of("team", "teamfrags"));
        expected.computeIfAbsent("round-end", _ -> new LinkedHashSet<>()).add("team");
        List.of("hit", "death", "round-end")
                .forEach(kind ->
                        expected.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add("bynode"));
        assertThat(written(false)).isEqualTo(expected);
        assertThat(lines).noneMatch(line -> line.contains("2001") || line.contains("192.0.2"));
    }

    /** In what an operator or a player wrote, as in the log. */
    @Test
    @DisplayName("R21 addresses that are switched off stand in no text of an event")
    void hidesAddressesInTextsOnRequest() {
        String text = "by 198.51.100.7, 2001:db8::9 and xuid:12";
        Player named =
                new Player(
                        new PlayerId(0, 7),
                        "quake3",
                        "198.51.100.7",
                        0,
                        50,
                        true,
                        Movement.ORIGIN,
                        NativeMovement.Stored.NONE);
        LeaveReason reason = new LeaveReason(LeaveReason.Code.BANNED, "You are banned: " + text);
        List<ArenaEvent> events =
                List.of(
                        new ArenaEvent.KickRequested(0, ANN, reason),
                        new ArenaEvent.Left(0, ANN, reason),
                        new ArenaEvent.JoinRefused(0, "quake3", "192.0.2.7", reason),
                        new ArenaEvent.Chat(0, ANN, text),
                        new ArenaEvent.Whisper(0, ANN, named, text),
                        new ArenaEvent.Announcement(0, text),
                        new ArenaEvent.Renamed(0, ANN, "198.51.100.7", "ann"),
                        new ArenaEvent.Died(0, ANN, named, DamageMeans.ROCKET, new Score(0, 1)),
                        new ArenaEvent.Despawned(0, named));
        events.forEach(events(false)::onEvent);
        assertThat(lines)
                .hasSize(events.size())
                .allMatch(line -> line.contains("(hidden)"))
                .noneMatch(line -> line.contains("198.51") || line.contains("2001:db8"))
                .noneMatch(line -> line.contains("xuid"));
        lines.clear();
        events.forEach(events(true)::onEvent);
        assertThat(lines).allMatch(line -> line.contains("198.51.100.7"));
    }

    @Test
    void writesAddressOfJoiningPlayer() {
        events(true).onEvent(samples().getFirst());
        assertThat(lines)
                .containsExactly(
                        "{\"v\":1,\"time\":1764043200.120,\"event\":\"join\",\"player\":7,\"game\":\"quake3\","
                            + "\"name\":\"ann\",\"address\":\"[2001:db8::7]:27960\",\"version\":\"protocol"
                            + " 71\",\"proof\":\"account\",\"account\":\"xuid:1\"}");
    }

    @Test
    void writesWhatPlayerProved() {
        for (Proof proof :
                List.of(
                        Proof.UNKNOWN,
                        Proof.NONE,
                        Proof.PASSWORD,
                        Proof.ADMIN_PASSWORD,
                        Proof.key("gina", ""),
                        Proof.key("ada", "example.org"),
                        Proof.account("xuid:1"))) {
            events(false).onEvent(new ArenaEvent.Proved(0, proved(proof)));
        }
        assertThat(lines)
                .map(line -> line.replaceFirst(".*\"ann\",?", ""))
                .containsExactly(
                        "}",
                        "\"proof\":\"none\"}",
                        "\"proof\":\"password\"}",
                        "\"proof\":\"admin-password\"}",
                        "\"proof\":\"global-key\",\"key\":\"gina\"}",
                        "\"proof\":\"key\",\"key\":\"ada@example.org\"}",
                        "\"proof\":\"account\"}");
    }

    @Test
    void writesSameReasonCodeForAnyText() {
        for (String text : List.of("Server is full.", "No places left", "")) {
            events(true)
                    .onEvent(
                            new ArenaEvent.JoinRefused(
                                    0,
                                    "quake2",
                                    "192.0.2.7",
                                    new LeaveReason(LeaveReason.Code.SERVER_FULL, text)));
        }
        assertThat(lines)
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("\"reason\":\"server-full\""));
    }

    @Test
    void writesTheCodeOfARuleAndNotItsText() {
        for (ViolationRule rule : ViolationRule.values()) {
            lines.clear();
            events(true).onEvent(new ArenaEvent.MovementViolation(0, ANN, rule, 3, 2, 1));
            JsonObject json = JsonParser.parseString(lines.getFirst()).getAsJsonObject();
            assertThat(json.get("rule").getAsString())
                    .isEqualTo(rule.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            assertThat(lines.getFirst()).doesNotContain(rule.describe(3, 2));
        }
    }

    /** The rows of a table on the page. */
    private static List<String> table(String head) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "events.md")).stream()
                .dropWhile(line -> !line.startsWith(head))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    @Test
    void explainsEachRuleOnThePage() throws IOException {
        assertThat(table("| rule, unit |"))
                .map(line -> line.split("\\|")[1].strip())
                .containsExactlyElementsOf(
                        Arrays.stream(ViolationRule.values())
                                .map(rule -> "`%s`, %s".formatted(rule, rule.unit()))
                                .map(cell -> cell.replaceFirst(", $", ""))
                                .toList());
    }

    @Test
    void documentsEachReason() throws IOException {
        assertThat(table("| reason |"))
                .map(line -> line.split("`")[1])
                .containsExactlyElementsOf(
                        Arrays.stream(LeaveReason.Code.values())
                                .map(LeaveReason.Code::toString)
                                .toList());
    }

    @Test
    void writesOnlyTheChosenKinds() {
        JsonEventWriter eventWriter = events(true);
        eventWriter.setKinds(EventKind.chosen(List.of("join", "Leave")));
        samples().forEach(eventWriter::onEvent);
        assertThat(lines)
                .hasSize(3)
                .allMatch(line -> line.contains("\"join\"") || line.contains("\"leave\""));
        assertThat(EventKind.chosen(List.of())).isEqualTo(EnumSet.allOf(EventKind.class));
        assertThat(EventKind.chosen(List.of("-move")))
                .isEqualTo(EnumSet.complementOf(EnumSet.of(EventKind.MOVE)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventKind.chosen(List.of("moves")))
                .withMessageStartingWith("'moves' is not a kind of event; kinds are join, leave,");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventKind.chosen(List.of("-move", "join")));
    }
}
