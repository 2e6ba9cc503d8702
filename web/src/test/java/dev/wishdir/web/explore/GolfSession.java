package dev.wishdir.web.explore;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A session of a game of the tests, whose datagrams have one to three messages. */
final class GolfSession {
    static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);

    private static final long EPOCH_NANOS = 1_700_000_000_000_000_000L;

    private final Random random = new Random(5);
    private final LiveIndex index;
    private final int payloadBytes;
    final List<Datagram> datagrams = new ArrayList<>();

    GolfSession(LiveIndex index, int payloadBytes) {
        this.index = index;
        this.payloadBytes = payloadBytes;
    }

    static InetSocketAddress client(int number) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000 + number);
    }

    /** Plays a number of further datagrams. */
    void play(int count) {
        for (int i = 0; i < count; i++) {
            play(client(datagrams.size() % 2));
        }
    }

    void play(InetSocketAddress client) {
        int number = datagrams.size();
        Direction direction = number % 3 == 0 ? Direction.S2C : Direction.C2S;
        byte[] payload = new byte[payloadBytes];
        random.nextBytes(payload);
        boolean up = direction == Direction.C2S;
        Datagram datagram =
                new Datagram(
                        number + 1,
                        number / 100.0,
                        up ? client : SERVER,
                        up ? SERVER : client,
                        Bytes.wrap(payload));
        datagrams.add(datagram);
        List<DissectedMessage> messages = new ArrayList<>();
        for (int i = 0; i <= number % 3; i++) {
            messages.add(
                    DissectedMessage.of(
                                    datagram,
                                    direction,
                                    "golf",
                                    i == 0
                                            ? DissectedMessage.Layer.TRANSPORT
                                            : DissectedMessage.Layer.MESSAGE,
                                    i == 0 ? "ball" : "putt",
                                    Map.of("hole", number % 18, "text", "a \"b\", c\n" + number))
                            .withTrace(List.of(new Traced("hole", 0, 8, "12", "eighteen", false))));
        }
        index.add(
                datagram,
                EPOCH_NANOS + number * 10_000_000L,
                datagram.source(),
                datagram.destination(),
                messages);
    }

    /** The number of lines so far. */
    long lines() {
        return datagrams.stream().mapToLong(it -> (it.frame() - 1) % 3 + 1).sum();
    }
}
