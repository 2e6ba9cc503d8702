package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The violations that wait for their counterpart: what breaks a rule now, and what broke it then,
 * are the same if they are within a second. In order of time; at most 65,536 wait.
 */
final class ViolationPairs {
    private static final long SAME_NANOS = 1_000_000_000;
    private static final int MAX_WAITING = 1 << 16;

    /** A violation: now, then, or both. */
    static final class Entry {
        private RecordedMovementValidator.Finding finding;
        private boolean now;
        private boolean then;

        private Entry(RecordedMovementValidator.Finding finding, boolean now) {
            this.finding = finding;
            this.now = now;
            then = !now;
        }

        RecordedMovementValidator.Finding finding() {
            return finding;
        }

        boolean now() {
            return now;
        }

        boolean then() {
            return then;
        }
    }

    private record Key(PlayerId player, ViolationRule rule, boolean now) {}

    private final Consumer<Entry> output;
    private final Set<Entry> waiting = new LinkedHashSet<>();
    private final Map<Key, Deque<Entry>> single = new HashMap<>();

    ViolationPairs(Consumer<Entry> output) {
        this.output = output;
    }

    /** Gives out what has waited long enough. */
    void advance(long time) {
        while (!waiting.isEmpty()) {
            Entry first = waiting.iterator().next();
            if (waiting.size() <= MAX_WAITING && first.finding.time() >= time - SAME_NANOS) {
                return;
            }
            waiting.remove(first);
            if (!(first.now && first.then)) {
                takeSingle(key(first.finding, first.now));
            }
            output.accept(first);
        }
    }

    /**
     * Adds a violation.
     *
     * @param now or then
     */
    void add(RecordedMovementValidator.Finding finding, boolean now) {
        Key counterpart = key(finding, !now);
        if (single.containsKey(counterpart)) {
            Entry both = takeSingle(counterpart);
            both.finding = now ? finding : both.finding;
            both.now = true;
            both.then = true;
            waiting.remove(both);
            waiting.add(both);
        } else {
            Entry entry = new Entry(finding, now);
            waiting.add(entry);
            single.computeIfAbsent(key(finding, now), _ -> new ArrayDeque<>()).add(entry);
        }
    }

    private static Key key(RecordedMovementValidator.Finding finding, boolean now) {
        return new Key(finding.player().id(), finding.rule(), now);
    }

    /** The earliest one that waits without a counterpart. */
    private Entry takeSingle(Key key) {
        Deque<Entry> entries = single.getOrDefault(key, new ArrayDeque<>());
        Entry first = entries.remove();
        if (entries.isEmpty()) {
            single.remove(key);
        }
        return first;
    }

    /** Gives out all that waits. */
    void end() {
        for (Iterator<Entry> i = waiting.iterator(); i.hasNext(); i.remove()) {
            output.accept(i.next());
        }
        single.clear();
    }
}
