package dev.wishdir.nethernet.dtls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.nethernet.NetherNetCaptures;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** DTLS against Java's own, and against what a network and a stranger do. */
class DtlsTest {
    private static final class Side implements Dtls.Listener {
        final ArrayDeque<byte[]> sent = new ArrayDeque<>();
        final List<byte[]> opened = new ArrayList<>();
        boolean secured;
        String ended = "";

        @Override
        public void emit(byte[] datagram, int offset, int length) {
            assertThat(length).isLessThanOrEqualTo(1200);
            sent.add(Arrays.copyOfRange(datagram, offset, offset + length));
        }

        @Override
        public void onSecured() {
            secured = true;
        }

        @Override
        public void onDecrypted(byte[] plain) {
            opened.add(plain);
        }

        @Override
        public void onEnded(boolean violation, String reason) {
            ended = reason;
        }
    }

    private final Random random = new Random(1);
    private final DtlsCertificate ours = DtlsCertificate.generate(random);
    private final DtlsCertificate theirs = DtlsCertificate.generate(random);

    @ParameterizedTest(name = "we begin: {0}")
    @ValueSource(booleans = {true, false})
    void agreesWithJavaDtlsInBothRoles(boolean client) throws Exception {
        Side side = new Side();
        Dtls dtls = new DtlsConnection(client, ours, theirs.hash(), random, side);
        SSLEngine engine = engine(!client);
        engine.beginHandshake();
        List<byte[]> got = new ArrayList<>();
        for (int round = 0; round < 50 && !(side.secured && done(engine)); round++) {
            dtls.advance(round);
            pump(engine, side, dtls, got);
        }
        assertThat(side.secured).as(side.ended).isTrue();
        byte[] hello = {1, 2, 3, 4};
        dtls.send(hello, 0, 4);
        send(engine, hello, dtls);
        pump(engine, side, dtls, got);
        assertThat(got).containsExactly(hello);
        assertThat(side.opened).containsExactly(hello);
    }

