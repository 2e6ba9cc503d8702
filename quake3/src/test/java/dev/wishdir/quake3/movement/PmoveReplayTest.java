package dev.wishdir.quake3.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.message.Usercmd;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;

/** Every snapshot of a real server follows from the one before and the usercmds between them. */
class PmoveReplayTest {
    private static final Path PATCH =
            Path.of("/usr/share/games/openarena/baseoa/pak6-patch088.pk3");

    /** Units, and units a second. */
    private static final float EXACT = 0.0001f;

    /** What stood still during the trace; a closed door is no hole. */
    private static final Set<String> RESTING =
            Set.of("func_door", "func_button", "func_static", "func_plat");

    private static final int EV_ITEM_PICKUP = 19;

    @Test
    void reproducesLabboxWithFractions() throws IOException {
        assertThat(replay("labbox-float", labbox(), PmoveSettings.OPENARENA)).isEqualTo(1315);
    }

    @Test
    void reproducesLabboxWithSnapping() throws IOException {
        assertThat(replay("labbox-snap", labbox(), PmoveSettings.QUAKE3)).isEqualTo(1334);
    }

    @Test
    void reproducesAggressorWithFractions() throws IOException {
        boolean there = Files.exists(PATCH);
        assumeTrue(
                there || "true".equals(System.getenv("WISHDIR_REQUIRE_PEERS")),
                "aggressor.bsp needs the Debian package openarena-088-data");
        byte[] map;
        try (ZipFile pk3 = new ZipFile(PATCH.toFile());
                InputStream in = pk3.getInputStream(pk3.getEntry("maps/aggressor.bsp"))) {
            map = in.readAllBytes();
        }
        BrushWorld world = Bsp46.read(map).world(RESTING);
        assertThat(replay("aggressor-float", world, PmoveSettings.OPENARENA)).isEqualTo(430);
    }

    private static BrushWorld labbox() throws IOException {
        return Bsp46.read(Quake3Captures.FILES.file("labbox.bsp").toArray()).world(Set.of());
    }

    private static int replay(String trace, BrushWorld world, PmoveSettings settings)
            throws IOException {
        List<JsonObject> lines =
                Files.readAllLines(Quake3Captures.FILES.path("trace-" + trace + ".trace.jsonl"))
                        .stream()
                        .map(line -> JsonParser.parseString(line).getAsJsonObject())
                        .toList();
        int checked = 0;
        for (int i = 2; i < lines.size(); i++) {
            JsonObject before = lines.get(i - 1).getAsJsonObject("state");
            JsonObject after = lines.get(i).getAsJsonObject("state");
            if (before.get("spawnCount").getAsInt() == 0
                    || before.get("gravity").getAsInt() != 800
                    || !same(before, after, "spawnCount", -1)
                    || !same(before, after, "pm_type", -1)
                    || !same(before, after, "eFlags", 4)) {
                continue;
            }
            PlayerBody state = state(before);
            state.gravity = after.get("gravity").getAsInt();
            state.speed = after.get("speed").getAsInt();
            for (var cmd : lines.get(i).getAsJsonArray("cmds")) {
                Pmove.move(state, usercmd(cmd.getAsJsonArray()), settings, world);
            }
            check(trace + " line " + (i + 1), state, after);
            checked++;
        }
        return checked;
    }

    private static boolean same(JsonObject before, JsonObject after, String key, int bits) {
        return ((before.get(key).getAsInt() ^ after.get(key).getAsInt()) & bits) == 0;
    }

