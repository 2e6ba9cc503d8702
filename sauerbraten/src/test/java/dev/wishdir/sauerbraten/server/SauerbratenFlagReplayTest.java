package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.inspect.SauerbratenCaptures;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What happened to the flags on the captured original server happens here, and a client is sent the
 * same messages. Players of another game act, one for each team.
 */
@Tag("slow")
class SauerbratenFlagReplayTest {
    private static final Map<Team, Vec3> ASIDE =
            Map.of(Team.RED, new Vec3(30, 0, 0), Team.BLUE, new Vec3(-30, 0, 0));
    private static final Vec3 AWAY = new Vec3(0, 30, 0);

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final DutyCycle cycle = network.cycle();
    private final Arena arena = new Arena(Level.BOX, 16);
    private final Map<Team, ArenaPlayer> actors = new EnumMap<>(Team.class);
    private final Map<Team, Integer> numbers = new EnumMap<>(Team.class);
    private final Map<Integer, GameTeam> teams = new HashMap<>();
    private final List<SauerbratenMessage> expected = new ArrayList<>();

    @Test
    void sendsMessagesAsOriginal(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("boxarena.ogz");
        Files.write(file, SauerbratenCaptures.FILES.file("boxarena.ogz").toArray());
        arena.setMatchRules(MatchRules.of(MatchMode.CTF).withScoreLimit(10));
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .options(Map.of("map-file", file.toString()))
                                .random(new Random(9))
                                .build());
        ScriptedPlayer observer = new ScriptedPlayer(network, 1, endpoint.address()).join("anna");
        observer.say(new RosterMessage.Spectator(observer.cn, true));
        observer.pass(200);
        for (int i = 0; i < 2; i++) {
            ArenaPlayer actor = arena.join(network.now(), "quake2", "actor" + i, new NoOpViewer());
            actors.put(actor.combatant().team().orElseThrow(), actor);
            execute(() -> begin(actor));
            numbers.put(
                    actor.combatant().team().orElseThrow(),
                    observer.heard(RosterMessage.InitClient.class).getLast().cn());
        }
        assertThat(actors).hasSize(2);
        int client = -1;
        boolean isOver = false;
        for (JsonObject line : SauerbratenCaptures.FILES.lines("ctf-rules.expected.jsonl.gz")) {
            if (client < 0 && line.get("name").getAsString().equals("N_SERVINFO")) {
                client = line.get("client").getAsInt();
            }
            if (!isOver
                    && line.get("client").getAsInt() == client
                    && line.get("dir").getAsString().equals("s2c")) {
                replay(line.get("name").getAsString(), line.getAsJsonObject("fields"));
                isOver = expected.contains(new MatchMessage.TimeUp(0));
            }
        }
        observer.pass(200);
        assertThat(expected).hasSizeGreaterThan(45);
        assertThat(
                        observer.heard.stream()
                                .filter(it ->
                                        it instanceof FlagMessage
                                                        && !(it instanceof FlagMessage.InitFlags)
                                                || it.equals(new MatchMessage.TimeUp(0)))
                                .map(SauerbratenFlagReplayTest::withoutPlace)
                                .toList())
                .containsExactlyElementsOf(expected);
        assertThat(observer.heard(FlagMessage.InitFlags.class)).hasSize(1);
    }

    private static SauerbratenMessage withoutPlace(SauerbratenMessage message) {
        return message instanceof FlagMessage.DropFlag drop
                ? new FlagMessage.DropFlag(drop.cn(), drop.flag(), drop.version(), Point.BLANK)
                : message;
    }

    private void replay(String name, JsonObject fields) {
        switch (name) {
            case "N_INITCLIENT", "N_SETTEAM" ->
                    teams.put(
                            field(fields, "cn"),
                            GameTeam.of(fields.get("team").getAsString()).orElseThrow());
            case "N_TAKEFLAG" -> {
                Team actor = actor(fields);
                put(actor, place(field(fields, "flag")));
                put(actor, requireNonNull(ASIDE.get(actor)));
                expected.add(
                        new FlagMessage.TakeFlag(
                                number(actor), field(fields, "flag"), version(fields)));
            }
            case "N_DROPFLAG" -> {
                // What a key drops can't be taken again so soon here.
                ArenaPlayer actor = requireNonNull(actors.get(actor(fields)));
                execute(() -> actor.combatant().die(network.now()));
                network.run(4 * EnetNode.SECOND);
                execute(() -> begin(actor));
                expected.add(
                        new FlagMessage.DropFlag(
                                number(actor(fields)),
                                field(fields, "flag"),
                                version(fields),
                                Point.BLANK));
            }
            case "N_RETURNFLAG" -> {
                Team actor = actor(fields);
                put(actor, place(field(fields, "flag")));
                put(actor, requireNonNull(ASIDE.get(actor)));
                expected.add(
                        new FlagMessage.ReturnFlag(
                                number(actor), field(fields, "flag"), version(fields)));
            }
            case "N_RESETFLAG" -> {
                Team team = flag(field(fields, "flag")).team();
                execute(() -> arena.match().flags().returnHome(network.now(), team));
                expected.add(
                        new FlagMessage.ResetFlag(
                                field(fields, "flag"),
                                version(fields),
                                field(fields, "spawn"),
                                field(fields, "team"),
                                field(fields, "score")));
            }
            case "N_SCOREFLAG" -> {
                Team actor = actor(fields);
                put(actor, flag(field(fields, "goal")).home());
                put(actor, requireNonNull(ASIDE.get(actor)));
                expected.add(
                        new FlagMessage.ScoreFlag(
                                number(actor),
                                field(fields, "relay"),
                                field(fields, "relayversion"),
                                field(fields, "goal"),
                                field(fields, "goalversion"),
                                field(fields, "goalspawn"),
                                field(fields, "team"),
                                field(fields, "score"),
                                field(fields, "oflags")));
            }
            case "N_TIMEUP" -> {
                if (field(fields, "secs") == 0) {
                    expected.add(new MatchMessage.TimeUp(0));
                }
            }
            default -> {
                // It is about no flag.
            }
        }
    }

    private static int field(JsonObject fields, String name) {
        return fields.get(name).getAsInt();
    }

    private static int version(JsonObject fields) {
        return field(fields, "version");
    }

    private int number(Team actor) {
        return requireNonNull(numbers.get(actor));
    }

    private Team actor(JsonObject fields) {
        return requireNonNull(teams.get(field(fields, "cn"))).team;
    }

    /** Flag 0 of the captured map is evil's. */
    private Flag flag(int number) {
        return arena.match().flags().all().get(number == 0 ? 0 : 1);
    }

    private Vec3 place(int number) {
        return arena.match().flags().place(flag(number));
    }

    private void put(Team actor, Vec3 place) {
        execute(() ->
                requireNonNull(actors.get(actor))
                        .move(network.now(), Movement.at(place, 0), NativeMovement.Stored.NONE));
    }

    private void begin(ArenaPlayer player) {
        player.combatant().beginLife(network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(network.now(), Movement.at(AWAY, 0));
    }

    private void execute(Runnable task) {
        cycle.execute(task);
        // Other players keep their bodies as long as they are active.
        cycle.execute(() -> actors.values().forEach(it -> it.recordActivity(network.now())));
        network.run(300 * EnetNode.MILLI);
    }
}
