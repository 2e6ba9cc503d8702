package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.sauerbraten.SauerbratenGame;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One arena of ours for Bedrock and Sauerbraten. Any address may have any number of players:
 * libwebrtc sends from whichever of the machine it likes.
 */
final class TwoGames {
    private final NettyLoop loop;
    private final DutyCycle cycle;
    private final Arena arena = new Arena(Level.BOX, 40);
    private final Counters counters = new Counters();
    private final AddressLimits addressLimits =
            AddressLimits.trusting(List.of(AddressRange.parse("0.0.0.0/0")), 1);
    private final Endpoint bedrock;
    private final Endpoint sauerbraten;

    /**
     * @param options of Bedrock
     */
    TwoGames(NettyLoop loop, Map<String, String> options) {
        this.loop = loop;
        cycle = loop.cycle();
        cycle.execute(() -> cycle.add(arena::advance));
        bedrock = endpoint(new BedrockGame(), options);
        sauerbraten = endpoint(new SauerbratenGame(), Map.of());
    }

    private Endpoint endpoint(Game game, Map<String, String> options) {
        return Bot.on(
                cycle,
                () ->
                        game.serve(
                                EndpointContext.builder(
                                                cycle,
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(), 0),
                                                arena)
                                        .maxPlayers(60)
                                        .options(options)
                                        .adminPassword("boss")
                                        .addressLimits(addressLimits)
                                        .counters(counters)
                                        .random(new Random(1))
                                        .build()));
    }

    /** Where Bedrock listens. */
    String port() {
        return String.valueOf(bedrock.address().getPort());
    }

    /** A slow walker of Sauerbraten that has joined. */
    Bot walker() {
        Bot bot =
                new Bot(
                        loop,
                        new SauerbratenGame(),
                        sauerbraten.address(),
                        "Bot",
                        (_, _) -> new PlayerInput(0, 0, 0.02, 0, false, false));
        bot.awaitJoined();
        return bot;
    }

    Vec3 position(String name) {
        return Bot.on(
                cycle,
                () ->
                        arena.players().stream()
                                .filter(player -> player.name().equals(name))
                                .findFirst()
                                .orElseThrow()
                                .movement()
                                .position());
    }

    List<String> names() {
        return Bot.on(cycle, () -> arena.players().stream().map(Player::name).toList());
    }

    void droppedNothing() {
        for (String drop : List.of("corrected", "insane", "malformed", "unexpected", "login")) {
            assertThat(counters.get("bedrock.drop." + drop)).as(drop).isZero();
        }
    }

    void close() {
        Bot.on(
                cycle,
                () -> {
                    bedrock.close("over");
                    sauerbraten.close("over");
                    return true;
                });
    }
}
