package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.RelayScheduler;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Players of other servers and of recordings. */
class ArenaMirrorTest {
    private static final long SECOND = 1_000_000_000L;

    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30)));

    /** Counts what it is sent. */
    private static final class Eye implements Viewer {
        final List<ArenaEvent> events = new ArrayList<>();
        final List<Player> moved = new ArrayList<>();

        @Override
        public void onEvent(ArenaEvent event) {
            events.add(event);
        }

        @Override
        public void onMovement(List<Player> movers) {
            moved.addAll(movers);
        }
    }

    private final Arena arena = new Arena(LEVEL, 2);
    private final Eye eye = new Eye();
    private final ArenaPlayer anna = arena.join(0, "quake3", "anna", eye);

    private ArenaPlayer ghost(int number, String name) {
        return arena.mirror(0, new PlayerId(PlayerId.GHOST_NODE, number), "quake2", name);
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    @Test
    void takesNoPlaceAndIsNoSubscriber() {
        for (int i = 1; i <= 100; i++) {
            ghost(i, "ghost");
        }
        ArenaPlayer other = arena.mirror(0, new PlayerId(7, 12), "bedrock", "rob");
        assertThat(arena.isFull()).isFalse();
        assertThat(arena.playerCount()).isEqualTo(2);
        assertThat(arena.players()).hasSize(102);
        assertThat(arena.connectionStats()).containsOnlyKeys(anna.id());
        assertThat(arena.connectionInfo(other.id())).isEqualTo(ConnectionInfo.UNKNOWN);
        arena.join(0, "quake3", "bob", new Eye());
        assertThat(arena.isFull()).isTrue();
        assertThat(other.id()).hasToString("7:12");
        assertThat(other.visiblePlayers()).isEmpty();
        other.leave(0, LeaveReason.LEFT);
        assertThat(arena.playerCount()).isEqualTo(2);
        assertThat(arena.find(other.id())).isEmpty();
    }

    @Test
    void showsItsMovementWithItsNativeBytes() {
        ArenaPlayer ghost = ghost(1, "~bob");
        NativeMovement bytes = new NativeMovement.Stored("quake2/34", Bytes.wrap(new byte[] {1}));
        ghost.spawn(0, at(1));
        ghost.move(0, at(2), bytes);
        arena.advance(SECOND);
        assertThat(eye.events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Joined", "Spawned");
        assertThat(eye.moved)
                .singleElement()
                .satisfies(mover -> {
                    assertThat(mover.id()).isEqualTo(ghost.id());
                    assertThat(mover.isGhost()).isTrue();
                    assertThat(mover.movement()).isEqualTo(at(2));
                    assertThat(mover.nativeMovement()).isEqualTo(bytes);
                });
    }

    @Test
    void staysVisibleWithoutActivity() {
        ArenaPlayer ghost = ghost(1, "~bob");
        ghost.spawn(0, at(1));
        for (long now = 0; now <= 20 * SECOND; now += SECOND / 4) {
            anna.recordActivity(now);
            arena.advance(now);
        }
        assertThat(ghost.snapshot().spawned()).isTrue();
        assertThat(anna.visiblePlayers()).extracting(Player::id).containsExactly(ghost.id());
    }

    @Test
    void hasNoRateLimits() {
        ArenaPlayer ghost = ghost(1, "~bob");
        ghost.spawn(0, at(1));
        for (int i = 0; i < 50; i++) {
            assertThat(ghost.say(0, "line " + i)).isTrue();
            ghost.rename(0, "~bob" + i);
            ghost.performAction(0, PlayerAction.ATTACK);
            assertThat(ghost.allows(0, RateLimitedAction.LIFE, 1)).isTrue();
            assertThat(ghost.reportViolation(0, ViolationRule.DISTANCE, 9, 1, 0)).isTrue();
        }
        assertThat(ghost.name()).isEqualTo("~bob49");
        assertThat(eye.events.stream().filter(ArenaEvent.Chat.class::isInstance)).hasSize(50);
        assertThat(eye.events.stream().filter(ArenaEvent.ActionPerformed.class::isInstance))
                .hasSize(50);
        assertThat(eye.events.stream().filter(ArenaEvent.MovementViolation.class::isInstance))
                .isEmpty();
    }

    /** Each server sees both players' lines, and stops its own. */
    @Test
    void endsChatLoopsAcrossServers() {
        ArenaPlayer rob = arena.mirror(0, new PlayerId(7, 1), "quake2", "rob");
        int said = 0;
        for (int i = 0; i < 40; i++) {
            assertThat(rob.say(i * SECOND, "I have heard that you said this")).isTrue();
            said += anna.say(i * SECOND, "I have heard that you said this") ? 1 : 0;
        }
        assertThat(said).isBetween(4, 6);
    }

    @Test
    void doesNotLengthenTheRelayInterval() {
        for (int i = 1; i <= 900; i++) {
            ghost(i, "ghost " + i).spawn(0, at(i % 50));
        }
        ArenaPlayer ghost = arena.player(new PlayerId(PlayerId.GHOST_NODE, 1)).orElseThrow();
        ghost.move(SECOND, at(1), NativeMovement.Stored.NONE);
        arena.advance(SECOND);
        ghost.move(SECOND + 1, at(2), NativeMovement.Stored.NONE);
        assertThat(arena.advance(SECOND + 1))
                .isLessThanOrEqualTo(SECOND + 1 + RelayScheduler.MIN_INTERVAL_NANOS);
    }

    @Test
    void relaysOnlyWhatAViewerIsShown() {
        Arena crowded = new Arena(LEVEL, 2, 1);
        Eye sees = new Eye();
        ArenaPlayer own = crowded.join(0, "quake3", "anna", sees);
        ArenaPlayer near = crowded.mirror(0, new PlayerId(7, 1), "quake2", "near");
        ArenaPlayer far = crowded.mirror(0, new PlayerId(7, 2), "quake2", "far");
        near.spawn(0, at(1));
        far.spawn(0, at(40));
        crowded.advance(0);
        far.move(1, at(41), NativeMovement.Stored.NONE);
        assertThat(crowded.advance(1))
                .as("the next look at the distances")
                .isGreaterThan(SECOND / 4);
        near.move(2, at(2), NativeMovement.Stored.NONE);
        crowded.advance(2);
        assertThat(sees.moved).extracting(Player::id).containsExactly(near.id());
        own.leave(3, LeaveReason.LEFT);
        near.move(4, at(3), NativeMovement.Stored.NONE);
        assertThat(crowded.advance(4)).isGreaterThan(SECOND / 4);
    }

    @Test
    void makesItsNameUnique() {
        assertThat(ghost(1, "anna").name()).isNotEqualTo("anna");
        assertThat(ghost(2, "~anna").name()).isEqualTo("~anna");
        assertThat(ghost(3, "~anna").name()).isEqualTo("~anna(2)");
    }

    @Test
    void keepsItsNameAsPlayerOfAnotherServer() {
        ArenaPlayer other = arena.mirror(0, new PlayerId(7, 1), "quake2", "\u0007ANNA ");
        assertThat(other.name()).isEqualTo("ANNA");
        assertThat(other.namesakes()).containsExactly(anna);
        assertThat(anna.namesakes()).containsExactly(other);
        assertThat(other.namesakes("anna(2)")).isEmpty();
        anna.forceRename(0, anna.name());
        assertThat(anna.name()).isEqualTo("anna(2)");
        assertThat(other.namesakes()).isEmpty();
        assertThat(other.namesakes("Anna(2)")).containsExactly(anna);
        other.rename(0, "anna(2)");
        assertThat(other.name()).isEqualTo("anna(2)");
        assertThat(other.namesakes()).containsExactly(anna);
        other.leave(0, LeaveReason.SERVER_LOST);
        assertThat(anna.namesakes()).isEmpty();
        assertThat(other.namesakes()).isEmpty();
        anna.forceRename(0, "anna");
        assertThat(anna.name()).isEqualTo("anna");
        assertThat(arena.join(0, "bedrock", "anna(2)", new Eye()).name()).isEqualTo("anna(2)");
    }

    @Test
    void joinsAgainByTheSameId() {
        PlayerId id = new PlayerId(7, 1);
        ArenaPlayer before = arena.mirror(0, id, "quake2", "rob");
        before.spawn(0, at(1));
        before.leave(0, LeaveReason.SERVER_LOST);
        assertThat(LeaveReason.SERVER_LOST.code().isKick()).isFalse();
        ArenaPlayer after = arena.mirror(0, id, "quake2", "rob");
        after.spawn(0, at(2));
        before.despawn(0);
        assertThat(anna.visiblePlayers()).extracting(Player::id).containsExactly(id);
        assertThat(after.snapshot().movement()).isEqualTo(at(2));
    }

    @Test
    void countsAmongThePlayersOfTheServer() {
        assertThat(arena.maxPlayerCount()).isEqualTo(2);
        ghost(1, "~bob");
        assertThat(arena.maxPlayerCount()).isEqualTo(2);
        arena.mirror(0, new PlayerId(7, 1), "quake2", "rob");
        assertThat(arena.playerCount()).isEqualTo(2);
        assertThat(arena.maxPlayerCount()).as("one place is free").isEqualTo(3);
    }

    @Test
    void blocksNoSpawnPointAsGhostOnly() {
        ArenaPlayer ghost = ghost(1, "~bob");
        ghost.spawn(0, at(0));
        assertThat(anna.isFree(0, Vec3.ZERO)).isTrue();
        arena.mirror(0, new PlayerId(7, 1), "quake2", "rob").spawn(0, at(0));
        assertThat(anna.isFree(0, Vec3.ZERO)).isFalse();
        assertThat(arena.chooseSpawnPoint(0, List.of(Vec3.ZERO, new Vec3(9, 0, 0)))).isEqualTo(1);
    }

    @Test
    void reportsWhispersAndKicksToListeners() {
        List<ArenaEvent> observed = new ArrayList<>();
        arena.addListener(observed::add);
        ArenaPlayer rob = arena.mirror(0, new PlayerId(7, 1), "quake2", "rob");
        assertThat(anna.whisper(0, rob.id(), "psst")).isTrue();
        rob.kick(0, LeaveReason.of(LeaveReason.Code.BANNED));
        assertThat(observed)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Joined", "Whisper", "KickRequested");
        assertThat(anna.whisper(0, ghost(1, "~bob").id(), "psst")).isFalse();
    }

    @Test
    void refusesIdsOfThisServerAndIdsInUse() {
        ghost(1, "~bob");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ghost(1, "~rob"))
                .withMessage("cannot mirror player 1:1: its id is in use, or of this server");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arena.mirror(0, new PlayerId(0, 9), "quake2", "rob"));
        for (PlayerId wrong :
                List.of(
                        new PlayerId(-1, 9),
                        new PlayerId(PlayerId.MAX_NODE + 1, 9),
                        new PlayerId(7, 0))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> arena.mirror(0, wrong, "quake2", "rob"))
                    .withMessageContaining("its node must be from 1 to 1073741823");
        }
    }
}
