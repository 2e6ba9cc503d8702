package dev.wishdir.nethernet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.dtls.DtlsCertificate;
import dev.wishdir.nethernet.dtls.DtlsConnection;
import dev.wishdir.nethernet.ice.IceAgent;
import dev.wishdir.nethernet.ice.IceChecks;
import dev.wishdir.nethernet.ice.IceCredentials;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.identity.IdentityRejectedException;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A NetherNet client: queries a server's signalling, posts its offer, and then has one connection.
 *
 * <p>It sends only to the server's own address, whatever the answer names.
 *
 * <p>Its constructor has many parameters: time, random numbers and output are the caller's, so that
 * it runs without socket, thread or clock.
 */
public final class NetherNetClient implements DatagramHandler {
    private static final String PATH = "/v1/join";
    private static final int MAX_ANSWER_BYTES = 32 << 10;
    private static final long PROBE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

    /**
     * Settings of a client.
     *
     * @param key identifies the player; the game's login must name the same one
     * @param claims of the token, besides key and times
     * @param tls TLS and plain HTTP, in the order in which they are tried
     * @param limits of the connection
     */
    public record Settings(
            IdentityKey key,
            Map<String, Object> claims,
            List<HttpFetch.Tls> tls,
            NetherNetLimits limits) {
        /**
         * TLS with any certificate, then plain HTTP: the server's identity is verified apart from
         * them.
         */
        public static Settings standard(IdentityKey key, Map<String, Object> claims) {
            return new Settings(
                    key,
                    claims,
                    List.of(HttpFetch.Tls.ANY, HttpFetch.Tls.NONE),
                    NetherNetLimits.CLIENT);
        }

        public Settings {
            claims = Map.copyOf(claims);
            tls = List.copyOf(tls);
        }
    }

    /** Callbacks of an attempt to connect and of the connection. */
    public interface Listener extends NetherNetPeer.Listener {
        /**
         * The attempt to connect has failed; the last callback.
         *
         * @param ending REFUSED if the server refused, or its answer or identity was rejected;
         *     TIMED_OUT if signalling did not answer; CLOSED after {@link NetherNetClient#close}
         */
        void onFailed(long now, NetherNetPeer.EndReason ending, String reason);
    }

    private final InetSocketAddress server;
    private final String host;
    private final Settings settings;
    private final DatagramSink output;
    private final Listener listener;
    private final DutyCycle cycle;
    private final RandomGenerator random;
    private final LongSupplier seconds;
    private final Dtls.Maker maker;
    private final String networkId;
    private @Nullable NetherNetPeer peer;
    private @Nullable Identity serverIdentity;
    private String status = "";
    private String refusal = "";
    private boolean begun;
    private boolean over;

    /**
     * @param server TCP address of its signalling
     * @param host name that the user entered
     * @param seconds the time, seconds since 1970
     */
    public NetherNetClient(
            InetSocketAddress server,
            String host,
            Settings settings,
            DatagramSink output,
            Listener listener,
            DutyCycle cycle,
            RandomGenerator random,
            LongSupplier seconds) {
        this(
                server,
                host,
                settings,
                output,
                listener,
                cycle,
                random,
                seconds,
                new DtlsConnection.Maker(DtlsCertificate.generate(random), random));
    }

    NetherNetClient(
            InetSocketAddress server,
            String host,
            Settings settings,
            DatagramSink output,
            Listener listener,
            DutyCycle cycle,
            RandomGenerator random,
            LongSupplier seconds,
            Dtls.Maker maker) {
        this.server = Requirements.destination("server", server);
        this.host = host;
        this.settings = settings;
        this.output = output;
        this.listener = listener;
        this.cycle = cycle;
        this.random = random;
        this.seconds = seconds;
        this.maker = maker;
        networkId = Long.toUnsignedString(random.nextLong());
    }

    /** The server's entry in server lists, JSON; empty before it is known. */
    public String status() {
        return status;
    }

    /** The server's verified identity; null before it is known. */
    public @Nullable Identity server() {
        return serverIdentity;
    }

    /** Ends the connection or the attempt to connect. */
    public void close(long now) {
        if (peer != null) {
            peer.close();
        } else {
            fail(NetherNetPeer.EndReason.CLOSED, "closed");
        }
    }

    /** Ends the connection or the attempt to connect at once; the server is notified once. */
    public void end(long now) {
        if (peer != null) {
            peer.abort(now, "left");
        } else {
            close(now);
        }
    }

    private void fail(NetherNetPeer.EndReason ending, String reason) {
        if (!over) {
            over = true;
            listener.onFailed(cycle.now(), ending, reason);
        }
    }

