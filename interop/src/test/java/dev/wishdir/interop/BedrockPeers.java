package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Vec3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Sessions between our Bedrock and an independent program, the same over each transport. */
final class BedrockPeers {
    static final Duration SOON = Duration.ofMinutes(2);

    /** How a bot walks that others are to see. */
    static final PlayerInput WALK = new PlayerInput(45, 10, 0.3, 0, false, false);

    private BedrockPeers() {}

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts an independent server and waits until it listens. */
    static Peer serve(Npm npm, List<String> command) throws IOException {
        Peer server = npm.node(command.toArray(String[]::new));
        server.awaitLine("\"ev\":\"listening\"", SOON);
        return server;
    }

    /**
     * Ann, an independent client, and a bot of another game talk on our server and see each other
     * until Ann leaves.
     *
     * @return where Ann was when the bot saw her first
     */
    static Vec3 visit(TwoGames server, Bot bot, Peer ann) throws InterruptedException {
        ann.awaitLine("\"ev\":\"spawned\"", SOON);
        Peer.await(
                "the bot sees Ann",
                SOON,
                () -> bot.others.values().stream().anyMatch(o -> o.name().equals("[B]Ann")));
        Vec3 began = server.position("Ann");
        Vec3 before = server.position("Bot");
        bot.say("good day");
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        Peer.await("her words", SOON, () -> bot.heard.contains("[B]Ann: hello arena"));
        assertThat(ann.lines()).anyMatch(line -> line.contains("good day"));
        assertThat(Npm.events(ann, "recv", "add_player"))
                .extracting(line -> line.get("username").getAsString())
                .containsExactly("[S] Bot");
        List<JsonObject> moves = Npm.events(ann, "recv", "move_player");
        assertThat(moves).isNotEmpty();
        Vec3 seen = Npm.position(moves.getLast().getAsJsonObject("position"));
        Vec3 there = server.position("Bot");
        // It walks slowly to the east, also after she has seen it last.
        assertThat(seen.x()).isBetween(before.x() - 0.1, there.x() + 0.1);
        assertThat(seen.y()).isCloseTo(there.z() + 1.62, within(0.1));
        assertThat(seen.z()).isCloseTo(-there.y(), within(0.1));
        Peer.await("Ann has left", SOON, () -> server.names().equals(List.of("Bot")));
        server.droppedNothing();
        return began;
    }

    /**
     * Two of our bots on an independent server: the watcher sees and hears the walker, which is
     * teleported and leaves.
     *
     * @param commands of the server, which the walker says before it is teleported
     */
    static void walk(Peer server, Bot watcher, Bot walker, String... commands) {
        Peer.await(
                "the watcher sees the walker where it is",
                SOON,
                () ->
                        watcher.others.values().stream()
                                .anyMatch(o ->
                                        o.name().equals("Walker")
                                                && o.movement().yaw() > 44
                                                && o.movement()
                                                                .position()
                                                                .distance(
                                                                        walker.movement()
                                                                                .position())
                                                        < 1));
        walker.say("good day");
        Peer.await("chat", SOON, () -> watcher.heard.contains("Walker: good day"));
        for (String command : commands) {
            walker.say(command);
        }
        walker.say("!tp 10 5 10");
        Peer.await(
                "the walker is teleported",
                SOON,
                () -> walker.movement().position().distance(new Vec3(10, -10, 5)) < 6);
        walker.leave();
        server.awaitLine("\"ev\":\"quit\",\"name\":\"Walker\"", SOON);
        Peer.await("it is gone", SOON, watcher.others::isEmpty);
        assertThat(Npm.events(server, "leftover", "")).isEmpty();
        assertThat(Npm.events(server, "error", "")).isEmpty();
        assertThat(watcher.ended).isNotDone();
    }
}
