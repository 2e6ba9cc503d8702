package dev.wishdir.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
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
import io.netty.util.concurrent.ScheduledFuture;

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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One thread that runs {@link DutyCycle}s over real sockets: Linux's epoll where it is, Java's own
 * selector elsewhere. A server has one loop with one cycle; many clients share one loop with a
 * cycle each. Longer than other classes, as a cycle and its sockets share the state of one thread.
 */
public final class NettyLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The largest UDP payload plus one, so that none is ever cut into a valid packet. */
    private static final int RECEIVE_BUFFER = 65_536;

    /** So many datagrams are taken from the kernel in one go. */
    private static final int TOGETHER = 8;

    private static final int SOCKET_BUFFER = 4 << 20;

    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup group;
    private final WorkerPool workers;
    private final WorkerPool builders;
    private final DistinctErrorLog errorLog;
    private final LongConsumer turns;
    private final LoopClock clock = new LoopClock(System::nanoTime);

    /** Until when what comes is gathered; of the loop's thread. */
    private long gathered = Long.MIN_VALUE;

    /** How many datagrams have come; of the loop's thread. */
    private long received;

    /**
     * Starts the thread. It goes on whatever is thrown.
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
     * @param fatal is told on the thread, after the log, of each error that says that this Java is
     *     broken or has no memory, a stack that overflows excepted; it may end the process. If it
     *     returns, the loop goes on
     * @param turns is told on the thread what each turn took, nanoseconds
     */
    public NettyLoop(String name, Consumer<VirtualMachineError> fatal, LongConsumer turns) {
        this.turns = turns;
        errorLog = new DistinctErrorLog(fatal);
        // A processor is left for the loop where there are two or more.
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 2);
        workers = new WorkerPool(name + "-work", threads, DutyCycle.OFFLOAD_TIMEOUT_NANOS);
        builders = new WorkerPool(name + "-build", 1, DutyCycle.LONG_OFFLOAD_TIMEOUT_NANOS);
        IoHandlerFactory sockets = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory(name, true),
                        thread ->
                                new CoalescingIoHandler(
                                        sockets.newHandler(thread),
                                        () -> gathered,
                                        () -> received,
                                        clock::tick,
                                        LockSupport::parkNanos));
    }

    /** Why loops use Java's own selector rather than epoll; nothing where they use epoll. */
    public static Optional<String> epollUnavailableReason() {
        return Optional.ofNullable(Epoll.unavailabilityCause())
                .map(cause -> String.valueOf(cause.getMessage()));
    }

    /** How much work waits for a thread. May be called by any thread. */
    public int queuedTasks() {
        return workers.waiting() + builders.waiting();
    }

    /**
     * Whatever comes before a time is taken in at that time, together, as it can do nothing sooner:
     * a thread that wakes for each datagram has more to do with waking than with datagrams. Nothing
     * waits longer than {@value CoalescingIoHandler#MAX_PAUSE_NANOS} ns, less where so much comes
     * that the kernel's buffer could fill meanwhile, and what the thread has to do at a time is
     * done then. To be called in a turn of a cycle of this loop.
     *
     * @param until on the clock of the loop's cycles; in the past to take in all as it comes
     */
    public void coalesceUntil(long until) {
        gathered = until;
    }

    /** A new cycle, run by this loop's thread. */
    public DutyCycle cycle() {
        return new Cycle();
    }

    /** Ends the thread; sockets are closed. Returns when it has ended. */
    @Override
    public void close() {
        workers.close();
        builders.close();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /**
     * Binds a registered channel before it returns, inside the loop too, where Netty's own bind
     * would not.
     */
    static Channel bind(
            EventLoop thread, ChannelFuture registered, String protocol, InetSocketAddress local)
            throws IOException {
        ChannelFuture bound = registered;
        if (!thread.inEventLoop()) {
            bound.awaitUninterruptibly();
        }
        if (bound.isSuccess()) {
            bound = bound.channel().bind(local);
            if (!thread.inEventLoop()) {
                bound.awaitUninterruptibly();
            }
        }
        if (!bound.isSuccess()) {
            bound.channel().close();
            throw new PortException(protocol.equals("TCP"), local, bound.cause());
        }
        return bound.channel();
    }

    private final class Cycle implements DutyCycle {
        private final List<Duty> duties = new ArrayList<>();
        private final List<Channel> channels = new ArrayList<>();
        private final EventLoop thread = group.next();
        private long scheduledFor = Duty.NEVER;
        private @Nullable ScheduledFuture<?> scheduled;
        private boolean closed;

        /** When the turn began that is under way, {@link Duty#NEVER} where none is. */
        private long began = Duty.NEVER;

        /**
         * A turn a second, whatever was scheduled: where there is no memory even to schedule one,
         * the cycle still is not silent for long.
         */
        private final ScheduledFuture<?> heartbeat =
                thread.scheduleAtFixedRate(() -> guarded(this, this::turn), 1, 1, TimeUnit.SECONDS);

        DistinctErrorLog defects() {
            return errorLog;
        }

        @Override
        public long now() {
            return thread.inEventLoop() ? clock.tick() : clock.read();
        }

        @Override
        public long sleptNanos() {
            return clock.sleptNanos();
        }

        @Override
        public long worked() {
            return THREADS.isCurrentThreadCpuTimeSupported()
                    ? THREADS.getCurrentThreadCpuTime()
                    : now();
        }

        @Override
        public <H extends DatagramHandler> H open(
                InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
            if (thread.inEventLoop()) {
                return opened(local, maker);
            }
            // Its failure is thrown as it is.
            return thread.submit(() -> opened(local, maker)).syncUninterruptibly().getNow();
        }

        private <H extends DatagramHandler> H opened(
                InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
            DatagramChannel channel = bound(local);
            try {
                H handler = maker.make(new NettySocket(channel));
                channel.pipeline().addLast(new Inbound(this, handler));
                channels.add(channel);
                duties.add(handler);
                schedule(now());
                return handler;
            } catch (Throwable e) {
                channel.close();
                throw e;
            }
        }

        private DatagramChannel bound(InetSocketAddress local) throws IOException {
            DatagramChannel channel = epoll ? new EpollDatagramChannel() : new NioDatagramChannel();
            DatagramChannelConfig config = channel.config();
            // The adaptive one clears a new buffer for each datagram.
            config.setAllocator(PooledByteBufAllocator.DEFAULT);
            config.setReceiveBufferSize(SOCKET_BUFFER);
            config.setSendBufferSize(SOCKET_BUFFER);
            config.setWriteBufferWaterMark(
                    new WriteBufferWaterMark(SOCKET_BUFFER / 2, SOCKET_BUFFER));
            if (config instanceof EpollDatagramChannelConfig several) {
                several.setMaxDatagramPayloadSize(RECEIVE_BUFFER);
                several.setRecvByteBufAllocator(
                        new BatchRecvByteBufAllocator(
                                TOGETHER * RECEIVE_BUFFER,
                                TOGETHER,
                                CoalescingIoHandler.MAX_DATAGRAMS));
            } else {
                config.setRecvByteBufAllocator(
                        new FixedRecvByteBufAllocator(RECEIVE_BUFFER)
                                .maxMessagesPerRead(CoalescingIoHandler.MAX_DATAGRAMS));
            }
            bind(thread, thread.register(channel), "UDP", local);
            return channel;
        }

        @Override
        public void add(Duty duty) {
            onThread(() -> {
                duties.add(duty);
                schedule(now());
            });
        }

        @Override
        public void execute(Runnable task) {
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
                Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
            return work(workers, work, then, otherwise);
        }

        @Override
        public <T> boolean offloadLong(
                Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
            return work(builders, work, then, otherwise);
        }

        private <T> boolean work(
                WorkerPool who, Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
            return who.work(
                    work,
                    (result, thrown) ->
                            execute(() -> {
                                if (thrown == null) {
                                    then.accept(result);
                                    return;
                                }
                                if (thrown instanceof Error) {
                                    errorLog.tell(now(), work, thrown);
                                }
                                otherwise.accept(thrown);
                            }));
        }

        @Override
        public AutoCloseable serve(
                InetSocketAddress local, HttpSettings settings, HttpHandler handler)
                throws IOException {
            Channel channel =
                    NettyHttpServer.serve(
                            thread,
                            epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class,
                            local,
                            settings,
                            new HttpHandler() {
                                @Override
                                public boolean admits(InetAddress from) {
                                    return handler.admits(from);
                                }

                                @Override
                                public boolean trusts(InetAddress from) {
                                    return handler.trusts(from);
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
                HttpFetch request, Consumer<HttpResponse> then, Consumer<Throwable> otherwise) {
            NettyHttpClient.fetch(
                    thread,
                    epoll ? EpollSocketChannel.class : NioSocketChannel.class,
                    request,
                    response -> execute(() -> then.accept(response)),
                    failure -> execute(() -> otherwise.accept(failure)));
        }

        private void onThread(Runnable task) {
            if (thread.inEventLoop()) {
                task.run();
            } else {
                thread.submit(task).syncUninterruptibly();
            }
        }

        /** A defect in one place must not end the others: it is logged, and the loop goes on. */
        private void guarded(Object where, Runnable task) {
            try {
                task.run();
            } catch (Throwable e) {
                errorLog.tell(now(), where, e);
            }
        }

        private void turn() {
            if (closed) {
                return;
            }
            long from = Math.min(began, now());
            long next = Duty.NEVER;
            for (int i = 0; i < duties.size(); i++) {
                Duty duty = duties.get(i);
                long now = now();
                try {
                    next = Math.min(next, duty.advance(now));
                } catch (Throwable e) {
                    errorLog.tell(now, duty, e);
                    next = Math.min(next, now + Duty.DEFECT_RETRY_NANOS);
                }
            }
            for (int i = 0; i < channels.size(); i++) {
                guarded(channels.get(i), channels.get(i)::flush);
            }
            schedule(next);
            began = Duty.NEVER;
            turns.accept(now() - from);
        }

        /**
         * An earlier turn than needed does no harm, so a timer is replaced only by an earlier one.
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
                                scheduled = null;
                                turn();
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
                cycle.began = Math.min(cycle.began, now);
                handler.receive(now, packet.sender(), data);
            } catch (Throwable e) {
                cycle.defects().tell(cycle.now(), handler, e);
            } finally {
                packet.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            cycle.turn();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof IOException) {
                // An ICMP "port unreachable" of an earlier datagram: the peer is gone, its time-out
                // tells.
                LOG.debug("socket {}", context.channel().localAddress(), cause);
            } else {
                cycle.defects().tell(cycle.now(), context.channel(), cause);
            }
        }
    }
}
