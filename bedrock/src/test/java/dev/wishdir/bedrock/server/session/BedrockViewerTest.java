package dev.wishdir.bedrock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.server.BedrockHostileInputTest;
import dev.wishdir.bedrock.server.BedrockNetwork;
import dev.wishdir.bedrock.server.ScriptedClient;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What players of this game see of each other, message by message. */
class BedrockViewerTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n = new BedrockNetwork(1, Map.of(), 5);
    private final ScriptedClient ann = new ScriptedClient(n, 7000);
    private final ScriptedClient bob = new ScriptedClient(n, 7001);

    @BeforeEach
    void play() {
        ann.play("Ann");
        bob.play("Bob");
        n.network.run(SECOND);
        bob.heard.clear();
    }

    private static Vec3f eyes(BedrockNetwork n) {
        return BedrockMotion.eyes(n.arena.players().iterator().next().movement().position());
    }

    private void input(long bits) {
        ann.send(BedrockHostileInputTest.input(eyes(n), Vec2f.ZERO, Vec3f.ZERO, bits, 1));
        n.network.run(SECOND / 2);
    }

    /** The flags and the height that Bob was sent last. */
    private List<Object> looks() {
        return bob.all(SetActorData.class).getLast().metadata().stream()
                .filter(look -> look.key() == Metadata.FLAGS || look.key() == Metadata.HEIGHT)
                .map(look -> look.value().plain())
                .toList();
    }

    private static final long STANDING =
            Metadata.CAN_SHOW_NAME
                    | Metadata.ALWAYS_SHOW_NAME
                    | Metadata.BREATHING
                    | Metadata.HAS_COLLISION
                    | Metadata.HAS_GRAVITY;

    @Test
    void showsSneakingAndSprintingOnce() {
        input(Input.START_SNEAKING | Input.SNEAKING);
        assertThat(looks()).containsExactly(STANDING | Metadata.SNEAKING, 1.5f);
        input(Input.SNEAKING);
        assertThat(bob.all(SetActorData.class)).hasSize(1);
        input(Input.STOP_SNEAKING);
        assertThat(looks()).containsExactly(STANDING, 1.8f);
        input(Input.START_SPRINTING | Input.SPRINTING);
        assertThat(looks()).containsExactly(STANDING | Metadata.SPRINTING, 1.8f);
        ScriptedClient late = new ScriptedClient(n, 7002);
        late.play("Carol");
        assertThat(late.all(AddPlayer.class))
                .filteredOn(added -> added.name().equals("Ann"))
                .singleElement()
                .satisfies(added ->
                        assertThat(added.metadata())
                                .contains(
                                        new Metadata(
                                                Metadata.FLAGS,
                                                new Metadata.OfLong(
                                                        STANDING | Metadata.SPRINTING))));
    }

    @Test
    void readsSameActionsOfClientAuthority() {
        for (int[] step : new int[][] {{11, 1}, {12, 0}, {9, 3}, {10, 0}}) {
            ann.send(new PlayerAction(1, step[0], BlockPos.ZERO, BlockPos.ZERO, 0));
            ann.send(new MovePlayer(1, eyes(n), Vec2f.ZERO, 0, 0, true, 0));
            n.network.run(SECOND / 2);
            assertThat(looks().getFirst()).isEqualTo(STANDING | (step[1] == 0 ? 0 : 1L << step[1]));
        }
    }

    @Test
    void turnsHeadSeparatelyAndShowsGround() {
        for (boolean onGround : new boolean[] {true, false}) {
            ann.send(new MovePlayer(1, eyes(n), new Vec2f(10, 20), 65, 0, onGround, 0));
            n.network.run(SECOND / 2);
            MovePlayer seen = bob.all(MovePlayer.class).getLast();
            assertThat(seen.runtimeId()).isEqualTo(1);
            assertThat(seen.rotation()).isEqualTo(new Vec2f(10, 20));
            assertThat(seen.headYaw()).isEqualTo(65);
            assertThat(seen.onGround()).isEqualTo(onGround);
            assertThat(seen.mode()).isEqualTo(MovePlayer.NORMAL);
        }
    }

    @Test
    void showsOnlyArmSwings() {
        ann.send(Animate.swing(1));
        n.network.run(SECOND / 2);
        assertThat(bob.all(Animate.class)).containsExactly(Animate.swing(1));
        assertThat(ann.all(Animate.class)).isEmpty();
        // Another's arm, waking up, rowing.
        ann.send(Animate.swing(2));
        ann.send(new Animate(3, 1, 0, 0, Optional.empty()));
        ann.send(new Animate(128, 1, 0, 0.5f, Optional.empty()));
        n.network.run(SECOND / 2);
        assertThat(bob.all(Animate.class)).hasSize(1);
        for (int i = 0; i < 20; i++) {
            Animate[] burst = new Animate[10];
            Arrays.fill(burst, Animate.swing(1));
            ann.send(burst);
        }
        assertThat(bob.all(Animate.class)).hasSizeBetween(90, 110);
    }

    @Test
    void putsDownHoveringPlayer() {
        Vec3f start = eyes(n);
        for (int i = 1; i < 40; i++) {
            ann.send(
                    BedrockHostileInputTest.input(
                            new Vec3f(start.x(), start.y() + i * 0.2f, start.z()),
                            Vec2f.ZERO,
                            Vec3f.ZERO,
                            0,
                            i));
        }
        assertThat(n.counters.get("bedrock.drop.corrected")).isPositive();
        assertThat(bob.all(MovePlayer.class))
                .allSatisfy(move -> assertThat(move.position().y()).isLessThan(1.62f + 1.95f));
        assertThat(eyes(n).y()).isLessThan(1.62f + 1.95f);
    }
}
