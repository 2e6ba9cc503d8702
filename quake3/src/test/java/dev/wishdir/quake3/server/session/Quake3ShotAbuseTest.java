package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.Usercmd;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Usercmds that no genuine client sends in a fight. */
@Tag("slow")
class Quake3ShotAbuseTest {
    private static final long SECOND = 1_000_000_000L;

    private final TestServer server = new TestServer();
    private final List<ArenaEvent.Hit> hits = new ArrayList<>();
    private ScriptedClient client = server.client();
    private ArenaPlayer target = server.arena.join(0, "sauerbraten", "early", new NoOpViewer());

    @BeforeEach
    void serve() throws IOException {
        target.leave(0, LeaveReason.LEFT);
        server.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        server.arena.addListener(event -> {
            if (event instanceof ArenaEvent.Hit hit) {
                hits.add(hit);
            }
        });
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        client = server.client().join("client");
        long now = server.network.cycle().now();
        target = server.arena.join(now, "sauerbraten", "target", new NoOpViewer());
        target.combatant().beginLife(now, new Vitals(1e6, 0, 0), ArmourRule.EXACT);
        target.spawn(now, Movement.at(self().plus(new Vec3(2, 0, 0)), 0));
        server.network.run(SECOND / 5);
    }

    private Vec3 self() {
        return server.arena.players().stream()
                .filter(player -> player.name().equals("client"))
                .findFirst()
                .orElseThrow()
                .movement()
                .position();
    }

    /** Presses the trigger towards the target, which stands to the east. */
    private Usercmd shot(int time, int weapon) {
        int yaw = -client.frame.player().get(PlayerField.DELTA_ANGLES_1) & 0xFFFF;
        return new Usercmd(time, 0, yaw, 0, 0, 0, 0, Usercmd.ATTACK, weapon);
    }

    private void hold(double seconds, int weapon, int perSecond) {
        int steps = (int) (seconds * perSecond);
        for (int i = 0; i < steps; i++) {
            client.move(shot(client.serverTime() + i % 40 + 1, weapon));
            target.recordActivity(server.network.cycle().now());
            server.network.run(SECOND / perSecond);
        }
    }

    /** The trigger must be up once after a spawn. */
    private void release() {
        for (int i = 0; i < 10; i++) {
            client.move(new Usercmd(client.serverTime() + 1, 0, 0, 0, 0, 0, 0, 0, 2));
            server.network.run(SECOND / 20);
        }
    }

    @Test
    @DisplayName("J1 Quake III: usercmds with the trigger at any rate give the weapon's rate")
    void firesAtTheWeaponsRate() {
        release();
        hold(2, 2, 50);
        assertThat(hits.size()).isBetween(15, 21);
        hits.clear();
        hold(2, 2, 400);
        assertThat(hits.size()).as("400 usercmds a second").isLessThanOrEqualTo(22);
    }

    @Test
    @DisplayName("J2 Quake III: usercmds of the past and the far future do not fire more")
    void ignoresTimesOfThePastAndTheFuture() {
        release();
        for (int i = 0; i < 100; i++) {
            client.move(
                    shot(client.serverTime() - 5_000, 2),
                    shot(client.serverTime() + 1_000_000 + i, 2));
            server.network.run(SECOND / 50);
        }
        assertThat(hits.size()).isLessThanOrEqualTo(22);
    }

    @Test
    @DisplayName("J3 Quake III: weapons that a player does not have, and rounds that are gone")
    void firesOnlyItsWeaponsAndRounds() {
        release();
        for (int weapon : new int[] {0, 3, 7, 9, 11, 14, 31, 255}) {
            hold(0.5, weapon, 50);
            assertThat(client.frame.player().get(PlayerField.WEAPON)).isEqualTo(2);
        }
        hold(16, 2, 50);
        assertThat(hits).as("of 100 rounds").hasSizeLessThanOrEqualTo(100);
        assertThat(client.frame.player().get(PlayerArray.AMMO, 2)).isZero();
        int before = hits.size();
        hold(1, 2, 50);
        assertThat(hits).hasSize(before);
    }

    @Test
    @DisplayName("J10 Quake III: a dead player or a spectator does not fire")
    void theDeadDoNotFire() {
        release();
        client.say("kill");
        server.network.run(SECOND / 5);
        assertThat(client.frame.player().get(PlayerField.PM_TYPE)).isEqualTo(3);
        hits.clear();
        hold(1, 2, 50);
        assertThat(hits).isEmpty();
        hold(2, 2, 50);
        assertThat(client.frame.player().get(PlayerField.PM_TYPE)).as("respawned").isZero();
        assertThat(hits).as("the trigger is still held").isEmpty();
        client.say("team spectator");
        server.network.run(SECOND / 5);
        hold(1, 2, 50);
        assertThat(hits).isEmpty();
    }

    @Test
    @DisplayName("J7 Quake III: a shot through a wall or next to the victim hits nobody")
    void missesNextToTheVictim() {
        release();
        long now = server.network.cycle().now();
        target.teleport(now, Movement.at(self().plus(new Vec3(2, 3, 0)), 0));
        server.network.run(SECOND);
        hits.clear();
        hold(1, 2, 50);
        assertThat(hits).isEmpty();
    }
}
