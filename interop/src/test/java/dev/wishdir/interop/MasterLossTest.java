package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.server.SauerbratenEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What the operator reads of master servers: those of both Quakes, and one that comes and goes. */
class MasterLossTest {
    private static final long SECOND = 1_000_000_000;
    private static final InetSocketAddress MASTER = address("10.0.9.9", 28_787);

    private final Logger logger =
            (Logger) LoggerFactory.getLogger("dev.wishdir.sauerbraten.server.join");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final SimulatedNetwork network = new SimulatedNetwork(3);

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    /**
     * Runs a server for four hours.
     *
     * @param onRegister what the master does at a registration
     */
    private List<String> lines(Consumer<LineConnection> onRegister) throws IOException {
        network.serveLines(
                network.cycle(),
                MASTER,
                connection ->
                        new LineConnection.Listener() {
                            @Override
                            public void onConnected() {}

                            @Override
                            public void onLine(String line) {
                                onRegister.accept(connection);
                            }

                            @Override
                            public void onClosed(String reason) {}
                        });
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(dev.wishdir.arena.event.Level.BOX, 4);
        SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, address("10.0.0.1", 28_785), arena)
                        .options(Map.of(MasterServer.OPTION, "10.0.9.9"))
                        .random(new Random(1))
                        .build());
        network.run(4 * 3600 * SECOND);
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"quake2", "quake3"})
    void showsWhichMastersAnswered(String game) throws IOException {
        network.tap((_, from, to, data) -> {
            String text = new String(data, StandardCharsets.ISO_8859_1);
            if (to.getAddress().equals(MASTER.getAddress()) && text.contains("heartbeat")) {
                String answer = game.equals("quake2") ? "ack" : "getinfo x";
                network.inject(
                        to,
                        from,
                        ("\u00ff\u00ff\u00ff\u00ff" + answer)
                                .getBytes(StandardCharsets.ISO_8859_1));
            }
        });
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(dev.wishdir.arena.event.Level.BOX, 4);
        EndpointContext context =
                EndpointContext.builder(cycle, address("10.0.0.1", 20_000), arena)
                        .options(Map.of(MasterServer.OPTION, "10.0.9.9:1000,10.0.9.8:1000"))
                        .random(new Random(1))
                        .build();
        FourGames.game(game).serve(context);
        network.run(SECOND);
        OperatorConsole console = context.operatorConsole();
        assertThat(console.execute(network.now(), console.author("console"), "status"))
                .contains(
                        "master server of " + game + ", 10.0.9.9:1000: answered\n",
                        "master server of " + game + ", 10.0.9.8:1000: has not answered");
    }

    @Test
    @DisplayName("B22 each end of a master's connection is logged with its reason")
    void logsWhyConnectionEnded() throws IOException {
        assertThat(lines(master -> master.send("x".repeat(5000))))
                .containsExactly(
                        "sauerbraten: master server 10.0.9.9:28787 lost: it sent a line that is"
                                + " too long");
    }

    @Test
    @DisplayName("B22 a master that answers otherwise each time fills no log")
    void limitsLinesOfFickleMaster() throws IOException {
        int[] count = new int[1];
        assertThat(
                        lines(master -> {
                            for (int i = 0; i < 100; i++) {
                                master.send("failreg " + ++count[0]);
                            }
                            master.close();
                        }))
                .contains("sauerbraten: master server 10.0.9.9:28787 refused the registration: 1")
                .anyMatch(line -> line.contains("; lines left out before: "))
                .hasSizeLessThan(30);
        assertThat(count[0]).isGreaterThan(4000);
    }
}
