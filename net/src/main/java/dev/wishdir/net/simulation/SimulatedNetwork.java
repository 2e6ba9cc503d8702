package dev.wishdir.net.simulation;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.net.loop.LoopClock;
import dev.wishdir.net.loop.LoopLateness;
import dev.wishdir.net.loop.UdpSocket;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A simulated network of UDP, HTTP and lines over TCP in virtual time, with delay, loss,
 * duplication and reordering by a seed. Minutes of protocol time pass in milliseconds, and the same
 * seed gives the same run. Not thread-safe.
 */
public final class SimulatedNetwork {
    /**
     * Link conditions of all datagrams.
     *
     * @param loss probability of loss, 0..1
     * @param duplication probability of duplication, 0..1
     * @param delay one-way delay, nanoseconds
     * @param jitter maximum random extra delay of each datagram, nanoseconds; it also reorders
     */
    public record Conditions(double loss, double duplication, long delay, long jitter) {
        /** No loss; a delay of 1 ms. */
        public static final Conditions PERFECT = new Conditions(0, 0, 1_000_000, 0);

        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public Conditions {
            Requirements.probability("loss", loss);
            Requirements.probability("duplication", duplication);
            Requirements.notNegative("delay", delay);
            Requirements.notNegative("jitter", jitter);
        }
    }

    /** Observes each sent datagram, before loss and duplication. */
    @FunctionalInterface
    public interface Tap {
        void sent(long now, InetSocketAddress from, InetSocketAddress to, byte[] data);
    }

    private static final class InFlight {
        final long arrival;
        final long order;
        final InetSocketAddress from;
        final InetSocketAddress to;
        final byte[] data;

