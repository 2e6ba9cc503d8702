package dev.wishdir.quake3;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Movement that a real server made, made again: each interval from the state before it. */
class MoverTest {
    private static final int TELEPORT = 4;

    @ParameterizedTest
    @ValueSource(strings = {"trace-labbox-float", "trace-labbox-snap"})
    void everyCheckableInterval(String name) throws IOException {
        List<String> lines = Files.readAllLines(ExpectedCapture.file(name + ".trace.jsonl"));
        JsonObject settings = JsonParser.parseString(lines.getFirst()).getAsJsonObject();
        boolean exact = settings.get("pmove_float").getAsString().equals("1");
        Mover mover = new Mover(labbox(), exact);
        JsonObject before = state(lines.get(1));
        int checked = 0;
        for (String line : lines.subList(2, lines.size())) {
            JsonObject after = state(line);
            boolean checkable =
                    number(before, "spawnCount") > 0
                            && (number(before, "gravity") == 800 || number(before, "pm_type") == 2)
                            && number(before, "spawnCount") == number(after, "spawnCount")
                            && number(before, "pm_type") == number(after, "pm_type")
                            && ((number(before, "eFlags") ^ number(after, "eFlags")) & TELEPORT)
                                    == 0;
            if (checkable) {
                checked++;
                Body body = body(before);
                JsonArray cmds =
                        JsonParser.parseString(line).getAsJsonObject().getAsJsonArray("cmds");
                for (var cmd : cmds) {
                    mover.move(body, usercmd(cmd.getAsJsonArray()));
                }
                assertSame(name + " " + number(after, "serverTime"), body, after);
            }
            before = after;
        }
        assertThat(checked).isGreaterThan(1300);
    }

    private static void assertSame(String what, Body body, JsonObject after) {
        double[] origin = vector(after, "origin");
        double[] velocity = vector(after, "velocity");
        for (int i = 0; i < 3; i++) {
            assertThat(Math.abs(body.origin[i] - origin[i]))
                    .as("%s origin %d: %s, not %s", what, i, body.origin[i], origin[i])
                    .isLessThan(0.001);
            assertThat(Math.abs(body.velocity[i] - velocity[i]))
                    .as("%s velocity %d: %s, not %s", what, i, body.velocity[i], velocity[i])
                    .isLessThan(0.001);
        }
        assertThat(body.commandTime).as(what).isEqualTo(number(after, "commandTime"));
        assertThat(body.flags).as(what + " pm_flags").isEqualTo(number(after, "pm_flags"));
        assertThat(body.time).as(what + " pm_time").isEqualTo(number(after, "pm_time"));
        assertThat(body.ground).as(what).isEqualTo(number(after, "groundEntityNum"));
        assertThat(body.viewheight).as(what).isEqualTo(number(after, "viewheight"));
        assertThat(body.legsAnim).as(what + " legsAnim").isEqualTo(number(after, "legsAnim"));
        assertThat(body.legsTimer).as(what + " legsTimer").isEqualTo(number(after, "legsTimer"));
        assertThat(body.bobCycle).as(what + " bobCycle").isEqualTo(number(after, "bobCycle"));
        assertThat(body.movementDir).as(what).isEqualTo(number(after, "movementDir"));
        assertThat(body.eventSequence)
                .as(what + " eventSequence")
                .isEqualTo(number(after, "eventSequence"));
        assertThat(body.events)
                .as(what + " events")
                .containsExactly(
                        after.getAsJsonArray("events").get(0).getAsInt(),
                        after.getAsJsonArray("events").get(1).getAsInt());
    }

    private static JsonObject state(String line) {
        return JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("state");
    }

    private static int number(JsonObject state, String key) {
        return state.get(key).getAsInt();
    }

    private static double[] vector(JsonObject state, String key) {
        JsonArray array = state.getAsJsonArray(key);
        return new double[] {
            array.get(0).getAsDouble(), array.get(1).getAsDouble(), array.get(2).getAsDouble()
        };
    }

    private static Usercmd usercmd(JsonArray c) {
        int[] v = new int[9];
        for (int i = 0; i < 9; i++) {
            v[i] = c.get(i).getAsInt();
        }
        return new Usercmd(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    }

    private static Body body(JsonObject s) {
        Body b = new Body();
        System.arraycopy(vector(s, "origin"), 0, b.origin, 0, 3);
        System.arraycopy(vector(s, "velocity"), 0, b.velocity, 0, 3);
        System.arraycopy(vector(s, "viewangles"), 0, b.viewangles, 0, 3);
        for (int i = 0; i < 3; i++) {
            b.deltaAngles[i] = s.getAsJsonArray("delta_angles").get(i).getAsInt();
        }
        b.commandTime = number(s, "commandTime");
        b.type = number(s, "pm_type");
        b.flags = number(s, "pm_flags");
        b.time = number(s, "pm_time");
        b.gravity = number(s, "gravity");
        b.speed = b.type == Mover.SPECTATOR ? 400 : 320;
        b.ground = number(s, "groundEntityNum");
        b.viewheight = number(s, "viewheight");
        b.movementDir = number(s, "movementDir");
        b.bobCycle = number(s, "bobCycle");
        b.legsAnim = number(s, "legsAnim");
        b.legsTimer = number(s, "legsTimer");
        b.torsoAnim = number(s, "torsoAnim");
        b.torsoTimer = number(s, "torsoTimer");
        b.eFlags = number(s, "eFlags");
        b.eventSequence = number(s, "eventSequence");
        b.events[0] = s.getAsJsonArray("events").get(0).getAsInt();
        b.events[1] = s.getAsJsonArray("events").get(1).getAsInt();
        b.weapon = number(s, "weapon");
        b.weaponState = number(s, "weaponstate");
        b.weaponTime = number(s, "weaponTime");
        b.weapons = 6;
        b.health = number(s, "health");
        b.spawnCount = number(s, "spawnCount");
        return b;
    }

    /** The brushes of the map of the traces: lumps 8 and 9 with their planes and shaders. */
    static Brushes labbox() throws IOException {
        Reader r = new Reader(ExpectedCapture.bytes("labbox.bsp"));
        byte[] data = ExpectedCapture.bytes("labbox.bsp").toArray();
        r.i32le("magic", 0);
        r.i32le("version", 0);
        int[] offsets = new int[17];
        int[] lengths = new int[17];
        for (int i = 0; i < 17; i++) {
            offsets[i] = r.i32le("offset", 0);
            lengths[i] = r.i32le("length", 0);
        }
        List<Brushes.Brush> brushes = new ArrayList<>();
        Reader b = new Reader(data, offsets[8], lengths[8]);
        while (b.remaining() > 0) {
            int first = b.i32le("firstSide", 0);
            int count = b.i32le("sides", 0);
            int shader = b.i32le("shader", 0);
            int contents = new Reader(data, offsets[1] + 72 * shader + 68, 4).i32le("contents", 0);
            double[] planes = new double[4 * count];
            int[] flags = new int[count];
            for (int i = 0; i < count; i++) {
                Reader side = new Reader(data, offsets[9] + 8 * (first + i), 8);
                int plane = side.i32le("plane", 0);
                int surface = side.i32le("shader", 0);
                flags[i] = new Reader(data, offsets[1] + 72 * surface + 64, 4).i32le("flags", 0);
                Reader p = new Reader(data, offsets[2] + 16 * plane, 16);
                for (int k = 0; k < 4; k++) {
                    planes[4 * i + k] = p.f32le("plane", 0);
                }
            }
            brushes.add(new Brushes.Brush(planes, flags, contents));
        }
        return new Brushes(brushes);
    }
}
