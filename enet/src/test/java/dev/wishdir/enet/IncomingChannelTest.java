package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.IncomingChannel.Verdict;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class IncomingChannelTest {
    private final List<Integer> delivered = new ArrayList<>();
    private final ReassemblyBudget budget = new ReassemblyBudget(10_000);
    private boolean overflown;

    private final IncomingChannel channel =
            new IncomingChannel(
                    1,
                    budget,
                    new IncomingChannel.Sink() {
                        @Override
                        public boolean connected() {
                            return !overflown;
                        }

                        @Override
                        public void deliver(int channel, Bytes payload, boolean reliable) {
                            delivered.add((int) payload.get(0));
                        }

                        @Override
                        public void overflow() {
                            overflown = true;
                        }
                    },
                    new TrafficCounters());

    @BeforeEach
    void open() {
        budget.open();
    }

    private Verdict reliable(int seq) {
        return channel.receive(
                new SendReliable(EnetCommand.ACKNOWLEDGE, 1, seq, Bytes.of((byte) seq)));
    }

    private Verdict unreliable(int seq, int useq) {
        return channel.receive(
                new SendUnreliable(0, 1, seq, useq, Bytes.of((byte) (10 * seq + useq))));
    }

    @Test
    void deliversReliableMessagesOnceAndInOrder() {
        for (int seq : new int[] {2, 1, 1, 4, 2, 3}) {
            assertThat(reliable(seq)).isEqualTo(Verdict.ACKNOWLEDGE);
        }
        assertThat(delivered).containsExactly(1, 2, 3, 4);
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void delaysUnreliableMessagesOfLaterReliableOne() {
        unreliable(0, 1);
        unreliable(1, 2);
        unreliable(1, 1);
        unreliable(0, 3);
        unreliable(0, 2);
        reliable(1);
        assertThat(delivered).containsExactly(1, 3, 1, 11, 12);
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void reassemblesFragments() {
        for (int num : new int[] {1, 0, 1}) {
            channel.receive(
                    new SendFragment(
                            EnetCommand.ACKNOWLEDGE,
                            1,
                            1 + num,
                            new Fragment(1, 2, num, 2, num, Bytes.of((byte) (5 + num)))));
        }
        reliable(3);
        assertThat(delivered).containsExactly(5, 3);
    }

    @Test
    void endsConnectionAboveBudget() {
        for (int seq = 2; seq < 200 && !overflown; seq++) {
            reliable(seq);
        }
        assertThat(overflown).isTrue();
        assertThat(budget.bytes()).isLessThanOrEqualTo(10_000);
    }

    @Test
    void reportsGapThatLasts() {
        reliable(2);
        assertThat(channel.isStalled(0)).isFalse();
        assertThat(channel.isStalled(29_999)).isFalse();
        assertThat(channel.isStalled(30_000)).isTrue();
        reliable(1);
        assertThat(channel.isStalled(60_000)).isFalse();
    }
}
