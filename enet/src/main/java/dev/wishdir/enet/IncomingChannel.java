package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What comes in on one channel: it is delivered in order, what waits for an earlier message is
 * kept. ENet 1.3, reliability, windows, fragments.
 */
final class IncomingChannel {
    /** Receives the output of a channel. */
    interface Sink {
        /** A message, in its turn. */
        void deliver(int channel, Bytes payload, boolean reliable);

        /** The other side went beyond what is kept for it; the connection is over. */
        void overflow();

        /** Whether more may be delivered. */
        boolean connected();
    }

    /** What is to be done with a command after it was taken in. */
    enum Verdict {
        /** Go on; acknowledge it if it wants that. */
        ACKNOWLEDGE,
        /** Go on without acknowledging, so that the sender keeps it. */
        WITHHOLD,
        /** Ignore the rest of the datagram. */
        STOP
    }

    private static final int WINDOW_SHIFT = OutgoingChannel.WINDOW_SHIFT;
    private static final int WINDOWS = OutgoingChannel.WINDOWS;
    private static final int RECEIVE_WINDOWS = 7;
    private static final int WITHHELD_WINDOWS = 9;

    /** How long a gap may last, milliseconds: ENet's own longest time-out. */
    private static final int GAP_TIMEOUT_MILLIS = 30_000;

    private final int id;
    private final ReassemblyBudget budget;
    private final Sink sink;
    private final TrafficCounters traffic;

    private int reliable;
    private int unreliable;
    private int frontier = -1;
    private int times;
    private long frontierSince;
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
            reliable = seq;
            unreliable = 0;
            sink.deliver(id, command.payload(), true);
            deliverEarly();
            drain();
            return Verdict.ACKNOWLEDGE;
        }
        if (waiting.containsKey(seq)) {
            return Verdict.ACKNOWLEDGE;
        }
        if (!hold(0, MessageReassembly.heap(MessageReassembly.WHOLE, command.payload()))) {
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
        Verdict verdict = assemble(waiting, fragment.start(), fragment);
        drain();
        return verdict;
    }

    private boolean hold(int whole, int part) {
        if (budget.hold(whole, part)) {
            return true;
        }
        sink.overflow();
        return false;
    }

    /** A verdict at once for a sequence number that is old or too far ahead, null for a new one. */
    private @Nullable Verdict admit(int seq) {
        int ahead = ahead(seq);
        if (ahead < RECEIVE_WINDOWS) {
            return seq == reliable ? Verdict.ACKNOWLEDGE : null;
        }
        return ahead < WITHHELD_WINDOWS ? Verdict.WITHHOLD : Verdict.ACKNOWLEDGE;
    }

    /** How many windows a sequence number is ahead of the last delivered one; 16 if behind it. */
    private int ahead(int seq) {
        int window = (seq >> WINDOW_SHIFT) + (seq < reliable ? WINDOWS : 0);
        return window - (reliable >> WINDOW_SHIFT);
    }

    private int next() {
        return reliable + 1 & 0xFFFF;
    }

    private Verdict assemble(Map<Integer, MessageReassembly> into, int key, Fragment fragment) {
        MessageReassembly reassembly = into.get(key);
        boolean fresh = reassembly == null;
        if (reassembly == null) {
            reassembly = MessageReassembly.of(fragment);
        }
        if (!reassembly.accepts(fragment)) {
            return Verdict.STOP;
        }
        if (reassembly.has(fragment.num())) {
            return Verdict.ACKNOWLEDGE;
        }
        int heap = MessageReassembly.heap(MessageReassembly.PIECE, fragment.payload());
        if (!hold(fragment.total(), heap + (fresh ? MessageReassembly.BASE : 0))) {
            return Verdict.STOP;
        }
        reassembly.add(fragment);
        if (fresh) {
            into.put(key, reassembly);
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Delivers what has waited for its turn until something is missing. */
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

    /** Moves on over the numbers of one message, with whatever was kept for them. */
    private void skip(int count) {
        for (int i = 0; i < count; i++) {
            reliable = next();
            MessageReassembly done = waiting.remove(reliable);
            if (done != null) {
                budget.release(done.retainedBytes());
            }
            if (i < count - 1) {
                forget(early.remove(reliable));
            }
        }
        unreliable = 0;
    }

    private void forget(@Nullable SortedMap<Integer, SendUnreliable> messages) {
        if (messages != null) {
            for (SendUnreliable message : messages.values()) {
                budget.release(MessageReassembly.heap(MessageReassembly.EARLY, message.payload()));
            }
        }
    }

    private void deliverEarly() {
        dropPartial();
        SortedMap<Integer, SendUnreliable> messages = early.remove(reliable);
        forget(messages);
        if (messages != null) {
            messages.values().forEach(this::receive);
        }
    }

    Verdict receive(SendUnreliable command) {
        int seq = command.seq();
        if (seq == reliable) {
            if (command.useq() > unreliable) {
                traffic.sequencedIn(command.useq() - unreliable - 1);
                unreliable = command.useq();
                sink.deliver(id, command.payload(), false);
                dropPartial();
            }
        } else if (ahead(seq) < RECEIVE_WINDOWS) {
            keep(command);
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Keeps a message until its reliable one has come, while there is room: it may be lost. */
    private void keep(SendUnreliable command) {
        int size = MessageReassembly.heap(MessageReassembly.EARLY, command.payload());
        if (budget.fits(size)) {
            SortedMap<Integer, SendUnreliable> messages =
                    early.computeIfAbsent(command.seq(), _ -> new TreeMap<>());
            if (messages.putIfAbsent(command.useq(), command) == null) {
                budget.hold(0, size);
            }
        }
    }

    Verdict receive(SendUnreliableFragment command) {
        Fragment fragment = command.fragment();
        int seq = command.seq();
        if (late(seq, fragment.start())) {
            return Verdict.ACKNOWLEDGE;
        }
        int key = seq << 16 | fragment.start();
        Verdict verdict = assemble(partial, key, fragment);
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
     * Whether messages have waited for long for an earlier one that doesn't come on. A sender sends
     * its oldest fragment again until it has arrived, or gives up within this time itself.
     */
    boolean isStalled(long now) {
        int missing = next();
        MessageReassembly first = waiting.get(missing);
        missing += first == null ? 0 : first.firstMissing();
        boolean waits = !waiting.isEmpty() || !early.isEmpty();
        if (missing != frontier || times != budget.times() || (!waits && partial.isEmpty())) {
            frontier = missing;
            times = budget.times();
            frontierSince = now;
        }
        if (now - frontierSince < GAP_TIMEOUT_MILLIS) {
            return false;
        }
        partial.values().forEach(reassembly -> budget.release(reassembly.retainedBytes()));
        partial.clear();
        return waits;
    }

    private boolean late(int seq, int useq) {
        return seq == reliable ? useq <= unreliable : ahead(seq) >= RECEIVE_WINDOWS;
    }

    private void dropPartial() {
        if (!partial.isEmpty()) {
            partial.entrySet()
                    .removeIf(entry -> {
                        boolean late = late(entry.getKey() >>> 16, entry.getKey() & 0xFFFF);
                        if (late) {
                            budget.release(entry.getValue().retainedBytes());
                        }
                        return late;
                    });
        }
    }
}
