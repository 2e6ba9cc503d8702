package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.net.netty.NettyLoop;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** The built program serves a bot of each game over real sockets: the one process of mvn verify. */
@Timeout(180)
final class SmokeIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void servesFourGamesTheLiveMapAndMetrics(@TempDir Path directory) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--arena", "flat", "--web", "127.0.0.1:0"));
        FourGames.ALL.forEach(game -> arguments.addAll(List.of("--" + game.name(), "127.0.0.1:0")));
        try (Peer server = Peer.wishdirWithoutCache(directory, arguments.toArray(String[]::new));
                NettyLoop loop = new NettyLoop("smoke")) {
            String page = server.awaitLine("^Live map: ", SOON).substring("Live map: ".length());
            Map<String, Bot> bots = new LinkedHashMap<>();
            for (Game game : FourGames.ALL) {
                bots.put(game.name(), bot(loop, game, server));
            }
            bots.values().forEach(Bot::awaitJoined);
            awaitAllPairs("to see walking", bots, (bot, other) -> walks(bot, other, bots));
            bots.forEach((name, bot) -> bot.say("hello from " + name));
            awaitAllPairs(
                    "to hear",
                    bots,
                    (bot, other) ->
                            bot.heard.stream()
                                    .anyMatch(line -> line.endsWith("hello from " + other)));

            assertThat(get(page)).contains("<canvas");
            assertThat(get(page + "lib/three.module.min.js")).contains("three.core.min.js");
            assertThat(firstLivePicture(page)).contains(bots.keySet());
            // Players are sampled once a second.
            List<String> counted =
                    bots.keySet().stream()
                            .map(game -> "wishdir_players{game=\"" + game + "\"} 1.0")
                            .toList();
            Peer.await(
                    counted + " in the metrics",
                    SOON,
                    () -> counted.stream().allMatch(get(page + "metrics")::contains));

            server.terminate();
            bots.forEach((game, bot) ->
                    assertThat(bot.awaitEnded()).as(game).contains("server is shutting down"));
            assertThat(server.awaitExit(SOON)).as(String.join("\n", server.lines())).isZero();
        }
    }

    /** A bot that walks in a circle, under the name of its game. */
    private static Bot bot(NettyLoop loop, Game game, Peer server) {
        String port = server.awaitLine("^" + game.title() + ": players connect to .* port ", SOON);
        InetSocketAddress address =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(),
                        Integer.parseInt(port.substring(port.lastIndexOf(' ') + 1)));
        return new Bot(
                loop,
                game,
                address,
                game.name(),
                (now, _) -> PlayerInput.walk(now / 1e9 * 40 % 360, 45, 0));
    }

    /** Whether a bot has seen another one at two places, and the last where that one is. */
    private static boolean walks(Bot bot, String other, Map<String, Bot> bots) {
        List<Client.RemotePlayer> path =
                bot.path.stream().filter(seen -> seen.name().endsWith(other)).toList();
        return !path.isEmpty()
                && distance(path.getFirst(), path.getLast()) > 2
                && path.getLast()
                                .movement()
                                .position()
                                .distance(requireNonNull(bots.get(other)).movement().position())
                        < 3;
    }

    private static double distance(Client.RemotePlayer first, Client.RemotePlayer last) {
        return first.movement().position().distance(last.movement().position());
    }

    private static void awaitAllPairs(
            String what, Map<String, Bot> bots, BiPredicate<Bot, String> condition) {
        bots.forEach((name, bot) -> {
            Stream<String> others = bots.keySet().stream().filter(other -> !other.equals(name));
            others.forEach(other ->
                    Peer.await(
                            name + " " + what + " " + other + "; it has heard " + bot.heard,
                            SOON,
                            () -> condition.test(bot, other)));
        });
    }

    private String get(String where) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(where)).timeout(SOON).build();
        var answer = http.sendAsync(request, BodyHandlers.ofString()).join();
        assertThat(answer.statusCode()).as(where).isEqualTo(200);
        return answer.body();
    }

    /** The first message of the live map's socket, whose names are readable as they are. */
    private String firstLivePicture(String page) {
        CompletableFuture<String> picture = new CompletableFuture<>();
        WebSocket socket =
                http.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(page.replaceFirst("http", "ws") + "live"),
                                new WebSocket.Listener() {
                                    private final StringBuilder text = new StringBuilder();

                                    @Override
                                    public @Nullable CompletionStage<?> onBinary(
                                            WebSocket from, ByteBuffer part, boolean last) {
                                        text.append(StandardCharsets.ISO_8859_1.decode(part));
                                        if (last) {
                                            picture.complete(text.toString());
                                        }
                                        from.request(1);
                                        return null;
                                    }
                                })
                        .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                        .join();
        try {
            return picture.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
        } finally {
            socket.abort();
        }
    }
}
