package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.NoOpViewer;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class VisibleEntitiesTest {
    private final Arena arena = new Arena(Level.BOX, 8);
    private final ConfigStrings strings = new ConfigStrings(_ -> {});
    private final PlayerEntityTable entityTable =
            new PlayerEntityTable(
                    arena,
                    strings,
                    new MissileEntities(),
                    new ItemEntities(arena.match().items()),
                    new FlagEntities(arena, strings));
    private final VisibleEntities entities = new VisibleEntities(entityTable, 1);

    private ArenaPlayer join(String name) {
        ArenaPlayer player = arena.join(0, "quake2", name, new NoOpViewer());
        player.spawn(0, Level.BOX.spawns().getFirst());
        return player;
    }

    @Test
    void areOnlyItsOwnWithoutAPlayer() {
        assertThat(entities.of(Optional.empty()).stream()).containsExactly(1);
    }

    @Test
    void followTheInterestSetAndTheSlots() {
        ArenaPlayer self = join("self");
        entityTable.enter(self.snapshot(), 0, "");
        ArenaPlayer other = join("other");
        arena.advance(0);
        assertThat(self.visiblePlayers()).hasSize(1);
        assertThat(entities.of(Optional.of(self)).stream())
                .as("the other has no slot yet")
                .doesNotContain(5);
        entityTable.enter(other.snapshot(), 4, "");
        assertThat(entities.of(Optional.of(self)).stream()).containsExactly(1, 5);
        other.leave(0, LeaveReason.LEFT);
        assertThat(entities.of(Optional.of(self)).stream()).containsExactly(1);
    }
}
