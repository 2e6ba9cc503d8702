package dev.wishdir.bedrock.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage.SpawnParticle;
import dev.wishdir.bedrock.message.WorldMessage.UpdateBlock;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.server.view.SessionFixture.FakeLine;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The flags of a match as one client is sent them. */
class FlagEntitiesTest {
    private static final long SECOND = 1_000_000_000;
    private static final Bounds ROOM = new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30));
    private static final Vec3 RED_HOME = new Vec3(-20, 0, 0);
    private static final Vec3 BLUE_HOME = new Vec3(20.5, 0.5, 0.5);

    private final Arena arena =
            new Arena(
                    new Level("test", ROOM, CollisionSpace.within(ROOM), List.of(), List.of())
                            .withBases(
                                    Optional.of(
                                            new FlagBases(
                                                    new FlagBases.Base(RED_HOME, List.of()),
                                                    new FlagBases.Base(BLUE_HOME, List.of())))),
                    8);
    private final FakeLine line = new SessionFixture().new FakeLine();
    private final List<PlayerId> carriers = new ArrayList<>();
    private boolean isCongested;
    private boolean isShown = true;
    private long now = 5 * SECOND;
    private FlagEntities flags;
    private ArenaPlayer anna;

    @BeforeEach
    void join() {
        arena.setMatchRules(MatchRules.of(MatchMode.CTF));
        anna = join("anna");
        join("bob");
        flags =
                new FlagEntities(
                        arena.match().flags(),
                        line.channel(),
                        () -> isCongested,
                        _ -> isShown,
                        carriers::add);
    }

    private ArenaPlayer join(String name) {
        ArenaPlayer player = arena.join(now, "quake3", name, new NoOpViewer());
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(0, 20, 0), 0));
        return player;
    }

    private void move(Vec3 to) {
        now += SECOND;
        arena.players()
                .forEach(player -> arena.player(player.id()).orElseThrow().recordActivity(now));
        anna.move(now, Movement.at(to, 0), NativeMovement.Stored.NONE);
    }

    private Vec3f last() {
        return line.all(AddItemActor.class).getLast().position();
    }

    @Test
    void putsBannersIntoBlocksOfBases() {
        flags.advance(now);
        assertThat(line.all(UpdateBlock.class))
                .extracting(UpdateBlock::position)
                .as("on a half block it stands above")
                .containsExactly(new BlockPos(-20, 0, 0), new BlockPos(20, 1, -1));
        flags.advance(now);
        assertThat(line.all(UpdateBlock.class)).hasSize(2);
        flags.onWorldChanged();
        flags.advance(now);
        assertThat(line.all(UpdateBlock.class)).hasSize(4);
    }

    @Test
    void followsCarrierWithoutBodyOnceASecond() {
        isShown = false;
        flags.advance(now);
        move(BLUE_HOME);
        flags.advance(now);
        assertThat(carriers).containsExactly(anna.id());
        assertThat(last()).isEqualTo(BedrockMotion.point(BLUE_HOME));
        move(new Vec3(15, 0, 0));
        flags.advance(now - SECOND / 2);
        assertThat(line.all(AddItemActor.class)).hasSize(1);
        flags.advance(now);
        assertThat(last()).isEqualTo(BedrockMotion.point(new Vec3(15, 0, 0)));
        assertThat(line.all(RemoveActor.class)).hasSize(1);
        assertThat(line.all(SpawnParticle.class)).isNotEmpty();
        isShown = true;
        flags.advance(now);
        assertThat(line.all(RemoveActor.class)).hasSize(2);
        assertThat(flags.carriedBy(anna.id())).isPresent();
    }

    @Test
    void waitsWhileConnectionIsCongested() {
        isCongested = true;
        assertThat(flags.advance(now)).isTrue();
        assertThat(line.sent()).isEmpty();
        isCongested = false;
        assertThat(flags.advance(now)).isFalse();
        assertThat(line.all(UpdateBlock.class)).hasSize(2);
    }
}
