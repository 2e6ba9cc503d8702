package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Loop time by session, where a datagram's bytes say how many milliseconds it takes. */
class LoopMeterTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final InetAddress TRUSTED = InetAddress.ofLiteral("10.0.0.1");
    private static final InetSocketAddress SERVER = at("127.0.0.1", 7000);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Counters counters = new Counters();
    private final DutyCycle cycle = network.cycle();
    private final LoopMeter meter =
            new LoopMeter(LoopMeter.DEFAULT_SHARE_PERCENT, TRUSTED::equals, counters);
    private final Map<InetSocketAddress, Session> sessions = new HashMap<>();
    private final Map<InetSocketAddress, Integer> handled = new HashMap<>();

    /** Whether the thread is held up, rather than at work, for the time of a datagram. */
    private boolean heldUp;

    private final class Session implements MemoryConsumer {
        String ending = "";

        @Override
        public long retainedBytes() {
            return 0;
        }

        @Override
        public void abort(long now, String reason) {
            sessions.values().remove(this);
            ending = reason;
        }

        @Override
        public String toString() {
            return "session of 127.0.1.1";
        }
    }

    private final class Server implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            handled.merge(from, 1, Integer::sum);
            if (heldUp) {
                network.holdUp(cycle, data[0] * MILLI);
            } else {
                network.work(cycle, data[0] * MILLI);
            }
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return Optional.ofNullable(sessions.get(from));
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    /** Opens a server and runs it for a minute. */
    @BeforeEach
    void open() throws IOException {
        meter.around(cycle).open(SERVER, _ -> new Server());
        InetSocketAddress first = at("10.1.1.1", 1);
        session(first);
        send(first, 1, 60 * SECOND, 1);
        sessions.clear();
        handled.clear();
    }

    @Test
    @DisplayName(
            "R1: in a server's first minute, whose code is slow, a client has three times as much")
    void chargesLessInFirstMinute() throws IOException {
        LoopMeter fresh = new LoopMeter(LoopMeter.DEFAULT_SHARE_PERCENT, TRUSTED::equals, counters);
        InetSocketAddress server = at("127.0.0.1", 2);
        fresh.around(cycle).open(server, _ -> new Server());
        InetSocketAddress first = at("127.0.1.1", 1);
        for (int i = 0; i < 100; i++) {
            network.inject(first, server, new byte[] {100});
            network.run(SECOND / 10);
        }
        // 3 s at once and 300 ms a second, for ten seconds.
        assertThat(handled(first)).isBetween(50, 65);
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private Session session(InetSocketAddress from) {
        return sessions.computeIfAbsent(from, _ -> new Session());
    }

    /** Sends datagrams at an even pace. */
    private void send(InetSocketAddress from, int count, long interval, int millis) {
        for (int i = 0; i < count; i++) {
            network.inject(from, SERVER, new byte[] {(byte) millis});
            network.run(interval);
        }
    }

    private int handled(InetSocketAddress from) {
        return handled.getOrDefault(from, 0);
    }

    @Test
    @DisplayName("R1: a session that takes more loop time than its share is slowed, then ended")
    void endsGreedySession() {
        InetSocketAddress greedy = at("127.0.1.1", 1);
        Session session = session(greedy);
        send(greedy, 30 * 5, SECOND / 30, 8);
        // 500 ms at once and 50 ms a second, in pieces of 8 ms.
        assertThat(handled(greedy)).isBetween(85, 105);
        assertThat(session.ending).isEmpty();
        send(greedy, 30 * 8, SECOND / 30, 8);
        assertThat(session.ending).contains("too much");
        assertThat(counters.get("loop.ended")).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void logsAddressesOnlyWhereTheyAreNotHidden(boolean hidden) {
        if (hidden) {
            meter.hideAddresses();
        }
        InetSocketAddress greedy = at("127.0.1.1", 1);
        session(greedy);
        try (LogLines log = new LogLines(LoopMeter.class)) {
            send(greedy, 30, SECOND / 30, 127);
            assertThat(log.lines())
                    .isNotEmpty()
                    .allMatch(line -> line.contains("127.0.1.1") != hidden);
        }
    }

    @Test
    @DisplayName("R1: a long answer is owed, not forgiven")
    void keepsDebt() {
        InetSocketAddress greedy = at("127.0.1.1", 1);
        session(greedy);
        send(greedy, 60, SECOND, 127);
        assertThat(handled(greedy) * 127).isBetween(3000, 3800);
    }

    @Test
    @DisplayName("R1: sessions within their share are not touched by one that is not")
    void sparesOthers() {
        InetSocketAddress greedy = at("127.0.1.1", 1);
        InetSocketAddress honest = at("127.0.1.1", 2);
        session(greedy);
        session(honest);
        for (int i = 0; i < 600; i++) {
            send(greedy, 1, 0, 30);
            send(honest, 1, SECOND / 20, 2);
        }
        assertThat(handled(honest)).isEqualTo(600);
        assertThat(session(honest).ending).isEmpty();
    }

    @Test
    @DisplayName("R1: strangers share a bucket by network, and new sessions are paid by it, too")
    void limitsNetworks() {
        int all = 0;
        for (int i = 0; i < 2000; i++) {
            InetSocketAddress from = at("127.0.1." + (1 + i % 200), 1000 + i);
            if (i % 2 == 0) {
                session(from);
            }
            send(from, 1, SECOND / 100, 8);
            all += i % 2 == 1 ? handled(from) : 0;
        }
        // A second at once and 100 ms a second, of which sessions take their part.
        assertThat(all).isLessThan(150);
        InetSocketAddress elsewhere = at("127.0.2.1", 1);
        send(elsewhere, 1, SECOND / 100, 8);
        assertThat(handled(elsewhere)).isOne();
    }

    @Test
    @DisplayName("R1: players of a trusted address join all at once, each within its own share")
    void trustsNetwork() {
        for (int i = 0; i < 200; i++) {
            send(new InetSocketAddress(TRUSTED, 1000 + i), 1, SECOND / 100, 8);
        }
        assertThat(handled.values()).hasSize(200);
        InetSocketAddress neighbour = at("10.0.0.2", 1);
        send(neighbour, 1, SECOND / 100, 8);
        assertThat(handled(neighbour)).as("of the same network, not trusted").isOne();
        InetSocketAddress greedy = new InetSocketAddress(TRUSTED, 1);
        session(greedy);
        send(greedy, 100, SECOND / 100, 8);
        assertThat(handled(greedy)).isLessThan(80);
    }

    @Test
    @DisplayName("R1: a pause of the host counts against no session")
    void forgivesPauses() {
        InetSocketAddress honest = at("127.0.1.1", 1);
        session(honest);
        heldUp = true;
        send(honest, 20, SECOND, 120);
        assertThat(handled(honest)).isEqualTo(20);
    }
}
