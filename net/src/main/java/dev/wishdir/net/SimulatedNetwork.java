package dev.wishdir.net;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * A UDP network in virtual time: cycles opened on it exchange datagrams that it delays, loses,
 * doubles and swaps, as a seed decides. Minutes of protocol time pass in milliseconds, and the same
 * seed gives the same run. For one thread.
 */
public final class SimulatedNetwork {
    /**
     * What happens to datagrams on their way.
     *
     * @param loss share that is lost, 0..1
     * @param duplication share that arrives twice, 0..1
     * @param delay nanoseconds on the way
     * @param jitter up to so many nanoseconds more, each datagram its own: this also reorders
     */
    public record Conditions(double loss, double duplication, long delay, long jitter) {
        /** Nothing is lost; a millisecond on the way. */
        public static final Conditions PERFECT = new Conditions(0, 0, 1_000_000, 0);
    }

    /** Sees each datagram that is sent, before its fate is drawn. */
    @FunctionalInterface
    public interface Tap {
        void sent(long now, InetSocketAddress from, InetSocketAddress to, byte[] data);
    }

    private static final class Flight {
        final long arrival;
        final long order;
        final InetSocketAddress from;
        final InetSocketAddress to;
        final byte[] data;

        Flight(
                long arrival,
                long order,
                InetSocketAddress from,
                InetSocketAddress to,
                byte[] data) {
            this.arrival = arrival;
            this.order = order;
            this.from = from;
            this.to = to;
            this.data = data;
        }
    }

    private final Random random;
    private final PriorityQueue<Flight> flights =
            new PriorityQueue<>((a, b) ->
                    a.arrival != b.arrival
                            ? Long.compare(a.arrival, b.arrival)
                            : Long.compare(a.order, b.order));
    private final Map<InetSocketAddress, Socket> sockets = new HashMap<>();
    private final List<Cycle> cycles = new ArrayList<>();
    private final List<Tap> taps = new ArrayList<>();
    private Conditions conditions = Conditions.PERFECT;
    private long now;
    private long order;
    private int nextPort = 49_152;

    public SimulatedNetwork(long seed) {
        random = new Random(seed);
    }

    /** Changes what happens to datagrams from now on. */
    public void conditions(Conditions conditions) {
        this.conditions = conditions;
    }

    public void tap(Tap tap) {
        taps.add(tap);
    }

    /** A new cycle on this network's clock. */
    public DutyCycle cycle() {
        Cycle cycle = new Cycle();
        cycles.add(cycle);
        return cycle;
    }

    /** The virtual time, nanoseconds. */
    public long now() {
        return now;
    }

    /** Sets the clock ahead or back without running anything, as a broken clock would. */
    public void stepClock(long nanos) {
        now += nanos;
    }

    /** Puts a datagram with any source address on the network; it suffers no conditions. */
    public void inject(InetSocketAddress from, InetSocketAddress to, byte[] data) {
        flights.add(new Flight(now, order++, from, to, data.clone()));
    }

    /** Lets time pass. */
    public void run(long nanos) {
        runUntil(() -> false, nanos);
    }

    /**
     * Lets time pass until something is so.
     *
     * @param limit nanoseconds at most
     * @return whether it came to be so
     */
    public boolean runUntil(BooleanSupplier condition, long limit) {
        long end = now + limit;
        while (!condition.getAsBoolean()) {
            long next = flights.isEmpty() ? Duty.NEVER : flights.element().arrival;
            for (Cycle cycle : cycles) {
                next = Math.min(next, cycle.deadline);
            }
            if (next > end) {
                now = end;
                return condition.getAsBoolean();
            }
            now = Math.max(now, next);
            deliver();
            for (Cycle cycle : List.copyOf(cycles)) {
                if (cycle.deadline <= now) {
                    cycle.turn();
                }
            }
        }
        return true;
    }

    private void deliver() {
        while (!flights.isEmpty() && flights.element().arrival <= now) {
            Flight flight = flights.remove();
            Socket socket = sockets.get(flight.to);
            if (socket != null) {
                socket.handler.receive(now, flight.from, flight.data);
                socket.cycle.deadline = now;
            }
        }
    }

    private void send(InetSocketAddress from, InetSocketAddress to, byte[] data) {
        for (Tap tap : taps) {
            tap.sent(now, from, to, data);
        }
        int copies = random.nextDouble() < conditions.duplication ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (random.nextDouble() >= conditions.loss) {
                long jitter = conditions.jitter == 0 ? 0 : random.nextLong(conditions.jitter);
                flights.add(new Flight(now + conditions.delay + jitter, order++, from, to, data));
            }
        }
    }

    private final class Cycle implements DutyCycle {
        private final List<Duty> duties = new ArrayList<>();
        private long deadline = Duty.NEVER;

        @Override
        public long now() {
            return now;
        }

        @Override
        public UdpSocket open(InetSocketAddress local, DatagramHandler handler) throws IOException {
            InetAddress address = local.getAddress();
            if (address.isAnyLocalAddress()) {
                address = loopback();
            }
            int port = local.getPort() == 0 ? nextPort++ : local.getPort();
            InetSocketAddress bound = new InetSocketAddress(address, port);
            if (sockets.containsKey(bound)) {
                throw new BindException("cannot bind UDP " + bound + ": address already in use");
            }
            Socket socket = new Socket(this, bound, handler);
            sockets.put(bound, socket);
            add(handler);
            return socket;
        }

        private static InetAddress loopback() throws UnknownHostException {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        }

        @Override
        public void add(Duty duty) {
            duties.add(duty);
            deadline = now;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
            deadline = now;
        }

        @Override
        public void close() {
            sockets.values().removeIf(socket -> socket.cycle == this);
            duties.clear();
            deadline = Duty.NEVER;
            cycles.remove(this);
        }

        private void turn() {
            deadline = Duty.NEVER;
            for (int i = 0; i < duties.size(); i++) {
                long next = duties.get(i).advance(now);
                // A duty that is due again at once gets the smallest step of time, so that time
                // passes.
                deadline = Math.min(deadline, Math.max(next, now + 1));
            }
        }
    }

    private final class Socket implements UdpSocket {
        private final Cycle cycle;
        private final InetSocketAddress local;
        private final DatagramHandler handler;

        Socket(Cycle cycle, InetSocketAddress local, DatagramHandler handler) {
            this.cycle = cycle;
            this.local = local;
            this.handler = handler;
        }

        @Override
        public InetSocketAddress local() {
            return local;
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            SimulatedNetwork.this.send(
                    local, to, Arrays.copyOfRange(data, offset, offset + length));
        }

        @Override
        public void close() {
            sockets.remove(local);
            cycle.duties.remove(handler);
        }
    }
}
