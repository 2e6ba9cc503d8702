package dev.wishdir.quake3.server.session;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.map.TestMap;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Jump pads, teleporters and pits of a level, as a client meets them. */
class TriggersTest {
    private static final int EV_JUMP_PAD = 13;

    private final TestServer server = new TestServer();

    @TempDir private Path folder;

    private ScriptedClient join(TestMap map) throws IOException {
        server.serve(map.levels(folder), TestMap.NAME);
        return server.client().join("alpha");
    }

    private PlayerState own(ScriptedClient client) {
        return client.frame.player();
    }

    private static EntityState entity(ScriptedClient client, int number) {
        return Objects.requireNonNull(client.frame.entity(number));
    }

    private int lives(ScriptedClient client) {
        return own(client).get(PlayerArray.PERSISTANT, 4);
    }

    /** Walks ahead for a while, a command each 25 milliseconds. */
    private void walk(ScriptedClient client, int commands) {
        for (int i = 0; i < commands; i++) {
            client.walk(127);
            server.network.run(SECOND / 40);
        }
    }

    @Test
    void throwsPlayerByJumpPad() throws IOException {
        ScriptedClient client =
                join(
                        new TestMap("-200 0 32")
                                .trigger(
                                        "-64 -64 0",
                                        "0 64 16",
                                        "classname",
                                        "trigger_push",
                                        "target",
                                        "up")
                                .entity(
                                        "classname",
                                        "target_position",
                                        "targetname",
                                        "up",
                                        "origin",
                                        "218 0 208"));
        EntityState pad = entity(client, 64);
        assertThat(pad.get(EntityField.E_TYPE)).isEqualTo(8);
        assertThat(pad.get(EntityField.SOLID)).isEqualTo(0xFFFFFF);
        assertThat(pad.get(EntityField.MODELINDEX)).isEqualTo(1);
        // 200 units up take 0.7071 seconds, in which it flies 250 units ahead.
        assertThat(pad.real(EntityField.ORIGIN2_0)).isBetween(353.5f, 353.6f);
        assertThat(pad.real(EntityField.ORIGIN2_2)).isBetween(565.6f, 565.7f);
        int events = own(client).get(PlayerField.EVENT_SEQUENCE);
        float highest = 0;
        boolean heard = false;
        boolean named = false;
        for (int i = 0; i < 60; i++) {
            walk(client, 1);
            PlayerState own = own(client);
            highest = Math.max(highest, own.real(PlayerField.ORIGIN_2));
            named |= own.get(PlayerField.JUMPPAD_ENT) == 64;
            for (int e = events; e < own.get(PlayerField.EVENT_SEQUENCE); e++) {
                heard |=
                        own.get((e & 1) == 0 ? PlayerField.EVENTS_0 : PlayerField.EVENTS_1)
                                == EV_JUMP_PAD;
            }
        }
        // It is touched at the trigger's edge, 24 above the floor: 200 units above that.
        assertThat(highest).isBetween(215f, 235f);
        assertThat(heard).isTrue();
        assertThat(named).isTrue();
        assertThat(own(client).get(PlayerField.JUMPPAD_ENT)).isZero();
        assertThat(own(client).real(PlayerField.ORIGIN_0)).isGreaterThan(200);
    }

    @Test
    void movesPlayerByTeleporter() throws IOException {
        ScriptedClient client =
                join(
                        new TestMap("-200 0 32")
                                .trigger(
                                        "-64 -64 0",
                                        "0 64 64",
                                        "classname",
                                        "trigger_teleport",
                                        "target",
                                        "there")
                                .entity(
                                        "classname",
                                        "misc_teleporter_dest",
                                        "targetname",
                                        "there",
                                        "origin",
                                        "300 -300 100",
                                        "angle",
                                        "90"));
        ScriptedClient other = server.client().join("beta");
        client.walk(0);
        assertThat(entity(client, 64).get(EntityField.E_TYPE)).isEqualTo(9);
        int flags = own(client).get(PlayerField.E_FLAGS);
        for (int i = 0; i < 30 && own(client).real(PlayerField.ORIGIN_0) < 200; i++) {
            walk(client, 1);
        }
        PlayerState own = own(client);
        assertThat((own.get(PlayerField.E_FLAGS) ^ flags) & PlayerBody.EF_TELEPORT_BIT).isNotZero();
        assertThat(own.real(PlayerField.ORIGIN_0)).isEqualTo(300);
        assertThat(own.real(PlayerField.ORIGIN_1)).isBetween(-300f, -280f);
        assertThat(own.real(PlayerField.VELOCITY_1)).isBetween(380f, 400f);
        assertThat(own.real(PlayerField.VIEWANGLES_1)).isEqualTo(90);
        assertThat(own.get(PlayerField.PM_TIME)).isBetween(100, 160);
        server.network.run(SECOND / 10);
        EntityState seen = entity(other, client.clientNum);
        assertThat(seen.get(EntityField.E_FLAGS) & 4).isEqualTo(own.get(PlayerField.E_FLAGS) & 4);
        assertThat(seen.real(EntityField.POS_TR_BASE_0)).isEqualTo(300);
    }

    @Test
    void returnsPlayerFromPit() throws IOException {
        ScriptedClient client =
                join(
                        new TestMap("-200 0 32")
                                .trigger(
                                        "-64 -64 0",
                                        "0 64 64",
                                        "classname",
                                        "trigger_hurt",
                                        "dmg",
                                        "9999")
                                .trigger(
                                        "-140 -64 0",
                                        "-130 64 64",
                                        "classname",
                                        "trigger_hurt",
                                        "dmg",
                                        "10"));
        int lives = lives(client);
        float farthest = -200;
        for (int i = 0; i < 40 && lives(client) == lives; i++) {
            farthest = Math.max(farthest, own(client).real(PlayerField.ORIGIN_0));
            walk(client, 1);
        }
        assertThat(lives(client)).isEqualTo(lives + 1);
        assertThat(farthest).isBetween(-110f, -79f);
        assertThat(own(client).real(PlayerField.ORIGIN_0)).isBetween(-200f, -190f);
        assertThat(own(client).get(PlayerArray.STATS, 0)).isPositive();
    }
}
