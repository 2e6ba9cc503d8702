package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ForwardingCycle;
import dev.wishdir.net.SimulatedNetwork;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A server's cycle in virtual time that knows what its handlers cost: the processor's time,
 * whatever else the machine does.
 */
public final class WorkCycle extends ForwardingCycle {
    /**
     * What a request may cost: five times the 0.2 ms that are meant, as this Java may be cold and
     * the machine slow.
     */
    private static final long MAX_NANOS = 1_000_000;

    private static final int TRIES = 8;

    private static final int WARM_UPS = 4;

    /** Longer than from one frame of Quake II to the next, in which answers that wait are made. */
    private static final long STEP = 120_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SimulatedNetwork network;
    private long nanos;

    public WorkCycle(SimulatedNetwork network) {
        this(network, network.cycle());
    }

    private WorkCycle(SimulatedNetwork network, DutyCycle cycle) {
        super(cycle);
        this.network = network;
    }

    @Override
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        long began = THREADS.getCurrentThreadCpuTime();
        super.received(handler, now, from, data);
        nanos += THREADS.getCurrentThreadCpuTime() - began;
    }

    @Override
    protected long advance(DatagramHandler handler, long now) {
        long began = THREADS.getCurrentThreadCpuTime();
        long next = super.advance(handler, now);
        nanos += THREADS.getCurrentThreadCpuTime() - began;
        return next;
    }

    /** Adds sixty players of another game, who stand in rows. */
    public void addCrowd(Arena arena) {
        for (int i = 0; i < 60; i++) {
            arena.join(network.now(), "other", "player" + i, new RecordingViewer())
                    .spawn(network.now(), Movement.at(new Vec3(i % 8, i / 8.0, 0), 0));
        }
    }

    /** What a request costs in addition to what happens anyway: the least of several tries. */
    private long cost(Runnable request) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = nanos;
            request.run();
            network.run(STEP);
            least = Math.min(least, nanos - before);
        }
        return least;
    }

    /** The requests that cost too much, with what they cost. */
    public List<String> tooCostly(Map<String, Runnable> requests) {
        for (int i = 0; i < WARM_UPS; i++) {
            requests.values()
                    .forEach(request -> {
                        request.run();
                        network.run(STEP);
                    });
        }
        long quiet = cost(() -> {});
        List<String> costly = new ArrayList<>();
        requests.forEach((name, request) -> {
            long cost = cost(request) - quiet;
            if (cost > MAX_NANOS) {
                costly.add(name + " costs " + cost / 1000 + " µs");
            }
        });
        return costly;
    }
}
