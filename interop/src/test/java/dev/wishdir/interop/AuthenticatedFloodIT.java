package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Attacks by those who have joined: what each row does in a message's form is tested in its game.
 */
@Timeout(600)
class AuthenticatedFloodIT extends FloodHarness {
    private static final List<Game> ALL =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());
    private static final int EACH = 12;

    private final NettyLoop loop = new NettyLoop("attackers");
    private final List<FaultInjectingDutyCycle> cycles = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final Queue<String> endings = new ConcurrentLinkedQueue<>();

    @AfterEach
    void leave() {
        loop.close();
    }

    /**
     * Players of all games, one of each game at a time and from one /24, as what new sessions of a
     * /24 may cost is limited.
     */
    private void join() throws Exception {
        for (int i = 0; i < EACH; i++) {
            CountDownLatch joined = new CountDownLatch(ALL.size());
            for (Game game : ALL) {
                join(game, "s" + cycles.size(), "127.3." + i + "." + (1 + cycles.size()), joined);
            }
            assertThat(joined.await(SOON.toSeconds(), TimeUnit.SECONDS))
                    .as("%d are not in: %s", joined.getCount(), endings)
                    .isTrue();
        }
    }

    private void join(Game game, String name, String from, CountDownLatch joined) {
        FaultInjectingDutyCycle cycle =
                new FaultInjectingDutyCycle(loop.cycle(), InetAddress.ofLiteral(from));
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onJoined(Client self) {
                        joined.countDown();
                    }

                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        endings.add(name + " of " + game.name() + ": " + ending + " " + reason);
                    }
                };
        cycle.execute(() -> {
            try {
                clients.add(
                        game.connect(
                                ClientConfig.builder(cycle, address(game.name()))
                                        .name(name)
                                        .controller((now, _) ->
                                                PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0))
                                        .listener(listener)
                                        .random(random)
                                        .build()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        cycles.add(cycle);
    }

    @Test
    @DisplayName("G2, G3: a quarter of a hundred that stop acknowledging and go on sending")
    void survivesUnacknowledgingPlayers() throws Exception {
        join();
        cycles.forEach(FaultInjectingDutyCycle::deafen);
        attack("G2, G3", number -> chat(number));
    }

    /** One who can still be heard talks, at the pace that is allowed. */
    private void chat(int number) {
        if (number % 4_000 == 0) {
            int who = number / 4_000 % clients.size();
            cycles.get(who).execute(() -> clients.get(who).say("line " + number));
        }
    }

    /** One of each game: with more, two processors are too few for both sides. */
    private void echo() {
        for (FaultInjectingDutyCycle cycle : cycles.subList(0, ALL.size())) {
            cycle.execute(() -> cycle.repeat(200));
        }
    }

    @Test
    @DisplayName("G14, A8: a player of each game who sends each datagram two hundred times")
    void survivesEchoedDatagrams() throws Exception {
        join();
        attack(
                "G14",
                number -> {
                    if (number == 0) {
                        echo();
                    }
                    chat(number);
                });
    }

    @Test
    @DisplayName("G12: two hundred of each game from one address keep no other client out")
    void admitsOthersDuringConnectionsOfOneAddress() throws Exception {
        List<Peer> crowds = new ArrayList<>();
        try {
            attack(
                    "G12",
                    number -> {
                        if (number < GAMES.size()) {
                            String game = GAMES.get(number);
                            crowds.add(
                                    Peer.wishdir(
                                            directory,
                                            "load",
                                            game,
                                            "127.0.0.1:" + address(game).getPort(),
                                            "--clients",
                                            "200",
                                            "--from",
                                            "127.0.9.1"));
                        }
                    });
            for (Peer crowd : crowds) {
                crowd.awaitLine("address", SOON);
            }
        } finally {
            crowds.forEach(Peer::close);
        }
    }
}