        InFlight(
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

    private static final int FIRST_PORT = 49_152;
    private static final int PORTS = 65_536 - FIRST_PORT;

    private record Offloaded(long due, long order, Cycle cycle, Runnable completion) {}

    private final Random random;
    private final PriorityQueue<Offloaded> offloaded =
            new PriorityQueue<>(
                    Comparator.comparingLong(Offloaded::due).thenComparingLong(Offloaded::order));
    private final PriorityQueue<InFlight> inFlight =
            new PriorityQueue<>((a, b) ->
                    a.arrival != b.arrival
                            ? Long.compare(a.arrival, b.arrival)
                            : Long.compare(a.order, b.order));
    private final Map<InetSocketAddress, Socket> sockets = new HashMap<>();
    private final Map<Socket, DatagramHandler> handlers = new HashMap<>();

    /** The HTTP server of an address. */
    private record HttpServer(Cycle cycle, HttpHandler handler) {}

    /**
     * A server of lines of text.
     *
     * @param acceptor makes the listener of each connection, given what sends to its client
     */
    private record LineServer(
            Cycle cycle, Function<LineConnection, LineConnection.Listener> acceptor) {}

    private final Map<InetSocketAddress, LineServer> lineServers = new HashMap<>();

    private final Map<InetSocketAddress, HttpServer> httpServers = new HashMap<>();

    /** Never changed but replaced, as turns of its cycles add and close cycles. */
    private Cycle[] cycles = {};

    private final List<Tap> taps = new ArrayList<>();
    private Conditions conditions = Conditions.PERFECT;
    private long now;
    private long order;
    private long offloadNanos;
    private long heldUntil = Long.MIN_VALUE;
    private int nextPort = FIRST_PORT;
    private @Nullable Consumer<Throwable> defects;

    /** The first exception that a cycle reported and no consumer took. */
    private @Nullable Throwable reported;

    public SimulatedNetwork(long seed) {
        random = new Random(seed);
    }

    /** Sets the conditions of datagrams sent from now on. */
    public void conditions(Conditions conditions) {
        this.conditions = Objects.requireNonNull(conditions, "conditions");
    }

    /**
     * Sets the duration of {@linkplain DutyCycle#offload offloaded} work from now on, nanoseconds;
     * 0 by default. Past {@link DutyCycle#OFFLOAD_TIMEOUT_NANOS} it times out.
     */
    public void offloading(long nanos) {
        offloadNanos = nanos;
    }

    /**
     * Sets a consumer of what handlers, duties and tasks throw; the network then goes on as {@code
     * NettyLoop} does. Unless this is set, {@link #run} throws it, so that no test misses a defect.
     */
    public void onDefect(Consumer<Throwable> defects) {
        this.defects = defects;
    }

    public void tap(Tap tap) {
        taps.add(tap);
    }

    /** A new cycle on this network's clock. */
    public DutyCycle cycle() {
        Cycle cycle = new Cycle();
        cycles = Arrays.copyOf(cycles, cycles.length + 1);
        cycles[cycles.length - 1] = cycle;
        return cycle;
    }

    /** The virtual time, nanoseconds. */
    public long now() {
        return now;
    }

    /** Delays all datagrams sent within a time until its end, and then delivers them in order. */
    public void hold(long nanos) {
        heldUntil = now + nanos;
    }

    /**
     * Stalls the thread of a cycle, as a pause of its machine does: datagrams that arrive meanwhile
     * are received afterwards.
     */
    public void stall(DutyCycle stalled, long nanos) {
        if (!(stalled instanceof Cycle cycle) || !Arrays.asList(cycles).contains(cycle)) {
            throw new IllegalArgumentException("cycle does not belong to this network: " + stalled);
        }
        cycle.stalledUntil = now + nanos;
        cycle.stalledFor = nanos;
    }

    /** Steps the clock forward or back without running anything. */
    public void stepClock(long nanos) {
        now += nanos;
    }

    /** Delivers a datagram with any source address; the conditions do not apply. */
    public void inject(InetSocketAddress from, InetSocketAddress to, byte[] data) {
        inFlight.add(new InFlight(now, order++, from, to, data.clone()));
    }

    /** Advances the virtual time. */
    public void run(long nanos) {
        runUntil(() -> false, nanos);
    }

    /**
     * Advances the virtual time until a condition holds.
     *
     * @param limit maximum time, nanoseconds
     * @return whether the condition holds
     */
    public boolean runUntil(BooleanSupplier condition, long limit) {
        long end = now + limit;
        while (!condition.getAsBoolean()) {
            long next = inFlight.isEmpty() ? Duty.NEVER : inFlight.element().arrival;
            if (!offloaded.isEmpty()) {
                next = Math.min(next, offloaded.element().due());
            }
            for (Cycle cycle : cycles) {
                next = Math.min(next, cycle.due());
            }
            if (next > end) {
                now = end;
                return condition.getAsBoolean();
            }
            now = Math.max(now, next);
            deliver();
            finish();
            for (Cycle cycle : cycles) {
                if (cycle.due() <= now) {
                    cycle.turn();
                }
            }
            throwReported();
        }
        return true;
    }

    /**
     * Serves lines of text over TCP, on a cycle of this network.
     *
     * @param acceptor makes the listener of each connection, given what sends to its client
     * @return closes the port, not its connections
     */
    public Runnable serveLines(
            DutyCycle cycle,
            InetSocketAddress local,
            Function<LineConnection, LineConnection.Listener> acceptor) {
        LineServer server = new LineServer((Cycle) cycle, acceptor);
        lineServers.put(local, server);
        return () -> lineServers.remove(local, server);
    }

    /** One end of a simulated TCP connection, which loses nothing; each line takes the delay. */
    private final class LineEnd implements LineConnection {
        private final Cycle cycle;
        private final int maxLineBytes;
        private LineConnection.@Nullable Listener listener;
        private @Nullable LineEnd peer;
        private boolean isOpen = true;

        /**
         * @param cycle of its listener
         * @param maxLineBytes of a line that it receives
         */
        LineEnd(Cycle cycle, int maxLineBytes) {
            this.cycle = cycle;
            this.maxLineBytes = maxLineBytes;
        }

        private void deliver(Consumer<LineConnection.Listener> event) {
            later(
                    cycle,
                    () -> {
                        LineConnection.Listener to = listener;
                        if (isOpen && to != null) {
                            event.accept(to);
                        }
                    });
        }

        private void end(String reason) {
            deliver(to -> {
                isOpen = false;
                to.onClosed(reason);
            });
        }

        @Override
        public void send(String line) {
            LineEnd to = peer;
            if (isOpen && to != null) {
                if (line.length() > to.maxLineBytes) {
                    to.end("it sent a line that is too long");
                    isOpen = false;
                } else {
                    to.deliver(it -> it.onLine(line));
                }
            }
        }

        @Override
        public void close() {
            LineEnd to = peer;
            if (isOpen && to != null) {
                to.end("it closed the connection");
            }
            isOpen = false;
        }
    }

    private void later(Cycle cycle, Runnable task) {
        offloaded.add(new Offloaded(now + conditions.delay, order++, cycle, task));
    }

    private void throwReported() {
        Throwable thrown = reported;
        reported = null;
        if (thrown != null) {
            defect(thrown);
        }
    }

    private void deliver() {
        while (!inFlight.isEmpty() && inFlight.element().arrival <= now) {
            InFlight flight = inFlight.remove();
            Socket socket = sockets.get(flight.to);
            DatagramHandler handler = handlers.get(socket);
            if (socket != null && socket.cycle.heldUpUntil() > now) {
                inFlight.add(
                        new InFlight(
                                socket.cycle.heldUpUntil(),
                                flight.order,
                                flight.from,
                                flight.to,
                                flight.data));
            } else if (socket != null && handler != null) {
                socket.cycle.observeLateness();
                long due = socket.cycle.now();
                guarded(() -> handler.receive(due, flight.from, flight.data));
                socket.cycle.requestTurn(due);
            }
        }
    }

    private void finish() {
        while (!offloaded.isEmpty() && offloaded.element().due() <= now) {
            Offloaded work = offloaded.remove();
            long end = work.cycle().stalledUntil;
            if (end > now) {
                offloaded.add(new Offloaded(end, work.order(), work.cycle(), work.completion()));
            } else {
                guarded(work.completion());
                work.cycle().deadline = work.cycle().now();
            }
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            defect(e);
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
                long arrival = Math.max(now + conditions.delay + jitter, heldUntil);
                inFlight.add(new InFlight(arrival, order++, from, to, data));
            }
        }
    }

