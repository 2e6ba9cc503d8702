package dev.wishdir.net;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of heap that all connections of a server hold together, and the most that they may.
 * Past that the largest debtor is ended first, then the next, until what is left is within the
 * total. As a {@link Duty} it looks after turns, at most every 50 ms; an idle server costs nothing.
 * In between, whoever is about to hold much for a peer asks for {@link #hasCapacity} first. One a
 * server, used by its one thread.
 */
public final class MemoryBudget implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String REASON = "the server is short of memory";

    private record Debt(MemoryConsumer debtor, long bytes) {}

    private final long total;
    private final Counters counters;
    private final Set<MemoryConsumer> debtors = new LinkedHashSet<>();
    private final TokenBucket lines = new TokenBucket(3, 1);
    private long held;
    private long promised;
    private long looked;
    private boolean begun;

    /** Whether the log has the addresses of clients. */
    private boolean logAddresses = true;

    /**
     * @param total bytes of heap
     * @param counters where {@code memory.ended} counts those who were ended
     */
    public MemoryBudget(long total, Counters counters) {
        if (total < 1) {
            throw new IllegalArgumentException("no memory for anybody");
        }
        this.total = total;
        this.counters = counters;
    }

    /** A quarter of the most heap that this Java will use. */
    public static MemoryBudget standard(Counters counters) {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4, counters);
    }

    /** From now on the log has no addresses of clients. */
    public void hideAddresses() {
        logAddresses = false;
    }

    /** Counts a connection from now on, until it is removed or ended. */
    public void add(MemoryConsumer consumer) {
        debtors.add(consumer);
    }

    /** Counts a connection no more. Does nothing where it is not counted. */
    public void remove(MemoryConsumer consumer) {
        debtors.remove(consumer);
    }

    /** The most bytes that all may hold. */
    public long total() {
        return total;
    }

    /** The bytes that all held at the last look, with what was promised since. */
    public long retainedBytes() {
        return held + promised;
    }

    /**
     * Whether three quarters are held: what can wait or be left out, a file, an answer, then is.
     */
    public boolean isShort() {
        return retainedBytes() > total - total / 4;
    }

    /**
     * Asks before much is held for a peer that is not needed to keep him: a file, a large answer.
     *
     * @param bytes of heap
     * @return whether there is room; the bytes are then counted as held until the next look, which
     *     finds them at their debtor
     */
    public boolean hasCapacity(long bytes) {
        if (bytes > total - total / 4 - retainedBytes()) {
            return false;
        }
        promised += bytes;
        return true;
    }

    @Override
    public long advance(long now) {
        long since = now - looked;
        if (begun && since >= 0 && since < CHECK_INTERVAL_NANOS) {
            return looked + CHECK_INTERVAL_NANOS;
        }
        begun = true;
        looked = now;
        look(now);
        // Nothing changes but by a turn, and each turn comes here.
        return NEVER;
    }

    private void look(long now) {
        held = 0;
        promised = 0;
        for (MemoryConsumer consumer : debtors) {
            held += consumer.retainedBytes();
        }
        if (held <= total) {
            return;
        }
        List<Debt> debts = new ArrayList<>();
        for (MemoryConsumer consumer : debtors) {
            debts.add(new Debt(consumer, consumer.retainedBytes()));
        }
        debts.sort(Comparator.comparingLong(Debt::bytes).reversed());
        for (Debt debt : debts) {
            if (held <= total) {
                return;
            }
            held -= debt.bytes();
            end(now, debt);
        }
    }

    /** Whatever a debtor's end does, it is counted no more: each is ended once. */
    private void end(long now, Debt debt) {
        if (!debtors.remove(debt.debtor())) {
            return;
        }
        counters.count("memory.ended");
        int untold = lines.refused();
        if (lines.tryAcquire(now)) {
            LOG.warn(
                    "connections hold more than {} KiB: ended {}, which held {} KiB{}",
                    total >> 10,
                    logAddresses ? debt.debtor() : debt.debtor().withoutAddress(),
                    debt.bytes() >> 10,
                    untold == 0 ? "" : ", after " + untold + " more");
        }
        try {
            debt.debtor().abort(now, REASON);
        } catch (RuntimeException e) {
            LOG.error("defect at the end of {}", debt.debtor().getClass().getSimpleName(), e);
        }
        if (debt.debtor().lasts()) {
            debtors.add(debt.debtor());
        }
    }
}
