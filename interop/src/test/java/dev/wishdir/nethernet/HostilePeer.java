package dev.wishdir.nethernet;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.dtls.DtlsCertificate;
import dev.wishdir.nethernet.dtls.DtlsConnection;
import dev.wishdir.nethernet.ice.IceCredentials;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.sctp.SctpChunks;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * A client of NetherNet that keeps to the rules until it is connected, and then says below its
 * channels whatever a test wants. It may also be deaf, or show another certificate than it named.
 */
public final class HostilePeer implements NetherNetClient.Listener {
    private static final long FETCH = 10_000_000_000L;

    private final Maker maker;
    private final SctpChunks chunks = new SctpChunks();
    private @Nullable NetherNetPeer peer;
    private @Nullable Dtls dtls;
    private boolean deaf;
    private String ending = "";

    /**
     * @param from where its socket is bound
     * @param liar whether its certificate is not the one of its offer
     */
    public HostilePeer(
            DutyCycle cycle,
            InetAddress from,
            InetSocketAddress server,
            boolean liar,
            Random random)
            throws IOException {
        maker = new Maker(random, liar);
        cycle.open(
                new InetSocketAddress(from, 0),
                socket ->
                        new NetherNetClient(
                                server,
                                "localhost",
                                new NetherNetClient.Settings(
                                        IdentityKey.generate(),
                                        Map.of("xname", "hostile", "xid", "0"),
                                        List.of(HttpFetch.Tls.NONE),
                                        NetherNetLimits.CLIENT),
                                socket,
                                this,
                                cycle,
                                random,
                                () -> System.currentTimeMillis() / 1000,
                                maker));
    }

    /** The text of an offer with an identity, signed by a key of its own. */
    public static String offer(Random random) {
        byte[] hash = new byte[32];
        random.nextBytes(hash);
        Sdp plain =
                new Sdp(
                        1,
                        IceCredentials.random(random),
                        false,
                        List.of(Sdp.Fingerprint.sha256(hash)),
                        Sdp.Setup.ACTPASS,
                        "0",
                        SegmentCodec.MAX_MESSAGE_BYTES,
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)),
                        null);
        return new Identity.Maker(IdentityKey.generate(), "", Map.of())
                .sign(plain, System.currentTimeMillis() / 1000)
                .text();
    }

    /** Posts an offer; the status comes to a consumer, 0 for none. */
    public static void post(
            DutyCycle cycle, InetSocketAddress server, byte[] offer, IntConsumer status) {
        cycle.fetch(
                new HttpFetch(
                        server,
                        "localhost",
                        HttpFetch.Tls.NONE,
                        "POST",
                        "/v1/join/1",
                        new HttpBody("application/sdp", offer),
                        1 << 16,
                        FETCH),
                answer -> status.accept(answer.status()),
                _ -> status.accept(0));
    }

    /** A check of ICE by a peer that knows the user name, and no password. */
    public static byte[] check(String username, Random random) {
        byte[] transaction = new byte[12];
        random.nextBytes(transaction);
        return Stun.request(Bytes.wrap(transaction), username, 1, "a password that is wrong");
    }

    /** The user name of a check; empty for another datagram. */
    public static String username(byte[] datagram) {
        try {
            return Stun.read(datagram).username();
        } catch (MalformedPacketException e) {
            return "";
        }
    }

    /** Whether it is connected. */
    public boolean isOpen() {
        return peer != null && ending.isEmpty();
    }

    /** How it ended; empty while it has not. */
    public String ending() {
        return ending;
    }

    /** From now on it hears nothing, and so acknowledges nothing. */
    public void deafen() {
        deaf = true;
    }

    /** Sends a packet of the game as it should be sent. */
    public void packet(byte[] packet) {
        NetherNetPeer open = peer;
        if (open != null) {
            open.send(packet, 0, packet.length);
        }
    }

    /** Sends a chunk of SCTP. */
    public void chunk(int type, int flags, byte[] body) {
        send(chunks.packet(type, flags, body));
    }

    private void send(byte[] packet) {
        Dtls secured = dtls;
        if (secured == null) {
            throw new IllegalStateException("not connected: " + ending);
        }
        secured.send(packet, 0, packet.length);
    }

    /**
     * Sends a chunk of data.
     *
     * @param ahead how far its number is from the next that is expected
     * @param flags 1 for the last part of a message, 2 for the first
     * @param kind of the message, 53 for data of a channel, 50 for what is said of channels
     */
    public void data(int ahead, int flags, int stream, int kind, byte[] part) {
        send(chunks.data(ahead, flags, stream, kind, part));
    }

    @Override
    public void onConnected(long now, NetherNetPeer connected) {
        peer = connected;
    }

    @Override
    public void onReceived(long now, NetherNetPeer from, boolean reliable, byte[] packet) {}

    @Override
    public void onEnded(long now, NetherNetPeer gone, NetherNetPeer.EndReason how, String reason) {
        ending = how + ": " + reason;
    }

    @Override
    public void onFailed(long now, NetherNetPeer.EndReason how, String reason) {
        ending = how + ": " + reason;
    }

    @Override
    public String toString() {
        return "a hostile peer, " + ending;
    }

    private final class Maker implements Dtls.Maker {
        private final Dtls.Maker named;
        private final Dtls.Maker shown;

        Maker(Random random, boolean liar) {
            named = new DtlsConnection.Maker(DtlsCertificate.generate(random), random);
            shown =
                    liar
                            ? new DtlsConnection.Maker(DtlsCertificate.generate(random), random)
                            : named;
        }

        @Override
        public Dtls make(boolean first, byte[] peerHash, Dtls.Listener listener) {
            return new Watched(shown.make(first, peerHash, new Ears(listener)));
        }

        @Override
        public byte[] certificateHash() {
            return named.certificateHash();
        }
    }

    /** Hears what the association below the channels would, unless it is deaf. */
    private final class Ears implements Dtls.Listener {
        private final Dtls.Listener then;

        Ears(Dtls.Listener then) {
            this.then = then;
        }

        @Override
        public void emit(byte[] datagram, int offset, int length) {
            then.emit(datagram, offset, length);
        }

        @Override
        public void onSecured() {
            then.onSecured();
        }

        @Override
        public void onDecrypted(byte[] plain) {
            if (!deaf) {
                then.onDecrypted(plain);
            }
        }

        @Override
        public void onEnded(boolean violation, String reason) {
            then.onEnded(violation, reason);
        }
    }

    /** Sees the numbers of the association in what it sends. */
    private final class Watched implements Dtls {
        private final Dtls inner;

        Watched(Dtls inner) {
            this.inner = inner;
        }

        @Override
        public boolean receive(long now, byte[] datagram) {
            return inner.receive(now, datagram);
        }

        @Override
        public void send(byte[] plain, int offset, int length) {
            dtls = inner;
            chunks.watch(Arrays.copyOfRange(plain, offset, offset + length));
            inner.send(plain, offset, length);
        }

        @Override
        public void close() {
            inner.close();
        }

        @Override
        public long advance(long now) {
            return inner.advance(now);
        }
    }

    /** The bytes of a text. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