    /**
     * Lets the cycle whose handler, duty or task runs now spend CPU time on it; datagrams that
     * arrive meanwhile wait.
     *
     * @param cycle of this network
     */
    public void work(DutyCycle cycle, long nanos) {
        holdUp(cycle, nanos);
        ((Cycle) cycle).worked += nanos;
    }

    /**
     * As {@link #work}, but the thread is suspended, by its host or a garbage collector, and uses
     * no CPU time.
     */
    public void holdUp(DutyCycle cycle, long nanos) {
        Cycle busy = (Cycle) cycle;
        busy.busyUntil = busy.networkTime() + nanos;
    }

    private final class Cycle implements DutyCycle {
        /** A duty may close its socket, and so remove itself. */
        private final List<Duty> duties = new CopyOnWriteArrayList<>();

        private final LoopLateness lateness = new LoopLateness();
        private long deadline = Duty.NEVER;
        private long busyUntil = Long.MIN_VALUE;
        private long worked;
        private long stalledUntil = Long.MIN_VALUE;
        private long stalledFor;
        private long slept;

        @Override
        public long now() {
            return networkTime() - sleptNanos();
        }

        /** The network's time, or the end of the cycle's current work if later. */
        private long networkTime() {
            return Math.max(now, busyUntil);
        }

        @Override
        public long cpuNanos() {
            return worked;
        }

        /** Counts a stall when it is over, as the real loop does. */
        @Override
        public long sleptNanos() {
            if (stalledFor > 0 && now >= stalledUntil) {
                slept += Math.max(0, stalledFor - LoopClock.MAX_GAP_NANOS);
                stalledFor = 0;
            }
            return slept;
        }

