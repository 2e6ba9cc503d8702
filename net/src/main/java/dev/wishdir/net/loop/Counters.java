package dev.wishdir.net.loop;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Event counters by name. Each dropped datagram is counted under a reason, such as {@code
 * sauerbraten.drop.malformed}. Names are constants of the code, never taken from a packet, so that
 * their number is bounded. Thread-safe.
 */
public final class Counters {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** Adds one. */
    public void count(String name) {
        add(name, 1);
    }

    public void add(String name, long amount) {
        LongAdder adder = counts.get(name);
        if (adder == null) {
            adder = counts.computeIfAbsent(name, _ -> new LongAdder());
        }
        adder.add(amount);
    }

    /** The count of a name, 0 where nothing was counted. */
    public long get(String name) {
        LongAdder adder = counts.get(name);
        return adder == null ? 0 : adder.sum();
    }

    /** A copy of all counts, ordered by name. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((name, adder) -> all.put(name, adder.sum()));
        return all;
    }
}
