package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseOnActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a client may not do to others by its blows in a match. */
@Tag("slow")
class BedrockAttackAbuseTest extends AttackScene {
    @Test
    void countsHonestBlow() {
        strike(EAST, blow());
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(35);
                    assertThat(hit.means()).isEqualTo(DamageMeans.MELEE);
                    assertThat(hit.knockback().x()).isCloseTo(8, within(1e-6));
                    assertThat(hit.knockback().z()).isCloseTo(8, within(1e-6));
                });
        assertThat(violations()).isEmpty();
    }

    @Test
    void judgesBlowWithoutInputAfterAWhile() {
        mallory.send(blow());
        n.network.run(SECOND);
        assertThat(hits()).hasSize(1);
    }

    @Test
    @DisplayName("J1 blows faster than the cool-down do nothing, by the server's clock")
    void countsOneBlowEachHalfSecond() {
        for (int i = 0; i < 20; i++) {
            strike(EAST, blow(), blow());
        }
        assertThat(hits()).hasSizeBetween(4, 5);
        assertThat(dropped("attack-cool-down")).isGreaterThan(20);
    }

    @Test
    @DisplayName("J3 an item that the player does not hold hits as the fist, and is sent again")
    void usesItsOwnAccountOfItems() {
        ItemStack sword = sword();
        mallory.send(new MobEquipment(mallory.id(), ItemStack.AIR, 8, 8, 0));
        mallory.heard.clear();
        strike(
                EAST,
                InventoryTransaction.of(
                        new UseOnActor(
                                n.endpoint.identities().runtimeId(victim.id()),
                                UseOnActor.ATTACK,
                                0,
                                sword,
                                eyes(),
                                Vec3f.ZERO)));
        assertThat(hits()).singleElement().extracting(ArenaEvent.Hit::damage).isEqualTo(5.0);
        assertThat(mallory.all(InventorySlot.class))
                .containsExactly(sent(InventorySlot.of(0, 8, ItemStack.AIR)));
    }

    /** The slot as this version has it. */
    private InventorySlot sent(InventorySlot slot) {
        Writer writer = new Writer(64);
        mallory.codec.write(writer, slot);
        return (InventorySlot) mallory.codec.read(new Reader(writer.toBytes()));
    }

    @Test
    @DisplayName("J4 actors that do not exist, itself, and negative numbers are not hit")
    void ignoresUnknownActors() {
        for (long target : new long[] {0, -1, Long.MIN_VALUE, 1L << 40, mallory.id()}) {
            strike(EAST, blow(target, eyes()));
        }
        assertThat(hits()).isEmpty();
        assertThat(dropped("attack-unknown")).isEqualTo(5);
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J5 a blow from where the player is not hits nobody")
    void refusesBlowFromElsewhere() {
        n.network.run(2 * SECOND);
        strike(EAST, blow(actor("victim"), new Vec3f(20, 1.62f, 0)));
        n.network.run(2 * SECOND);
        strike(EAST, blow(actor("victim"), new Vec3f(Float.NaN, 1.62f, 0)));
        assertThat(hits()).isEmpty();
        assertThat(violations())
                .containsExactly(ViolationRule.SHOT_ORIGIN, ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName("J25 a blow from 8 m beside a body that is back at once hits nobody")
    void refusesBlowFromWhereABodyCannotComeBackFrom() {
        stand(10);
        n.network.run(2 * SECOND);
        List<BedrockMessage> burst = walk(1.8, 8, 0.37);
        burst.add(blow(actor("victim"), eyes(8)));
        burst.add(input(8, EAST, 1));
        burst.addAll(walk(8, 0, -0.37));
        mallory.sendAll(burst);
        n.network.run(SECOND / 20);
        stand(10);
        look(EAST);
        stand(10);
        look(EAST);
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName("J25 a player whose inputs the network holds up for a second hits whom it meets")
    void countsBlowOfARunnerWhoseInputsAreHeldUp() {
        stand(8);
        n.network.run(SECOND);
        List<BedrockMessage> burst = walk(0.3, 6, 0.3);
        burst.add(blow(actor("victim"), eyes(6)));
        burst.add(input(6, EAST, 1));
        mallory.sendAll(burst);
        for (int i = 0; i < 15; i++) {
            mallory.send(input(6, EAST, 1));
            n.network.run(SECOND / 20);
        }
        assertThat(hits()).hasSize(1);
        assertThat(violations()).isEmpty();
    }

    private List<BedrockMessage> walk(double from, double to, double step) {
        List<BedrockMessage> inputs = new ArrayList<>();
        for (double x = from; (to - x) * step > 0; x += step) {
            inputs.add(input(x, EAST, 1));
        }
        return inputs;
    }

    @Test
    @DisplayName("J7 a blow out of reach, aside, behind or through a wall hits nobody")
    void refusesBlowOutOfReach() {
        stand(4.5);
        n.network.run(2 * SECOND);
        strike(EAST, blow());
        n.network.run(2 * SECOND);
        stand(NEAR);
        look(90);
        strike(90, blow());
        n.network.run(2 * SECOND);
        look(WEST);
        strike(WEST, blow());
        n.network.run(2 * SECOND);
        stand(BEYOND);
        look(WEST);
        strike(WEST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations())
                .containsExactly(
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.SHOT_THROUGH_SOLID);
    }

    @Test
    @DisplayName(
            "J7 a click between two ticks has the body of the first and the view of the second")
    void countsBlowOfPlayerWhoIsPushedWhileItTurns() {
        stand(3.6);
        look(WEST);
        mallory.sendAll(List.of(blow(), input(-0.35, EAST, 1)));
        assertThat(hits()).hasSize(1);
        n.network.run(SECOND);
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J7 a victim that has been away for longer than its path is kept is not hit")
    void countsVictimWhereItWas() {
        victim.move(n.network.now(), at(10), NativeMovement.Stored.NONE);
        strike(EAST, blow());
        assertThat(hits()).as("it was here 100 ms ago").hasSize(1);
        stand(10);
        n.network.run(SECOND);
        strike(EAST, blow());
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J7 a victim's life before this one is not hit, which is no violation at first")
    void knowsThatClientsLearnLateOfNewLives() {
        n.network.run(2 * SECOND);
        victim.combatant().beginLife(n.network.now(), new Vitals(1000, 0, 0), ArmourRule.EXACT);
        victim.spawn(n.network.now(), at(10));
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(dropped("attack-late")).isEqualTo(1);
        n.network.run(2 * SECOND);
        stand(10);
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J7 a finger hits what is on the screen, and nothing behind the player")
    void countsTouchWithinTheView() {
        mallory.send(input(40, 2), input(40, 2));
        mallory.sendAll(List.of(blow(), input(40, 2)));
        assertThat(hits()).hasSize(1);
        n.network.run(SECOND);
        mallory.send(input(WEST, 2), input(WEST, 2));
        mallory.sendAll(List.of(blow(), input(WEST, 2)));
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J8 endless and odd numbers in a blow neither hurt nor push anybody more")
    void boundsNumbers() {
        mallory.sendAll(
                List.of(
                        InventoryTransaction.of(
                                new UseOnActor(
                                        actor("victim"),
                                        UseOnActor.ATTACK,
                                        Integer.MAX_VALUE,
                                        new ItemStack(
                                                -1, 65_535, -1, Optional.of(-1), -1, Bytes.EMPTY),
                                        eyes(),
                                        new Vec3f(Float.NaN, Float.POSITIVE_INFINITY, 1e30f))),
                        input(EAST, 1)));
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(35);
                    assertThat(hit.knockback().length()).isCloseTo(8 * Math.sqrt(2), within(1e-6));
                });
    }

    @Test
    @DisplayName("J9 a dead body is not hit, which is no violation")
    void ignoresBlowsOnTheDead() {
        long target = actor("victim");
        victim.combatant().die(n.network.now());
        n.network.run(SECOND / 2);
        events.clear();
        strike(EAST, blow(target, eyes()));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J10 a dead player strikes nobody")
    void ignoresBlowsOfTheDead() {
        n.arena
                .player(n.arena.players().getFirst().id())
                .orElseThrow()
                .combatant()
                .die(n.network.now());
        n.network.run(SECOND / 2);
        events.clear();
        strike(EAST, blow());
        n.network.run(SECOND);
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(dropped("attack-dead")).isEqualTo(1);
    }

    @Test
    @DisplayName("J11 a flood of blows costs the attacker its connection")
    void kicksFlood() {
        InventoryTransaction blow = blow();
        for (int i = 0; i < 600 && !mallory.gone; i++) {
            strike(EAST, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow);
        }
        assertThat(mallory.gone).isTrue();
        assertThat(hits().size()).isLessThan(130);
    }

    @Test
    @DisplayName("J12 repeated wrong blows are kicked under --on-cheat kick, a few are not")
    void kicksRepeatedViolations() {
        n.arena.setCheatPolicy(CheatPolicy.KICK);
        for (int i = 0; i < 3; i++) {
            strike(WEST, blow());
            n.network.run(SECOND);
        }
        assertThat(mallory.gone).isFalse();
        for (int i = 0; i < 30 && !mallory.gone; i++) {
            strike(WEST, blow());
        }
        assertThat(mallory.kicked()).isTrue();
    }

    @Test
    @DisplayName("J18 a player of a game without fights is not hit, which is no violation")
    void ignoresPlayersWithoutLife() {
        victim.leave(n.network.now(), LeaveReason.LEFT);
        ArenaPlayer peaceful = n.arena.join(n.network.now(), "other", "peaceful", new NoOpViewer());
        peaceful.spawn(n.network.now(), at(NEAR));
        n.network.run(SECOND / 2);
        strike(EAST, blow(actor("peaceful"), eyes()));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J19 a pause of the match stops blows")
    void hitsNobodyInAPause() {
        n.arena.match().setPaused(n.network.now(), true);
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        n.arena.match().setPaused(n.network.now(), false);
        n.network.run(SECOND);
        strike(EAST, blow());
        assertThat(hits()).hasSize(1);
    }
}
