package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.inspect.MessageFilter;
import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

class MessagePrinterTest {
    static final List<Game> GAMES = Games.ALL;
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final InetSocketAddress CLIENT = new InetSocketAddress(HERE, 5000);

    private final List<DissectedMessage> printed = new ArrayList<>();

    private static MessageFilter.Query query(String... names) {
        return new MessageFilter.Query(
                Set.of(names), "", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, List.of());
    }

    private static ProxiedDatagram datagram(int port, Direction direction, byte[] data) {
        return new ProxiedDatagram(
                7_500_000_000L,
                CLIENT,
                CLIENT,
                new InetSocketAddress(HERE, port),
                direction,
                Bytes.wrap(data));
    }

    private static byte[] text(String text) {
        return ("\u00FF\u00FF\u00FF\u00FF" + text).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void printsMessagesThatPassTheQuery() throws IOException {
        Dissector dissector = Games.ALL.get(2).dissector(false, Optional.empty());
        MessagePrinter printer =
                new MessagePrinter(
                        "quake3", dissector, query("getinfo"), 5_000_000_000L, printed::add);
        printer.accept(1, datagram(29_000, Direction.C2S, text("getstatus x")));
        printer.accept(2, datagram(29_000, Direction.C2S, text("getinfo x")));
        assertThat(printed).hasSize(1);
        DissectedMessage line = printed.getFirst();
        assertThat(line.name()).isEqualTo("getinfo");
        assertThat(line.frame()).isEqualTo(2);
        assertThat(line.time()).isEqualTo(2.5);
        assertThat(line.client()).isEqualTo(5000);
        assertThat(printer.printed()).isOne();
    }

    @Test
    @DisplayName("P7: a datagram at which the dissector fails, or that gives nothing, is shown")
    void showsWhatCannotBeDecoded() {
        Dissector dissector =
                new Dissector() {
                    @Override
                    public Optional<Direction> recognise(Datagram datagram) {
                        return Optional.empty();
                    }

                    @Override
                    public void datagram(
                            Datagram datagram,
                            Direction direction,
                            Consumer<DissectedMessage> lines) {
                        if (datagram.payload().get(0) == 1) {
                            throw new IllegalStateException("defect");
                        }
                    }
                };
        MessagePrinter printer = new MessagePrinter("quake3", dissector, query(), 0, printed::add);
        printer.accept(1, datagram(1, Direction.C2S, new byte[] {1, 2}));
        printer.accept(2, datagram(1, Direction.S2C, new byte[] {2, 3}));
        assertThat(printed).extracting(DissectedMessage::name).containsOnly("undecoded");
        assertThat(printed.getFirst().fields().get("error")).asString().contains("defect");
        assertThat(printed.getFirst().fields().get("hex")).isEqualTo("0102");
        assertThat(printed.getLast().direction()).isEqualTo(Direction.S2C);
    }

    /** Every datagram gives at least one line, whatever its bytes. */
    @ParameterizedTest
    @FieldSource("GAMES")
    @DisplayName("P7: noise in each game: a line for each datagram, no exception")
    void showsEachDatagramOfNoise(Game game) throws IOException {
        MessagePrinter printer =
                new MessagePrinter(
                        game.name(),
                        game.dissector(true, Optional.empty()),
                        query(),
                        0,
                        printed::add);
        Random random = new Random(5);
        byte[][] heads = {{}, {-1, -1, -1, -1}, {0x1C}, {(byte) 0x84}, {(byte) 0x8F, -1}, {0}};
        for (int i = 1; i <= 5000; i++) {
            byte[] noise = new byte[1 + random.nextInt(200)];
            random.nextBytes(noise);
            byte[] head = heads[i % heads.length];
            System.arraycopy(head, 0, noise, 0, Math.min(head.length, noise.length));
            int before = printed.size();
            printer.accept(i, datagram(game.port(), Direction.values()[random.nextInt(2)], noise));
            assertThat(printed.size()).isGreaterThan(before);
        }
        assertThat(printed)
                .noneMatch(
                        line -> String.valueOf(line.fields().get("error")).contains("Exception"));
    }
}
