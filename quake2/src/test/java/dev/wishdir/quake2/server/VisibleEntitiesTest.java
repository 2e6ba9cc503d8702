package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.game.NoOpViewer;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class VisibleEntitiesTest {
    private final Arena arena = new Arena(Level.BOX, 8);
    private final PlayerEntityTable entityTable =
            new PlayerEntityTable(arena, new ConfigStrings(_ -> {}));
    private final VisibleEntities entities = new VisibleEntities(arena, entityTable, 1);

    private Player join(String name) {
        Player player = arena.join(0, "quake2", name, new NoOpViewer());
        arena.spawn(0, player.id(), Level.BOX.spawns().getFirst());
        return player;
    }

    @Test
    void areOnlyItsOwnWithoutAPlayer() {
        assertThat(entities.of(Optional.empty()).stream()).containsExactly(1);
    }

    @Test
    void followTheInterestSetAndTheSlots() {
        Player self = join("self");
        entityTable.enter(self, 0, "");
        Player other = join("other");
        arena.advance(0);
        assertThat(arena.visiblePlayers(self.id())).hasSize(1);
        assertThat(entities.of(Optional.of(self.id())).stream())
                .as("the other has no slot yet")
                .doesNotContain(5);
        entityTable.enter(other, 4, "");
        assertThat(entities.of(Optional.of(self.id())).stream()).containsExactly(1, 5);
        arena.leave(0, other.id(), LeaveReason.LEFT);
        assertThat(entities.of(Optional.of(self.id())).stream()).containsExactly(1);
    }
}
