package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.PlayerSlots;
import dev.wishdir.quake3.server.view.RunningLevel;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class ClientConfigstringsTest {
    private static final int OWN = 0;

    private final Arena arena = new Arena(Level.BOX, 200);
    private final List<String> sent = new ArrayList<>();
    private int congestedAfter = Integer.MAX_VALUE;
    private final PlayerSlots slots = new PlayerSlots(OWN);
    private final ClientConfigstrings configstrings =
            new ClientConfigstrings(
                    OWN,
                    slots,
                    _ -> null,
                    new PlayerConfigstrings(arena, _ -> null, true),
                    new ClientConfigstrings.Commands() {
                        @Override
                        public boolean isCongested() {
                            return sent.size() >= congestedAfter;
                        }

                        @Override
                        public void command(String text) {
                            sent.add(text);
                        }
                    });
    private RunningLevel running;
    private int version;

    @BeforeEach
    void begin() throws IOException {
        EndpointContext context =
                EndpointContext.builder(
                                new SimulatedNetwork(1).cycle(),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                                arena)
                        .build();
        running =
                new RunningLevel(
                        context,
                        new Quake3MapCatalog(Optional.empty()).load(""),
                        "baseoa",
                        List.of());
        configstrings.joined(guest("self").id());
    }

    private ArenaPlayer guest(String name) {
        return arena.join(0, "bedrock", name, new NoOpViewer());
    }

    private Player add(String name) {
        Player other = guest(name).snapshot();
        configstrings.add(other.id());
        return other;
    }

    private void send() {
        configstrings.sendChanges("self", running);
    }

    private void assign(long now, Player... visible) {
        configstrings.assignSlots(now, List.of(visible), ++version);
    }

    @Test
    void sendsPlayersOnceTheyHaveSlots() {
        Player steve = add("Steve");
        assign(0, steve);
        int slot = configstrings.slot(steve.id());
        assertThat(configstrings.isKnown(slot)).isFalse();
        send();
        assertThat(configstrings.isKnown(slot)).isTrue();
        assertThat(sent).hasSize(2);
        assertThat(sent.getLast())
                .startsWith("cs " + (Configstrings.PLAYERS + slot) + " \"n\\[B] Steve\\t\\0\\");
        sent.clear();
        send();
        assertThat(sent).isEmpty();
    }

    @Test
    void sendsNewestValueAfterCongestion() {
        Player steve = add("Steve");
        assign(0, steve);
        congestedAfter = 0;
        send();
        assertThat(sent).isEmpty();
        arena.player(steve.id()).orElseThrow().rename(0, "Alex");
        configstrings.changed(steve.id());
        congestedAfter = Integer.MAX_VALUE;
        send();
        assertThat(sent).filteredOn(text -> text.contains("Steve")).isEmpty();
        assertThat(sent).filteredOn(text -> text.contains("Alex")).hasSize(1);
    }

    @Test
    void emptiesSlotOfPlayerThatHasLeft() {
        Player steve = add("Steve");
        assign(0, steve);
        int slot = configstrings.slot(steve.id());
        send();
        sent.clear();
        configstrings.remove(steve.id());
        send();
        assertThat(sent).containsExactly("cs " + (Configstrings.PLAYERS + slot) + " \"\"\n");
    }

    @Test
    void givesSlotOfInvisiblePlayerToVisibleOne() {
        for (int i = 0; i < 63; i++) {
            add("guest" + i);
        }
        assign(0);
        Player late = add("late");
        assign(0);
        assertThat(configstrings.slot(late.id())).as("none is free").isEqualTo(-1);
        for (int slot = 1; slot < 64; slot++) {
            slots.see(0, slot);
        }
        assign(1, late);
        assertThat(configstrings.slot(late.id())).as("all were in a snapshot").isEqualTo(-1);
        assign(300_000_000, late);
        assertThat(configstrings.slot(late.id())).isPositive();
    }

    @Test
    void knowsNoPlayerThatGamestateLacks() {
        Player steve = add("Steve");
        Player alex = add("Alex");
        assign(0, steve, alex);
        int kept = configstrings.slot(steve.id());
        configstrings.onGamestateSent(
                "self", Set.of(Configstrings.PLAYERS, Configstrings.PLAYERS + kept));
        assertThat(configstrings.isKnown(kept)).isTrue();
        assertThat(configstrings.isKnown(configstrings.slot(alex.id()))).isFalse();
        send();
        assertThat(sent).singleElement().asString().contains("Alex");
    }

    @Test
    void sendsRestartBehindItsConfigstrings() {
        configstrings.onGamestateSent("self", Set.of(Configstrings.PLAYERS));
        configstrings.restart();
        congestedAfter = 1;
        send();
        congestedAfter = Integer.MAX_VALUE;
        send();
        assertThat(sent).hasSize(3);
        assertThat(sent.getFirst()).startsWith("cs " + Configstrings.SYSTEMINFO);
        assertThat(sent.getLast()).isEqualTo("map_restart\n");
    }
}
