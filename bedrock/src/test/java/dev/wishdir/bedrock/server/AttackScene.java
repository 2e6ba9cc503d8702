package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseOnActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.BeforeEach;

import java.util.ArrayList;
import java.util.List;

/** A client and its victim in a match, in a room with a wall. */
abstract class AttackScene {
    static final double EAST = 0;
    static final double WEST = 180;

    /** Within reach to the east. */
    static final double NEAR = 2;

    /** Within reach to the west, but a wall stands from -2 to -1. */
    static final double BEYOND = -2.6;

    final List<ArenaEvent> events = new ArrayList<>();
    BedrockNetwork n;
    ScriptedClient mallory;
    ArenaPlayer victim;
    long tick = 1;

    /** A room with one spawn point in its middle and a wall west of it. */
    private static EndpointContext.Builder walled(EndpointContext.Builder serving) {
        String floor = "#".repeat(60) + "\n";
        String wall = ".".repeat(28) + "#" + ".".repeat(31) + "\n";
        try {
            return serving.blocks(
                    ArenaText.read(
                            "wishdir-arena 1\nname t\nsize 60 8 10\nground 1\nblock # stone\n"
                                    + "spawn 0 0 0 0\nlayer 0\n"
                                    + floor.repeat(8)
                                    + "layers 1-9\n"
                                    + wall.repeat(8)));
        } catch (MalformedArenaException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void serve() {
        n = BedrockNetwork.with(3, AttackScene::walled);
        n.arena.setMatchRules(FightNetwork.rounds(600, 5, 0));
        n.arena.addListener(events::add);
        mallory = new ScriptedClient(n, 7000);
        mallory.play("mallory");
        victim = foreign("victim");
        stand(NEAR);
        look(EAST);
        events.clear();
    }

    /** A player of another game, which the test moves. */
    ArenaPlayer foreign(String name) {
        ArenaPlayer joined = n.arena.join(n.network.now(), "other", name, new NoOpViewer());
        joined.combatant().beginLife(n.network.now(), new Vitals(1000, 0, 0), ArmourRule.EXACT);
        joined.spawn(n.network.now(), at(NEAR));
        n.network.run(SECOND / 2);
        return joined;
    }

    static Movement at(double x) {
        return new Movement(new Vec3(x, 0, 0), 0, 0, Vec3.ZERO, Stance.STANDING);
    }

    /** The victim stands at a place for as long as its path reaches back. */
    void stand(double x) {
        for (int i = 0; i < 15; i++) {
            victim.recordActivity(n.network.now());
            victim.move(n.network.now(), at(x), NativeMovement.Stored.NONE);
            n.network.run(SECOND / 20);
        }
    }

    Vec3f eyes() {
        return eyes(0);
    }

    static Vec3f eyes(double x) {
        return BedrockMotion.eyes(new Vec3(x, 0, 0));
    }

    PlayerAuthInput input(double yaw, int mode) {
        return input(0, yaw, mode);
    }

    PlayerAuthInput input(double x, double yaw, int mode) {
        float turn = BedrockMotion.yaw(yaw);
        return BedrockHostileInputTest.input(
                new Vec2f(0, turn), eyes(x), Vec2f.ZERO, Vec3f.ZERO, 0, mode, tick++);
    }

    /** Mallory looks into a direction for two ticks. */
    void look(double yaw) {
        mallory.send(input(yaw, 1));
        mallory.send(input(yaw, 1));
    }

    ItemStack sword() {
        return mallory.all(InventoryContent.class).getLast().items().getFirst();
    }

    long actor(String name) {
        return mallory.all(AddPlayer.class).stream()
                .filter(added -> added.name().endsWith(name))
                .toList()
                .getLast()
                .runtimeId();
    }

    InventoryTransaction blow(long target, Vec3f from) {
        return InventoryTransaction.of(
                new UseOnActor(target, UseOnActor.ATTACK, 0, sword(), from, Vec3f.ZERO));
    }

    InventoryTransaction blow() {
        return blow(actor("victim"), eyes());
    }

    void strike(double yaw, InventoryTransaction... blows) {
        List<BedrockMessage> messages = new ArrayList<>(List.of(blows));
        messages.add(input(yaw, 1));
        mallory.sendAll(messages);
    }

    List<ArenaEvent.Hit> hits() {
        return events.stream()
                .filter(ArenaEvent.Hit.class::isInstance)
                .map(ArenaEvent.Hit.class::cast)
                .toList();
    }

    List<ViolationRule> violations() {
        return events.stream()
                .filter(ArenaEvent.MovementViolation.class::isInstance)
                .map(it -> ((ArenaEvent.MovementViolation) it).rule())
                .toList();
    }

    long dropped(String reason) {
        return n.counters.get("bedrock.drop." + reason);
    }
}
