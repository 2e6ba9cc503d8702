package dev.wishdir.quake3.server.session;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.quake3.entity.SentTrajectory;
import dev.wishdir.quake3.map.TestMap;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Doors, lifts and the like of a level, as a client meets them. */
class MoversTest {
    private static final int STATIONARY = 0;
    private static final int LINEAR_STOP = 3;
    private static final int FIRST = 64;

    private final TestServer server = new TestServer();

    @TempDir private Path folder;

    private ScriptedClient join(TestMap map) throws IOException {
        server.serve(map.levels(folder), TestMap.NAME);
        return server.client().join("alpha");
    }

    private static EntityState entity(ScriptedClient client, int number) {
        return Objects.requireNonNull(client.frame.entity(number));
    }

    private static int way(ScriptedClient client, int number) {
        return entity(client, number).get(EntityField.POS_TR_TYPE);
    }

    private static float own(ScriptedClient client, PlayerField field) {
        return client.frame.player().real(field);
    }

    private static int ground(ScriptedClient client) {
        return client.frame.player().get(PlayerField.GROUND_ENTITY_NUM);
    }

    /** Gives commands for some seconds, twenty a second. */
    private void run(ScriptedClient client, double seconds, int forward) {
        for (int i = 0; i < seconds * 20; i++) {
            client.walk(forward);
            server.network.run(SECOND / 20);
        }
    }

    /** A wall across the room with a hole for a door. */
    private static TestMap corridor(String spawn) {
        return new TestMap(spawn)
                .solid("100 -512 0", "116 -64 512", "classname", "func_static")
                .solid("100 64 0", "116 512 512", "classname", "func_static");
    }

    @Test
    void opensDoorForPlayerAndClosesBehind() throws IOException {
        ScriptedClient client =
                join(
                        corridor("-300 0 32")
                                .solid(
                                        "100 -64 0",
                                        "116 64 128",
                                        "classname",
                                        "func_door",
                                        "angle",
                                        "-1",
                                        "speed",
                                        "400",
                                        "wait",
                                        "1"));
        int door = FIRST + 2;
        assertThat(entity(client, door).get(EntityField.E_TYPE)).isEqualTo(4);
        assertThat(entity(client, door).get(EntityField.SOLID)).isEqualTo(0xFFFFFF);
        assertThat(way(client, door)).isEqualTo(STATIONARY);
        for (int i = 0; i < 60 && way(client, door) == STATIONARY; i++) {
            run(client, 0.05, 127);
        }
        // It sees 120 units ahead.
        assertThat(own(client, PlayerField.ORIGIN_0)).isBetween(100 - 120 - 15 - 2f, 20f);
        EntityState opening = entity(client, door);
        assertThat(opening.get(EntityField.POS_TR_TYPE)).isEqualTo(LINEAR_STOP);
        assertThat(opening.real(EntityField.POS_TR_DELTA_2)).isCloseTo(400, within(2f));
        assertThat(opening.get(EntityField.POS_TR_DURATION)).isEqualTo((128 + 2 - 8) * 1000 / 400);
        run(client, 1.2, 127);
        assertThat(own(client, PlayerField.ORIGIN_0)).isGreaterThan(200);
        assertThat(entity(client, door).real(EntityField.POS_TR_BASE_2)).isEqualTo(122);
        run(client, 3, 127);
        assertThat(way(client, door)).isEqualTo(STATIONARY);
        assertThat(entity(client, door).real(EntityField.POS_TR_BASE_2)).isZero();
    }

    private static String hidden(ScriptedClient client) {
        return client.snapshots.getLast().areabits().hex();
    }

    @Test
    void hidesAreaBehindShutDoor() throws IOException {
        ScriptedClient client =
                join(
                        corridor("-300 0 32")
                                .part(108)
                                .solid(
                                        "100 -64 0",
                                        "116 64 128",
                                        "classname",
                                        "func_door",
                                        "angle",
                                        "-1",
                                        "wait",
                                        "1"));
        assertThat(hidden(client)).isEqualTo("fe");
        for (int i = 0; i < 60 && way(client, FIRST + 2) == STATIONARY; i++) {
            run(client, 0.05, 127);
        }
        assertThat(hidden(client)).isEqualTo("fc");
        run(client, 4, 127);
        assertThat(own(client, PlayerField.ORIGIN_0)).isGreaterThan(200);
        assertThat(hidden(client)).isEqualTo("fd");
    }

