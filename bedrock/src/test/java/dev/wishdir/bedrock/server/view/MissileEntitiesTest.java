package dev.wishdir.bedrock.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.message.ActorMessage.AddActor;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.game.TestMissiles;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class MissileEntitiesTest {
    private static final long TICK = BedrockMotion.TICK_NANOS;
    private static final Vec3 STILL = Vec3.ZERO;
    private static final Vec3 UP = new Vec3(0, 0, 0.01);

    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<BedrockMessage> sent = new ArrayList<>();
    private Vec3 eye = Vec3.ZERO;
    private boolean congested;
    private final MissileEntities actors =
            new MissileEntities(
                    arena.match(), new PlayerIdentities(1), sent::add, () -> congested, () -> eye);

    /** Missiles at x = 0, 1, 2 and so on, of as many players as that takes. */
    private List<Missile> launch(int count, Vec3 velocity) {
        return launch(count, velocity, DamageMeans.PISTOL);
    }

    private List<Missile> launch(int count, Vec3 velocity, DamageMeans means) {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        List<Missile> missiles = new ArrayList<>();
        ArenaPlayer owner = TestMissiles.shooter(arena, "quake9", "owner0");
        for (int x = 0; x < count; x++) {
            if (x > 0 && x % 50 == 0) {
                owner = TestMissiles.shooter(arena, "quake9", "owner" + x);
            }
            missiles.add(
                    TestMissiles.launch(
                            owner,
                            means,
                            new Vec3(x, 0, 0),
                            velocity,
                            TICK,
                            MissileRules.MAX_LIFETIME_NANOS));
        }
        return missiles;
    }

    /** Where the actors are that the client has, by what it was sent. */
    private Set<Integer> shown() {
        Map<Long, Integer> places = new HashMap<>();
        for (BedrockMessage message : sent) {
            if (message instanceof AddActor added) {
                places.put(
                        added.uniqueId(),
                        (int) Math.round(BedrockMotion.point(added.position()).x()));
            } else if (message instanceof RemoveActor removed) {
                assertThat(places.remove(removed.uniqueId())).isNotNull();
            }
        }
        return new HashSet<>(places.values());
    }

    private static Set<Integer> range(int from, int end) {
        return IntStream.range(from, end).boxed().collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({"PISTOL, snowball", "ROCKET, small_fireball", "GRENADE, egg", "BFG, fireball"})
    void showsMissilesOfOtherGamesAsItsOwn(DamageMeans means, String type) {
        launch(1, UP, means);
        actors.advance(0);
        assertThat(sent)
                .filteredOn(AddActor.class::isInstance)
                .extracting(message -> ((AddActor) message).type())
                .containsExactly("minecraft:" + type);
    }

    @Test
    void showsTheNearest() {
        launch(200, UP);
        assertThat(actors.advance(0)).isTrue();
        assertThat(shown()).isEqualTo(range(0, MissileEntities.MAX_SHOWN));
        eye = new Vec3(199, 0, 0);
        actors.advance(TICK);
        assertThat(shown()).as("not in each turn").isEqualTo(range(0, MissileEntities.MAX_SHOWN));
        actors.advance(2 * TICK);
        assertThat(shown()).contains(199, 100).doesNotContain(0, 50);
        assertThat(shown()).hasSize(MissileEntities.MAX_SHOWN);
    }

    /** Of players of a node with the number 2048 the runtime ids begin at 2 to the power of 44. */
    @Test
    void idsOfMissilesAndItemsAreThoseOfNoPlayer() {
        launch(MissileEntities.MAX_SHOWN, UP);
        actors.advance(0);
        Set<Long> ids =
                sent.stream()
                        .filter(AddActor.class::isInstance)
                        .map(message -> ((AddActor) message).runtimeId())
                        .collect(Collectors.toSet());
        assertThat(ids).hasSize(MissileEntities.MAX_SHOWN);
        IntStream.range(0, 256).forEach(item -> ids.add(ItemEntities.id(item)));
        assertThat(ids).hasSize(MissileEntities.MAX_SHOWN + 256);
        PlayerIdentities identities = new PlayerIdentities(1);
        for (int bit = 0; bit < 30; bit++) {
            for (int near = Math.max(0, (1 << bit) - 1); near <= (1 << bit) + 1; near++) {
                for (int number = 1; number <= 300; number++) {
                    assertThat(ids)
                            .doesNotContain(identities.runtimeId(new PlayerId(near, number)));
                }
            }
        }
    }

    @Test
    void keepsThoseAtTheSameDistance() {
        launch(MissileEntities.MAX_SHOWN + 1, UP);
        eye = new Vec3(64.1, 0, 0);
        actors.advance(0);
        sent.clear();
        for (int i = 1; i < 20; i++) {
            eye = new Vec3(63.9 + 0.2 * (i % 2), 0, 0);
            actors.advance(2L * i * TICK);
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void showsOthersWhenThereIsRoom() {
        List<Missile> missiles = launch(140, STILL);
        actors.advance(0);
        missiles.subList(0, 40).forEach(Missile::remove);
        actors.advance(TICK);
        assertThat(shown()).isEqualTo(range(40, 140));
    }

    @Test
    void sendsNothingWhileNothingChanges() {
        launch(20, STILL);
        actors.advance(0);
        sent.clear();
        for (int i = 1; i < 10; i++) {
            assertThat(actors.advance(2L * i * TICK)).as("no turn is needed").isFalse();
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void movesEachHundredMilliseconds() {
        launch(2, UP);
        actors.advance(0);
        for (int i = 1; i <= 8; i++) {
            arena.advance(i * TICK);
            actors.advance(i * TICK);
        }
        assertThat(sent).filteredOn(MoveActorAbsolute.class::isInstance).hasSize(8);
    }

    @Test
    void waitsWhileTheConnectionIsCongested() {
        launch(20, STILL);
        congested = true;
        assertThat(actors.advance(0)).isTrue();
        assertThat(sent).isEmpty();
        congested = false;
        actors.advance(TICK);
        assertThat(shown()).isEqualTo(range(0, 20));
    }
}