        @Override
        public long lateNanos() {
            return lateness.nanos(now());
        }

        private void observeLateness() {
            if (deadline != Duty.NEVER) {
                lateness.observe(now(), deadline);
            }
        }

        private long heldUpUntil() {
            return Math.max(busyUntil, stalledUntil);
        }

        /** The time of the next turn, on the network's clock. */
        private long due() {
            if (deadline == Duty.NEVER) {
                return Duty.NEVER;
            }
            return Math.max(deadline + sleptNanos(), heldUpUntil());
        }

        @Override
        public <H extends DatagramHandler> H open(
                InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
            InetAddress address = Requirements.resolved("local address", local).getAddress();
            Objects.requireNonNull(maker, "maker");
            if (address.isAnyLocalAddress()) {
                address = loopback();
            }
            int port = local.getPort() == 0 ? freePort(address) : local.getPort();
            InetSocketAddress bound = new InetSocketAddress(address, port);
            if (sockets.containsKey(bound)) {
                throw new BindException("cannot bind UDP " + bound + ": address already in use");
            }
            Socket socket = new Socket(this, bound);
            sockets.put(bound, socket);
            try {
                H handler =
                        Objects.requireNonNull(
                                maker.create(socket), "the handler that the maker made");
                handlers.put(socket, handler);
                add(handler);
                return handler;
            } catch (Throwable e) {
                sockets.remove(bound);
                throw e;
            }
        }

        private int freePort(InetAddress address) throws BindException {
            for (int tries = 0; tries < PORTS; tries++) {
                int port = nextPort;
                nextPort = port == FIRST_PORT + PORTS - 1 ? FIRST_PORT : port + 1;
                if (!sockets.containsKey(new InetSocketAddress(address, port))) {
                    return port;
                }
            }
            throw new BindException("cannot bind UDP " + address + ": no port is free");
        }

        private static InetAddress loopback() throws UnknownHostException {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        }

        @Override
        public void add(Duty duty) {
            duties.add(Objects.requireNonNull(duty, "duty"));
            deadline = now();
        }

        @Override
        public void report(Object where, Throwable thrown) {
            if (defects != null) {
                defects.accept(thrown);
            } else if (reported == null) {
                reported = thrown;
            }
        }

        @Override
        public void execute(Runnable task) {
            Objects.requireNonNull(task, "task");
            if (now < stalledUntil) {
                offloaded.add(new Offloaded(stalledUntil, order++, this, task));
            } else {
                long due = now();
                guarded(task);
                requestTurn(due);
            }
        }

        /** A turn follows; it is late if the thread is held up meanwhile. */
        private void requestTurn(long due) {
            deadline = Math.min(deadline, due);
        }

        @Override
        public <T> boolean offload(
                Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
            Objects.requireNonNull(work, "work");
            Objects.requireNonNull(onResult, "onResult");
            Objects.requireNonNull(onFailure, "onFailure");
            long waiting = offloaded.stream().filter(other -> other.cycle() == this).count();
            if (waiting >= MAX_OFFLOADED_TASKS) {
                return false;
            }
            boolean late = offloadNanos > OFFLOAD_TIMEOUT_NANOS;
            long due = now + (late ? OFFLOAD_TIMEOUT_NANOS : offloadNanos);
            offloaded.add(
                    new Offloaded(
                            due,
                            order++,
                            this,
                            () -> {
                                if (late) {
                                    onFailure.accept(new TimeoutException());
                                } else {
                                    runOffloaded(work, onResult, onFailure);
                                }
                            }));
            return true;
        }

        /** TCP loses nothing: a request and its response each take the link's delay. */
        @Override
        public AutoCloseable serve(
                InetSocketAddress local, HttpSettings settings, HttpHandler handler)
                throws IOException {
            Requirements.resolved("local address", local);
            Objects.requireNonNull(settings, "settings");
            HttpServer entry = new HttpServer(this, Objects.requireNonNull(handler, "handler"));
            if (httpServers.putIfAbsent(local, entry) != null) {
                throw new BindException("cannot bind TCP " + local + ": address already in use");
            }
            return () -> httpServers.remove(local, entry);
        }

