package dev.wishdir.net.netty;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;

/** An HTTP server over Netty for small requests, with strict limits on time and size. */
final class NettyHttpServer {
    private static final Logger LOG = LoggerFactory.getLogger(NettyHttpServer.class);
    private static final int TLS_HANDSHAKE = 0x16;
    private static final long ACCEPT_PAUSE_MILLIS = 1000;

    private NettyHttpServer() {}

    /** Heap of a connection with its codec and buffers but without its body, bytes. */
    private static final int CONNECTION_BYTES = 24 << 10;

    /** The connections of one port. Used only by the loop's thread. */
    private static final class Port {
        final HttpSettings settings;
        final HttpHandler handler;
        final @Nullable SslContext tls;
        final HalfOpenTable<Connection> unfinished;
        final HalfOpenTable<Connection> answered;

        Port(HttpSettings settings, HttpHandler handler) throws IOException {
            this.settings = settings;
            this.handler = handler;
            unfinished = connections();
            answered = connections();
            HttpSettings.Tls files = settings.tls();
            try {
                tls =
                        files == null
                                ? null
                                : SslContextBuilder.forServer(
                                                files.certificate().toFile(), files.key().toFile())
                                        .sslProvider(SslProvider.JDK)
                                        .build();
            } catch (SSLException | IllegalArgumentException e) {
                throw new IOException(
                        "cannot load the certificate "
                                + files.certificate()
                                + " with the key "
                                + files.key()
                                + ": "
                                + e.getMessage(),
                        e);
            }
        }

        private HalfOpenTable<Connection> connections() {
            return new HalfOpenTable<>(
                    settings.maxConnections(), settings.prefixLimits(), handler::trusts);
        }

        void enter(Connection connection) {
            close(unfinished.add(connection.from, connection));
            handler.onOpened(connection);
            connection.channel.closeFuture().addListener(_ -> leave(connection));
        }

        /** A connection's request is complete. */
        void answer(Connection connection) {
            if (unfinished.remove(connection)) {
                close(answered.add(connection.from, connection));
            }
        }

        private void leave(Connection connection) {
            unfinished.remove(connection);
            answered.remove(connection);
            handler.onClosed(connection);
        }

        private static void close(@Nullable Connection evicted) {
            if (evicted != null) {
                evicted.channel.close();
            }
        }
    }

    private static final class Connection implements MemoryConsumer {
        final Channel channel;
        final InetAddress from;
        final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Connection(Channel channel) {
            this.channel = channel;
            from = ((InetSocketAddress) channel.remoteAddress()).getAddress();
        }

        @Override
        public long retainedBytes() {
            return CONNECTION_BYTES + 2L * body.size();
        }

        @Override
        public void abort(long now, String reason) {
            channel.close();
        }

        @Override
        public String toString() {
            return "HTTP from " + from.getHostAddress();
        }
    }

