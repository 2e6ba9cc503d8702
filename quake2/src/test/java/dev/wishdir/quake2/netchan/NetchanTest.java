package dev.wishdir.quake2.netchan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

class NetchanTest {
    private static final long SECOND = 1_000_000_000L;

    private final Netchan client = Netchan.client(0x12345);
    private final Netchan server = Netchan.server();

    private static void queue(Netchan netchan, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(netchan.queue(bytes, bytes.length)).isTrue();
    }

    private static byte[] send(Netchan netchan) {
        return netchan.send().toByteArray();
    }

    /** The data of a packet, or that it was ignored. */
    private static String receive(Netchan netchan, byte[] packet) {
        Reader r = new Reader(packet);
        if (!netchan.receive(r)) {
            return "ignored";
        }
        return new String(r.rest("data", Bytes.EMPTY, 2000).toArray(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void writesHeaderOfTenOrEightBytes() {
        queue(client, "new");
        assertThat(Bytes.wrap(send(client)).hex()).isEqualTo("01000080000000004523" + "6e6577");
        assertThat(Bytes.wrap(send(server)).hex()).isEqualTo("0100000000000000");
    }

    @Test
    void putsReliableBeforeUnreliable() {
        queue(client, "R");
        byte[] packet = client.send(new byte[] {'u'}, 1).toByteArray();
        assertThat(receive(server, packet)).isEqualTo("Ru");
        assertThat(receive(server, packet)).isEqualTo("ignored");
    }

    @Test
    void resendsLostBlockAfterLaterAcknowledgement() {
        queue(client, "R");
        send(client);
        queue(client, "S");
        assertThat(receive(server, send(client))).isEmpty();
        assertThat(client.isQuiet()).isFalse();
        assertThat(receive(client, send(server))).isEmpty();
        assertThat(receive(server, send(client))).as("not yet: one of two was lost").isEmpty();
        receive(client, send(server));
        assertThat(receive(server, send(client))).isEqualTo("R");
        receive(client, send(server));
        assertThat(receive(server, send(client))).isEqualTo("S");
        receive(client, send(server));
        assertThat(client.isQuiet()).isTrue();
        assertThat(receive(server, send(client))).isEmpty();
    }

    @Test
    void countsDroppedAndIgnoresOldPackets() {
        byte[] first = send(client);
        byte[] second = send(client);
        byte[] third = send(client);
        receive(server, first);
        assertThat(server.dropped()).isZero();
        receive(server, third);
        assertThat(server.dropped()).isEqualTo(1);
        assertThat(receive(server, second)).isEqualTo("ignored");
        assertThat(server.incoming()).isEqualTo(3);
        assertThat(receive(server, new byte[] {9, 0, 0, 0, 9, 0, 0, 0, 9})).isEqualTo("ignored");
        assertThat(server.incoming()).isEqualTo(3);
    }

    @Test
    void overflowsOnTooMuchReliableData() {
        assertThat(server.queue(new byte[1384], 1384)).isTrue();
        assertThat(server.overflowed()).isFalse();
        assertThat(server.queue(new byte[1], 1)).isFalse();
        assertThat(server.overflowed()).isTrue();
    }

    @Test
    void limitsPacketsTo1400Bytes() {
        queue(server, "x".repeat(1384));
        assertThat(server.unreliableRoom()).isEqualTo(8);
        assertThat(server.send(new byte[9], 9).position()).isEqualTo(1392);
        assertThat(server.unreliableRoom()).isEqualTo(1392);
        assertThat(server.send(new byte[1392], 1392).position()).isEqualTo(1400);
        assertThat(server.send(new byte[1393], 1393).position()).isEqualTo(8);
    }

    @Test
    void deliversReliableOnceInOrderDespiteLoss() {
        Random random = new Random(6);
        StringBuilder sent = new StringBuilder();
        StringBuilder arrived = new StringBuilder();
        StringBuilder back = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(4) == 0 && client.room() > 20) {
                String word = i + " ";
                sent.append(word);
                queue(client, word);
                queue(server, word);
            }
            byte[] forth = send(client);
            for (int copies = random.nextInt(5); copies > 3 || copies == 1; copies--) {
                String data = receive(server, forth);
                arrived.append(data.equals("ignored") ? "" : data);
            }
            byte[] answer = send(server);
            if (random.nextInt(5) != 0) {
                back.append(receive(client, answer));
            }
        }
        for (int i = 0; i < 20; i++) {
            arrived.append(receive(server, send(client)));
            back.append(receive(client, send(server)));
        }
        assertThat(arrived.toString()).isEqualTo(sent.toString());
        assertThat(back.toString()).isEqualTo(sent.toString());
        assertThat(sent).hasSizeGreaterThan(20_000);
    }

    private static byte[] packet(int sequence, int ack, boolean reliableAck) {
        Writer w = new Writer(100);
        NetchanHeader.wire(w, new NetchanHeader(sequence, false, ack, reliableAck, 0x2345));
        return w.toByteArray();
    }

    @Test
    @DisplayName("G5 an acknowledgement of what was never sent, or far ahead, changes nothing")
    void ignoresInventedAcknowledgements() {
        for (int i = 0; i < 10; i++) {
            receive(client, send(server));
        }
        receive(server, send(client));
        queue(server, "R");
        byte[] reliable = send(server);
        assertThat(receive(server, packet(5, 12, true))).as("never sent").isEqualTo("ignored");
        assertThat(receive(server, packet(5, 1 << 30, true))).isEqualTo("ignored");
        assertThat(receive(server, packet(5, 0, true))).as("turned, unseen").isEqualTo("ignored");
        assertThat(receive(server, packet(5, 10, true))).as("turned, unseen").isEqualTo("ignored");
        assertThat(receive(server, packet(1 << 20, 11, true))).as("far").isEqualTo("ignored");
        assertThat(server.incoming()).isEqualTo(1);
        assertThat(server.isQuiet()).isFalse();
        assertThat(server.retainedBytes()).isEqualTo(1);
        assertThat(receive(client, reliable)).isEqualTo("R");
        assertThat(receive(server, send(client))).isEmpty();
        assertThat(server.isQuiet()).isTrue();
        assertThat(server.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("G2 who goes on sending has 30 s to acknowledge; who is silent has longer")
    void endsPeerThatStopsAcknowledging() {
        queue(server, "R");
        send(server);
        byte[] lost = send(server);
        long now = 5 * SECOND;
        assertThat(server.isNotAcknowledging(now)).isFalse();
        // His game loads a map.
        now += 60 * SECOND;
        int sequence = 1;
        for (int i = 0; i < 289; i++, now += SECOND / 10) {
            assertThat(receive(server, packet(sequence++, 2, false))).isEmpty();
            assertThat(server.isNotAcknowledging(now)).as("after %d", i).isFalse();
            send(server);
        }
        now += SECOND;
        assertThat(receive(server, packet(sequence++, 2, false))).isEmpty();
        assertThat(server.isNotAcknowledging(now)).isTrue();
        // An acknowledgement begins again.
        assertThat(receive(server, packet(sequence++, 3, true))).isEmpty();
        assertThat(server.isNotAcknowledging(now + SECOND)).isFalse();
        assertThat(lost).isNotEmpty();
    }
}