    private void look(int at) {
        if (over) {
            return;
        }
        if (at == settings.tls.size()) {
            if (refusal.isEmpty()) {
                fail(NetherNetPeer.EndReason.TIMED_OUT, "no NetherNet server at " + host);
            } else {
                fail(NetherNetPeer.EndReason.REFUSED, refusal);
            }
            return;
        }
        HttpFetch.Tls tls = settings.tls.get(at);
        cycle.fetch(
                new HttpFetch(
                        server,
                        host,
                        tls,
                        "GET",
                        PATH,
                        HttpBody.NONE,
                        MAX_ANSWER_BYTES,
                        PROBE_TIMEOUT_NANOS),
                response -> {
                    if (response.isSuccess()) {
                        status = response.body().text();
                        offer(tls);
                    } else {
                        refusal = said(response);
                        look(at + 1);
                    }
                },
                _ -> look(at + 1));
    }

    private void offer(HttpFetch.Tls tls) {
        if (over) {
            return;
        }
        Sdp plain =
                new Sdp(
                        random.nextLong() >>> 4,
                        IceCredentials.random(random),
                        false,
                        List.of(Sdp.Fingerprint.sha256(maker.certificateHash())),
                        Sdp.Setup.ACTPASS,
                        "0",
                        SegmentCodec.MAX_MESSAGE_BYTES,
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)),
                        null);
        Sdp offer =
                new Identity.Maker(settings.key, "", settings.claims)
                        .sign(plain, seconds.getAsLong());
        byte[] body = offer.text().getBytes(StandardCharsets.UTF_8);
        cycle.fetch(
                new HttpFetch(
                        server,
                        host,
                        tls,
                        "POST",
                        PATH + "/" + networkId,
                        new HttpBody("application/sdp", body),
                        MAX_ANSWER_BYTES,
                        ANSWER_TIMEOUT_NANOS),
                response -> answered(offer, response),
                failure -> fail(NetherNetPeer.EndReason.TIMED_OUT, String.valueOf(failure)));
    }

    /** A refusal as text: it may be a page of a web server. */
    private static String said(HttpResponse response) {
        String text = response.body().text().strip().replaceAll("\\p{Cntrl}+", " ");
        return "the server said "
                + response.status()
                + " "
                + text.substring(0, Math.min(text.length(), 100));
    }

    private void answered(Sdp offer, HttpResponse response) {
        if (over) {
            return;
        }
        if (!response.isSuccess() || response.body().text().strip().matches("[0-9]{1,3}")) {
            fail(NetherNetPeer.EndReason.REFUSED, said(response));
            return;
        }
        long now = cycle.now();
        try {
            Sdp answer = Sdp.read(response.body().bytes());
            if (answer.setup() == Sdp.Setup.ACTPASS) {
                fail(
                        NetherNetPeer.EndReason.REFUSED,
                        "the answer does not say which side starts DTLS");
                return;
            }
            serverIdentity =
                    Identity.check(
                            answer,
                            new Identity.Policy(true, true, IdentityIssuer.MOJANG),
                            seconds.getAsLong());
            List<InetSocketAddress> reachable = IceAgent.at(answer.candidates(), server);
            if (reachable.isEmpty()) {
                fail(NetherNetPeer.EndReason.REFUSED, "the answer names no address of the server");
                return;
            }
            peer =
                    new NetherNetPeer(
                            new NetherNetPeer.Agreement(
                                    offer,
                                    answer,
                                    answer.setup() == Sdp.Setup.PASSIVE,
                                    new IceChecks(reachable, offer.ice(), answer.ice(), random),
                                    serverIdentity),
                            reachable.getFirst(),
                            maker,
                            settings.limits,
                            output,
                            listener,
                            random,
                            now);
        } catch (MalformedPacketException | IdentityRejectedException e) {
            fail(NetherNetPeer.EndReason.REFUSED, "the answer is not valid: " + e.getMessage());
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        NetherNetPeer to = peer;
        if (to == null || !from.getAddress().equals(server.getAddress())) {
            return;
        }
        if (Stun.isStun(data)) {
            try {
                Stun message = Stun.read(data);
                to.stun(now, from, message, data);
            } catch (MalformedPacketException ignored) {
                // Anyone can forge the server's address.
            }
        } else if (to.addresses().contains(from)) {
            to.receive(now, data);
        }
    }

    @Override
    public long advance(long now) {
        if (!begun) {
            begun = true;
            look(0);
        }
        return peer == null ? NEVER : peer.advance(now);
    }
}