    /**
     * Pauses accepting for a second after a failure, such as no free file descriptor, and logs it
     * at most every 10 s.
     */
    private static final class AcceptHandler extends ChannelInboundHandlerAdapter {
        private final TokenBucket logLimit = new TokenBucket(1, 0.1);

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            int before = logLimit.refused();
            if (logLimit.tryAcquire(System.nanoTime())) {
                LOG.warn(
                        "port {} accepts no connection: {}{}",
                        ((InetSocketAddress) context.channel().localAddress()).getPort(),
                        cause.getMessage(),
                        before == 0 ? "" : " (" + (before + 1) + " times since the last line)");
            }
            context.channel().config().setAutoRead(false);
            context.executor()
                    .schedule(
                            () -> context.channel().config().setAutoRead(true),
                            ACCEPT_PAUSE_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    static Channel serve(
            EventLoop thread,
            Class<? extends ServerChannel> channelType,
            InetSocketAddress local,
            HttpSettings settings,
            HttpHandler handler)
            throws IOException {
        Port port = new Port(settings, handler);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(thread)
                        .channel(channelType)
                        .option(ChannelOption.SO_BACKLOG, 256)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .handler(new AcceptHandler())
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        onAccepted(port, channel);
                                    }
                                });
        return ChannelBinder.bind(thread, bootstrap.register(), true, local);
    }

    private static void onAccepted(Port port, Channel channel) {
        Connection connection = new Connection(channel);
        if (port.handler.admits(connection.from)) {
            port.enter(connection);
            channel.pipeline().addLast(new ProtocolDetector(port, connection));
        } else {
            channel.close();
        }
    }

    /** Detects TLS by the first byte, and starts the connection's time-out. */
    private static final class ProtocolDetector extends ChannelInboundHandlerAdapter {
        private final Port port;
        private final Connection connection;
        private @Nullable ScheduledFuture<?> timeout;

        ProtocolDetector(Port port, Connection connection) {
            this.port = port;
            this.connection = connection;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            startTimeout(context);
            context.fireChannelActive();
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            if (context.channel().isActive()) {
                startTimeout(context);
            }
        }

        private void startTimeout(ChannelHandlerContext context) {
            if (timeout == null) {
                timeout =
                        context.executor()
                                .schedule(
                                        () -> context.close(),
                                        port.settings.headTimeoutNanos(),
                                        TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (!bytes.isReadable()) {
                bytes.release();
                return;
            }
            boolean isTls = bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE;
            SslContext tls = port.tls;
            if (isTls && tls == null) {
                bytes.release();
                context.close();
                return;
            }
            if (timeout != null) {
                timeout.cancel(false);
            }
            if (isTls && tls != null) {
                SslHandler handler = tls.newHandler(context.alloc());
                handler.setHandshakeTimeoutMillis(
                        TimeUnit.NANOSECONDS.toMillis(port.settings.headTimeoutNanos()));
                context.pipeline().addLast(handler);
            }
            HttpDecoderConfig limits =
                    new HttpDecoderConfig()
                            .setMaxInitialLineLength(HttpSettings.MAX_LINE_BYTES)
                            .setMaxHeaderSize(HttpSettings.MAX_HEAD_BYTES)
                            .setMaxChunkSize(HttpSettings.MAX_HEAD_BYTES);
            context.pipeline().addLast(new HttpServerCodec(limits), new Exchange(port, connection));
            // Removing this handler passes on what it has read.
            context.fireChannelRead(message);
            context.pipeline().remove(this);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** One request and its response. */
    private static final class Exchange extends SimpleChannelInboundHandler<HttpObject> {
        private final Port port;
        private final Connection connection;
        private io.netty.handler.codec.http.@Nullable HttpRequest head;
        private @Nullable ScheduledFuture<?> timeout;
        private boolean answered;
        private boolean complete;

        Exchange(Port port, Connection connection) {
            this.port = port;
            this.connection = connection;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            setTimeout(context, port.settings.headTimeoutNanos(), 408, "request time-out");
        }

        private void setTimeout(
                ChannelHandlerContext context, long nanos, int status, String text) {
            if (timeout != null) {
                timeout.cancel(false);
            }
            timeout =
                    context.executor()
                            .schedule(
                                    () -> answer(context, HttpResponse.of(status, text)),
                                    nanos,
                                    TimeUnit.NANOSECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (answered || complete) {
                return;
            }
            if (message.decoderResult().isFailure()) {
                answer(context, HttpResponse.of(400, "malformed request"));
                return;
            }
            if (message instanceof io.netty.handler.codec.http.HttpRequest request) {
                head = request;
                setTimeout(
                        context,
                        port.settings.requestTimeoutNanos() - port.settings.headTimeoutNanos(),
                        408,
                        "request time-out");
                HttpResponse refusal = refusal(request);
                if (refusal != null) {
                    answer(context, refusal);
                    return;
                }
            }
            if (message instanceof HttpContent content) {
                ByteBuf bytes = content.content();
                if (connection.body.size() + bytes.readableBytes() > port.settings.maxBodyBytes()) {
                    answer(
                            context,
                            HttpResponse.of(
                                    413,
                                    "body longer than " + port.settings.maxBodyBytes() + " bytes"));
                    return;
                }
                byte[] chunk = new byte[bytes.readableBytes()];
                bytes.readBytes(chunk);
                connection.body.writeBytes(chunk);
            }
            if (message instanceof LastHttpContent && head != null) {
                complete = true;
                port.answer(connection);
                setTimeout(context, port.settings.responseTimeoutNanos(), 503, "busy");
                handle(context, head);
            }
        }

        /** The refusal of a request by its head; null if it is acceptable. */
        private @Nullable HttpResponse refusal(io.netty.handler.codec.http.HttpRequest request) {
            HttpHeaders headers = request.headers();
            int logLimit = 0;
            for (Map.Entry<String, String> line : headers) {
                if (++logLimit > HttpSettings.MAX_HEADER_LINES
                        || line.getKey().length() + line.getValue().length()
                                > HttpSettings.MAX_LINE_BYTES) {
                    return HttpResponse.of(
                            400,
                            "header line longer than "
                                    + HttpSettings.MAX_LINE_BYTES
                                    + " bytes, or more than "
                                    + HttpSettings.MAX_HEADER_LINES);
                }
            }
            if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                    || headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
                return HttpResponse.of(400, "transfer and content codings are not supported");
            }
            List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
            if (lengths.isEmpty()) {
                return request.method().equals(HttpMethod.POST)
                        ? HttpResponse.of(411, "Content-Length is required")
                        : null;
            }
            if (lengths.size() > 1 || !lengths.getFirst().matches("[0-9]{1,9}")) {
                return HttpResponse.of(400, "malformed request");
            }
            return Integer.parseInt(lengths.getFirst()) > port.settings.maxBodyBytes()
                    ? HttpResponse.of(
                            413, "body longer than " + port.settings.maxBodyBytes() + " bytes")
                    : null;
        }

        private void handle(
                ChannelHandlerContext context, io.netty.handler.codec.http.HttpRequest request) {
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
            HttpRequest parsed =
                    new HttpRequest(
                            remote(context, request.headers()),
                            (InetSocketAddress) context.channel().localAddress(),
                            request.method().name(),
                            request.uri(),
                            new HttpBody(type, connection.body.toByteArray()));
            port.handler.handle(parsed, response -> answer(context, response));
        }

        private InetSocketAddress remote(ChannelHandlerContext context, HttpHeaders headers) {
            InetSocketAddress remote = (InetSocketAddress) context.channel().remoteAddress();
            String forwarded = headers.get("X-Forwarded-For");
            boolean proxy =
                    port.settings.trustedProxies().stream()
                            .anyMatch(range -> range.contains(remote.getAddress()));
            if (!proxy || forwarded == null) {
                return remote;
            }
            // Only the last entry was added by the proxy; a client may have sent those before it.
            String last = forwarded.substring(forwarded.lastIndexOf(',') + 1).strip();
            try {
                return new InetSocketAddress(AddressRange.parse(last).address(0), 0);
            } catch (IllegalArgumentException e) {
                return remote;
            }
        }

        private void answer(ChannelHandlerContext context, HttpResponse response) {
            if (answered) {
                return;
            }
            answered = true;
            port.answer(connection);
            if (timeout != null) {
                timeout.cancel(false);
            }
            FullHttpResponse message =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.valueOf(response.status()),
                            Unpooled.wrappedBuffer(response.body().bytes()));
            message.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, response.body().type())
                    .set(HttpHeaderNames.CONTENT_LENGTH, response.body().bytes().length)
                    .set(HttpHeaderNames.CONNECTION, "close");
            context.writeAndFlush(message).addListener(ChannelFutureListener.CLOSE);
            // Closes the connection even if the client does not read the response.
            timeout =
                    context.executor()
                            .schedule(
                                    () -> context.close(),
                                    port.settings.headTimeoutNanos(),
                                    TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answered = true;
            if (timeout != null) {
                timeout.cancel(false);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
