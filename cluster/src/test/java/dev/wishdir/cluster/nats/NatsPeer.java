package dev.wishdir.cluster.nats;

import dev.wishdir.cluster.bus.BusEvent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A bus over NATS, and what came from it. */
final class NatsPeer implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<BusEvent> events = new ArrayList<>();
    final AtomicInteger wakeUps = new AtomicInteger();
    final NatsBus bus;

    NatsPeer(NatsSettings settings) throws IOException {
        bus = NatsBus.connect(settings, wakeUps::incrementAndGet);
    }

    NatsPeer(NatsServer server) throws IOException {
        this(new NatsSettings(server.address()));
    }

    void drain() {
        for (BusEvent event = bus.poll(); event != null; event = bus.poll()) {
            events.add(event);
        }
    }

    <E extends BusEvent> List<E> all(Class<E> kind) {
        drain();
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static byte[] bytes(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    List<Integer> numbers() {
        return all(BusEvent.Received.class).stream()
                .map(message -> ByteBuffer.wrap(message.data()).getInt())
                .toList();
    }

    /** Publishes a number until the other receives one. */
    void publishUntilReceived(NatsPeer to, String subject, int number) {
        NatsServer.await(
                "number " + number + " on " + subject,
                LIMIT,
                () -> {
                    bus.publish(subject, bytes(number));
                    return to.numbers().contains(number);
                });
    }

    void awaitConnected(int times) {
        NatsServer.await(
                "connection " + times, LIMIT, () -> all(BusEvent.Connected.class).size() >= times);
    }

    String awaitCause() {
        NatsServer.await("a cause", LIMIT, () -> !all(BusEvent.Disconnected.class).isEmpty());
        return all(BusEvent.Disconnected.class).getLast().cause();
    }

    void awaitCause(String part) {
        NatsServer.await(
                "a cause with \"" + part + "\"",
                LIMIT,
                () ->
                        all(BusEvent.Disconnected.class).stream()
                                .anyMatch(event -> event.cause().contains(part)));
    }

    @Override
    public void close() {
        bus.close();
    }
}