        @Override
        public void fetch(
                HttpFetch request, Consumer<HttpResponse> onResult, Consumer<Throwable> onFailure) {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(onResult, "onResult");
            Objects.requireNonNull(onFailure, "onFailure");
            later(
                    this,
                    () -> {
                        HttpServer server = httpServers.get(request.server());
                        InetSocketAddress from = new InetSocketAddress(request.from(), nextPort);
                        if (server == null || !server.handler.admits(request.from())) {
                            later(this, () -> onFailure.accept(new ConnectException("refused")));
                            return;
                        }
                        HttpRequest received =
                                new HttpRequest(
                                        from,
                                        request.server(),
                                        request.method(),
                                        request.path(),
                                        request.body());
                        server.handler.handle(
                                received, response -> later(this, () -> onResult.accept(response)));
                        server.cycle.deadline = server.cycle.now();
                    });
        }

        @Override
        public LineConnection connect(
                LineConnection.Target target, LineConnection.Listener listener) {
            Objects.requireNonNull(target, "target");
            LineEnd own = new LineEnd(this, target.maxLineBytes());
            own.listener = Objects.requireNonNull(listener, "listener");
            LineServer server = lineServers.get(target.server());
            if (server == null) {
                own.end("Connection refused: " + target.server());
                return own;
            }
            LineEnd accepted = new LineEnd(server.cycle, Integer.MAX_VALUE);
            accepted.peer = own;
            later(
                    server.cycle,
                    () -> {
                        own.peer = accepted;
                        accepted.listener = server.acceptor.apply(accepted);
                        own.deliver(LineConnection.Listener::onConnected);
                    });
            return own;
        }

        private <T> void runOffloaded(
                Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
            T result;
            try {
                result = work.call();
            } catch (Exception e) {
                onFailure.accept(e);
                return;
            } catch (Error e) {
                defect(e);
                onFailure.accept(e);
                return;
            }
            onResult.accept(result);
        }

        @Override
        public void close() {
            sockets.values().removeIf(socket -> socket.cycle == this);
            handlers.keySet().removeIf(socket -> socket.cycle == this);
            httpServers.values().removeIf(entry -> entry.cycle == this);
            offloaded.removeIf(work -> work.cycle() == this);
            duties.clear();
            deadline = Duty.NEVER;
            cycles = Arrays.stream(cycles).filter(cycle -> cycle != this).toArray(Cycle[]::new);
        }

        private void turn() {
            observeLateness();
            deadline = Duty.NEVER;
            for (Duty duty : duties) {
                // A duty that is due again at once is delayed by 1 ns, so that time passes.
                deadline = Math.min(deadline, Math.max(advance(duty), now() + 1));
            }
        }

        private long advance(Duty duty) {
            try {
                return duty.advance(now());
            } catch (RuntimeException | Error e) {
                defect(e);
                return now() + Duty.DEFECT_RETRY_NANOS;
            }
        }
    }

    private void defect(Throwable thrown) {
        if (defects != null) {
            defects.accept(thrown);
        } else if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private final class Socket implements UdpSocket {
        private final Cycle cycle;
        private final InetSocketAddress local;

        Socket(Cycle cycle, InetSocketAddress local) {
            this.cycle = cycle;
            this.local = local;
        }

        @Override
        public InetSocketAddress local() {
            return local;
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            if (sockets.get(local) == this) {
                SimulatedNetwork.this.send(
                        local, to, Arrays.copyOfRange(data, offset, offset + length));
            }
        }

        @Override
        public void close() {
            sockets.remove(local, this);
            DatagramHandler handler = handlers.remove(this);
            if (handler != null) {
                cycle.duties.remove(handler);
            }
        }
    }
}
