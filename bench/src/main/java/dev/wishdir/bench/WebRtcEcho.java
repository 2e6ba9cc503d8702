package dev.wishdir.bench;

import com.sun.net.httpserver.HttpServer;

import dev.onvoid.webrtc.RTCDataChannel;
import dev.onvoid.webrtc.RTCDataChannelBuffer;
import dev.onvoid.webrtc.RTCDataChannelObserver;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Sends every message of a data channel back, over webrtc-java: {@code ADDRESS PORT}. */
public final class WebRtcEcho {
    private static final List<Object> KEPT = new CopyOnWriteArrayList<>();

    private WebRtcEcho() {}

    public static void main(String[] arguments) throws Exception {
        HttpServer http =
                HttpServer.create(
                        new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 64);
        http.setExecutor(Executors.newFixedThreadPool(4));
        http.createContext(
                "/v1/join",
                exchange -> {
                    try (exchange) {
                        byte[] body = exchange.getRequestBody().readAllBytes();
                        byte[] answer = new byte[0];
                        if (body.length > 0) {
                            WebRtc rtc = new WebRtc(WebRtcEcho::serve);
                            KEPT.add(rtc);
                            answer =
                                    rtc.answer(new String(body, StandardCharsets.UTF_8))
                                            .getBytes(StandardCharsets.UTF_8);
                        }
                        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
                        exchange.getResponseBody().write(answer);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        http.start();
    }

    private static void serve(RTCDataChannel channel) {
        KEPT.add(channel);
        channel.registerObserver(
                new RTCDataChannelObserver() {
                    @Override
                    public void onBufferedAmountChange(long before) {}

                    @Override
                    public void onStateChange() {}

                    @Override
                    public void onMessage(RTCDataChannelBuffer message) {
                        // The buffer is the library's only while this is called.
                        ByteBuffer copy = ByteBuffer.allocateDirect(message.data.remaining());
                        copy.put(message.data).flip();
                        try {
                            channel.send(new RTCDataChannelBuffer(copy, true));
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }
                });
    }
}
