package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

class RetransmitQueueTest {
    private static final int MTU = 1000;
    private static final int TIMEOUT = 500;

    private final TrafficCounters traffic = new TrafficCounters();
    private final RetransmitQueue queue = new RetransmitQueue(new RoundTripEstimator(), traffic);
    private int seq;

    private OutgoingCommand command(int length) {
        seq++;
        return new OutgoingCommand(
                new SendReliable(EnetCommand.ACKNOWLEDGE, 1, seq, Bytes.wrap(new byte[length])),
                seq,
                false);
    }

    private OutgoingCommand add(long now, int length) {
        OutgoingCommand command = command(length);
        queue.add(command, now);
        return command;
    }

    @Test
    void retransmitsOldestFirstAfterTimeout() {
        queue.open(0, 4096);
        OutgoingCommand first = add(0, 10);
        OutgoingCommand second = add(1, 10);
        assertThat(queue.deadline()).isEqualTo(TIMEOUT);
        assertThat(queue.expire(TIMEOUT - 1)).isTrue();
        assertThat(queue.hasRetransmits()).isFalse();
        assertThat(queue.expire(TIMEOUT + 1)).isTrue();
        assertThat(queue.nextRetransmit()).isSameAs(first);
        queue.onRetransmitted(TIMEOUT + 1);
        assertThat(queue.nextRetransmit()).isSameAs(second);
        assertThat(traffic.lostOut()).isEqualTo(1);
    }

    @Test
    void doublesTimeoutOfSilentPeer() {
        queue.open(0, 4096);
        OutgoingCommand command = add(0, 10);
        queue.expire(TIMEOUT);
        queue.onRetransmitted(TIMEOUT);
        assertThat(command.deadline()).isEqualTo(TIMEOUT + 2 * TIMEOUT);
    }

    @Test
    void forgetsAcknowledgedCommand() {
        queue.open(0, 4096);
        OutgoingCommand inFlight = add(0, 10);
        OutgoingCommand expired = add(0, 10);
        queue.expire(TIMEOUT);
        queue.onAcknowledged(expired, TIMEOUT);
        queue.onAcknowledged(inFlight, TIMEOUT);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.hasRetransmits()).isFalse();
        assertThat(queue.deadline()).isEqualTo(Duty.NEVER);
        assertThat(queue.lastAck()).isEqualTo(TIMEOUT);
        assertThat(queue.find(1, 1)).isNull();
    }

    @Test
    void boundsPayloadInFlightByWindow() {
        queue.open(0, 4096);
        for (int i = 0; i < 4; i++) {
            assertThat(queue.isFull(command(1000), MTU)).isFalse();
            add(0, 1000);
        }
        assertThat(queue.isFull(command(1000), MTU)).isTrue();
        assertThat(queue.isFull(command(0), MTU)).as("no payload").isFalse();
    }

    @Test
    void sendsOnlyProbesToSilentPeer() {
        queue.open(0, 65536);
        for (int i = 0; i < 10; i++) {
            add(0, MTU);
        }
        queue.expire(TIMEOUT);
        int sent = 0;
        for (OutgoingCommand next = queue.nextRetransmit();
                next != null && !queue.mustWait(next, MTU);
                next = queue.nextRetransmit()) {
            queue.onRetransmitted(TIMEOUT);
            sent++;
        }
        assertThat(sent).isEqualTo(4);
    }

    @Test
    void timesOutSilentPeer() {
        queue.open(0, 4096);
        add(0, 10);
        long now = 0;
        while (queue.expire(now) && now < 60_000) {
            if (queue.hasRetransmits()) {
                queue.onRetransmitted(now);
            }
            now = queue.deadline();
        }
        // The first time-out past 30 s: 500 ms, doubled five times.
        assertThat(now).isEqualTo(31_500);
    }
}
