package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class OrderingChannelsTest {
    private final List<String> delivered = new ArrayList<>();
    private final ReassemblyBudget budget = new ReassemblyBudget(10_000);
    private final OrderingChannels channels =
            new OrderingChannels(
                    budget,
                    (message, ordered, verified) ->
                            delivered.add(
                                    message.get(0)
                                            + (ordered ? " ordered" : "")
                                            + (verified ? " verified" : "")));

    private static Frame frame(Reliability reliability, int channel, int order, int sequence) {
        return new Frame(
                reliability.ordinal() << 5,
                0,
                sequence,
                order,
                channel,
                0,
                0,
                0,
                Bytes.of((byte) (10 * order + sequence)));
    }

    private void add(Frame frame) {
        channels.check(frame);
        channels.add(5, frame, frame.payload(), true);
    }

    @Test
    void ordersEachChannelOfItsOwn() {
        add(frame(Reliability.RELIABLE_ORDERED, 0, 1, 0));
        add(frame(Reliability.RELIABLE_ORDERED, 1, 0, 0));
        assertThat(budget.bytes()).isPositive();
        add(frame(Reliability.RELIABLE_ORDERED, 0, 0, 0));
        add(frame(Reliability.RELIABLE_ORDERED, 0, 1, 0));
        // What waited after a gap is not verified: a forger may have known less about it.
        assertThat(delivered)
                .containsExactly("0 ordered verified", "0 ordered verified", "10 ordered");
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void dropsLateSequencedMessages() {
        for (int[] index : new int[][] {{0, 1}, {0, 0}, {0, 2}, {1, 0}, {0, 3}}) {
            add(frame(Reliability.UNRELIABLE_SEQUENCED, 0, index[0], index[1]));
        }
        assertThat(delivered).containsExactly("1 verified", "2 verified", "10 verified");
    }

    @Test
    void deliversOthersAtOnce() {
        add(frame(Reliability.RELIABLE, 0, 0, 0));
        add(frame(Reliability.UNRELIABLE, 0, 0, 0));
        assertThat(delivered).containsExactly("0 verified", "0 verified");
    }

    @Test
    void refusesChannelAndIndexOutOfBounds() {
        Frame far = frame(Reliability.RELIABLE_ORDERED, 0, OrderingChannels.WINDOW, 0);
        assertThatThrownBy(() -> channels.check(far)).hasMessageContaining("2048 ahead");
        Frame channel = frame(Reliability.RELIABLE_ORDERED, OrderingChannels.COUNT, 0, 0);
        assertThatThrownBy(() -> channels.check(channel)).hasMessageContaining("channel");
        channels.check(
                frame(
                        Reliability.RELIABLE_ORDERED,
                        OrderingChannels.COUNT - 1,
                        OrderingChannels.WINDOW - 1,
                        0));
    }

    @Test
    void reportsStalledGap() {
        add(frame(Reliability.RELIABLE_ORDERED, 3, 1, 0));
        assertThat(channels.isStalled(5)).isFalse();
        assertThat(channels.isStalled(6)).isTrue();
        add(frame(Reliability.RELIABLE_ORDERED, 3, 0, 0));
        assertThat(channels.isStalled(6)).isFalse();
    }
}
