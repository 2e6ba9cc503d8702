package dev.wishdir.quake3.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.quake3.netchan.AdaptiveHuffman;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitTracer;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

/** Whatever the bytes are, they are decoded or malformed, and what was decoded is written back. */
class Quake3FuzzTest {
    private static final ClientMessage.MoveKey KEY =
            (acknowledge, reliable) -> 0x5EED ^ acknowledge ^ reliable;

    /**
     * The first byte of each pair is a width; a value is read, and compared with a walk bit by bit.
     */
    @FuzzTest
    void huffman(byte[] data) {
        BitReader reader = new BitReader(Huffman.CODE, data);
        SlowBits slow = new SlowBits(data);
        BitWriter again = new BitWriter(Huffman.CODE, data.length + 8);
        for (int i = 0; i < data.length; i++) {
            int width = (data[i] & 31) + 1;
            int value;
            try {
                value = reader.bits("field", 0, width);
            } catch (MalformedPacketException e) {
                assertThat(slow.bits(width)).isEqualTo(SlowBits.ENDED);
                return;
            }
            assertThat(slow.bits(width)).isEqualTo(value & 0xFFFFFFFFL);
            again.bits("field", value, width);
            assertThat(again.position()).isEqualTo(reader.position());
        }
    }

    @FuzzTest
    void clientMessage(byte[] data) {
        ClientMessage read;
        try {
            read = ClientMessage.wire(new BitReader(Huffman.CODE, data), ClientMessage.BLANK, KEY);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            return;
        }
        BitWriter writer = new BitWriter(Huffman.CODE, 2 * data.length + 64);
        ClientMessage.wire(writer, read, KEY);
        assertThat(
                        ClientMessage.wire(
                                new BitReader(Huffman.CODE, writer.toByteArray()),
                                ClientMessage.BLANK,
                                KEY))
                .isEqualTo(read);
        BitTracer tracer = new BitTracer(Huffman.CODE, data);
        assertThat(ClientMessage.wire(tracer, ClientMessage.BLANK, KEY)).isEqualTo(read);
    }

    @FuzzTest
    void serverMessage(byte[] data) {
        ServerMessage read;
        try {
            read = ServerMessage.wire(new BitReader(Huffman.CODE, data), ServerMessage.BLANK);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            return;
        }
        BitWriter writer = new BitWriter(Huffman.CODE, 2 * data.length + 64);
        ServerMessage.wire(writer, read);
        assertThat(
                        ServerMessage.wire(
                                new BitReader(Huffman.CODE, writer.toByteArray()),
                                ServerMessage.BLANK))
                .isEqualTo(read);
        BitTracer tracer = new BitTracer(Huffman.CODE, data);
        assertThat(ServerMessage.wire(tracer, ServerMessage.BLANK)).isEqualTo(read);
    }

    @FuzzTest
    void connect(byte[] data) {
        Bytes plain;
        try {
            plain = AdaptiveHuffman.decompress(Bytes.of(data), 1_024);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            return;
        }
        assertThat(plain.length()).isLessThanOrEqualTo(1_024);
        assertThat(AdaptiveHuffman.decompress(AdaptiveHuffman.compress(plain), 1_024))
                .isEqualTo(plain);
    }
}
