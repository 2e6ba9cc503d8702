package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Level;
import dev.wishdir.blocks.ArenaCatalog;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

class StageTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final SharedArena sharedArena =
            new SharedArena(
                    network.cycle(),
                    arena,
                    ArenaCatalog.FLAT,
                    List.of(ArenaCatalog.shipped("hall")));

    private record Plays(String game) implements SharedArena.Participant {
        @Override
        public SharedArena.PreparedMap prepare(BlockArena arena) {
            return _ -> {};
        }
    }

    private static List<String> announced(RecordingViewer viewer) {
        return viewer.told(ArenaEvent.Announcement.class).stream()
                .map(ArenaEvent.Announcement::text)
                .toList();
    }

    @Test
    @DisplayName("players of all games read at once that an arena is prepared, and when it begins")
    void notifiesPlayersOfPreparation() {
        List<RecordingViewer> viewers =
                FOUR.stream()
                        .map(game -> {
                            RecordingViewer viewer = new RecordingViewer();
                            arena.join(0, game, "of " + game, viewer);
                            sharedArena.enter(new Plays(game), _ -> {});
                            return viewer;
                        })
                        .toList();
        network.offloading(4 * SECOND);
        assertThat(sharedArena.change(0, "hall")).contains("as soon as its maps are ready");
        assertThat(viewers)
                .allSatisfy(viewer ->
                        assertThat(announced(viewer))
                                .containsExactly("Preparing the arena hall ..."));
        assertThat(sharedArena.change(0, "hall")).endsWith("0 of 4 games have it.");
        assertThat(sharedArena.blocks().name()).isEqualTo("flat");
        network.run(5 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(viewers)
                .allSatisfy(viewer ->
                        assertThat(announced(viewer))
                                .containsExactly(
                                        "Preparing the arena hall ...", "The arena hall starts."));
        sharedArena.change(6 * SECOND, "flat");
        assertThat(announced(viewers.getFirst())).as("nothing had to be made").hasSize(2);
    }

    private static final List<String> FOUR = List.of("sauerbraten", "quake2", "quake3", "bedrock");
}
