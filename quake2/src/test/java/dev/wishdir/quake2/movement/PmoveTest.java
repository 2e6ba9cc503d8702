package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Commands that real servers ran, and the states that they came to. */
class PmoveTest {
    private static final long FRAME = 100_000_000;

    /** When a server refills its clients' time is its own count of frames, not the wire's. */
    private static final int REFILLED_AFTER = 5;

    private int commanded;
    private int unchanged;
    private int refused;
    private final List<String> differences = new ArrayList<>();

    /** A box that they run into, units. */
    static Obstacle box(Vec3f origin, Vec3f mins, Vec3f maxs) {
        return new Obstacle(Trace.WORLD, origin, mins, maxs, PlayerHulls.MONSTER);
    }

    @ParameterizedTest
    @CsvSource({
        "04-yq2server-loss, false, 66, 16, 0",
        "10-trace-yq2server-box1, false, 735, 0, 0",
        "11-trace-q2proserver-box1, true, 688, 0, 16"
    })
    void reproducesEveryFrame(
            String name, boolean timeEnforced, int commands, int without, int refusals)
            throws IOException {
        PlaneWorld map = Quake2Captures.world("q2box1.bsp");
        List<Obstacle> boxes = new ArrayList<>();
        Pmove pmove = new Pmove(map, 0);
        CommandMsecBudget budget = new CommandMsecBudget();
        PlayerState state = PlayerState.ZERO;
        int frame = 0;
        boolean first = true;
        boolean ran = false;
        for (String line : Files.readAllLines(Quake2Captures.FILES.path(name + ".trace.jsonl"))) {
            JsonObject entry = JsonParser.parseString(line).getAsJsonObject();
            switch (entry.get("t").getAsString()) {
                case "solid" -> {
                    boxes.add(
                            box(
                                    vector(entry, "origin"),
                                    vector(entry, "mins"),
                                    vector(entry, "maxs")));
                    pmove = new Pmove(map.with(boxes), 0);
                }
                case "cmd" -> {
                    UserCmd cmd = command(entry);
                    ran = true;
                    if (budget.tryRun(frame * FRAME, cmd.msec()) || !timeEnforced) {
                        state = pmove.run(state, cmd, first);
                        first = false;
                    } else {
                        refused++;
                    }
                }
                case "frame" -> {
                    PlayerState is = frame(entry);
                    if (frame > 0) {
                        commanded += ran ? 1 : 0;
                        unchanged += ran ? 0 : 1;
                        compare(entry, state, is);
                    }
                    state = is;
                    ran = false;
                    frame = entry.get("frame").getAsInt();
                    budget.frame(frame - REFILLED_AFTER);
                }
                default -> {}
            }
        }
        assertThat(differences).isEmpty();
        assertThat(commanded).isEqualTo(commands);
        assertThat(unchanged).as("frames without a command").isEqualTo(without);
        assertThat(refused).as("commands over the time budget").isEqualTo(refusals);
    }

    /** A server minds only who may be met: all others must make no difference. */
    @Test
    void ignoresDistantPlayers() {
        PlaneWorld map = Quake2Captures.world("q2box1.bsp");
        Random random = new Random(9);
        int stopped = 0;
        for (int i = 0; i < 3_000; i++) {
            PlayerState mover = body(place(random), place(random));
            List<PlayerState> others = new ArrayList<>();
            List<PlayerState> near = new ArrayList<>();
            UserCmd cmd = new UserCmd(place(random), 400, 0, 0, 0, 0, 1 + random.nextInt(250), 0);
            for (int k = 0; k < 40; k++) {
                PlayerState other = body(place(random), Triple.ZERO);
                others.add(other);
                if (PlayerHulls.isNear(
                        mover.origin(), other.origin(), PlayerHulls.reach(cmd.msec()))) {
                    near.add(other);
                }
            }
            PlayerState amongAll = run(map, mover, others, cmd);
            assertThat(run(map, mover, near, cmd)).isEqualTo(amongAll);
            stopped += run(map, mover, List.of(), cmd).equals(amongAll) ? 0 : 1;
        }
        assertThat(stopped).as("moves that a body changed").isGreaterThan(100);
    }

    private static PlayerState run(
            PlaneWorld map, PlayerState mover, List<PlayerState> others, UserCmd cmd) {
        Pmove pmove = new Pmove(map, 0);
        pmove.setObstacles(mover, others);
        return pmove.run(mover, cmd, false);
    }

    private static Triple place(Random random) {
        return new Triple(
                random.nextInt(-4000, 4000),
                random.nextInt(-4000, 4000),
                random.nextInt(200, 2400));
    }

    private static PlayerState body(Triple origin, Triple velocity) {
        return new PlayerState(
                0,
                origin,
                velocity,
                0,
                0,
                800,
                Triple.ZERO,
                Triple.ZERO,
                Triple.ZERO,
                Triple.ZERO,
                0,
                0,
                Triple.ZERO,
                Triple.ZERO,
                Blend.NONE,
                0,
                0,
                Stats.ZERO);
    }

    private void compare(JsonObject entry, PlayerState computed, PlayerState is) {
        String ours = movement(computed);
        if (!ours.equals(movement(is))) {
            differences.add(entry.get("frame") + ": " + ours + " should be " + movement(is));
        }
    }

    private static String movement(PlayerState s) {
        return s.origin() + ", " + s.velocity() + ", " + s.pmFlags() + ", " + s.pmTime();
    }

    private static PlayerState frame(JsonObject entry) {
        return new PlayerState(
                entry.get("pm_type").getAsInt(),
                triple(entry, "origin"),
                triple(entry, "velocity"),
                entry.get("pm_time").getAsInt(),
                entry.get("pm_flags").getAsInt(),
                800,
                triple(entry, "delta_angles"),
                triple(entry, "viewoffset"),
                triple(entry, "viewangles"),
                Triple.ZERO,
                0,
                0,
                Triple.ZERO,
                Triple.ZERO,
                Blend.NONE,
                0,
                0,
                Stats.ZERO);
    }

    private static UserCmd command(JsonObject entry) {
        return new UserCmd(
                triple(entry, "angles"),
                entry.get("forward").getAsInt(),
                entry.get("side").getAsInt(),
                entry.get("up").getAsInt(),
                entry.get("buttons").getAsInt(),
                0,
                entry.get("msec").getAsInt(),
                0);
    }

    private static Triple triple(JsonObject entry, String name) {
        JsonArray values = entry.getAsJsonArray(name);
        return new Triple(
                values.get(0).getAsInt(), values.get(1).getAsInt(), values.get(2).getAsInt());
    }

    private static Vec3f vector(JsonObject entry, String name) {
        JsonArray values = entry.getAsJsonArray(name);
        return new Vec3f(
                values.get(0).getAsFloat(), values.get(1).getAsFloat(), values.get(2).getAsFloat());
    }
}
