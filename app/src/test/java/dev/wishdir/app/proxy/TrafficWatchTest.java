package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
class TrafficWatchTest {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final List<String> problems = new CopyOnWriteArrayList<>();

    private static ProxiedDatagram datagram(int length) {
        return new ProxiedDatagram(
                0, ADDRESS, ADDRESS, ADDRESS, Direction.C2S, Bytes.wrap(new byte[length]));
    }

    /** Keeps the numbers that it gets; waits, or fails, at the first. */
    private static class Keeper implements TrafficConsumer {
        final List<Long> frames = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        volatile boolean closed;

        @Override
        public void accept(long frame, ProxiedDatagram datagram) throws IOException {
            began.countDown();
            awaitRelease();
            frames.add(frame);
        }

        void awaitRelease() {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    @DisplayName("P8: a consumer that does not take anything: the proxy goes on, memory is bounded")
    void neverBlocksAndCountsWhatIsMissed() throws Exception {
        Keeper stuck = new Keeper();
        TrafficWatch watch = new TrafficWatch(List.of(stuck), problems::add);
        watch.offer(datagram(1));
        stuck.began.await();
        for (int i = 0; i < TrafficWatch.MAX_DATAGRAMS + 1000; i++) {
            watch.offer(datagram(1));
        }
        assertThat(watch.missed()).isEqualTo(1000);
        stuck.released.countDown();
        watch.close();
        assertThat(stuck.frames).hasSize(TrafficWatch.MAX_DATAGRAMS + 1).isSorted();
        assertThat(stuck.closed).isTrue();
    }

    @Test
    @DisplayName("P8: large datagrams")
    void boundsQueuedBytes() throws Exception {
        Keeper stuck = new Keeper();
        TrafficWatch watch = new TrafficWatch(List.of(stuck), problems::add);
        watch.offer(datagram(1));
        stuck.began.await();
        int fitting = TrafficWatch.MAX_BYTES / 60_000;
        for (int i = 0; i < fitting + 10; i++) {
            watch.offer(datagram(60_000));
        }
        assertThat(watch.missed()).isEqualTo(10);
        stuck.released.countDown();
        watch.close();
        assertThat(stuck.frames).hasSize(fitting + 1);
    }

    @Test
    void endsConsumerThatFailsAndKeepsOthers() {
        Keeper failing =
                new Keeper() {
                    @Override
                    public void accept(long frame, ProxiedDatagram datagram) throws IOException {
                        frames.add(frame);
                        throw new IOException("No space left on device");
                    }
                };
        Keeper keeper = new Keeper();
        keeper.released.countDown();
        TrafficWatch watch = new TrafficWatch(List.of(failing, keeper), problems::add);
        for (int i = 0; i < 10; i++) {
            watch.offer(datagram(1));
        }
        watch.close();
        assertThat(failing.frames).containsExactly(1L);
        assertThat(failing.closed).isTrue();
        assertThat(keeper.frames).hasSize(10);
        assertThat(watch.hasFailed()).isTrue();
        assertThat(problems).containsExactly("cannot write: No space left on device");
    }

    @Test
    @DisplayName("P7: datagrams at which a consumer has a defect: reported once, the rest is used")
    void goesOnAfterDefect() {
        Keeper defective =
                new Keeper() {
                    @Override
                    public void accept(long frame, ProxiedDatagram datagram) {
                        if (frame % 2 == 0) {
                            throw new IllegalStateException("odd");
                        }
                        frames.add(frame);
                    }
                };
        TrafficWatch watch = new TrafficWatch(List.of(defective), problems::add);
        for (int i = 0; i < 10; i++) {
            watch.offer(datagram(1));
        }
        watch.close();
        assertThat(defective.frames).containsExactly(1L, 3L, 5L, 7L, 9L);
        assertThat(watch.hasFailed()).isFalse();
        assertThat(problems).hasSize(1).first().asString().contains("datagram 2", "odd");
    }
}
