package dev.wishdir.net.netty;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DistinctErrorLog;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.net.loop.LoopClock;
import dev.wishdir.net.loop.LoopLateness;
import dev.wishdir.net.loop.WorkerPool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDatagramChannelConfig;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramChannelConfig;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.SingleThreadEventExecutor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * An event loop: one thread that runs {@link DutyCycle}s over real sockets. It uses native epoll on
 * Linux and Java's NIO elsewhere. A server has one loop with one cycle; many clients share one loop
 * with a cycle each. The thread is not a daemon: a program lives until its loops are closed.
 */
public final class NettyLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The largest UDP payload plus one, so that no datagram is truncated to a valid packet. */
    private static final int RECEIVE_BUFFER_BYTES = 65_536;

    /** Datagrams of one batched read. */
    private static final int BATCH_SIZE = 8;

    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup group;

    /** The sockets of the group's only thread. */
    private @Nullable IoHandler handler;

    /** One object, as each cycle adds it. */
    private final Runnable shutdownHook = this::closeSockets;

    private final WorkerPool workers;
    private final WorkerPool longWorkers;
    private final Defects defects;
    private final LongConsumer onTurn;
    private final LoopClock clock = new LoopClock(System::nanoTime);
    private volatile long threadId;

    /** Set by {@link #coalesceUntil}; only for the loop's thread. */
    private long coalesceUntil = Long.MIN_VALUE;

    /** Total number of datagrams received; only for the loop's thread. */
    private long received;

    /** Cycles whose sockets have received datagrams in this poll; only for the loop's thread. */
    private final List<Cycle> readyCycles = new ArrayList<>();

    /** Takes what handlers, duties, tasks and timers throw. */
    @FunctionalInterface
    private interface Defects {
        void report(long now, Object where, Throwable thrown);
    }

    /**
     * Starts the thread, which survives whatever handlers throw. Exceptions are logged, each place
     * once; where no logging provider is there, to standard error.
     *
     * @param name the thread's name
     */
    public NettyLoop(String name) {
        this(name, _ -> {}, _ -> {});
    }

    /**
     * Starts the thread.
     *
     * @param name the thread's name
     * @param onDefect called on the thread, in place of the log, with each exception that a task,
     *     duty, handler, listener or controller throws
     */
    public NettyLoop(String name, Consumer<Throwable> onDefect) {
        this(name, passing(onDefect), _ -> {});
    }

    /** Passes exceptions on; logs them where the consumer itself throws. */
    private static Defects passing(Consumer<Throwable> onDefect) {
        Objects.requireNonNull(onDefect, "onDefect");
        DistinctErrorLog errorLog = new DistinctErrorLog(_ -> {});
        return (now, where, thrown) -> {
            try {
                onDefect.accept(thrown);
            } catch (RuntimeException | Error e) {
                errorLog.report(now, where, thrown);
                errorLog.report(now, onDefect, e);
            }
        };
    }

    /**
     * Starts the thread.
     *
     * @param name the thread's name
     * @param onFatalError called on the thread, after logging, with each {@link
     *     VirtualMachineError} except {@link StackOverflowError}; it may end the process. If it
     *     returns, the loop goes on
     * @param onTurn called on the thread with the duration of each turn, nanoseconds
     */
    public NettyLoop(String name, Consumer<VirtualMachineError> onFatalError, LongConsumer onTurn) {
        this(
                name,
                new DistinctErrorLog(Objects.requireNonNull(onFatalError, "onFatalError"))::report,
                onTurn);
    }

    private NettyLoop(String name, Defects defects, LongConsumer onTurn) {
        Objects.requireNonNull(name, "name");
        this.defects = defects;
        this.onTurn = Objects.requireNonNull(onTurn, "onTurn");
        // Leaves a processor for the loop where there are two or more.
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 2);
        workers = new WorkerPool(name + "-work", threads, DutyCycle.OFFLOAD_TIMEOUT_NANOS);
        longWorkers = new WorkerPool(name + "-build", 1, DutyCycle.LONG_OFFLOAD_TIMEOUT_NANOS);
        IoHandlerFactory sockets = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory(name, false) {
                            @Override
                            public Thread newThread(Runnable task) {
                                Thread thread = super.newThread(task);
                                threadId = thread.threadId();
                                return thread;
                            }
                        },
                        thread ->
                                handler =
                                        new CoalescingIoHandler(
                                                sockets.newHandler(thread),
                                                () -> coalesceUntil,
                                                () -> received,
                                                clock::tick,
                                                LockSupport::parkNanos,
                                                this::turnReadyCycles));
    }

    /** Reason for which loops use NIO rather than epoll; empty where they use epoll. */
    public static Optional<String> epollUnavailableReason() {
        return Optional.ofNullable(Epoll.unavailabilityCause())
                .map(cause -> String.valueOf(cause.getMessage()));
    }

    /**
     * CPU time of the loop's thread, nanoseconds; negative before its first cycle, when it has
     * ended, and where it is not measured. Thread-safe.
     */
    public long cpuNanos() {
        long id = threadId;
        return id == 0 || !THREADS.isThreadCpuTimeSupported() ? -1 : THREADS.getThreadCpuTime(id);
    }

    /** The number of queued offloaded tasks. Thread-safe. */
    public int queuedTasks() {
        return workers.queued() + longWorkers.queued();
    }

    /**
     * Lets datagrams that arrive before a time be received together at that time, because they can
     * take no effect before: otherwise waking costs the thread more than the datagrams. No datagram
     * waits longer than {@value CoalescingIoHandler#MAX_PAUSE_NANOS} ns, or less where the kernel's
     * buffer could fill meanwhile; timers run on time. Call it in a turn of a cycle of this loop.
     *
     * @param until on the clock of the loop's cycles; in the past to receive all at once
     */
    public void coalesceUntil(long until) {
        coalesceUntil = until;
    }

    /**
     * Closes the sockets as the thread ends: Netty does so before it waits for them again, but may
     * end without another wait.
     */
    private void closeSockets() {
        Objects.requireNonNull(handler).prepareToDestroy();
    }

    /** Datagrams of many sockets that were waiting together take one turn. */
    private void turnReadyCycles() {
        for (int i = 0; i < readyCycles.size(); i++) {
            Cycle cycle = readyCycles.get(i);
            cycle.isReady = false;
            try {
                cycle.turn();
            } catch (Throwable e) {
                defects.report(clock.tick(), cycle, e);
            }
        }
        readyCycles.clear();
    }

    /** A new cycle, run by this loop's thread. */
    public DutyCycle cycle() {
        if (group.next() instanceof SingleThreadEventExecutor thread) {
            thread.addShutdownHook(shutdownHook);
        }
        return new Cycle();
    }

    /**
     * Closes the sockets and stops the thread; returns when it has stopped, or at once on that
     * thread itself.
     */
    @Override
    public void close() {
        workers.close();
        longWorkers.close();
        boolean own = group.next().inEventLoop();
        Future<?> stopped = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        if (!own) {
            stopped.syncUninterruptibly();
        }
    }

    private final class Cycle implements DutyCycle {
        private final List<Duty> duties = new ArrayList<>();
        private final List<Channel> channels = new ArrayList<>();

        /** Sockets with datagrams that were not flushed. */
        private final List<NettySocket> unflushed = new ArrayList<>();

        private final EventLoop thread = group.next();
        private final LoopLateness lateness = new LoopLateness();
        private long scheduledFor = Duty.NEVER;
        private @Nullable ScheduledFuture<?> scheduled;
        private volatile boolean closed;

        /** Whether a turn follows when all ready sockets have been read. */
        private boolean isReady;

        /** Start of the current turn; {@link Duty#NEVER} between turns. */
        private long turnStart = Duty.NEVER;

        /**
         * A turn every second, so that the cycle goes on even if memory was too short to schedule
         * one.
         */
        private final ScheduledFuture<?> heartbeat =
                thread.scheduleAtFixedRate(() -> guarded(this, this::turn), 1, 1, TimeUnit.SECONDS);

        @Override
        public long now() {
            return thread.inEventLoop() ? clock.tick() : clock.read();
        }

        @Override
        public long sleptNanos() {
            return clock.sleptNanos();
        }

        @Override
        public long lateNanos() {
            return lateness.nanos(now());
        }

        /** Notices before a datagram is handled that the turn which was due has not run. */
        private void observeLateness(long now) {
            if (scheduled != null) {
                lateness.observe(now, scheduledFor);
            }
        }

        @Override
        public long cpuNanos() {
            return THREADS.isCurrentThreadCpuTimeSupported()
                    ? THREADS.getCurrentThreadCpuTime()
                    : now();
        }

        @Override
        public <H extends DatagramHandler> H open(
                InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
            Requirements.resolved("local address", local);
            Objects.requireNonNull(maker, "maker");
            if (thread.inEventLoop()) {
                return opened(local, maker);
            }
            // Throws the failure unchanged.
            return thread.submit(() -> opened(local, maker)).syncUninterruptibly().getNow();
        }

        private <H extends DatagramHandler> H opened(
                InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
            DatagramChannel channel = openChannel(local);
            try {
                H handler =
                        Objects.requireNonNull(
                                maker.create(new NettySocket(channel, unflushed::add)),
                                "the handler that the maker made");
                channel.pipeline().addLast(new Inbound(this, handler));
                channels.add(channel);
                duties.add(handler);
                channel.closeFuture().addListener(_ -> forget(channel, handler));
                schedule(now());
                return handler;
            } catch (Throwable e) {
                channel.close();
                throw e;
            }
        }

        /** Removes a closed socket, but not in the middle of a turn. */
        private void forget(Channel channel, Duty handler) {
            if (!closed && !thread.isShuttingDown()) {
                thread.execute(() -> {
                    channels.remove(channel);
                    duties.remove(handler);
                });
            }
        }

        private DatagramChannel openChannel(InetSocketAddress local) throws IOException {
            DatagramChannel channel = epoll ? new EpollDatagramChannel() : new NioDatagramChannel();
            DatagramChannelConfig config = channel.config();
            // The adaptive allocator clears a new buffer for each datagram.
            config.setAllocator(PooledByteBufAllocator.DEFAULT);
            config.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
            config.setSendBufferSize(SOCKET_BUFFER_BYTES);
            config.setWriteBufferWaterMark(
                    new WriteBufferWaterMark(SOCKET_BUFFER_BYTES / 2, SOCKET_BUFFER_BYTES));
            if (config instanceof EpollDatagramChannelConfig batched) {
                batched.setMaxDatagramPayloadSize(RECEIVE_BUFFER_BYTES);
                batched.setRecvByteBufAllocator(
                        new BatchRecvByteBufAllocator(
                                BATCH_SIZE * RECEIVE_BUFFER_BYTES,
                                BATCH_SIZE,
                                CoalescingIoHandler.MAX_DATAGRAMS));
            } else {
                config.setRecvByteBufAllocator(
                        new FixedRecvByteBufAllocator(RECEIVE_BUFFER_BYTES)
                                .maxMessagesPerRead(CoalescingIoHandler.MAX_DATAGRAMS));
            }
            ChannelBinder.bind(thread, thread.register(channel), false, local);
            return channel;
        }

        @Override
        public void add(Duty duty) {
            Objects.requireNonNull(duty, "duty");
            checkThread("adds a duty");
            duties.add(duty);
            schedule(now());
        }

        @Override
        public void report(Object where, Throwable thrown) {
            defects.report(now(), where, thrown);
        }

        @Override
        public void checkThread(String action) {
            // When nothing runs there any more, no thread is raced: parts may still be closed.
            if (!closed && !thread.isTerminated()) {
                NettySocket.checkThread(thread, action);
            }
        }

        @Override
        public void execute(Runnable task) {
            Objects.requireNonNull(task, "task");
            thread.execute(() -> {
                if (!closed) {
                    guarded(task, task);
                    turn();
                }
            });
        }

        @Override
        public void close() {
            onThread(() -> {
                closed = true;
                duties.clear();
                heartbeat.cancel(false);
                if (scheduled != null) {
                    scheduled.cancel(false);
                }
                for (Channel channel : channels) {
                    channel.flush();
                    channel.close();
                }
                channels.clear();
            });
        }

        @Override
        public <T> boolean offload(
                Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
            return work(workers, work, onResult, onFailure);
        }

        @Override
        public <T> boolean offloadLong(
                Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
            return work(longWorkers, work, onResult, onFailure);
        }

        private <T> boolean work(
                WorkerPool pool,
                Callable<T> work,
                Consumer<T> onResult,
                Consumer<Throwable> onFailure) {
            Objects.requireNonNull(work, "work");
            Objects.requireNonNull(onResult, "onResult");
            Objects.requireNonNull(onFailure, "onFailure");
            return pool.submit(
                    work,
                    (result, thrown) ->
                            execute(() -> {
                                if (thrown == null) {
                                    onResult.accept(result);
                                    return;
                                }
                                if (thrown instanceof Error) {
                                    defects.report(now(), work, thrown);
                                }
                                onFailure.accept(thrown);
                            }));
        }

        @Override
        public AutoCloseable serve(
                InetSocketAddress local, HttpSettings settings, HttpHandler handler)
                throws IOException {
            Requirements.resolved("local address", local);
            Objects.requireNonNull(settings, "settings");
            Objects.requireNonNull(handler, "handler");
            Channel channel =
                    NettyHttpServer.serve(
                            thread,
                            epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class,
                            local,
                            settings,
                            new HttpHandler() {
                                @Override
                                public boolean admits(InetAddress start) {
                                    return handler.admits(start);
                                }

                                @Override
                                public boolean trusts(InetAddress start) {
                                    return handler.trusts(start);
                                }

                                @Override
                                public void onOpened(MemoryConsumer connection) {
                                    handler.onOpened(connection);
                                }

                                @Override
                                public void onClosed(MemoryConsumer connection) {
                                    handler.onClosed(connection);
                                }

                                @Override
                                public void handle(
                                        HttpRequest request, Consumer<HttpResponse> answer) {
                                    guarded(handler, () -> handler.handle(request, answer));
                                    turn();
                                }
                            });
            onThread(() -> channels.add(channel));
            return channel::close;
        }

        @Override
        public void fetch(
                HttpFetch request, Consumer<HttpResponse> onResult, Consumer<Throwable> onFailure) {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(onResult, "onResult");
            Objects.requireNonNull(onFailure, "onFailure");
            NettyHttpClient.fetch(
                    thread,
                    epoll ? EpollSocketChannel.class : NioSocketChannel.class,
                    request,
                    response -> execute(() -> onResult.accept(response)),
                    failure -> execute(() -> onFailure.accept(failure)));
        }

        @Override
        public LineConnection connect(
                LineConnection.Target target, LineConnection.Listener listener) {
            Objects.requireNonNull(target, "target");
            Objects.requireNonNull(listener, "listener");
            return NettyLineClient.connect(
                    thread,
                    epoll ? EpollSocketChannel.class : NioSocketChannel.class,
                    target,
                    listener,
                    this::execute);
        }

        private void onThread(Runnable task) {
            if (thread.inEventLoop()) {
                task.run();
            } else {
                thread.submit(task).syncUninterruptibly();
            }
        }

        /** Runs a task and logs what it throws, so that a defect does not stop the loop. */
        private void guarded(Object where, Runnable task) {
            try {
                task.run();
            } catch (Throwable e) {
                defects.report(now(), where, e);
            }
        }

        void onReadComplete() {
            if (!isReady) {
                readyCycles.add(this);
                isReady = true;
            }
        }

        private void turn() {
            if (closed) {
                return;
            }
            long start = Math.min(turnStart, now());
            long next = Duty.NEVER;
            for (int i = 0; i < duties.size(); i++) {
                Duty duty = duties.get(i);
                long now = now();
                try {
                    next = Math.min(next, duty.advance(now));
                } catch (Throwable e) {
                    defects.report(now, duty, e);
                    next = Math.min(next, now + Duty.DEFECT_RETRY_NANOS);
                }
            }
            for (int i = 0; i < unflushed.size(); i++) {
                NettySocket socket = unflushed.get(i);
                guarded(socket, socket::flush);
            }
            unflushed.clear();
            schedule(next);
            turnStart = Duty.NEVER;
            onTurn.accept(now() - start);
        }

        /**
         * Schedules a turn. One that is too early does no harm, so a timer is replaced only by an
         * earlier one.
         */
        private void schedule(long next) {
            if (next == Duty.NEVER || closed || (scheduled != null && scheduledFor <= next)) {
                return;
            }
            if (scheduled != null) {
                scheduled.cancel(false);
            }
            scheduled = null;
            scheduledFor = next;
            scheduled =
                    thread.schedule(
                            () -> {
                                observeLateness(now());
                                scheduled = null;
                                guarded(this, this::turn);
                            },
                            Math.max(0, next - now()),
                            TimeUnit.NANOSECONDS);
        }
    }

    private final class Inbound extends ChannelInboundHandlerAdapter {
        private final Cycle cycle;
        private final DatagramHandler handler;

        Inbound(Cycle cycle, DatagramHandler handler) {
            this.cycle = cycle;
            this.handler = handler;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            received++;
            try {
                ByteBuf content = packet.content();
                byte[] data = new byte[content.readableBytes()];
                content.readBytes(data);
                long now = cycle.now();
                cycle.observeLateness(now);
                cycle.turnStart = Math.min(cycle.turnStart, now);
                handler.receive(now, packet.sender(), data);
            } catch (Throwable e) {
                defects.report(cycle.now(), handler, e);
            } finally {
                packet.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            cycle.onReadComplete();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof IOException) {
                // An ICMP "port unreachable" for an earlier datagram; the peer's idle time-out
                // handles it.
                LOG.debug("socket {}", context.channel().localAddress(), cause);
            } else {
                defects.report(cycle.now(), context.channel(), cause);
            }
        }
    }
}
