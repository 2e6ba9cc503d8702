package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The receiving half of a channel: delivers messages in order and keeps early ones:
 * docs/protocols/enet.md#windows and fragments.
 */
final class IncomingChannel {
    /** Receives the output of a channel. */
    interface Sink {
        /** Delivers a message, in order. */
        void deliver(int channel, Bytes payload, boolean reliable);

        /** The peer exceeded its memory limit; the connection ends. */
        void overflow();

        /** Whether more may be delivered. */
        boolean connected();
    }

    /** Verdict after a command was handled. */
    enum Verdict {
        /** Acknowledge the command if it asks for it. */
        ACKNOWLEDGE,
        /** Do not acknowledge, so that the sender retransmits. */
        WITHHOLD,
        /** Ignore the rest of the datagram. */
        STOP
    }

    private static final int WINDOW_SHIFT = OutgoingChannel.WINDOW_SHIFT;
    private static final int WINDOWS = OutgoingChannel.WINDOWS;
    private static final int RECEIVE_WINDOWS = 7;
    private static final int WITHHELD_WINDOWS = 9;

    /** Maximum duration of a gap, milliseconds: ENet's own longest time-out. */
    private static final int GAP_TIMEOUT_MILLIS = 30_000;

    private final int id;
    private final ReassemblyBudget budget;
    private final Sink sink;
    private final TrafficCounters traffic;

    private int lastReliable;
    private int lastUnreliable;
    private int firstGap = -1;
    private int generation;
    private long firstGapSince;
    private final Map<Integer, MessageReassembly> waiting = new HashMap<>();
    private final Map<Integer, SortedMap<Integer, SendUnreliable>> early = new HashMap<>();
    private final Map<Integer, MessageReassembly> partial = new HashMap<>();

    IncomingChannel(int id, ReassemblyBudget budget, Sink sink, TrafficCounters traffic) {
        this.id = id;
        this.budget = budget;
        this.sink = sink;
        this.traffic = traffic;
    }

    Verdict receive(SendReliable command) {
        Verdict early = admit(command.seq());
        if (early != null) {
            return early;
        }
        int seq = command.seq();
        if (seq == next()) {
            lastReliable = seq;
            lastUnreliable = 0;
            sink.deliver(id, command.payload(), true);
            deliverEarly();
            drain();
            return Verdict.ACKNOWLEDGE;
        }
        if (waiting.containsKey(seq)) {
            return Verdict.ACKNOWLEDGE;
        }
        if (!reserve(0, MessageReassembly.heap(MessageReassembly.WHOLE_HEAP, command.payload()))) {
            return Verdict.STOP;
        }
        waiting.put(seq, MessageReassembly.whole(command.payload()));
        return Verdict.ACKNOWLEDGE;
    }

    Verdict receive(SendFragment command) {
        Fragment fragment = command.fragment();
        if ((fragment.start() + fragment.num() & 0xFFFF) != command.seq()) {
            return Verdict.STOP;
        }
        Verdict early = admit(fragment.start());
        if (early == null && ahead(command.seq()) >= RECEIVE_WINDOWS) {
            early = Verdict.WITHHOLD;
        }
        if (early != null) {
            return early;
        }
        Verdict verdict = reassemble(waiting, fragment.start(), fragment);
        drain();
        return verdict;
    }

    private boolean reserve(int whole, int part) {
        if (budget.reserve(whole, part)) {
            return true;
        }
        sink.overflow();
        return false;
    }

    /** The verdict for a sequence number that is old or too far ahead; null for a new one. */
    private @Nullable Verdict admit(int seq) {
        int ahead = ahead(seq);
        if (ahead < RECEIVE_WINDOWS) {
            return seq == lastReliable ? Verdict.ACKNOWLEDGE : null;
        }
        return ahead < WITHHELD_WINDOWS ? Verdict.WITHHOLD : Verdict.ACKNOWLEDGE;
    }

    /**
     * The windows by which a sequence number is ahead of the last delivered one; 16 if behind it.
     */
    private int ahead(int seq) {
        int window = (seq >> WINDOW_SHIFT) + (seq < lastReliable ? WINDOWS : 0);
        return window - (lastReliable >> WINDOW_SHIFT);
    }

    private int next() {
        return lastReliable + 1 & 0xFFFF;
    }