    private static boolean done(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void send(SSLEngine engine, byte[] plain, Dtls to) throws Exception {
        ByteBuffer out = ByteBuffer.allocate(20_000);
        engine.wrap(ByteBuffer.wrap(plain), out);
        to.receive(0, Arrays.copyOf(out.array(), out.position()));
    }

    private static void pump(SSLEngine engine, Side side, Dtls dtls, List<byte[]> got)
            throws Exception {
        for (int i = 0; i < 30; i++) {
            HandshakeStatus status = engine.getHandshakeStatus();
            ByteBuffer out = ByteBuffer.allocate(20_000);
            if (status == HandshakeStatus.NEED_TASK) {
                engine.getDelegatedTask().run();
            } else if (status == HandshakeStatus.NEED_WRAP) {
                engine.wrap(ByteBuffer.allocate(0), out);
                dtls.receive(0, Arrays.copyOf(out.array(), out.position()));
            } else if (status == HandshakeStatus.NEED_UNWRAP_AGAIN) {
                engine.unwrap(ByteBuffer.allocate(0), out);
            } else if (!side.sent.isEmpty()) {
                ByteBuffer in = ByteBuffer.wrap(side.sent.remove());
                while (in.hasRemaining()) {
                    HandshakeStatus before = engine.getHandshakeStatus();
                    if (before == HandshakeStatus.NEED_TASK) {
                        engine.getDelegatedTask().run();
                        continue;
                    }
                    out.clear();
                    SSLEngineResult result =
                            before == HandshakeStatus.NEED_UNWRAP_AGAIN
                                    ? engine.unwrap(ByteBuffer.allocate(0), out)
                                    : engine.unwrap(in, out);
                    if (out.position() > 0) {
                        got.add(Arrays.copyOf(out.array(), out.position()));
                    }
                    if (result.bytesConsumed() == 0
                            && before != HandshakeStatus.NEED_UNWRAP_AGAIN) {
                        break;
                    }
                }
            } else {
                return;
            }
        }
    }

    private SSLEngine engine(boolean client) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        X509Certificate certificate =
                (X509Certificate)
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(
                                        new java.io.ByteArrayInputStream(theirs.der()));
        store.setKeyEntry("k", theirs.key(), new char[0], new X509Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("DTLSv1.2");
        context.init(keys.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setNeedClientAuth(true);
        var parameters = engine.getSSLParameters();
        parameters.setMaximumPacketSize(1200);
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private final Side clientSide = new Side();
    private final Side serverSide = new Side();

    private void exchange(Dtls client, Dtls server) {
        for (int i = 0; i < 20; i++) {
            while (!clientSide.sent.isEmpty()) {
                server.receive(i, clientSide.sent.remove());
            }
            while (!serverSide.sent.isEmpty()) {
                client.receive(i, serverSide.sent.remove());
            }
        }
    }

    /** A record of the handshake as anyone can make it. */
    private static byte[] forged(int type, int number, int length, int count) {
        Writer w = new Writer(200);
        w.u8("type", 22);
        w.u16be("version", 0xFEFD);
        w.i64be("number", 100);
        w.u16be("length", DtlsHeader.BYTES + count);
        DtlsHeader.wire(w, new DtlsHeader(type, length, number, 0, count));
        w.append(new byte[count], 0, count);
        return w.toByteArray();
    }

    /** Messages that are malformed, out of turn, or block those of the peer. */
    private void forge(Dtls to) {
        for (int type : new int[] {1, 2, 3, 11, 12, 13, 14, 15, 16, 20}) {
            for (int number = 0; number < 8; number++) {
                to.receive(0, forged(type, number, 40, 40));
                to.receive(0, forged(type, number, 60, 20));
                to.receive(0, forged(type, number, 0, 0));
            }
        }
    }

    /** A hello, of either side, as anyone can make it. */
    private static byte[] forgedHello(boolean ofClient) {
        byte[] body =
                (ofClient
                                ? new DtlsMessage.ClientHello(
                                        Dtls.VERSION,
                                        Bytes.wrap(new byte[32]),
                                        Bytes.EMPTY,
                                        Bytes.EMPTY,
                                        List.of(0xC02B),
                                        Bytes.of((byte) 0),
                                        List.of(
                                                DtlsMessage.Extension.of(
                                                        DtlsMessage.Extension.GROUPS, 0, 2, 0, 23),
                                                DtlsMessage.Extension.of(
                                                        DtlsMessage.Extension
                                                                .EXTENDED_MASTER_SECRET)))
                                : new DtlsMessage.ServerHello(
                                        Dtls.VERSION,
                                        Bytes.wrap(new byte[32]),
                                        Bytes.EMPTY,
                                        0xC02B,
                                        0,
                                        List.of(
                                                DtlsMessage.Extension.of(
                                                        DtlsMessage.Extension
                                                                .EXTENDED_MASTER_SECRET))))
                        .toByteArray();
        Writer w = new Writer(300);
        w.u8("type", 22);
        w.u16be("version", 0xFEFD);
        w.i64be("number", 0);
        w.u16be("length", DtlsHeader.BYTES + body.length);
        DtlsHeader.wire(w, new DtlsHeader(ofClient ? 1 : 2, body.length, 0, 0, body.length));
        w.append(body, 0, body.length);
        return w.toByteArray();
    }

    @Test
    @DisplayName("H11: hellos that are forged before the peer's own")
    void completesHandshakeAfterForgedHellos() {
        Dtls client = new DtlsConnection(true, ours, theirs.hash(), random, clientSide);
        Dtls server = new DtlsConnection(false, theirs, ours.hash(), random, serverSide);
        server.receive(0, forgedHello(true));
        assertThat(serverSide.sent).as("the hello is taken").isNotEmpty();
        serverSide.sent.clear();
        client.advance(0);
        client.receive(0, forgedHello(false));
        for (long now = 0;
                now < 10_000_000_000L && !(clientSide.secured && serverSide.secured);
                now += 100_000_000) {
            client.advance(now);
            server.advance(now);
            exchange(client, server);
        }
        assertThat(clientSide.ended + serverSide.ended).isEmpty();
        assertThat(clientSide.secured && serverSide.secured)
                .as(client.problem() + server.problem())
                .isTrue();
    }

    @Test
    @DisplayName("H11: forged records of a handshake in progress")
    void completesHandshakeAmongForgedRecords() {
        Dtls client = new DtlsConnection(true, ours, theirs.hash(), random, clientSide);
        Dtls server = new DtlsConnection(false, theirs, ours.hash(), random, serverSide);
        client.advance(0);
        for (long now = 0;
                now < 20_000_000_000L && !(clientSide.secured && serverSide.secured);
                now += 100_000_000) {
            client.advance(now);
            server.advance(now);
            forge(server);
            while (!clientSide.sent.isEmpty()) {
                server.receive(now, clientSide.sent.remove());
            }
            forge(client);
            while (!serverSide.sent.isEmpty()) {
                client.receive(now, serverSide.sent.remove());
            }
        }
        assertThat(clientSide.ended + serverSide.ended).isEmpty();
        assertThat(clientSide.secured && serverSide.secured).isTrue();
        client.send(new byte[] {7}, 0, 1);
        exchange(client, server);
        assertThat(serverSide.opened).containsExactly(new byte[] {7});
    }

    @Test
    void rejectsUnexpectedCertificate() {
        Dtls client = new DtlsConnection(true, ours, theirs.hash(), random, clientSide);
        Dtls server = new DtlsConnection(false, ours, ours.hash(), random, serverSide);
        client.advance(0);
        exchange(client, server);
        assertThat(clientSide.secured).isFalse();
        assertThat(client.problem()).contains("not the agreed one");
        assertThat(serverSide.secured).isFalse();
        assertThat(clientSide.ended).as("anyone can send a certificate").isEmpty();
    }

    @Test
    void ignoresChangedAndRepeatedRecords() {
        Dtls client = new DtlsConnection(true, ours, theirs.hash(), random, clientSide);
        Dtls server = new DtlsConnection(false, theirs, ours.hash(), random, serverSide);
        client.advance(0);
        exchange(client, server);
        assertThat(clientSide.secured && serverSide.secured).isTrue();
        client.send(new byte[] {5, 6}, 0, 2);
        byte[] record = clientSide.sent.remove();
        for (int bit = 0; bit < record.length * 8; bit++) {
            byte[] changed = record.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(server.receive(1, changed)).isFalse();
        }
        assertThat(serverSide.opened).isEmpty();
        assertThat(server.receive(1, record)).isTrue();
        assertThat(server.receive(1, record)).isFalse();
        assertThat(serverSide.opened).containsExactly(new byte[] {5, 6});
        assertThat(serverSide.ended).isEmpty();
    }

    @Test
    void answersCapturedClientHello() {
        byte[] hello =
                NetherNetCaptures.FILES.datagrams("session").stream()
                        .map(each -> each.payload().toArray())
                        .filter(data -> data.length > 30 && data[0] == 22 && data[13] == 1)
                        .findFirst()
                        .orElseThrow();
        Dtls server = new DtlsConnection(false, theirs, ours.hash(), random, serverSide);
        server.receive(0, hello);
        assertThat(serverSide.ended).isEmpty();
        byte[] answer = serverSide.sent.remove();
        assertThat(answer[0]).isEqualTo((byte) 22);
        assertThat(answer[13]).as("ServerHello").isEqualTo((byte) 2);
    }

    @Test
    void ignoresForeignRecordsOnceSecured() {
        Dtls client = new DtlsConnection(true, ours, theirs.hash(), random, clientSide);
        Dtls server = new DtlsConnection(false, theirs, ours.hash(), random, serverSide);
        client.advance(0);
        exchange(client, server);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            if (noise.length > 13) {
                noise[0] = (byte) (20 + i % 4);
                noise[1] = (byte) 0xFE;
                noise[2] = (byte) 0xFD;
                noise[3] = 0;
                noise[4] = (byte) (i & 1);
                noise[11] = 0;
                noise[12] = (byte) (noise.length - 13);
            }
            assertThat(server.receive(i, noise)).isFalse();
        }
        assertThat(serverSide.ended).isEmpty();
        serverSide.sent.clear();
        client.send(new byte[] {9}, 0, 1);
        exchange(client, server);
        assertThat(serverSide.opened).containsExactly(new byte[] {9});
    }
}
