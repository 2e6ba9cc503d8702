package dev.wishdir.bedrock.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.server.BedrockHostileInputTest;
import dev.wishdir.bedrock.server.BedrockNetwork;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.bedrock.server.ScriptedClient;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where the server believes players to be, and what others see of those who lie. */
@Tag("slow")
class BedrockAuthorityTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    /** What a body may be ahead of its physics: the slack of a jump, and 2 s of lag. */
    private static final double AHEAD = 1.5 + 2 * BedrockBody.LIMITS.speed();

    private BedrockNetwork n = new BedrockNetwork(1);
    private ScriptedClient eve = new ScriptedClient(n, 7000);
    private final List<ArenaEvent.MovementViolation> verdicts = new ArrayList<>();
    private final Events bob = new Events();
    private Vec3 start = Vec3.ZERO;

    @BeforeEach
    void play() {
        start("server");
    }

    private void start(String authority) {
        n = new BedrockNetwork(1, Map.of("authority", authority), 20);
        eve = new ScriptedClient(n, 7000);
        eve.play("Eve");
        verdicts.clear();
        n.arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation violation) {
                verdicts.add(violation);
            }
        });
        n.join("Bob", BedrockNetwork.STILL, bob);
        n.network.run(3 * SECOND);
        bob.moved.clear();
        start = movement().position();
    }

    private MovePlayer told() {
        return BedrockMovement.toMessage(n.arena.players().getFirst(), 1);
    }

    private Movement movement() {
        return n.arena.players().iterator().next().movement();
    }

    /** Where Eve's client was sent. */
    private List<MovePlayer> puts() {
        return eve.all(MovePlayer.class).stream()
                .filter(move -> move.runtimeId() == eve.id())
                .toList();
    }

    private static PlayerAuthInput input(Vec3 feet, long bits) {
        return BedrockHostileInputTest.input(
                BedrockMotion.eyes(feet), Vec2f.ZERO, Vec3f.ZERO, bits, 1);
    }

    private static Vec3 east(Vec3 from, double metres) {
        return new Vec3(from.x() + metres, from.y(), from.z());
    }

    /** The greatest distance from her start at which any client saw Eve. */
    private void nobodySawHerPast(double metres) {
        assertThat(bob.moved)
                .allSatisfy(remote ->
                        assertThat(remote.movement().position().distance(start))
                                .isLessThan(metres));
        assertThat(movement().position().distance(start)).isLessThan(metres);
    }

    @Test
    @DisplayName("G11 the first movement leads nowhere else")
    void checksFirstMovement() {
        eve.send(input(east(start, 12), 0));
        n.network.run(SECOND);
        assertThat(movement().position()).isEqualTo(start);
        assertThat(bob.moved).isEmpty();
        assertThat(verdicts)
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.rule()).isEqualTo(ViolationRule.DISTANCE);
                    assertThat(violation.measured()).isGreaterThan(11.9);
                    assertThat(violation.allowed()).isLessThan(2);
                });
    }

    @Test
    @DisplayName("G11 a teleport is confirmed where it led, and nowhere else")
    void refusesFalseTeleportConfirmation() {
        eve.send(input(east(start, 12), 0));
        MovePlayer put = puts().getLast();
        assertThat(put.mode()).isEqualTo(MovePlayer.TELEPORT);
        assertThat(BedrockMotion.feet(put.position()).distance(start)).isLessThan(0.01);
        n.network.run(2 * SECOND);
        for (int i = 0; i < 40; i++) {
            eve.send(input(east(start, 12), Input.HANDLED_TELEPORT));
        }
        nobodySawHerPast(0.1);
        assertThat(verdicts)
                .anySatisfy(violation ->
                        assertThat(violation.rule()).isEqualTo(ViolationRule.TELEPORT_OFFSET));
        // It is sent again, every two seconds.
        assertThat(puts()).hasSizeBetween(3, 5);
        // Near it without saying so is the old way, still under way.
        eve.send(input(east(start, 0.3), 0));
        assertThat(movement().position()).isEqualTo(start);
        eve.send(input(east(start, 0.3), Input.HANDLED_TELEPORT));
        assertThat(movement().position().distance(start)).isGreaterThan(0.2);
        eve.send(input(east(start, 0.5), 0));
        assertThat(movement().position().distance(start)).isGreaterThan(0.4);
    }

    @Test
    @DisplayName("G11 a client that was put back twice confirms both, and is where it was put")
    void acceptsConfirmationOfEachTeleport() {
        eve.send(input(east(start, 12), 0));
        n.network.run(2 * SECOND);
        eve.send(input(east(start, 12), 0));
        assertThat(puts()).hasSize(2);
        verdicts.clear();
        eve.send(input(start, Input.HANDLED_TELEPORT));
        walkTo(east(start, 4));
        eve.send(input(start, Input.HANDLED_TELEPORT));
        assertThat(movement().position().distance(start)).isLessThan(0.01);
        assertThat(verdicts).isEmpty();
        assertThat(puts()).hasSize(2);
    }

    @Test
    @DisplayName("G11 a confirmation that a client kept back does not take it back")
    void refusesOldConfirmation() {
        eve.send(input(east(start, 12), 0));
        n.network.run(2 * SECOND);
        eve.send(input(east(start, 12), 0));
        verdicts.clear();
        eve.send(input(start, Input.HANDLED_TELEPORT));
        walkTo(east(start, 4));
        n.network.run(5 * SECOND);
        eve.send(input(start, Input.HANDLED_TELEPORT));
        assertThat(movement().position().distance(start)).isGreaterThan(3.9);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.4, 2.5})
    @DisplayName("G11 a steady speed that no body has ends in a standstill")
    void stopsImpossibleSteadySpeed(double times) {
        double speed = times * 7.13;
        Vec3 at = east(start, -25);
        walkTo(at);
        start = movement().position();
        bob.moved.clear();
        int ticks = 60;
        for (int i = 1; i <= ticks; i++) {
            tick(input(east(start, i * speed / 20), 0));
        }
        n.network.run(SECOND);
        nobodySawHerPast(Math.min(AHEAD + BedrockBody.LIMITS.speed() * ticks / 20, speed));
        assertThat(verdicts).isNotEmpty();
    }

    private void tick(PlayerAuthInput... inputs) {
        eve.cycle.execute(() -> {
            byte[] batch = eve.session.pack(inputs);
            if (eve.transport != null) {
                eve.transport.send(batch, 0, batch.length);
            }
        });
        n.network.run(SECOND / 20);
    }

    /** Goes somewhere as a body does. */
    private void walkTo(Vec3 to) {
        Vec3 from = movement().position();
        int ticks = (int) Math.ceil(from.distance(to) / 0.3);
        for (int i = 1; i <= ticks; i++) {
            tick(input(from.plus(to.minus(from).times((double) i / ticks)), 0));
        }
        n.network.run(SECOND / 10);
        assertThat(movement().position().distance(to)).isLessThan(0.01);
        assertThat(verdicts).isEmpty();
    }

    @Test
    @DisplayName("G11 who hovers is put down, and seen down")
    void putsDownHoveringPlayer() {
        for (int i = 1; i <= 40; i++) {
            tick(input(new Vec3(start.x(), start.y(), Math.min(1.2, i * 0.4)), 0));
        }
        n.network.run(SECOND);
        assertThat(verdicts)
                .anySatisfy(violation ->
                        assertThat(violation.rule()).isEqualTo(ViolationRule.AIR_TIME));
        assertThat(movement().position().z()).isZero();
        assertThat(bob.moved.getLast().movement().position().z()).isLessThan(0.01);
    }

    @Test
    @DisplayName("G11 who hovers and says so once a second is put down, too")
    void putsDownSlowlyReportingHoverer() {
        for (int i = 0; i < 6; i++) {
            eve.send(input(new Vec3(start.x(), start.y(), 1.2), 0));
            n.network.run(SECOND);
        }
        assertThat(verdicts).isNotEmpty();
        assertThat(movement().position().z()).isZero();
    }

    @Test
    @DisplayName("G11 angles come in the range that the game knows, honest ones to the bit")
    void normalisesAngles() {
        for (float angle : new float[] {1e30f, -1e30f, 3.4e38f, 725, -540.5f}) {
            bob.moved.clear();
            eve.send(
                    new MovePlayer(
                            eve.id(),
                            BedrockMotion.eyes(start),
                            new Vec2f(angle, angle),
                            angle,
                            0,
                            true,
                            0));
            n.network.run(2 * SECOND);
            MovePlayer told = told();
            assertThat(told.rotation().x()).isBetween(-90f, 90f);
            assertThat(told.rotation().y()).isBetween(-180f, 180f);
            assertThat(told.headYaw()).isBetween(-180f, 180f);
        }
        Vec2f odd = new Vec2f(-89.99999f, 179.99998f);
        eve.send(new MovePlayer(eve.id(), BedrockMotion.eyes(start), odd, -0f, 0, true, 0));
        MovePlayer told = told();
        assertThat(told.rotation()).isEqualTo(odd);
        assertThat(Float.floatToRawIntBits(told.headYaw())).isEqualTo(1 << 31);
    }

    @Test
    @DisplayName("G11 two hundred inputs a second lead no further than twenty")
    void limitsDistanceOfManyInputs() {
        walkTo(east(start, -25));
        start = movement().position();
        double each = 0.3;
        int sent = 0;
        for (int i = 0; i < 40; i++) {
            PlayerAuthInput[] burst = new PlayerAuthInput[10];
            for (int k = 0; k < burst.length; k++) {
                burst[k] = input(east(start, ++sent * each), 0);
            }
            tick(burst);
        }
        n.network.run(SECOND);
        nobodySawHerPast(AHEAD + 2 * BedrockBody.LIMITS.speed());
        assertThat(verdicts)
                .anySatisfy(violation ->
                        assertThat(violation.rule()).isEqualTo(ViolationRule.MOVEMENT_COUNT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "client"})
    @DisplayName("F4 a thousand teleports a second, far off, into walls and down: judged, not seen")
    void rejectsTeleportFlood(String authority) {
        start(authority);
        Vec3[] places = {
            east(start, 1e6),
            new Vec3(start.x(), start.y(), -1000),
            east(start, 32.5),
            new Vec3(1e6, 1e6, 1e6)
        };
        for (int i = 0; i < 2000; i++) {
            Vec3 to = places[i % places.length];
            eve.send(
                    authority.equals("server")
                            ? input(to, 0)
                            : new MovePlayer(
                                    eve.id(), BedrockMotion.eyes(to), Vec2f.ZERO, 0, 0, true, 0));
            n.network.run(SECOND / 1000);
            assertThat(n.arena.bounds().contains(movement().position())).isTrue();
            assertThat(n.arena.level().space().fits(movement().position(), 0.4, 1)).isTrue();
        }
        assertThat(verdicts).hasSizeBetween(1, 4);
        assertThat(bob.moved.size()).isLessThan(2 * 100);
    }

    @Test
    @DisplayName("G11 no velocity is passed on that no body has")
    void hidesImpossibleVelocity() {
        eve.send(
                BedrockHostileInputTest.input(
                        BedrockMotion.eyes(start), Vec2f.ZERO, new Vec3f(99, 99, 99), 0, 1));
        assertThat(movement().velocity().length()).isLessThan(20);
    }

    @Test
    @DisplayName("G11 a client that decides itself is reported, not put back")
    void reportsMovementUnderClientAuthority() {
        start("client");
        Vec3f to = BedrockMotion.eyes(east(start, -30));
        n.network.run(3 * SECOND);
        eve.send(new MovePlayer(eve.id(), to, Vec2f.ZERO, 0, 0, true, 0));
        eve.send(
                new MovePlayer(
                        eve.id(), BedrockMotion.eyes(east(start, 8)), Vec2f.ZERO, 0, 0, true, 0));
        assertThat(verdicts).hasSize(1);
        assertThat(movement().position().x()).isGreaterThan(start.x() + 7);
        assertThat(puts()).isEmpty();
        // No movement leads out of the arena.
        eve.send(
                new MovePlayer(
                        eve.id(), BedrockMotion.eyes(east(start, 500)), Vec2f.ZERO, 0, 0, true, 0));
        assertThat(n.arena.bounds().contains(movement().position())).isTrue();
    }

    @Test
    @DisplayName("G11 a client that pauses and catches up again and again gains no time")
    void grantsNoTimeForPauses() {
        for (int i = 0; i < 40; i++) {
            n.network.run(SECOND / 2);
            BedrockMessage[] burst = new BedrockMessage[20];
            for (int k = 0; k < burst.length; k++) {
                burst[k] =
                        BedrockHostileInputTest.input(
                                BedrockMotion.eyes(start), Vec2f.ZERO, Vec3f.ZERO, 0, 20L * i + k);
            }
            eve.send(burst);
        }
        assertThat(n.counters.get("bedrock.drop.moves"))
                .as("of 800 in 20 s, beyond 21 a second, 40 at once, and 10 s before")
                .isGreaterThanOrEqualTo(800 - 20 * 21 - 40 - 200);
    }

    /**
     * Jitter of 200 ms and losses hold inputs up; a walker, a jumper and a sneaker are believed.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void acceptsHonestMovementOnBadNetwork(long seed) {
        BedrockNetwork bad = new BedrockNetwork(seed);
        bad.network.conditions(new Conditions(0.05, 0.02, 40_000_000, 200_000_000));
        List<ArenaEvent> told = new ArrayList<>();
        bad.arena.addListener(told::add);
        for (int i = 0; i < 4; i++) {
            boolean jumps = i % 2 == 0;
            int phase = i;
            bad.join(
                    "Walker" + i,
                    (now, _) ->
                            new PlayerInput(
                                    now / 1e9 * 60 + phase * 90, 0, 1, 0, jumps, phase == 3),
                    new Events());
        }
        bad.network.run(60 * SECOND);
        assertThat(told).noneMatch(event -> event instanceof ArenaEvent.MovementViolation);
        assertThat(told).noneMatch(event -> event instanceof ArenaEvent.Left);
        assertThat(bad.counters.get("bedrock.drop.corrected")).isZero();
    }
}
