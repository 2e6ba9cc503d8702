package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPing;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPong;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The server's entry in server lists, which it asks the server for while clients ask the proxy, at
 * most once a second.
 */
final class StatusQuery implements DatagramHandler {
    private static final long INTERVAL_NANOS = 1_000_000_000;

    /** Time without an answer after which the server does not answer any more. */
    private static final long TIMEOUT_NANOS = 5_000_000_000L;

    private static final int MAX_ANSWER_BYTES = 32 << 10;
    private static final String PATH = "/v1/join";
    private static final long NO_TIME = Long.MIN_VALUE;

    private final BedrockProxyConfig config;
    private final DutyCycle cycle;
    private final UdpSocket socket;
    private final Writer writer = new Writer(64);
    private final long token;
    private ServerEntry entry = ServerEntry.UNKNOWN;
    private long asked = NO_TIME;

    /** Time of the first question since the last answer. */
    private long unanswered = NO_TIME;

    StatusQuery(BedrockProxyConfig config, DutyCycle cycle, UdpSocket socket) {
        this.config = config;
        this.cycle = cycle;
        this.socket = socket;
        token = config.random().nextLong();
        ask();
    }

    /** The newest known entry, after which the server is asked again. */
    ServerEntry entry() {
        long now = cycle.now();
        if (now - asked >= INTERVAL_NANOS) {
            ask();
        }
        return unanswered != NO_TIME && now - unanswered >= TIMEOUT_NANOS
                ? ServerEntry.UNKNOWN
                : entry;
    }

    private void ask() {
        asked = cycle.now();
        unanswered = unanswered == NO_TIME ? asked : unanswered;
        if (config.transport() == ServerTransport.NETHERNET) {
            fetch(List.of(HttpFetch.Tls.NONE, HttpFetch.Tls.ANY));
            return;
        }
        writer.reset();
        UnconnectedPing.wire(
                writer, new UnconnectedPing(false, token, token), RakNetSettings.MAGIC);
        socket.send(config.server(), writer.array(), 0, writer.position());
    }

    /** Asks the signalling of NetherNet, with and without TLS. */
    private void fetch(List<HttpFetch.Tls> tries) {
        if (tries.isEmpty()) {
            return;
        }
        List<HttpFetch.Tls> others = tries.subList(1, tries.size());
        cycle.fetch(
                new HttpFetch(
                        config.server(),
                        config.server().getHostString(),
                        tries.getFirst(),
                        "GET",
                        PATH,
                        HttpBody.NONE,
                        MAX_ANSWER_BYTES,
                        TIMEOUT_NANOS),
                response -> {
                    if (response.isSuccess()) {
                        answered(ServerEntry.ofJson(response.body().text()));
                    } else {
                        fetch(others);
                    }
                },
                _ -> fetch(others));
    }

    private void answered(ServerEntry answer) {
        if (!answer.equals(ServerEntry.UNKNOWN)) {
            entry = answer;
            unanswered = NO_TIME;
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (!from.equals(config.server())
                || data.length == 0
                || data[0] != OfflineMessage.UNCONNECTED_PONG) {
            return;
        }
        try {
            UnconnectedPong pong =
                    UnconnectedPong.wire(
                            new Reader(data), UnconnectedPong.BLANK, RakNetSettings.MAGIC);
            if (pong.time() == token) {
                answered(ServerEntry.ofMotd(pong.motd()));
            }
        } catch (MalformedPacketException _) {
            // Anyone can forge the server's address.
        }
    }

    @Override
    public long advance(long now) {
        return NEVER;
    }

    void close() {
        socket.close();
    }
}