    @Test
    void opensNamedDoorByButton() throws IOException {
        ScriptedClient client =
                join(
                        corridor("40 0 32")
                                .solid(
                                        "100 -64 0",
                                        "116 0 128",
                                        "classname",
                                        "func_door",
                                        "angle",
                                        "270",
                                        "targetname",
                                        "gate",
                                        "team",
                                        "gate")
                                .solid(
                                        "100 0 0",
                                        "116 64 128",
                                        "classname",
                                        "func_door",
                                        "angle",
                                        "90",
                                        "team",
                                        "gate")
                                .solid(
                                        "-100 -64 0",
                                        "-80 64 64",
                                        "classname",
                                        "func_button",
                                        "angle",
                                        "180",
                                        "target",
                                        "later")
                                .entity(
                                        "classname", "target_delay",
                                        "targetname", "later",
                                        "target", "gate",
                                        "wait", "0.5"));
        run(client, 1, 127);
        assertThat(own(client, PlayerField.ORIGIN_0)).isCloseTo(100 - 15 - 0.125f, within(0.01f));
        assertThat(way(client, FIRST + 2)).isEqualTo(STATIONARY);
        for (int i = 0; i < 40 && way(client, FIRST + 4) == STATIONARY; i++) {
            run(client, 0.05, -127);
        }
        assertThat(entity(client, FIRST + 4).real(EntityField.POS_TR_DELTA_0)).isNegative();
        int pressed = entity(client, FIRST + 4).get(EntityField.POS_TR_TIME);
        for (int i = 0; i < 60 && way(client, FIRST + 2) == STATIONARY; i++) {
            run(client, 0.05, 0);
        }
        EntityState left = entity(client, FIRST + 2);
        EntityState right = entity(client, FIRST + 3);
        assertThat(right.get(EntityField.POS_TR_TIME)).isEqualTo(left.get(EntityField.POS_TR_TIME));
        int duration = entity(client, FIRST + 4).get(EntityField.POS_TR_DURATION);
        assertThat(left.get(EntityField.POS_TR_TIME) - pressed)
                .isBetween(duration + 500, duration + 560);
        assertThat(left.real(EntityField.POS_TR_DELTA_1)).isCloseTo(-400, within(2f));
        assertThat(right.real(EntityField.POS_TR_DELTA_1)).isCloseTo(400, within(2f));
    }

    @Test
    void liftsPlayerAndReturns() throws IOException {
        ScriptedClient client =
                join(
                        new TestMap("-200 0 32")
                                .solid(
                                        "-64 -64 184",
                                        "64 64 200",
                                        "classname",
                                        "func_plat",
                                        "height",
                                        "200",
                                        "speed",
                                        "200"));
        assertThat(entity(client, FIRST).real(EntityField.POS_TR_BASE_2)).isEqualTo(-200);
        run(client, 0.7, 127);
        float highest = 0;
        boolean rode = false;
        for (int i = 0; i < 40; i++) {
            run(client, 0.05, 0);
            highest = Math.max(highest, own(client, PlayerField.ORIGIN_2));
            rode |= ground(client) == FIRST;
        }
        assertThat(rode).isTrue();
        assertThat(highest).isCloseTo(200 + 24.125f, within(0.5f));
        // Who stays on it holds it up; who leaves lets it go.
        assertThat(entity(client, FIRST).real(EntityField.POS_TR_BASE_2)).isZero();
        run(client, 1.5, 127);
        assertThat(own(client, PlayerField.ORIGIN_0)).isGreaterThan(80);
        run(client, 3, 0);
        assertThat(entity(client, FIRST).real(EntityField.POS_TR_BASE_2)).isEqualTo(-200);
        assertThat(way(client, FIRST)).isEqualTo(STATIONARY);
    }

