package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.quake2.Quake2Game;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

class ServerCloseTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();

    /** A game whose endpoint notes that it is closed, and throws. */
    private final class BrokenGame implements Game {
        private final String name;

        BrokenGame(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String title() {
            return name;
        }

        @Override
        public int port() {
            return 1;
        }

        @Override
        public int movementRate() {
            return 1;
        }

        @Override
        public Endpoint serve(EndpointContext context) {
            return new Endpoint() {
                @Override
                public InetSocketAddress address() {
                    return context.address();
                }

                @Override
                public void close(String reason) {
                    closed.add(name);
                    throw new IllegalStateException("on purpose");
                }
            };
        }
    }

    @Test
    void closesEachEndpointThoughAnotherThrows() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Server server =
                Server.start(
                        ServerSettings.of(
                                "test",
                                ArenaCatalog.FLAT,
                                ServerSettings.Access.of(""),
                                ServerSettings.Limits.of(4, List.of()),
                                MatchRules.NONE),
                        List.of(
                                new Server.Part(new BrokenGame("first"), any, false, Map.of()),
                                new Server.Part(new BrokenGame("second"), any, false, Map.of())),
                        List.of());
        server.close();
        assertThat(closed).containsExactly("first", "second");
    }

    @Test
    void namesOptionsAsTheCommandLineDoes() {
        Server.Part part =
                new Server.Part(
                        new Quake2Game(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        false,
                        Map.of());
        assertThat(part.onCommandLine("option max-frame-rate must be 10, option data-x is option"))
                .isEqualTo("--quake2-max-frame-rate must be 10, option data-x is option");
    }
}
