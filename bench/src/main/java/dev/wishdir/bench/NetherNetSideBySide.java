package dev.wishdir.bench;

import dev.onvoid.webrtc.RTCDataChannel;
import dev.onvoid.webrtc.RTCDataChannelBuffer;
import dev.onvoid.webrtc.RTCDataChannelInit;
import dev.onvoid.webrtc.RTCDataChannelObserver;
import dev.onvoid.webrtc.RTCDataChannelState;
import dev.onvoid.webrtc.RTCSdpType;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An echo over our NetherNet and one over webrtc-java, in turn, under the same load of clients of
 * Google's WebRTC in this process: the round trip of packets of 200 bytes on the reliable channel,
 * CPU and memory of the echo's process from /proc, both with the same Java and heap, after a
 * warm-up of 20 s. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.NetherNetSideBySide [CONNECTIONS] [PACKETS A SECOND
 * OF ALL,…] [SECONDS]}. Linux on x86-64 with libpulse, libX11, libudev and libdbus, and a network
 * interface besides the loopback, which Google's WebRTC does not use.
 */
public final class NetherNetSideBySide {
    private static final int PORT = 28_970;
    private static final int WARM_UP = 20;
    private static final int BYTES = 200;
    private static final int STAMP = 9;

    private final URI server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<RTCDataChannel> channels = new ArrayList<>();
    private final List<WebRtc> connections = new ArrayList<>();
    private final long[] trips;
    private int measured;
    private long sent;
    private long back;
    private long from = Long.MAX_VALUE;

    private NetherNetSideBySide(URI server, int most) {
        this.server = server;
        trips = new long[most];
    }

    public static void main(String[] arguments) throws Exception {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50;
        String rates = arguments.length > 1 ? arguments[1] : "1000";
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 15;
        String address = address().getHostAddress();
        System.out.println(
                "| packets/s each way | echo | p50 ms | p99 ms | max ms | never came back |"
                        + " CPU % | memory MiB | sent packets/s |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        int port = PORT;
        for (int rate : Arrays.stream(rates.split(",")).mapToInt(Integer::parseInt).toArray()) {
            for (Class<?> echo : List.of(WebRtcEcho.class, NetherNetEcho.class)) {
                System.out.println(row(echo, address, port++, count, rate, seconds));
            }
        }
        // Google's threads would complain of Java's end.
        Runtime.getRuntime().halt(0);
    }

    private static InetAddress address() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                .findFirst()
                .orElseThrow(() -> new IOException("only a loopback interface is here"));
    }

    private static String row(
            Class<?> echo, String address, int port, int count, int rate, int seconds)
            throws Exception {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms16m",
                        "-Xmn8m",
                        "-XX:TrimNativeHeapInterval=2000",
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                        "-cp",
                        System.getProperty("java.class.path"),
                        echo.getName(),
                        address,
                        Integer.toString(port));
        Path log = Files.createTempFile("echo", ".log");
        try (ServerProcess server = ServerProcess.start(command, Path.of(""), log)) {
            var load =
                    new NetherNetSideBySide(
                            URI.create("http://" + address + ":" + port + "/v1/join"),
                            rate * seconds);
            load.connect(count);
            load.send(rate, WARM_UP, false);
            // What this process collects is no echo's waiting.
            System.gc();
            CompletableFuture<?> measuring =
                    CompletableFuture.runAsync(() -> load.send(rate, seconds, true));
            double cpu = server.cpuWhile(() -> !measuring.isDone(), seconds);
            double memory = server.residentMebibytes();
            measuring.get();
            // The last come back, or do not.
            LockSupport.parkNanos(2_000_000_000);
            return load.row(
                    echo == NetherNetEcho.class ? "Wishdir" : "webrtc-java",
                    rate,
                    seconds,
                    cpu,
                    memory);
        }
    }

    private synchronized String row(String name, int rate, int seconds, double cpu, double memory) {
        Arrays.sort(trips, 0, measured);
        return String.format(
                Locale.ROOT,
                "| %d | %s | %.2f | %.2f | %.2f | %d | %.1f | %.0f | %d |",
                rate,
                name,
                trips[measured / 2] / 1e6,
                trips[measured * 99 / 100] / 1e6,
                trips[measured - 1] / 1e6,
                sent - back,
                cpu,
                memory,
                sent / seconds);
    }

    private void connect(int count) throws Exception {
        for (int i = 0; i < 100; i++) {
            try {
                http.send(
                        HttpRequest.newBuilder(server).build(),
                        HttpResponse.BodyHandlers.discarding());
                break;
            } catch (IOException e) {
                LockSupport.parkNanos(100_000_000);
            }
        }
        for (int i = 0; i < count; i++) {
            open(i);
        }
    }

    /** As the game opens its channels. */
    private void open(int number) throws Exception {
        WebRtc rtc = new WebRtc(_ -> {});
        connections.add(rtc);
        CompletableFuture<@Nullable Void> open = new CompletableFuture<>();
        RTCDataChannel reliable =
                rtc.connection().createDataChannel("ReliableDataChannel", new RTCDataChannelInit());
        RTCDataChannelInit once = new RTCDataChannelInit();
        once.ordered = false;
        once.maxRetransmits = 0;
        channels.add(reliable);
        reliable.registerObserver(
                new RTCDataChannelObserver() {
                    @Override
                    public void onBufferedAmountChange(long before) {}

                    @Override
                    public void onStateChange() {
                        if (reliable.getState() == RTCDataChannelState.OPEN) {
                            open.complete(null);
                        }
                    }

                    @Override
                    public void onMessage(RTCDataChannelBuffer message) {
                        came(message.data);
                    }
                });
        rtc.connection().createDataChannel("UnreliableDataChannel", once);
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(URI.create(server + "/" + number))
                                .header("Content-Type", "application/sdp")
                                .POST(HttpRequest.BodyPublishers.ofString(rtc.offer()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the echo said " + answer.statusCode() + " " + answer.body());
        }
        rtc.remote(RTCSdpType.ANSWER, answer.body());
        open.get(15, TimeUnit.SECONDS);
    }

    private synchronized void came(ByteBuffer data) {
        long stamp = data.getLong(1);
        if (stamp >= from && measured < trips.length) {
            trips[measured++] = System.nanoTime() - stamp;
            back++;
        }
    }

    /** Sends from each connection in its turn. */
    private void send(int rate, int seconds, boolean measure) {
        if (measure) {
            synchronized (this) {
                from = System.nanoTime();
            }
        }
        long start = System.nanoTime();
        long count = (long) rate * seconds;
        ByteBuffer packet = ByteBuffer.allocateDirect(BYTES);
        for (long i = 0; i < count; i++) {
            long due = start + i * 1_000_000_000 / rate;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
            }
            packet.clear();
            packet.put(0, (byte) 0).putLong(1, System.nanoTime()).put(STAMP, (byte) i);
            try {
                channels.get((int) (i % channels.size()))
                        .send(new RTCDataChannelBuffer(packet, true));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        if (measure) {
            sent = count;
        }
    }
}