    @Test
    void reversesBlockedDoor() throws IOException {
        ScriptedClient client =
                join(
                        corridor("-300 0 32")
                                .solid(
                                        "100 -64 0",
                                        "116 64 128",
                                        "classname",
                                        "func_door",
                                        "angle",
                                        "-1",
                                        "wait",
                                        "0.2",
                                        "speed",
                                        "200",
                                        "targetname",
                                        "gate")
                                .trigger(
                                        "-100 -100 0",
                                        "-90 100 100",
                                        "classname",
                                        "trigger_multiple",
                                        "target",
                                        "gate",
                                        "wait",
                                        "-1"));
        int door = FIRST + 2;
        boolean closing = false;
        boolean back = false;
        for (int i = 0; i < 120; i++) {
            float x = own(client, PlayerField.ORIGIN_0);
            run(client, 0.05, x < 60 ? 127 : x < 100 ? 32 : 0);
            float speed = entity(client, door).real(EntityField.POS_TR_DELTA_2);
            closing |= way(client, door) == LINEAR_STOP && speed < 0;
            back |= closing && way(client, door) == LINEAR_STOP && speed > 0;
        }
        assertThat(closing).isTrue();
        assertThat(back).isTrue();
        assertThat(own(client, PlayerField.ORIGIN_0)).isBetween(85f, 131f);
        assertThat(own(client, PlayerField.ORIGIN_2)).isCloseTo(24.125f, within(0.01f));
    }

    @Test
    void carriesByTrainAndBobbingPlatform() throws IOException {
        ScriptedClient client =
                join(
                        new TestMap("0 0 64")
                                .solid(
                                        "-64 -64 0",
                                        "64 64 16",
                                        "classname",
                                        "func_train",
                                        "target",
                                        "a",
                                        "speed",
                                        "100")
                                .entity(
                                        "classname",
                                        "path_corner",
                                        "targetname",
                                        "a",
                                        "target",
                                        "b",
                                        "origin",
                                        "0 0 0")
                                .entity(
                                        "classname",
                                        "path_corner",
                                        "targetname",
                                        "b",
                                        "target",
                                        "a",
                                        "origin",
                                        "200 0 0",
                                        "wait",
                                        "1")
                                .solid(
                                        "-64 200 0",
                                        "64 300 16",
                                        "classname",
                                        "func_bobbing",
                                        "spawnflags",
                                        "1",
                                        "height",
                                        "50"));
        run(client, 0.2, 0);
        assertThat(ground(client)).isEqualTo(FIRST);
        EntityState train = entity(client, FIRST);
        assertThat(train.get(EntityField.POS_TR_TYPE)).isEqualTo(LINEAR_STOP);
        assertThat(train.get(EntityField.POS_TR_DURATION)).isEqualTo(2000);
        float apart =
                own(client, PlayerField.ORIGIN_0)
                        - SentTrajectory.at(train, client.frame.serverTime()).x();
        run(client, 0.5, 0);
        assertThat(entity(client, FIRST)).isEqualTo(train);
        assertThat(
                        own(client, PlayerField.ORIGIN_0)
                                - SentTrajectory.at(train, client.frame.serverTime()).x())
                .isCloseTo(apart, within(0.2f));
        for (int i = 0; i < 60 && way(client, FIRST) != STATIONARY; i++) {
            run(client, 0.05, 0);
        }
        assertThat(entity(client, FIRST).real(EntityField.POS_TR_BASE_0)).isEqualTo(200);
        assertThat(own(client, PlayerField.ORIGIN_0)).isCloseTo(200 + apart, within(0.2f));
        EntityState bobbing = entity(client, FIRST + 1);
        assertThat(bobbing.get(EntityField.POS_TR_TYPE)).isEqualTo(4);
        assertThat(bobbing.real(EntityField.POS_TR_DELTA_0)).isEqualTo(50);
        assertThat(SentTrajectory.at(bobbing, 1000).x()).isCloseTo(50, within(0.01f));
    }
}
