package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.game.Serving;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.net.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.sauerbraten.message.Chat;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The examples of docs/LIBRARY.md, compiled and run. */
@Timeout(60)
class LibraryExampleTest {
    @Test
    void aHeadlessPlayerOnAServerOfOnesOwn() throws Exception {
        CompletableFuture<String> joined = new CompletableFuture<>();
        try (NettyLoop loop = new NettyLoop("example")) {
            DutyCycle server = loop.cycle();
            Arena arena = new Arena(Level.BOX, 16);
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            CompletableFuture<Endpoint> serving = new CompletableFuture<>();
            server.execute(() -> {
                server.add(arena::advance);
                try {
                    serving.complete(
                            new SauerbratenGame()
                                    .serve(
                                            Serving.at(server, anyPort, arena)
                                                    .name("my server")
                                                    .build()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            InetSocketAddress address = serving.get(20, TimeUnit.SECONDS).address();

            DutyCycle cycle = loop.cycle();
            Pilot circle = (now, self) -> Steering.walk(now / 1e9 * 60 % 360, 0, 0);
            ClientListener listener =
                    new ClientListener() {
                        @Override
                        public void joined(Client self) {
                            self.say("hello");
                            joined.complete("joined with the number " + self.id());
                        }
                    };
            cycle.execute(() -> {
                try {
                    new SauerbratenGame()
                            .connect(
                                    Joining.to(cycle, address)
                                            .name("walker")
                                            .pilot(circle)
                                            .listener(listener)
                                            .build());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(joined.get(20, TimeUnit.SECONDS)).isEqualTo("joined with the number 0");
        }
    }

    @Test
    void minutesPassInMilliseconds() {
        SimulatedNetwork network = new SimulatedNetwork(7);
        network.conditions(new Conditions(0.1, 0, 20_000_000, 5_000_000));
        long begun = network.now();
        network.run(60_000_000_000L);
        assertThat(network.now()).isEqualTo(begun + 60_000_000_000L);
    }

    /** Whatever the page shows of Java stands in this file. */
    @Test
    void thePageShowsWhatIsCompiledHere() throws IOException {
        String here =
                Files.readString(
                        Path.of("src/test/java/dev/wishdir/interop/LibraryExampleTest.java"));
        String page = Files.readString(Path.of("../docs/LIBRARY.md"));
        List<String> shown =
                Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                        .matcher(page)
                        .results()
                        .map(match -> match.group(1).replaceAll("\\s", ""))
                        .toList();
        assertThat(shown).hasSizeGreaterThan(4);
        assertThat(shown).allMatch(here.replaceAll("\\s", "")::contains);
    }

    @Test
    void messagesAreWrittenReadAndExplained() {
        SauerbratenCodec codec = SauerbratenCodec.V260;
        Bytes packet = codec.packet(new Chat.Text("hello"));
        List<SauerbratenMessage> messages = codec.readPacket(Direction.C2S, 1, new Reader(packet));
        assertThat(messages).containsExactly(new Chat.Text("hello"));

        Tracer tracer = new Tracer(packet);
        codec.read(Direction.C2S, tracer);
        assertThat(tracer.fields())
                .extracting(field -> field.name())
                .containsExactly("code", "text");
    }
}
