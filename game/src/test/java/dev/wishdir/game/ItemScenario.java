package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A headless client that sees items of an arena, takes them and sees them return, in virtual time.
 *
 * @param <C> the client of a game
 */
public abstract class ItemScenario<C extends Client> {
    protected static final long SECOND = 1_000_000_000L;
    protected static final PlacedItem MEGA_HEALTH =
            new PlacedItem(ItemKind.MEGA_HEALTH, new Vec3(0, 6, 0));
    protected static final PlacedItem HEALTH = new PlacedItem(ItemKind.HEALTH, new Vec3(9, 9, 0));
    protected static final PlacedItem LIGHT_ARMOUR =
            new PlacedItem(ItemKind.LIGHT_ARMOUR, new Vec3(3, 0, 0));
    private static final PlacedItem ROCKETS =
            new PlacedItem(ItemKind.WEAPON_ROCKET, new Vec3(-6, 0, 0));
    private static final PlacedItem QUAD = new PlacedItem(ItemKind.QUAD, new Vec3(-9, -9, 0));

    /** One for all methods, as it is compiled once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withItems(List.of(LIGHT_ARMOUR, MEGA_HEALTH, ROCKETS, HEALTH, QUAD));

    protected final SimulatedNetwork network = new SimulatedNetwork(4);
    protected final List<String> events = new ArrayList<>();
    protected Arena arena = new Arena(Level.BOX, 16);
    protected Vec3 target = new Vec3(20, -20, 0);

    /** Opens the game's endpoint. */
    protected abstract void open(EndpointContext.Builder context, BlockArena played)
            throws IOException;

    /** Connects the game's client. */
    protected abstract C connect(ClientConfig config) throws IOException;

    /** Asserts that the client shows the armour that it has just taken. */
    protected abstract void assertArmour(C client);

    /** Asserts that the client has the rocket launcher. */
    protected abstract void assertRockets(C client);

    protected final C serve() throws IOException {
        return serve(BLOCKS);
    }

    protected final C serve(BlockArena played) throws IOException {
        arena = new Arena(Level.of(played), 16);
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.ItemTaken taken) {
                events.add(taken.item().kind().toString());
            } else if (event instanceof ArenaEvent.ItemReturned returned) {
                events.add(returned.item().kind() + " returns");
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_910);
        open(
                EndpointContext.builder(cycle, address, arena)
                        .blocks(played)
                        .maxPlayers(16)
                        .random(new Random(9)),
                played);
        return connect(
                ClientConfig.builder(cycle, address)
                        .name("anna")
                        .controller((_, self) -> steer(self))
                        .listener(new ClientListener() {})
                        .random(new Random(2))
                        .build());
    }

    private PlayerInput steer(Movement self) {
        Vec3 way = target.minus(self.position());
        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
        return way.horizontal() > 0.3
                ? PlayerInput.walk(yaw, self.yaw(), 0)
                : PlayerInput.look(self.yaw(), 0);
    }

    protected final void walkTo(Vec3 place, int seconds) {
        target = place;
        network.run(seconds * SECOND);
    }

    /** Walks to an item until the first one is taken. */
    protected final void take(PlacedItem item) {
        target = item.place();
        for (int i = 0; i < 300 && events.isEmpty(); i++) {
            network.run(SECOND / 20);
        }
    }

    /** The only player. */
    protected final ArenaPlayer player() {
        return arena.player(arena.players().getFirst().id()).orElseThrow();
    }

    /** Walks to the quad damage, which is there later, until it is taken. */
    protected final C takeQuad() throws IOException {
        target = QUAD.place();
        C anna = serve();
        network.run(44 * SECOND);
        assertThat(events).doesNotContain("quad returns");
        assertThat(anna.items()).doesNotContain(QUAD.place());
        assertThat(network.runUntil(() -> events.contains("quad"), 5 * SECOND)).isTrue();
        return anna;
    }

    @Test
    protected void takesItemsThatVanishAndReturn() throws IOException {
        C anna = serve();
        network.run(10 * SECOND);
        assertThat(events).isEmpty();
        assertThat(anna.items())
                .containsExactlyInAnyOrder(
                        LIGHT_ARMOUR.place(), MEGA_HEALTH.place(), ROCKETS.place(), HEALTH.place());

        take(LIGHT_ARMOUR);
        network.run(SECOND / 2);
        assertThat(events).containsExactly("light-armour");
        assertArmour(anna);
        assertThat(anna.items()).doesNotContain(LIGHT_ARMOUR.place()).hasSize(3);

        walkTo(ROCKETS.place(), 4);
        assertThat(events).containsExactly("light-armour", "weapon-rocket");
        assertRockets(anna);

        network.run(17 * SECOND);
        assertThat(events).contains("light-armour returns", "weapon-rocket returns");
        assertThat(anna.items()).contains(LIGHT_ARMOUR.place());
    }
}
