package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.net.netty.NettyLoop;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Each order of an operator by each way in, on our server as its own process, about a player of
 * another game who comes from an address of his own: typed on its standard input, by the rcon of
 * XQF (a browser of servers of both Quakes), by the chat of our client of Sauerbraten, as commands
 * of npm's client of Bedrock.
 */
@Timeout(600)
class OperatorCommandsIT {
    private static final String ADMIN = "orchid";
    private static final String FAR = "127.0.7.7";
    private static final Path XQF = Path.of("/usr/games/xqf-rcon");
    private static final Duration SOON = Duration.ofMinutes(2);

    private final NettyLoop loop = new NettyLoop("orders");
    private final List<Peer> peers = new ArrayList<>();
    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol");
    @TempDir private @Nullable Path directory;
    private @Nullable Peer server;

    /** A way by which commands come, and the game of the player that they name. */
    enum Way {
        STANDARD_INPUT("quake3"),
        QUAKE2("sauerbraten"),
        QUAKE3("bedrock"),
        SAUERBRATEN("quake2"),
        BEDROCK("sauerbraten");

        final String victim;

        Way(String victim) {
            this.victim = victim;
        }
    }

    /** Who gives orders, and all that he has read. */
    private record Operator(Consumer<String> orders, Supplier<Collection<String>> read) {
        /** Gives an order and waits for its answer, which he has not read before. */
        void gives(String order, String... answers) {
            int before = read.get().size();
            orders.accept(order);
            for (String answer : answers) {
                Pattern pattern = Pattern.compile(answer);
                Peer.await(
                        order + " to be answered with " + answer + ": " + read.get(),
                        SOON,
                        () ->
                                read.get().stream()
                                        .skip(before)
                                        .anyMatch(line -> pattern.matcher(line).find()));
            }
        }
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
        loop.close();
    }

    private Peer server() {
        return Objects.requireNonNull(server);
    }

