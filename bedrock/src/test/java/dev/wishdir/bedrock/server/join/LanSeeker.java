package dev.wishdir.bedrock.server.join;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.discovery.LanAdvertisement;
import dev.wishdir.nethernet.discovery.LanMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks for servers as the game does in a local network, and signals by what it finds: a client
 * that signals over HTTP is joined to a server that answers discovery.
 */
final class LanSeeker implements DatagramHandler, HttpHandler {
    private static final String REQUEST = "CONNECTREQUEST 12 ";
    private static final String RESPONSE = "CONNECTRESPONSE 12 ";

    /** What a server said: its network id and its advertisement. */
    public record Found(long server, LanAdvertisement advertisement) {}

    private final UdpSocket socket;
    private final InetSocketAddress discovery;
    private final List<Found> found = new ArrayList<>();
    private @Nullable Consumer<HttpResponse> waiting;

    private LanSeeker(UdpSocket socket, InetSocketAddress discovery) {
        this.socket = socket;
        this.discovery = discovery;
    }

    /**
     * Opens its socket, and its signalling over HTTP.
     *
     * @param discovery where the server answers
     */
    public static LanSeeker open(
            DutyCycle cycle, InetSocketAddress signalling, InetSocketAddress discovery)
            throws IOException {
        LanSeeker seeker =
                cycle.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        socket -> new LanSeeker(socket, discovery));
        cycle.serve(signalling, HttpSettings.standard(List.of(), null), seeker);
        return seeker;
    }

    /** Sends a datagram to where servers answer. */
    public void send(byte[] datagram) {
        socket.send(discovery, datagram, 0, datagram.length);
    }

    /** Who answered. */
    public List<Found> found() {
        return found;
    }

    @Override
    public void handle(HttpRequest request, Consumer<HttpResponse> answer) {
        if (request.method().equals("GET")) {
            answer.accept(HttpResponse.of(200, "{}"));
        } else {
            waiting = answer;
            send(
                    LanMessage.write(
                            new LanMessage.Signal(
                                    1, found.getFirst().server, REQUEST + request.body().text())));
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        switch (LanMessage.read(data)) {
            case LanMessage.Response response ->
                    found.add(
                            new Found(
                                    response.sender(),
                                    LanAdvertisement.read(response.advertisement())));
            case LanMessage.Signal signal -> {
                Consumer<HttpResponse> answer = waiting;
                if (answer != null && signal.text().startsWith(RESPONSE)) {
                    byte[] sdp =
                            signal.text()
                                    .substring(RESPONSE.length())
                                    .getBytes(StandardCharsets.UTF_8);
                    answer.accept(new HttpResponse(200, new HttpBody("application/sdp", sdp)));
                }
            }
            case LanMessage.Request _ -> throw new IllegalStateException("a server that asks");
        }
    }

    @Override
    public long advance(long now) {
        return NEVER;
    }
}
