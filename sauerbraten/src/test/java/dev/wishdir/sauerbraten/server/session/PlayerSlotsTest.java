package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class PlayerSlotsTest {
    private static final int LAST = ClientConnection.MAX_CLIENT_NUMBERS - 1;

    private final ForeignPlayers players =
            new ForeignPlayers(
                    new RunningLevel(new Arena(Level.BOX, 10), SauerbratenMotion.CENTERED));
    private final Set<Integer> taken = new HashSet<>();
    private final Set<PlayerId> visible = new HashSet<>();
    private final PlayerSlots numbers = new PlayerSlots(taken::contains, visible);

    private ForeignPlayer player(int number) {
        return players.findOrAdd(new PlayerId(0, number));
    }

    private void fill() {
        for (int i = 0; i <= LAST; i++) {
            assertThat(numbers.assign(player(i))).isEqualTo(LAST - i);
        }
    }

    @Test
    void assignsHighestNumberThatNoConnectionHas() {
        taken.add(LAST);
        ForeignPlayer player = player(1);
        assertThat(numbers.of(player)).isEqualTo(-1);
        assertThat(numbers.assign(player)).isEqualTo(LAST - 1);
        assertThat(numbers.of(player)).isEqualTo(LAST - 1);
        assertThat(numbers.player(LAST - 1)).isSameAs(player);
        assertThat(numbers.player(LAST)).isNull();
        assertThat(numbers.player(-1)).isNull();
        assertThat(numbers.player(LAST + 1)).isNull();
    }

    @Test
    void assignsReleasedNumberAgain() {
        ForeignPlayer first = player(1);
        numbers.assign(first);
        numbers.release(first);
        assertThat(numbers.of(first)).isEqualTo(-1);
        assertThat(numbers.assign(player(2))).isEqualTo(LAST);
    }

    @Test
    void reportsShortageOnce() {
        fill();
        assertThat(numbers.takeShortage()).isFalse();
        assertThat(numbers.assign(player(LAST + 1))).isEqualTo(-1);
        assertThat(numbers.takeShortage()).isTrue();
        assertThat(numbers.takeShortage()).isFalse();
    }

    @Test
    void takesNumberFromInvisiblePlayerForVisible() {
        fill();
        for (int i = 0; i <= LAST + 1; i++) {
            visible.add(new PlayerId(0, i));
        }
        visible.remove(new PlayerId(0, 40));
        assertThat(numbers.assign(player(LAST + 1))).isEqualTo(LAST - 40);
        assertThat(numbers.of(player(40))).isEqualTo(-1);
        assertThat(numbers.takeShortage()).isTrue();
        visible.add(new PlayerId(0, 40));
        assertThat(numbers.assign(player(40))).isEqualTo(-1);
    }
}
