package dev.wishdir.net.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class LinkEmulationTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long WIRE = SimulatedNetwork.Conditions.PERFECT.delay();
    private static final InetSocketAddress HERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Keeps the numbers of the datagrams that it received, and when. */
    private static final class Side implements DatagramHandler {
        final UdpSocket socket;
        final List<Integer> numbers = new ArrayList<>();
        final List<Long> times = new ArrayList<>();

        Side(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            numbers.add(ByteBuffer.wrap(data).getInt());
            times.add(now);
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }

        void send(Side to, int number, int length) {
            byte[] data = ByteBuffer.allocate(length).putInt(number).array();
            socket.send(to.socket.local(), data, 0, length);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final DutyCycle raw = network.cycle();
    private Side server = open(raw);

    private static Side open(DutyCycle cycle) {
        try {
            return cycle.open(HERE, Side::new);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void listen() {
        server = open(raw);
    }

    private static LinkConditions loss(double loss) {
        return new LinkConditions(loss, 0, 0, 0, 0, 0);
    }

    private static LinkEmulation both(LinkConditions conditions) {
        return new LinkEmulation(conditions, conditions, 42);
    }

    /** Sends numbered datagrams of 100 bytes in both directions, one a millisecond. */
    private Side exchange(LinkEmulation links, int count) {
        Side client = open(links.around(network.cycle()));
        for (int i = 0; i < count; i++) {
            client.send(server, i, 100);
            server.send(client, i, 100);
            network.run(MILLI);
        }
        network.run(SECOND);
        return client;
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void passesAllDatagramsWithoutFaults() {
        LinkEmulation links = both(LinkConditions.NONE);
        Side client = exchange(links, 1000);
        assertThat(server.numbers).isEqualTo(upTo(1000));
        assertThat(client.numbers).isEqualTo(upTo(1000));
        assertThat(links.upCounters()).isEqualTo(new LinkCounters(1000, 0, 0, 0, 0));
        assertThat(links.downCounters()).isEqualTo(links.upCounters());
    }

    @ParameterizedTest
    @CsvSource({"0.05, 0", "0.3, 0.1", "1, 1"})
    void losesTheGivenShareOfEachDirectionAndCountsIt(double up, double down) {
        LinkEmulation links = new LinkEmulation(loss(up), loss(down), 7);
        Side client = exchange(links, 5000);
        assertThat(links.upCounters().lost()).isBetween(share(up, -1), share(up, 1));
        assertThat(links.downCounters().lost()).isBetween(share(down, -1), share(down, 1));
        assertThat(server.numbers).hasSize(5000 - (int) links.upCounters().lost());
        assertThat(client.numbers).hasSize(5000 - (int) links.downCounters().lost());
    }

    /** The expected number of 5000, and four standard deviations. */
    private static long share(double probability, int sign) {
        return Math.round(
                5000 * probability + sign * 4 * Math.sqrt(5000 * probability * (1 - probability)));
    }

    @Test
    void losesTheSameDatagramsBySeedWhateverTheOtherConditions() {
        exchange(both(loss(0.2)), 500);
        List<Integer> first = List.copyOf(server.numbers);
        listen();
        exchange(both(new LinkConditions(0.2, 0, 0, 30 * MILLI, 20 * MILLI, 0)), 500);
        assertThat(server.numbers).isEqualTo(first);
        listen();
        exchange(new LinkEmulation(loss(0.2), loss(0.2), 43), 500);
        assertThat(server.numbers).isNotEqualTo(first);
    }

    @Test
    void givesEachSocketItsOwnLosses() {
        LinkEmulation links = both(loss(0.2));
        exchange(links, 500);
        List<Integer> first = List.copyOf(server.numbers);
        listen();
        exchange(links, 500);
        assertThat(server.numbers).isNotEqualTo(first);
    }

    @Test
    void delaysWithinJitterAndKeepsOrder() {
        Side client = exchange(both(new LinkConditions(0, 0, 0, 50 * MILLI, 40 * MILLI, 0)), 1000);
        assertThat(server.numbers).isEqualTo(upTo(1000));
        assertThat(client.numbers).isEqualTo(upTo(1000));
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            delays.add(server.times.get(i) - i * MILLI - WIRE);
        }
        assertThat(delays).allSatisfy(it -> assertThat(it).isBetween(50 * MILLI, 90 * MILLI));
        assertThat(delays).anyMatch(it -> it < 70 * MILLI).anyMatch(it -> it > 80 * MILLI);
    }

    @Test
    void letsReorderedDatagramsOvertake() {
        LinkEmulation links = both(new LinkConditions(0, 0, 0.1, 50 * MILLI, 0, 0));
        exchange(links, 1000);
        int overtaken = 0;
        for (int i = 1; i < 1000; i++) {
            overtaken += server.numbers.get(i) < server.numbers.get(i - 1) ? 1 : 0;
        }
        assertThat(server.numbers).containsExactlyInAnyOrderElementsOf(upTo(1000));
        assertThat(links.upCounters().reordered()).isBetween(60L, 140L);
        assertThat(overtaken).isBetween(50, (int) links.upCounters().reordered());
    }

    @Test
    void duplicatesAndCountsIt() {
        LinkEmulation links = both(new LinkConditions(0, 0.1, 0, 0, 0, 0));
        exchange(links, 1000);
        assertThat(links.upCounters().duplicated()).isBetween(60L, 140L);
        assertThat(server.numbers).hasSize(1000 + (int) links.upCounters().duplicated());
        assertThat(server.numbers.stream().distinct().toList()).isEqualTo(upTo(1000));
    }

    @Test
    void limitsTheRateAndDropsWhatDoesNotFit() {
        LinkEmulation links = both(new LinkConditions(0, 0, 0, 0, 0, 12_800));
        // 128 bytes with headers each: 100 of 1000 a second.
        exchange(links, 2000);
        assertThat(server.times).hasSizeBetween(240, 255);
        long seconds = server.times.getLast() - server.times.getFirst();
        assertThat(seconds).isBetween(2_400 * MILLI, 2_550 * MILLI);
        assertThat(links.upCounters().overflowed()).isEqualTo(2000 - server.numbers.size());
    }

    @Test
    void boundsTheBytesInFlight() {
        LinkEmulation links = both(new LinkConditions(0, 0, 0, SECOND, 0, 0));
        DutyCycle cycle = links.around(network.cycle());
        Side client = open(cycle);
        for (int i = 0; i < 100; i++) {
            client.send(server, i, 60_000);
        }
        network.run(2 * SECOND);
        assertThat(server.numbers).isEqualTo(upTo(17));
        assertThat(links.upCounters().overflowed()).isEqualTo(83);
        cycle.execute(() -> client.send(server, 100, 60_000));
        network.run(2 * SECOND);
        assertThat(server.numbers).contains(100);
    }

    @Test
    void changesConditionsWhileItRuns() {
        LinkEmulation links = both(LinkConditions.NONE);
        Side client = open(links.around(network.cycle()));
        client.send(server, 1, 100);
        links.conditions(loss(1), LinkConditions.NONE);
        client.send(server, 2, 100);
        links.conditions(LinkConditions.NONE, LinkConditions.NONE);
        client.send(server, 3, 100);
        network.run(SECOND);
        assertThat(server.numbers).containsExactly(1, 3);
    }

    @Test
    void sendsDatagramsInFlightBeforeItCloses() {
        LinkEmulation links = both(new LinkConditions(0, 0, 0, 100 * MILLI, 0, 0));
        Side client = open(links.around(network.cycle()));
        client.send(server, 1, 100);
        server.send(client, 2, 100);
        network.run(50 * MILLI);
        client.socket.close();
        client.send(server, 3, 100);
        network.run(SECOND);
        assertThat(server.numbers).containsExactly(1);
        assertThat(client.numbers).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-0.1, 0, 0, loss must be a probability from 0 to 1",
        "1.1, 0, 0, loss must be a probability from 0 to 1",
        "NaN, 0, 0, loss must be a probability from 0 to 1",
        "0, -1, 0, delay must be from 0",
        "0, 10000000001, 0, delay must be from 0",
        "0, 0, -1, bytesPerSecond must not be negative"
    })
    void rejectsConditionsOutOfRange(double loss, long delay, long rate, String problem) {
        assertThatThrownBy(() -> new LinkConditions(loss, 0, 0, delay, 0, rate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }
}
