package dev.wishdir.net.netty;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpResponse;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;

/** An HTTP client over Netty with one request a connection. */
final class NettyHttpClient {
    private NettyHttpClient() {}

    static void fetch(
            EventLoop thread,
            Class<? extends Channel> channelType,
            HttpFetch fetch,
            Consumer<HttpResponse> onResponse,
            Consumer<Throwable> onFailure) {
        Exchange exchange = new Exchange(fetch, onResponse, onFailure);
        ChannelFuture connected =
                new Bootstrap()
                        .group(thread)
                        .channel(channelType)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                (int) TimeUnit.NANOSECONDS.toMillis(fetch.timeoutNanos()))
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel)
                                            throws SSLException {
                                        SslHandler tls = tls(channel, fetch);
                                        if (tls != null) {
                                            channel.pipeline().addLast(tls);
                                        }
                                        channel.pipeline()
                                                .addLast(
                                                        new HttpClientCodec(),
                                                        new HttpObjectAggregator(
                                                                fetch.maxResponseBytes()),
                                                        exchange);
                                    }
                                })
                        .connect(fetch.server());
        connected.addListener(_ -> {
            if (connected.cause() != null) {
                exchange.fail(connected.cause());
            }
        });
    }

    private static @Nullable SslHandler tls(Channel channel, HttpFetch fetch) throws SSLException {
        if (fetch.tls() == HttpFetch.Tls.NONE) {
            return null;
        }
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (fetch.tls() == HttpFetch.Tls.ANY) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm("");
        }
        SslHandler handler =
                builder.build().newHandler(channel.alloc(), fetch.host(), fetch.server().getPort());
        handler.setHandshakeTimeoutMillis(TimeUnit.NANOSECONDS.toMillis(fetch.timeoutNanos()));
        return handler;
    }

    /** Sends the request and calls one of the two consumers once. */
    private static final class Exchange extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final HttpFetch fetch;
        private final Consumer<HttpResponse> onResponse;
        private final Consumer<Throwable> onFailure;
        private boolean done;

        Exchange(
                HttpFetch fetch, Consumer<HttpResponse> onResponse, Consumer<Throwable> onFailure) {
            this.fetch = fetch;
            this.onResponse = onResponse;
            this.onFailure = onFailure;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            FullHttpRequest request =
                    new DefaultFullHttpRequest(
                            HttpVersion.HTTP_1_1,
                            HttpMethod.valueOf(fetch.method()),
                            fetch.path(),
                            Unpooled.wrappedBuffer(fetch.body().bytes()));
            HttpHeaders headers = request.headers();
            headers.set(HttpHeaderNames.HOST, fetch.host() + ":" + fetch.server().getPort());
            headers.set(HttpHeaderNames.CONNECTION, "close");
            if (!fetch.body().type().isEmpty()) {
                headers.set(HttpHeaderNames.CONTENT_TYPE, fetch.body().type());
                headers.set(HttpHeaderNames.CONTENT_LENGTH, fetch.body().bytes().length);
            }
            context.writeAndFlush(request);
            context.executor()
                    .schedule(
                            () -> {
                                fail(
                                        new TimeoutException(
                                                "no response from "
                                                        + fetch.server()
                                                        + " within "
                                                        + TimeUnit.NANOSECONDS.toMillis(
                                                                fetch.timeoutNanos())
                                                        + " ms"));
                                context.close();
                            },
                            fetch.timeoutNanos(),
                            TimeUnit.NANOSECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse message) {
            byte[] bytes = new byte[message.content().readableBytes()];
            message.content().readBytes(bytes);
            String type = message.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
            if (!done) {
                done = true;
                onResponse.accept(
                        new HttpResponse(message.status().code(), new HttpBody(type, bytes)));
            }
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(
                    new IOException(
                            fetch.server()
                                    + " closed the connection before its response was complete"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause);
            context.close();
        }

        private void fail(Throwable cause) {
            if (!done) {
                done = true;
                onFailure.accept(cause);
            }
        }
    }
}