    private Verdict reassemble(Map<Integer, MessageReassembly> into, int key, Fragment fragment) {
        MessageReassembly reassembly = into.get(key);
        boolean isNew = reassembly == null;
        if (reassembly == null) {
            reassembly = MessageReassembly.of(fragment);
        }
        if (!reassembly.accepts(fragment)) {
            return Verdict.STOP;
        }
        if (reassembly.has(fragment.num())) {
            return Verdict.ACKNOWLEDGE;
        }
        int heap = MessageReassembly.heap(MessageReassembly.FRAGMENT_HEAP, fragment.payload());
        if (!reserve(fragment.total(), heap + (isNew ? MessageReassembly.BASE_HEAP : 0))) {
            return Verdict.STOP;
        }
        reassembly.add(fragment);
        if (isNew) {
            into.put(key, reassembly);
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Delivers waiting messages up to the next missing one. */
    private void drain() {
        while (sink.connected()) {
            MessageReassembly reassembly = waiting.get(next());
            if (reassembly == null || !reassembly.complete()) {
                return;
            }
            skip(reassembly.count());
            sink.deliver(id, reassembly.message(), true);
            deliverEarly();
        }
    }

    /** Advances past the sequence numbers of one message and releases what was kept for them. */
    private void skip(int count) {
        for (int i = 0; i < count; i++) {
            lastReliable = next();
            MessageReassembly delivered = waiting.remove(lastReliable);
            if (delivered != null) {
                budget.release(delivered.retainedBytes());
            }
            if (i < count - 1) {
                forget(early.remove(lastReliable));
            }
        }
        lastUnreliable = 0;
    }

    private void forget(@Nullable SortedMap<Integer, SendUnreliable> messages) {
        if (messages != null) {
            for (SendUnreliable message : messages.values()) {
                budget.release(
                        MessageReassembly.heap(
                                MessageReassembly.UNRELIABLE_HEAP, message.payload()));
            }
        }
    }

    private void deliverEarly() {
        dropPartial();
        SortedMap<Integer, SendUnreliable> messages = early.remove(lastReliable);
        forget(messages);
        if (messages != null) {
            messages.values().forEach(this::receive);
        }
    }

    Verdict receive(SendUnreliable command) {
        int seq = command.seq();
        if (seq == lastReliable) {
            if (command.useq() > lastUnreliable) {
                traffic.sequencedIn(command.useq() - lastUnreliable - 1);
                lastUnreliable = command.useq();
                sink.deliver(id, command.payload(), false);
                dropPartial();
            }
        } else if (ahead(seq) < RECEIVE_WINDOWS) {
            keep(command);
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Keeps a message until its reliable one has arrived; drops it if there is no room. */
    private void keep(SendUnreliable command) {
        int size = MessageReassembly.heap(MessageReassembly.UNRELIABLE_HEAP, command.payload());
        if (budget.fits(size)) {
            SortedMap<Integer, SendUnreliable> messages =
                    early.computeIfAbsent(command.seq(), _ -> new TreeMap<>());
            if (messages.putIfAbsent(command.useq(), command) == null) {
                budget.reserve(0, size);
            }
        }
    }

    Verdict receive(SendUnreliableFragment command) {
        Fragment fragment = command.fragment();
        int seq = command.seq();
        if (isLate(seq, fragment.start())) {
            return Verdict.ACKNOWLEDGE;
        }
        int key = seq << 16 | fragment.start();
        Verdict verdict = reassemble(partial, key, fragment);
        MessageReassembly reassembly = partial.get(key);
        if (reassembly != null && reassembly.complete()) {
            partial.remove(key);
            budget.release(reassembly.retainedBytes());
            receive(
                    new SendUnreliable(
                            command.flags(), id, seq, fragment.start(), reassembly.message()));
        }
        return verdict;
    }

    /**
     * Whether messages have waited {@link #GAP_TIMEOUT_MILLIS} for an earlier one that made no
     * progress. A sender retransmits its oldest fragment until it arrives, or gives up within this
     * time itself.
     */
    boolean isStalled(long now) {
        int missing = next();
        MessageReassembly first = waiting.get(missing);
        missing += first == null ? 0 : first.firstMissing();
        boolean hasWaiting = !waiting.isEmpty() || !early.isEmpty();
        if (missing != firstGap
                || generation != budget.generation()
                || (!hasWaiting && partial.isEmpty())) {
            firstGap = missing;
            generation = budget.generation();
            firstGapSince = now;
        }
        if (now - firstGapSince < GAP_TIMEOUT_MILLIS) {
            return false;
        }
        partial.values().forEach(reassembly -> budget.release(reassembly.retainedBytes()));
        partial.clear();
        return hasWaiting;
    }

    private boolean isLate(int seq, int useq) {
        return seq == lastReliable ? useq <= lastUnreliable : ahead(seq) >= RECEIVE_WINDOWS;
    }

    private void dropPartial() {
        if (!partial.isEmpty()) {
            partial.entrySet()
                    .removeIf(entry -> {
                        boolean late = isLate(entry.getKey() >>> 16, entry.getKey() & 0xFFFF);
                        if (late) {
                            budget.release(entry.getValue().retainedBytes());
                        }
                        return late;
                    });
        }
    }
}