    private void serve() throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--config", "wishdir.conf", "--arena", "flat"));
        for (Game game : FourGames.ALL) {
            arguments.addAll(List.of("--" + game.name(), "127.0.0.1:0"));
        }
        Path here = Objects.requireNonNull(directory);
        Files.writeString(here.resolve("wishdir.conf"), "admin-password = " + ADMIN + "\n");
        Peer started = Peer.wishdir(here, arguments.toArray(String[]::new));
        peers.add(started);
        server = started;
        for (Game game : FourGames.ALL) {
            address(game.name());
        }
    }

    private static Game game(String name) {
        return FourGames.ALL.stream()
                .filter(game -> game.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private InetSocketAddress address(String game) {
        String title = Pattern.quote(game(game).title());
        String line = server().awaitLine("^" + title + ": players connect to ", SOON);
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)));
    }

    private Bot player(String game, String name, String password, String from) {
        return new Bot(
                new FaultInjectingDutyCycle(loop.cycle(), InetAddress.ofLiteral(from)),
                game(game),
                address(game),
                name,
                password,
                Map.of(),
                (_, _) -> PlayerInput.look(0, 0));
    }

    private Operator operator(Way way) throws IOException {
        return switch (way) {
            case STANDARD_INPUT -> new Operator(server()::type, server()::lines);
            case QUAKE2 -> rcon("quake2");
            case QUAKE3 -> rcon("quake3");
            case SAUERBRATEN -> {
                Bot boss = player("sauerbraten", "Boss", ADMIN, "127.0.0.1").awaitJoined();
                yield new Operator(order -> boss.say("#" + order), () -> boss.heard);
            }
            case BEDROCK -> bedrock();
        };
    }

    private Operator rcon(String game) throws IOException {
        Peer.need("xqf", XQF);
        Peer xqf =
                Peer.start(
                        Path.of("."),
                        Map.of("XQF_RCON_PASSWORD", ADMIN),
                        "stdbuf",
                        "-oL",
                        XQF.toString(),
                        "127.0.0.1",
                        String.valueOf(address(game).getPort()));
        peers.add(xqf);
        return new Operator(xqf::type, xqf::lines);
    }

    private Operator bedrock() throws IOException {
        Peer boss =
                npm.node(
                        "bedrock-any-client.mjs",
                        "127.0.0.1",
                        String.valueOf(address("bedrock").getPort()),
                        "Boss",
                        "--game",
                        "2193",
                        "--typed",
                        "--path",
                        "still",
                        "--ticks",
                        "1000000",
                        "--timeout",
                        "590000");
        boss.awaitLine("\"ev\":\"spawned\"", SOON);
        boss.type("/admin " + ADMIN);
        boss.awaitLine("\"completes\":\\[\"tell\",\"kick\",\"ban\",\"name\"]", SOON);
        return new Operator(order -> boss.type("/" + order), boss::lines);
    }

    /** What a player has read since it came, and of its end. */
    private static void reads(Bot bot, String text) {
        Pattern pattern = Pattern.compile(text);
        Peer.await(
                text + " to be read: " + bot.heard,
                SOON,
                () -> bot.heard.stream().anyMatch(line -> pattern.matcher(line).find()));
    }

    private void logs(String line) {
        server().awaitLine(line, SOON);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("each order by each way, on a player of another game")
    void runsEachCommandByEachWay(Way way) throws Exception {
        serve();
        Operator operator = operator(way);
        Bot vera = player(way.victim, "Vera", "", FAR).awaitJoined();

        operator.gives("help", "kick PLAYER \\[REASON]", "unban NUMBER", "quit");
        operator.gives("status", "map: flat", way.victim + " +" + FAR + ":\\d+ +Vera");
        operator.gives("say good evening", "Sent to all: good evening");
        if (!way.victim.equals("quake3")) {
            // Our client of that game passes on what players say, and no prints.
            reads(vera, "good evening");
        }
        operator.gives("name Vera Wera", "Vera is called Wera now");
        operator.gives("status", FAR + ":\\d+ +Wera");

        operator.gives("map hall", "All play hall");
        for (Game game : FourGames.ALL) {
            logs(game.name() + " plays hall");
        }
        assertThat(vera.ended).isNotDone();

        operator.gives("kick wer too loud", "Wera was kicked");
        assertThat(vera.awaitEnded()).startsWith("KICKED");
        reads(vera, "You were kicked: too loud");

        Bot again = player(way.victim, "Vera", "", FAR).awaitJoined();
        operator.gives("ban Vera 2h \"cheats all day\"", FAR + " \\(Vera\\) until");
        again.awaitEnded();
        reads(again, "You are banned until [-0-9]+ [:0-9]+ UTC: cheats all day");
        Bot refused = player(way.victim, "Vera", "", FAR);
        refused.awaitEnded();
        assertThat(refused.joined).isNotDone();
        reads(refused, "You are banned until [-0-9]+ [:0-9]+ UTC: cheats all day");
        operator.gives("bans", "1 " + FAR + " \\(Vera\\) until .*cheats all day");
        operator.gives("unban 1", "Unbanned: " + FAR);
        player(way.victim, "Vera", "", FAR).awaitJoined();

        operator.gives("password rosebud", "must enter this password");
        Bot nora = player("quake2", "Nora", "", FAR);
        nora.awaitEnded();
        assertThat(nora.joined).isNotDone();
        player(way.victim, "Rose", "rosebud", FAR).awaitJoined();
        operator.gives("password \"\"", "No password is required");

        operator.gives("ban " + FAR + " 1d rude", "Banned: " + FAR);
        operator.gives("quit");
        assertThat(server().awaitExit(SOON)).isZero();
        logs("kicked Wera .*: too loud");
        logs("set a new password");
        assertThat(server().lines()).noneMatch(line -> line.contains("rosebud"));

        serve();
        Bot kept = player(way.victim, "Vera", "", FAR);
        kept.awaitEnded();
        reads(kept, "You are banned until [-0-9]+ [:0-9]+ UTC: rude");
    }
}
