package dev.wishdir.net.netty;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.LineConnection;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client of lines of text over Netty. It reads at most 4 KiB a turn of the loop, and 256 KiB a
 * second: the rest waits at the server, so that its lines take little of the loop's time.
 */
final class NettyLineClient {
    private static final int READ_BYTES = 4096;
    private static final int BYTES_PER_SECOND = 256 << 10;
    private static final long PAUSE_MILLIS = 50;

    /** Unsent bytes above which the connection is closed: the server does not read. */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private NettyLineClient() {}

    /**
     * @param execute runs a task on the cycle's thread, and then a turn
     */
    static LineConnection connect(
            EventLoop thread,
            Class<? extends Channel> channelType,
            LineConnection.Target target,
            LineConnection.Listener listener,
            Consumer<Runnable> execute) {
        Connection connection = new Connection(listener, execute);
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(thread)
                        .channel(channelType)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                (int) TimeUnit.NANOSECONDS.toMillis(target.timeoutNanos()))
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1))
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new LineBasedFrameDecoder(
                                                                target.maxLineBytes(), true, true),
                                                        connection);
                                    }
                                });
        ChannelFuture connected =
                bootstrap.connect(
                        target.server(),
                        target.from().map(from -> new InetSocketAddress(from, 0)).orElse(null));
        connection.channel = connected.channel();
        connected.addListener(_ -> {
            if (connected.cause() != null) {
                connection.end(reason(connected.cause()));
            }
        });
        return connection;
    }

    /** The reason for which a connection was not made or has ended, in the operator's words. */
    static String reason(Throwable failure) {
        return switch (failure) {
            case ConnectTimeoutException _ -> "it did not answer";
            case NoRouteToHostException _ -> "there is no route to it";
            // Only by its text a refusal differs from what this machine could not do.
            case ConnectException e when String.valueOf(e.getMessage()).contains("refused") ->
                    "it refused the connection";
            case TooLongFrameException _ -> "it sent a line that is too long";
            case NativeIoException e
                    when e.expectedErr() == Errors.ERRNO_ECONNRESET_NEGATIVE
                            || e.expectedErr() == Errors.ERRNO_EPIPE_NEGATIVE ->
                    "connection reset";
            default ->
                    Objects.requireNonNullElse(
                            failure.getMessage(), failure.getClass().getSimpleName());
        };
    }

    private static final class Connection extends SimpleChannelInboundHandler<ByteBuf>
            implements LineConnection {
        private final LineConnection.Listener listener;
        private final Consumer<Runnable> execute;
        private final TokenBucket bytes = new TokenBucket(BYTES_PER_SECOND, BYTES_PER_SECOND);
        private @Nullable Channel channel;
        private boolean isEnded;

        Connection(LineConnection.Listener listener, Consumer<Runnable> execute) {
            this.listener = listener;
            this.execute = execute;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            deliver(listener::onConnected);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
            String text = line.toString(StandardCharsets.ISO_8859_1);
            deliver(() -> listener.onLine(text));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            // A turn may have read less.
            if (!bytes.tryAcquire(System.nanoTime(), READ_BYTES)) {
                context.channel().config().setAutoRead(false);
                context.executor()
                        .schedule(
                                () -> context.channel().config().setAutoRead(true),
                                PAUSE_MILLIS,
                                TimeUnit.MILLISECONDS);
            }
            context.fireChannelReadComplete();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end("it closed the connection");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end(reason(cause));
            context.close();
        }

        private void deliver(Runnable event) {
            if (!isEnded) {
                execute.accept(() -> {
                    if (!isEnded) {
                        event.run();
                    }
                });
            }
        }

        private void end(String reason) {
            execute.accept(() -> {
                if (!isEnded) {
                    isEnded = true;
                    listener.onClosed(reason);
                }
            });
        }

        @Override
        public void send(String line) {
            Channel to = channel;
            if (isEnded || to == null || !to.isActive()) {
                return;
            }
            to.writeAndFlush(Unpooled.copiedBuffer(line + "\n", StandardCharsets.ISO_8859_1));
            if (to.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
                end("it does not read");
                to.close();
            }
        }

        @Override
        public void close() {
            isEnded = true;
            Channel open = channel;
            if (open != null) {
                open.close();
            }
        }
    }
}