    private static void check(String where, PlayerBody actual, JsonObject expected) {
        near(where + " origin", actual.origin, vector(expected, "origin"));
        near(where + " velocity", actual.velocity, vector(expected, "velocity"));
        near(
                where + " view",
                new Vec3f(actual.pitch, actual.yaw, actual.roll),
                vector(expected, "viewangles"));
        equal(where, expected, "commandTime", actual.commandTime);
        equal(where, expected, "pm_flags", actual.pmFlags);
        equal(where, expected, "pm_time", actual.pmTime);
        equal(where, expected, "groundEntityNum", actual.groundEntityNum);
        equal(where, expected, "viewheight", actual.viewheight);
        equal(where, expected, "movementDir", actual.movementDir);
        equal(where, expected, "bobCycle", actual.bobCycle);
        equal(where, expected, "legsAnim", actual.legsAnim);
        equal(where, expected, "legsTimer", actual.legsTimer);
        JsonArray events = expected.getAsJsonArray("events");
        if (events.get(0).getAsInt() != EV_ITEM_PICKUP
                && events.get(1).getAsInt() != EV_ITEM_PICKUP) {
            equal(where, expected, "eventSequence", actual.eventSequence);
            assertThat(actual.events)
                    .as(where + " events")
                    .containsExactly(events.get(0).getAsInt(), events.get(1).getAsInt());
        }
    }

    private static void equal(String where, JsonObject expected, String key, int actual) {
        assertThat(actual).as(where + " " + key).isEqualTo(expected.get(key).getAsInt());
    }

    private static void near(String where, Vec3f actual, Vec3f expected) {
        for (int axis = 0; axis < 3; axis++) {
            float value = axis == 0 ? actual.x() : axis == 1 ? actual.y() : actual.z();
            float wanted = axis == 0 ? expected.x() : axis == 1 ? expected.y() : expected.z();
            assertThat(value)
                    .as("%s %s %s", where, actual, expected)
                    .isCloseTo(wanted, within(EXACT));
        }
    }

    private static Vec3f vector(JsonObject state, String key) {
        JsonArray a = state.getAsJsonArray(key);
        return new Vec3f(a.get(0).getAsFloat(), a.get(1).getAsFloat(), a.get(2).getAsFloat());
    }

    private static Usercmd usercmd(JsonArray a) {
        int[] v = new int[a.size()];
        for (int i = 0; i < v.length; i++) {
            v[i] = a.get(i).getAsInt();
        }
        return new Usercmd(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    }

    private static PlayerBody state(JsonObject from) {
        PlayerBody s = new PlayerBody();
        s.commandTime = from.get("commandTime").getAsInt();
        s.origin = vector(from, "origin");
        s.health = from.get("health").getAsInt();
        s.velocity = vector(from, "velocity");
        for (int i = 0; i < 3; i++) {
            s.deltaAngles[i] = from.getAsJsonArray("delta_angles").get(i).getAsInt();
        }
        Vec3f view = vector(from, "viewangles");
        s.pitch = view.x();
        s.yaw = view.y();
        s.roll = view.z();
        s.pmType = from.get("pm_type").getAsInt();
        s.pmFlags = from.get("pm_flags").getAsInt();
        s.pmTime = from.get("pm_time").getAsInt();
        s.groundEntityNum = from.get("groundEntityNum").getAsInt();
        s.viewheight = from.get("viewheight").getAsInt();
        s.eFlags = from.get("eFlags").getAsInt();
        s.movementDir = from.get("movementDir").getAsInt();
        s.bobCycle = from.get("bobCycle").getAsInt();
        s.legsAnim = from.get("legsAnim").getAsInt();
        s.legsTimer = from.get("legsTimer").getAsInt();
        s.torsoAnim = from.get("torsoAnim").getAsInt();
        s.torsoTimer = from.get("torsoTimer").getAsInt();
        s.weapon = from.get("weapon").getAsInt();
        s.weaponstate = from.get("weaponstate").getAsInt();
        s.weaponTime = from.get("weaponTime").getAsInt();
        s.eventSequence = from.get("eventSequence").getAsInt();
        for (int i = 0; i < 2; i++) {
            s.events[i] = from.getAsJsonArray("events").get(i).getAsInt();
        }
        return s;
    }
}
