package dev.wishdir.cluster.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.bus.MemoryBroker.Conditions;
import dev.wishdir.cluster.bus.MemoryBroker.MemoryBus;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class MemoryBrokerTest {
    private final MemoryBroker broker = new MemoryBroker(1);
    private final MemoryBus a = broker.connect();
    private final MemoryBus b = broker.connect();

    private static List<BusEvent> drain(MemoryBus bus) {
        List<BusEvent> events = new ArrayList<>();
        for (BusEvent event = bus.poll(); event != null; event = bus.poll()) {
            events.add(event);
        }
        return events;
    }

    private List<Integer> received(MemoryBus bus) {
        return drain(bus).stream()
                .filter(BusEvent.Received.class::isInstance)
                .map(event -> (int) ((BusEvent.Received) event).data()[0])
                .toList();
    }

    @Test
    void deliversInOrderAfterTheDelayAndNotToThePublisher() {
        b.subscribe("x.*");
        a.subscribe("x.*");
        broker.conditions(new Conditions(0, 0, 1000, 500));
        for (byte i = 0; i < 20; i++) {
            a.publish("x.y", new byte[] {i});
        }
        broker.advance(999);
        assertThat(received(b)).isEmpty();
        broker.advance(501);
        assertThat(received(b)).isSorted().hasSize(20);
        assertThat(received(a)).isEmpty();
    }

    @Test
    void losesAndDuplicatesByItsSeed() {
        b.subscribe("x");
        broker.conditions(new Conditions(0.3, 0.3, 0, 0));
        for (int i = 0; i < 1000; i++) {
            a.publish("x", new byte[] {1});
        }
        assertThat(received(b).size()).isBetween(800, 1000);
    }

    @Test
    void keepsToOneSideOfAPartition() {
        b.subscribe("x");
        b.moveTo(1);
        a.publish("x", new byte[] {1});
        broker.advance(1_000_000);
        assertThat(received(b)).isEmpty();
        a.moveTo(1);
        a.publish("x", new byte[] {2});
        broker.advance(1_000_000);
        assertThat(received(b)).containsExactly(2);
    }

    @Test
    void reportsThatNoBusReceivesARequest() {
        drain(a);
        b.subscribe("x");
        a.publish("x", "reply", new byte[0]);
        broker.advance(1_000_000);
        assertThat(drain(a)).isEmpty();
        b.close();
        a.publish("x", "reply", new byte[0]);
        broker.advance(1_000_000);
        assertThat(drain(a)).containsExactly(new BusEvent.NoResponders("reply"));
    }

    @Test
    void keepsNothingWhileDisconnected() {
        b.subscribe("x");
        a.publish("x", new byte[] {1});
        b.disconnect();
        a.publish("x", new byte[] {2});
        assertThat(b.publish("x", new byte[] {3})).isFalse();
        b.reconnect();
        broker.advance(1_000_000);
        assertThat(drain(b))
                .containsExactly(
                        new BusEvent.Disconnected("connection closed"),
                        new BusEvent.Connected("memory"));
        assertThat(b.counters().dropped()).isOne();
    }
}
