package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake3.client.Quake3Client;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A player of each game abuses the flags, next to an honest player of each game. */
@Tag("slow")
class FlagAbuseTest {
    private static final long SECOND = 1_000_000_000;
    private static final BlockArena LEVEL =
            ArenaCatalog.FLAT.withBases(
                    Optional.of(
                            new FlagBases(
                                    new FlagBases.Base(new Vec3(-12, 3, 0), List.of()),
                                    new FlagBases.Base(new Vec3(12, 3, 0), List.of()))));

    private final SimulatedNetwork network = new SimulatedNetwork(6);

    /** Where each player goes, by its name. */
    private final Map<String, Supplier<Vec3>> goals = new HashMap<>();

    /** Changes of flags: {@code dropped key mallory}. */
    private final List<String> changes = new ArrayList<>();

    private final List<TestClient> honest = new ArrayList<>();
    private final FourGames server;

    FlagAbuseTest() throws IOException {
        server = new FourGames(network, new Random(6), 16, MatchRules.of(MatchMode.CTF), LEVEL);
    }

    @BeforeEach
    void join() throws IOException {
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.FlagChanged e) {
                        String by = e.player().map(Player::name).orElse("");
                        changes.add(e.change() + " " + e.cause() + " " + by);
                    }
                });
        for (Game game : FourGames.ALL) {
            Vec3 aside = new Vec3(2 * honest.size() - 4, -14, 0);
            goals.put(game.name(), () -> aside);
            honest.add(server.guest(game, game.name(), walker(game.name())));
            network.run(SECOND);
        }
        server.await(honest);
    }

    @AfterEach
    void keepsHonestPlayers() {
        assertThat(honest).allMatch(TestClient::in);
        assertThat(server.laws().broken()).isEmpty();
        server.close();
    }

    private BotController walker(String name) {
        return (_, self) -> {
            Vec3 way = requireNonNull(goals.get(name)).get().minus(self.position());
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            return way.horizontal() > 0.5
                    ? PlayerInput.walk(yaw, yaw, 0)
                    : PlayerInput.look(self.yaw(), 0);
        };
    }

    private Match match() {
        return server.arena().match();
    }

    private Team team(String name) {
        return match().team(server.player(name).id()).orElseThrow();
    }

    /** The flag that a player may take. */
    private Flag flag(String name) {
        return match().flags().all().get(team(name).other().ordinal());
    }

    private void await(String what, double seconds, BooleanSupplier condition) {
        assertThat(network.runUntil(condition, (long) (seconds * SECOND)))
                .as(what + " in " + changes)
                .isTrue();
    }

    private void awaitChange(String change, double seconds) {
        await(change, seconds, () -> changes.contains(change));
    }

    /** A client that has joined, and goes to a flag and takes it. */
    private TestClient carrier(Game game, String name) throws IOException {
        goals.put(name, () -> Vec3.ZERO);
        TestClient carrier = server.guest(game, name, walker(name));
        server.await(List.of(carrier));
        network.run(SECOND);
        goals.put(name, () -> match().flags().place(flag(name)));
        awaitChange("taken touch " + name, 15);
        return carrier;
    }

    /** Sends a command of a game; nothing in Sauerbraten, which has no commands. */
    private static void type(TestClient from, String quake2, String quake3, String bedrock) {
        switch (from.client) {
            case Quake2Client client -> client.command(quake2);
            case Quake3Client client -> client.command(quake3);
            case BedrockClient client -> client.command(bedrock);
            default -> {}
        }
    }

    private static void drop(TestClient from) {
        from.client.dropFlag();
        type(from, "drop flag", "dropflag", "drop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3", "bedrock"})
    @DisplayName("L5, L12, L15: a flood of drops is three drops, 2 s apart, with few answers")
    void limitsDrops(String game) throws IOException {
        TestClient mallory = carrier(FourGames.game(game), "mallory");
        mallory.client.say("bob got the RED flag!");
        List<Long> takes = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            int before = changes.size();
            drop(mallory);
            network.run(SECOND / 10);
            if (changes.subList(before, changes.size()).contains("taken touch mallory")) {
                takes.add(network.now());
            }
        }
        assertThat(changes)
                .filteredOn(change -> change.endsWith("mallory"))
                .hasSize(6)
                .filteredOn("dropped key mallory"::equals)
                .hasSize(3);
        assertThat(takes.get(1) - takes.get(0)).isGreaterThanOrEqualTo(2 * SECOND - SECOND / 10);
        int answers =
                mallory.heard.entrySet().stream()
                        .filter(text -> text.getKey().toLowerCase(Locale.ROOT).contains("no flag"))
                        .mapToInt(Map.Entry::getValue)
                        .sum();
        assertThat(answers).as("%s", mallory.heard).isBetween(1, 21);
        for (TestClient each : honest) {
            assertThat(each.heard.keySet()).noneMatch(text -> text.contains("no flag"));
            assertThat(each.speakers.get("bob got the RED flag!"))
                    .as("%s", each)
                    .endsWith("mallory");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3", "bedrock"})
    @DisplayName("L10: a flag handed to its team again and again is a violation")
    void reportsHandovers(String game) throws IOException {
        TestClient mallory = carrier(FourGames.game(game), "mallory");
        TestClient other =
                honest.stream()
                        .filter(each -> team(each.name) != team("mallory"))
                        .findFirst()
                        .orElseThrow();
        goals.put(other.name, () -> match().flags().place(flag("mallory")));
        for (int i = 0; i < 120 && server.laws().verdicts().isEmpty(); i++) {
            drop(mallory);
            network.run(SECOND / 2);
        }
        assertThat(server.laws().verdicts())
                .as("%s", changes)
                .isNotEmpty()
                .allMatch(it -> it.rule() == ViolationRule.FLAG_HANDOVER)
                .allMatch(it -> it.player().name().equals("mallory"));
        assertThat(mallory.in()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3", "bedrock"})
    @DisplayName("L7, L8, L9: who vanishes, stands still, changes sides or hastens loses the flag")
    void takesFlagFromCarriers(String name) throws IOException {
        Game game = FourGames.game(name);
        TestClient idler = carrier(game, "idler");
        Vec3 place = server.position("idler");
        goals.put("idler", () -> place);
        awaitChange("dropped idle idler", 61);
        idler.client.close();
        network.run(SECOND);

        if (!name.equals("sauerbraten")) {
            TestClient turncoat = carrier(game, "turncoat");
            String team = "team " + team("turncoat").other();
            type(turncoat, team, team, team);
            awaitChange("dropped team turncoat", 5);
            turncoat.client.close();
            network.run(SECOND);
        }

        TestClient ghost = carrier(game, "ghost");
        ghost.cycle.close();
        awaitChange("dropped leave ghost", 6.5);

        // Quake II's server reports a player once, and does not run commands ahead of its clock.
        if (!name.equals("quake2")) {
            TestClient racer = carrier(game, "racer");
            goals.put("racer", () -> new Vec3(network.now() / SECOND % 2 * 10 - 5, -8, 0));
            racer.cycle.hasten(20);
            awaitChange("reset violation racer", 20);
        }
    }
}
