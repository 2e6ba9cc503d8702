package dev.wishdir.quake2.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What a client reports of the players in its frames. */
class ClientViewTest {
    private static final Client NOBODY =
            new Client() {
                @Override
                public boolean joined() {
                    return true;
                }

                @Override
                public long id() {
                    return 0;
                }

                @Override
                public Movement movement() {
                    return Movement.ORIGIN;
                }

                @Override
                public Collection<RemotePlayer> others() {
                    return List.of();
                }

                @Override
                public void say(String text) {}

                @Override
                public void close() {}
            };

    private final List<String> told = new ArrayList<>();
    private final ClientView view =
            new ClientView(
                    NOBODY,
                    new ClientListener() {
                        @Override
                        public void onAppeared(Client self, Client.RemotePlayer other) {
                            told.add("+" + other.name());
                        }

                        @Override
                        public void onVanished(Client self, Client.RemotePlayer other) {
                            told.add("-" + other.name());
                        }

                        @Override
                        public void onMoved(Client self, long now, Client.RemotePlayer other) {
                            told.add(
                                    other.name()
                                            + (other.movement().velocity().length() == 0
                                                    ? " stands"
                                                    : " walks"));
                        }
                    });

    private int frame;

    @BeforeEach
    void begin() {
        view.start(0);
        for (int slot = 0; slot < 8; slot++) {
            view.onConfigString(ConfigString.SKINS + slot, "p" + slot + "\\male/grunt");
        }
    }

    private static EntityState player(int id, int x) {
        Triple origin = new Triple(x, 0, 0);
        return new EntityState(
                EntityState.PLAYER_MODEL,
                EntityState.PLAYER_MODEL,
                0,
                0,
                0,
                id,
                0,
                0,
                origin,
                Triple.ZERO,
                origin,
                0,
                0,
                PlayerHulls.solid(false));
    }

    /** A whole frame with players of these ids, all at one place. */
    private List<String> shows(int x, int... ids) {
        told.clear();
        List<EntityDelta> entities =
                Arrays.stream(ids)
                        .mapToObj(id ->
                                EntityDelta.between(id + 1, EntityState.ZERO, player(id, x), true))
                        .toList();
        view.apply(
                new Frame(
                        ++frame,
                        -1,
                        0,
                        Bytes.EMPTY,
                        PlayerDelta.between(PlayerState.ZERO, PlayerState.ZERO),
                        entities));
        view.notifyListener(frame);
        return told;
    }

    private List<Long> ids() {
        return view.others().stream().map(Client.RemotePlayer::id).toList();
    }

    @Test
    void reportsAppearMoveStopAndLeaveOnce() {
        assertThat(shows(0, 2, 5)).containsExactly("+p2", "+p5");
        assertThat(shows(0, 2, 5)).isEmpty();
        assertThat(shows(80, 2, 3, 5)).containsExactly("p2 walks", "+p3", "p5 walks");
        assertThat(ids()).containsExactly(2L, 3L, 5L);
        assertThat(shows(80, 2, 3, 5)).isEmpty();
        assertThat(shows(80, 2, 3, 5)).containsExactly("p2 stands", "p5 stands");
        assertThat(shows(80, 3)).containsExactly("-p2", "-p5");
        assertThat(shows(80, 0, 3, 4)).as("not itself").containsExactly("+p4");
        assertThat(shows(80)).containsExactly("-p3", "-p4");
    }

    @Test
    void reportsPlayerWithLaterName() {
        view.onConfigString(ConfigString.SKINS + 4, "");
        assertThat(shows(0, 3, 4, 5)).containsExactly("+p3", "+p5");
        view.onConfigString(ConfigString.SKINS + 4, "late\\male/grunt");
        assertThat(shows(0, 3, 4, 5)).containsExactly("+late");
        assertThat(ids()).containsExactly(3L, 4L, 5L);
    }

    @Test
    void ignoresFrameOutOfOrder() {
        assertThat(shows(0, 5, 3, 5, 6)).containsExactly("+p5", "+p6");
        assertThat(shows(0, 5, 3, 5, 6)).isEmpty();
        assertThat(ids()).containsExactly(5L, 6L);
        assertThat(shows(0, 3, 5, 6)).containsExactly("+p3");
        assertThat(ids()).containsExactly(3L, 5L, 6L);
    }
}
