package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;

/** Which players stop a client by its snapshots: all but those in whose body it is. */
class ForeignBodiesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void doesNotStopPlayerInsideBody() throws IOException {
        TestServer server = new TestServer();
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        ScriptedClient viewer = server.client().join("viewer");
        long now = server.network.now();
        ArenaPlayer guest = server.arena.join(now, "bedrock", "guest", new RecordingViewer());
        Player self = server.arena.players().getFirst();
        Vec3 here = self.movement().position();
        guest.spawn(now, Movement.at(here.plus(new Vec3(3, 0, 0)), 0));
        assertThat(solid(server, viewer)).isEqualTo(0x40180F);
        move(server, guest, here.plus(new Vec3(0.5, 0, 0)));
        assertThat(solid(server, viewer)).isZero();
        move(server, guest, here.plus(new Vec3(0, 1.1, 0)));
        assertThat(solid(server, viewer)).isEqualTo(0x40180F);
    }

    private static void move(TestServer server, ArenaPlayer who, Vec3 place) {
        Player player = who.snapshot();
        Movement there = Movement.at(place, 0);
        who.move(server.network.now(), there, player.nativeMovement());
    }

    /** What the only other is shown to be. */
    private static int solid(TestServer server, ScriptedClient viewer) {
        for (int i = 0; i < 50; i++) {
            viewer.walk(0);
            server.network.run(SECOND / 50);
        }
        EntityState other = requireNonNull(viewer.frame.entity(63));
        return other.get(EntityField.SOLID);
    }
}
