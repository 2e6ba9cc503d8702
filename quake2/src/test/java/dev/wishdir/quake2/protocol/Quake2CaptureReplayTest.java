package dev.wishdir.quake2.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;

/** Every message that the real games sent, decoded and written again. */
class Quake2CaptureReplayTest {
    private int messages;
    private int moves;

    @Test
    void writesCapturedMessagesBackWithRightChecksums() {
        for (String capture : Quake2Captures.NAMES) {
            for (Datagram datagram : Quake2Captures.FILES.datagrams(capture)) {
                Bytes payload = datagram.payload();
                if (!OutOfBand.is(payload.toArray())) {
                    packet(payload, Quake2Captures.isServer(datagram.destination().getPort()));
                } else {
                    assertThat(Bytes.wrap(OutOfBand.of(payload).orElseThrow().packet()))
                            .isEqualTo(payload);
                }
            }
        }
        Reader demo = new Reader(Quake2Captures.FILES.file("12-demo.dm2"));
        for (int length = demo.i32le("len", 0); length != -1; length = demo.i32le("len", 0)) {
            Bytes block = demo.bytes("block", Bytes.EMPTY, length);
            rewrites(block, new Reader(block), false, 0);
        }
        assertThat(moves).isEqualTo(13_505);
        assertThat(messages).isGreaterThan(19_000);
    }

    private void packet(Bytes payload, boolean fromClient) {
        Reader r = new Reader(payload);
        NetchanHeader header =
                NetchanHeader.wire(
                        r, fromClient ? NetchanHeader.FROM_CLIENT : NetchanHeader.FROM_SERVER);
        Writer w = new Writer(Netchan.MAX_PACKET_BYTES);
        NetchanHeader.wire(w, header);
        assertThat(w.toBytes()).isEqualTo(payload.slice(0, r.position()));
        rewrites(payload, r, fromClient, header.sequence());
    }

    private void rewrites(Bytes packet, Reader r, boolean fromClient, int sequence) {
        while (r.remaining() > 0) {
            int from = r.position();
            Quake2Message message =
                    fromClient ? Quake2Codec.readClient(r) : Quake2Codec.readServer(r);
            Bytes bytes = packet.slice(from, r.position() - from);
            Writer w = new Writer(1 << 16);
            switch (message) {
                case ServerMessage m -> Quake2Codec.write(w, m);
                case ClientMessage m -> Quake2Codec.write(w, m);
                case FullFrame _ -> throw new AssertionError("only deltas are read");
            }
            assertThat(w.toBytes()).as("%s", message).isEqualTo(bytes);
            messages++;
            if (message instanceof Move move) {
                byte[] body = bytes.slice(2, bytes.length() - 2).toArray();
                assertThat(MoveChecksum.of(body, 0, body.length, sequence))
                        .isEqualTo(move.checksum());
                Move again =
                        Move.of(
                                move.lastFrame(),
                                move.oldest().cmd(),
                                move.previous().cmd(),
                                move.newest().cmd());
                Writer shortest = new Writer(256);
                Quake2Codec.write(shortest, again);
                assertThat(shortest.toBytes().slice(2, body.length)).isEqualTo(Bytes.of(body));
                moves++;
            }
        }
    }
}
