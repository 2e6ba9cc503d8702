package dev.wishdir.examples;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A bot that walks in a circle on a real server of any of the games, and prints what it sees. */
public final class WalkingBot implements ClientListener {
    static final List<Game> GAMES =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());

    private final Consumer<String> lines;
    private final CompletableFuture<String> end = new CompletableFuture<>();

    private WalkingBot(Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Joins a server.
     *
     * @param cycle the client's own
     * @param lines gets what happens, on the cycle's thread
     * @return why the client left, once it has
     */
    static CompletableFuture<String> join(
            Game game, DutyCycle cycle, InetSocketAddress server, Consumer<String> lines) {
        WalkingBot bot = new WalkingBot(lines);
        cycle.execute(() -> {
            try {
                game.connect(
                        ClientConfig.builder(cycle, server)
                                .name("walker")
                                .controller(
                                        (now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0))
                                .listener(bot)
                                .build());
            } catch (IOException | RuntimeException e) {
                bot.end.completeExceptionally(e);
            }
        });
        return bot.end;
    }

    @Override
    public void onJoined(Client self) {
        lines.accept("joined at " + self.movement().position());
    }

    @Override
    public void onAppeared(Client self, Client.RemotePlayer other) {
        lines.accept("sees " + other.name());
    }

    @Override
    public void onChat(Client self, String name, String text) {
        lines.accept(name + " says " + text);
    }

    @Override
    public void onEnded(Client self, EndReason ending, String reason) {
        end.complete(ending + ": " + reason);
    }

    /** GAME HOST [PORT]. */
    public static void main(String[] arguments) {
        Game game =
                GAMES.stream()
                        .filter(each -> each.name().equals(arguments[0]))
                        .findFirst()
                        .orElseThrow();
        int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : game.port();
        try (NettyLoop loop = new NettyLoop("bot")) {
            InetSocketAddress server = new InetSocketAddress(arguments[1], port);
            System.out.println(join(game, loop.cycle(), server, System.out::println).join());
        }
    }
}
