package dev.wishdir.quake3.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.quake3.server.session.TestServer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A server that has been up for weeks: the level begins again before its clock ends. */
class Quake3UptimeTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final TestServer server = new TestServer();
    private final List<Vec3> walked = new ArrayList<>();

    private void serveUntil(long secondsBeforeEnd) throws IOException {
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        server.network.stepClock(RunningLevel.MAX_TIME_MILLIS * MILLI - secondsBeforeEnd * SECOND);
        server.arena.addListener(event -> {
            if (event instanceof ArenaEvent.Moved moved) {
                walked.add(moved.movement().position());
            }
        });
    }

    private double metres(long seconds) {
        walked.clear();
        server.network.run(seconds * SECOND);
        double sum = 0;
        for (int i = 1; i < walked.size(); i++) {
            sum += walked.get(i).minus(walked.get(i - 1)).length();
        }
        return sum;
    }

    @Test
    @DisplayName("A8 players walk on over the end of the level's clock, and newcomers join")
    void playsOnOverEndOfClock() throws IOException {
        serveUntil(10);
        Quake3Client walker =
                Quake3Client.connect(
                        ClientConfig.builder(server.network.cycle(), TestServer.ADDRESS)
                                .name("walker")
                                .controller(
                                        (now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0))
                                .listener(new ClientListener() {})
                                .random(new Random(1))
                                .build());
        assertThat(server.network.runUntil(walker::joined, 5 * SECOND)).isTrue();
        double before = metres(3);
        assertThat(before).isGreaterThan(20);
        server.network.run(8 * SECOND);
        assertThat(metres(3)).isBetween(0.9 * before, 1.1 * before);
        assertThat(walker.joined()).isTrue();
        Quake3Client newcomer = server.bot("newcomer");
        assertThat(server.network.runUntil(newcomer::joined, 5 * SECOND)).isTrue();
    }

    @Test
    @DisplayName("A8 no client is sent a time that is set back before it has the new level")
    void setsNoClockBackWithoutGamestate() throws IOException {
        serveUntil(5);
        ScriptedClient client = server.client().join("client");
        client.snapshots.clear();
        int had = client.serverId;
        for (int i = 0; i < 100; i++) {
            // It goes on in the level that it has, as one whose gamestate is still on its way.
            client.send(had, client.netchan.incoming(), client.codec.serverCommands().last());
            server.network.run(SECOND / 10);
        }
        assertThat(client.gamestates).isGreaterThan(1);
        assertThat(client.snapshots)
                .extracting(Snapshot::serverTime)
                .isSorted()
                .allMatch(time -> time > RunningLevel.MAX_TIME_MILLIS - 10_000);
        client.walk(0);
        server.network.run(SECOND / 2);
        assertThat(client.serverTime()).isBetween(5_000, 60_000);
    }
}
