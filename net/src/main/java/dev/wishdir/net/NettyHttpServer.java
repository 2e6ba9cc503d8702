package dev.wishdir.net;

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

/** A careful server of small requests of HTTP, over Netty. */
final class NettyHttpServer {
    private static final Logger LOG = LoggerFactory.getLogger(NettyHttpServer.class);
    private static final int TLS_HANDSHAKE = 0x16;
    private static final long ACCEPT_PAUSE_MILLIS = 1000;

    private NettyHttpServer() {}

    /** The heap that a connection takes with its codec and its buffers, bytes, its body apart. */
    private static final int CONNECTION_BYTES = 24 << 10;

    /** Connections of one port, counted as they come. All on one thread. */
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
                        "cannot use the certificate of " + settings.tls() + ": " + e.getMessage(),
                        e);
            }
        }

        private HalfOpenTable<Connection> connections() {
            return new HalfOpenTable<>(
                    settings.connections(), settings.connectionsOfPrefix(), handler::trusts);
        }

        void enter(Connection connection) {
            close(unfinished.add(connection.from, connection));
            handler.onOpened(connection);
            connection.channel.closeFuture().addListener(_ -> leave(connection));
        }

        /** Its request is whole. */
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

        private static void close(@Nullable Connection gone) {
            if (gone != null) {
                gone.channel.close();
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
     * Says seldom that no connection can be accepted, as where the process has no file descriptor
     * left, and tries again after a while rather than at once.
     */
    private static final class Acceptance extends ChannelInboundHandlerAdapter {
        private final TokenBucket lines = new TokenBucket(1, 0.1);

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            int before = lines.refused();
            if (lines.tryAcquire(System.nanoTime())) {
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
            Class<? extends ServerChannel> kind,
            InetSocketAddress local,
            HttpSettings settings,
            HttpHandler handler)
            throws IOException {
        Port port = new Port(settings, handler);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(thread)
                        .channel(kind)
                        .option(ChannelOption.SO_BACKLOG, 256)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .handler(new Acceptance())
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        begin(port, channel);
                                    }
                                });
        return NettyLoop.bind(thread, bootstrap.register(), "TCP", local);
    }

    private static void begin(Port port, Channel channel) {
        Connection connection = new Connection(channel);
        if (port.handler.admits(connection.from)) {
            port.enter(connection);
            channel.pipeline().addLast(new FirstByte(port, connection));
        } else {
            channel.close();
        }
    }

    /** Tells TLS from HTTP by the first byte; each connection has its time from here on. */
    private static final class FirstByte extends ChannelInboundHandlerAdapter {
        private final Port port;
        private final Connection connection;
        private @Nullable ScheduledFuture<?> patience;

        FirstByte(Port port, Connection connection) {
            this.port = port;
            this.connection = connection;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            wait(context);
            context.fireChannelActive();
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            if (context.channel().isActive()) {
                wait(context);
            }
        }

        private void wait(ChannelHandlerContext context) {
            if (patience == null) {
                patience =
                        context.executor()
                                .schedule(
                                        () -> context.close(),
                                        port.settings.header(),
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
            boolean hello = bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE;
            SslContext tls = port.tls;
            if (hello && tls == null) {
                bytes.release();
                context.close();
                return;
            }
            if (patience != null) {
                patience.cancel(false);
            }
            if (hello && tls != null) {
                SslHandler handler = tls.newHandler(context.alloc());
                handler.setHandshakeTimeoutMillis(
                        TimeUnit.NANOSECONDS.toMillis(port.settings.header()));
                context.pipeline().addLast(handler);
            }
            HttpDecoderConfig limits =
                    new HttpDecoderConfig()
                            .setMaxInitialLineLength(HttpSettings.LINE)
                            .setMaxHeaderSize(HttpSettings.HEAD)
                            .setMaxChunkSize(HttpSettings.HEAD);
            context.pipeline().addLast(new HttpServerCodec(limits), new Exchange(port, connection));
            // Hands on what it has read to those who come after it.
            context.fireChannelRead(message);
            context.pipeline().remove(this);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** One request and its answer. */
    private static final class Exchange extends SimpleChannelInboundHandler<HttpObject> {
        private final Port port;
        private final Connection connection;
        private io.netty.handler.codec.http.@Nullable HttpRequest head;
        private @Nullable ScheduledFuture<?> patience;
        private boolean answered;
        private boolean asked;

        Exchange(Port port, Connection connection) {
            this.port = port;
            this.connection = connection;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            patience(context, port.settings.header(), 408, "too slow");
        }

        private void patience(ChannelHandlerContext context, long nanos, int status, String words) {
            if (patience != null) {
                patience.cancel(false);
            }
            patience =
                    context.executor()
                            .schedule(
                                    () -> answer(context, HttpResponse.of(status, words)),
                                    nanos,
                                    TimeUnit.NANOSECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (answered || asked) {
                return;
            }
            if (message.decoderResult().isFailure()) {
                answer(context, HttpResponse.of(400, "not understood"));
                return;
            }
            if (message instanceof io.netty.handler.codec.http.HttpRequest request) {
                head = request;
                patience(context, port.settings.whole() - port.settings.header(), 408, "too slow");
                HttpResponse refusal = refusal(request);
                if (refusal != null) {
                    answer(context, refusal);
                    return;
                }
            }
            if (message instanceof HttpContent content) {
                ByteBuf bytes = content.content();
                if (connection.body.size() + bytes.readableBytes() > port.settings.body()) {
                    answer(context, HttpResponse.of(413, "too large"));
                    return;
                }
                byte[] part = new byte[bytes.readableBytes()];
                bytes.readBytes(part);
                connection.body.writeBytes(part);
            }
            if (message instanceof LastHttpContent && head != null) {
                asked = true;
                port.answer(connection);
                patience(context, port.settings.answer(), 503, "busy");
                ask(context, head);
            }
        }

        /** What is wrong with a request by its head alone, null if nothing is. */
        private @Nullable HttpResponse refusal(io.netty.handler.codec.http.HttpRequest request) {
            HttpHeaders headers = request.headers();
            int lines = 0;
            for (Map.Entry<String, String> line : headers) {
                if (++lines > HttpSettings.LINES
                        || line.getKey().length() + line.getValue().length() > HttpSettings.LINE) {
                    return HttpResponse.of(400, "the head is too large");
                }
            }
            if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                    || headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
                return HttpResponse.of(400, "no codings here");
            }
            List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
            if (lengths.isEmpty()) {
                return request.method().equals(HttpMethod.POST)
                        ? HttpResponse.of(411, "no length")
                        : null;
            }
            if (lengths.size() > 1 || !lengths.getFirst().matches("[0-9]{1,9}")) {
                return HttpResponse.of(400, "not understood");
            }
            return Integer.parseInt(lengths.getFirst()) > port.settings.body()
                    ? HttpResponse.of(413, "too large")
                    : null;
        }

        private void ask(
                ChannelHandlerContext context, io.netty.handler.codec.http.HttpRequest request) {
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
            HttpRequest whole =
                    new HttpRequest(
                            remote(context, request.headers()),
                            (InetSocketAddress) context.channel().localAddress(),
                            request.method().name(),
                            request.uri(),
                            new HttpBody(type, connection.body.toByteArray()));
            port.handler.handle(whole, response -> answer(context, response));
        }

        private InetSocketAddress remote(ChannelHandlerContext context, HttpHeaders headers) {
            InetSocketAddress remote = (InetSocketAddress) context.channel().remoteAddress();
            String forwarded = headers.get("X-Forwarded-For");
            boolean proxy =
                    port.settings.proxies().stream()
                            .anyMatch(range -> range.contains(remote.getAddress()));
            if (!proxy || forwarded == null) {
                return remote;
            }
            // The last is the proxy's own word; those before it anybody may have written.
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
            if (patience != null) {
                patience.cancel(false);
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
            // Who does not read it is closed all the same.
            patience =
                    context.executor()
                            .schedule(
                                    () -> context.close(),
                                    port.settings.header(),
                                    TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answered = true;
            if (patience != null) {
                patience.cancel(false);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
