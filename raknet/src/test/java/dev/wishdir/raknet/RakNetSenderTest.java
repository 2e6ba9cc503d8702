package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.raknet.AckPacket.Range;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

class RakNetSenderTest {
    private static final int CAPACITY = 100;
    private static final long SECOND = 1_000_000_000L;

    private final TrafficCounters traffic = new TrafficCounters();
    private final List<RakNetDatagram> sent = new ArrayList<>();
    private final RakNetSender sender =
            new RakNetSender(
                    CAPACITY,
                    10 * SECOND,
                    traffic,
                    InetSocketAddress.createUnresolved("peer", 1),
                    (_, data, _, length) ->
                            sent.add(
                                    RakNetDatagram.wire(
                                            new Reader(data, 0, length), RakNetDatagram.BLANK)));

    private void send(Reliability reliability, int length) {
        sender.send(reliability, 0, Bytes.wrap(new byte[length]));
    }

    @Test
    void bundlesFramesAndIsIdleAfterAcknowledgement() {
        for (int i = 0; i < 3; i++) {
            send(Reliability.RELIABLE_ORDERED, 10);
        }
        sender.flush(0);
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst().frames()).hasSize(3);
        assertThat(sent.getFirst().frames().getLast().orderIndex()).isEqualTo(2);
        assertThat(sender.isIdle()).isFalse();
        assertThat(sender.onAck(SECOND, new Range(0, 0))).isTrue();
        assertThat(sender.isIdle()).isTrue();
        assertThat(sender.retainedBytes()).isZero();
        assertThat(sender.roundTrip()).isEqualTo(SECOND);
        assertThat(sender.onAck(SECOND, new Range(0, 0))).isFalse();
    }

    @Test
    void splitsLongMessageIntoReliableParts() {
        send(Reliability.UNRELIABLE, 250);
        sender.flush(0);
        List<Frame> parts = sent.stream().flatMap(d -> d.frames().stream()).toList();
        assertThat(parts).hasSizeGreaterThan(2).allMatch(Frame::isPart);
        assertThat(parts).allMatch(part -> part.reliability() == Reliability.RELIABLE);
        assertThat(parts).allMatch(part -> part.splitCount() == parts.size());
        assertThat(parts.stream().mapToInt(part -> part.payload().length()).sum()).isEqualTo(250);
    }

    @Test
    void retransmitsNackedFrameInNewDatagram() {
        send(Reliability.RELIABLE, 50);
        send(Reliability.RELIABLE, 50);
        sender.flush(0);
        assertThat(sent).hasSize(2);
        assertThat(sender.onNack(1, new Range(0, 0))).isTrue();
        sender.flush(1);
        assertThat(sent).hasSize(3);
        assertThat(sent.getLast().number()).isEqualTo(2);
        assertThat(sent.getLast().frames().getFirst().messageIndex()).isZero();
        assertThat(traffic.lostOut()).isEqualTo(1);
        assertThat(sender.onNack(2, new Range(0, 0))).isFalse();
    }

    @Test
    void retransmitsAfterTimeout() {
        send(Reliability.RELIABLE, 50);
        sender.flush(0);
        long deadline = sender.deadline();
        sender.expire(deadline - 1);
        sender.flush(deadline - 1);
        assertThat(sent).hasSize(1);
        sender.expire(deadline);
        sender.flush(deadline);
        assertThat(sent).hasSize(2);
        assertThat(sender.deadline() - deadline).isEqualTo(2 * deadline);
    }

    @Test
    void doesNotRetransmitUnreliableFrames() {
        send(Reliability.UNRELIABLE, 50);
        sender.flush(0);
        assertThat(sent).hasSize(1);
        assertThat(sender.isIdle()).isTrue();
        assertThat(sender.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void holdsBackWhatExceedsWindow() {
        for (int i = 0; i < 20; i++) {
            send(Reliability.RELIABLE, 80);
        }
        sender.flush(0);
        // The window is 4 datagrams of 100 bytes; each of these has 90.
        assertThat(sent).hasSize(5);
        assertThat(sender.isOpen()).isFalse();
        sender.onAck(1, new Range(0, 4));
        sender.flush(1);
        assertThat(sent).hasSizeGreaterThan(10);
    }

    @Test
    void knowsWhatWasSent() {
        send(Reliability.RELIABLE, 50);
        assertThat(sender.wasSent(new Range(0, 0))).isFalse();
        sender.flush(0);
        assertThat(sender.wasSent(new Range(0, 0))).isTrue();
        assertThat(sender.wasSent(new Range(0, 1))).isFalse();
        assertThat(sender.wasSent(new Range(0, 0xFFFFFF))).isFalse();
    }

    @Test
    void timesOutWithoutAcknowledgement() {
        send(Reliability.RELIABLE, 50);
        sender.flush(0);
        assertThat(sender.isTimedOut(10 * SECOND - 1)).isFalse();
        assertThat(sender.isTimedOut(10 * SECOND)).isTrue();
        sender.drop();
        assertThat(sender.isTimedOut(10 * SECOND)).isFalse();
        assertThat(sender.retainedBytes()).isZero();
    }
}
