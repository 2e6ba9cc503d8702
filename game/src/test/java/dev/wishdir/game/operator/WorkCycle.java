package dev.wishdir.game.operator;

import com.sun.management.ThreadMXBean;

import dev.wishdir.arena.Arena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A server's cycle in virtual time that counts the bytes that its handlers allocate. They stand for
 * the work: an answer that is made anew for each request allocates it, one that is looked up does
 * not, and unlike the processor's time they are the same on each machine.
 */
public final class WorkCycle extends ForwardingCycle {
    /** A few answers of one packet with their objects. */
    private static final long MAX_REQUEST_BYTES = 256 << 10;

    private static final int TRIES = 8;

    private static final int WARM_UPS = 4;

    /** Longer than from one frame of Quake II to the next, in which answers that wait are made. */
    private static final long STEP = 120_000_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SimulatedNetwork network;
    private long bytes;

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
        long began = THREADS.getCurrentThreadAllocatedBytes();
        super.received(handler, now, from, data);
        bytes += THREADS.getCurrentThreadAllocatedBytes() - began;
    }

    @Override
    protected long advance(DatagramHandler handler, long now) {
        long began = THREADS.getCurrentThreadAllocatedBytes();
        long next = super.advance(handler, now);
        bytes += THREADS.getCurrentThreadAllocatedBytes() - began;
        return next;
    }

    /** Adds sixty players of another game, who stand in rows. */
    public void addCrowd(Arena arena) {
        for (int i = 0; i < 60; i++) {
            arena.join(network.now(), "other", "player" + i, new RecordingViewer())
                    .spawn(network.now(), Movement.at(new Vec3(i % 8, i / 8.0, 0), 0));
        }
    }

    /** The bytes that a request allocates with what happens anyway: the least of several tries. */
    private long cost(Runnable request) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = bytes;
            request.run();
            network.run(STEP);
            least = Math.min(least, bytes - before);
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
            if (cost > MAX_REQUEST_BYTES) {
                costly.add(name + " costs " + cost + " bytes");
            }
        });
        return costly;
    }
}
