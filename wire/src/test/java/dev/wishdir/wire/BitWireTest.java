package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class BitWireTest {
    /** Byte 0 is 1 bit; 1..254 are nine, a one before the byte; no byte has the code of 255. */
    private static final HuffmanCode CODE = code();

    private static HuffmanCode code() {
        int[] codes = new int[256];
        int[] lengths = new int[256];
        for (int i = 1; i < 256; i++) {
            codes[i] = 1 | i << 1;
            lengths[i] = 9;
        }
        lengths[0] = 1;
        return new HuffmanCode(codes, lengths);
    }

    /** A message with a field of each width, both ways. */
    record Widths(List<Integer> coded, List<Integer> raw, int signed, boolean bit) {
        static final Widths BLANK = new Widths(List.of(), List.of(), 0, false);

        static Widths wire(BitWire w, Widths m) {
            List<Integer> coded = new ArrayList<>();
            List<Integer> raw = new ArrayList<>();
            for (int width = 1; width <= 32; width++) {
                w.pushScope("width." + width);
                coded.add(w.bits("coded", Wire.item(m.coded, width - 1, 0), width));
                w.begin("raw");
                raw.add(w.raw("raw", Wire.item(m.raw, width - 1, 0), width));
                w.end(width);
                w.popScope();
            }
            return new Widths(coded, raw, w.signed("signed", m.signed, 11), w.bit("bit", m.bit));
        }

        static Widths random(Random random) {
            List<Integer> coded = new ArrayList<>();
            List<Integer> raw = new ArrayList<>();
            for (int width = 1; width <= 32; width++) {
                coded.add(random.nextInt() >>> 32 - width);
                raw.add(random.nextInt() >>> 32 - width);
            }
            return new Widths(coded, raw, random.nextInt(2048) - 1024, random.nextBoolean());
        }
    }

    @Test
    void holdsLawsForEveryWidth() {
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            BitWireLaws.hold(CODE, Widths.random(random), Widths.BLANK, Widths::wire);
        }
    }

    @Test
    void writesLowBitsRaw() {
        BitWriter writer = new BitWriter(CODE, 8);
        writer.bits("ten", 0b00000010_11, 10);
        // Two raw ones, then the code of byte 2: 1 01000000.
        assertThat(writer.position()).isEqualTo(11);
        assertThat(writer.toByteArray()).containsExactly(0b00010111, 0);
    }

    @Test
    void reportsEndForEachWidth() {
        for (int width = 1; width <= 32; width++) {
            for (int left = 0; left < width; left++) {
                byte[] stale = {-1, -1, -1, -1, -1, -1, -1, -1};
                BitReader raw = new BitReader(CODE, stale, 0, left);
                int bits = width;
                assertThatExceptionOfType(MalformedPacketException.class)
                        .isThrownBy(() -> raw.raw("field", 0, bits));
                byte[] zeros = new byte[8];
                BitReader coded = new BitReader(CODE, zeros, 0, (width & 7) + (width >> 3) - 1);
                assertThatExceptionOfType(MalformedPacketException.class)
                        .isThrownBy(() -> coded.bits("field", 0, bits));
            }
        }
    }

    @Test
    void refusesMissingCode() {
        int[] codes = new int[256];
        int[] lengths = new int[256];
        for (int i = 0; i < 256; i++) {
            codes[i] = i;
            lengths[i] = 9;
        }
        HuffmanCode half = new HuffmanCode(codes, lengths);
        BitReader reader = new BitReader(half, new byte[] {0, 1, 0, 0});
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> reader.bits("op", 0, 8))
                .withMessage("op at byte 0: no byte has this code");
        assertThat(reader.position()).isZero();
    }

    @Test
    void refusesPrefixCodes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HuffmanCode(new int[256], filled(8)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HuffmanCode(new int[256], filled(13)));
    }

    private static int[] filled(int value) {
        int[] array = new int[256];
        java.util.Arrays.fill(array, value);
        return array;
    }

    @Test
    void truncatesGrowsAndRestarts() {
        BitWriter writer = new BitWriter(CODE, 2000);
        writer.raw("a", 5, 3);
        int mark = writer.position();
        for (int i = 0; i < 1000; i++) {
            writer.raw("b", 0xFF, 8);
        }
        assertThat(writer.remaining()).isEqualTo(2000 * 8 - 3 - 8000);
        writer.truncate(mark);
        writer.raw("c", 0, 9);
        assertThat(writer.toByteArray(4)).containsExactly(5, 0, 0, 0);
        writer.reset();
        assertThat(writer.toByteArray()).isEmpty();
        BitWriter small = new BitWriter(CODE, 1);
        assertThatIllegalStateException().isThrownBy(() -> small.raw("x", 0, 9));
        assertThatIllegalArgumentException().isThrownBy(() -> small.bounded("n", 3, 2));
    }

    @Test
    void refusesValuesThatTheirFieldWouldCut() {
        BitWriter writer = new BitWriter(CODE, 64);
        for (int width = 1; width < 31; width++) {
            int bits = width;
            int over = 1 << width;
            for (int value : new int[] {-1, over}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.bits("f", value, bits))
                        .withMessage("f is " + value + ", must be 0.." + (over - 1L));
                assertThatIllegalArgumentException().isThrownBy(() -> writer.raw("f", value, bits));
            }
            int most = (1 << width - 1) - 1;
            for (int value : new int[] {-2 - most, most + 1}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.signed("f", value, bits))
                        .withMessage("f is " + value + ", must be " + (-1 - most) + ".." + most);
            }
        }
        assertThat(writer.position()).isZero();
        writer.signed("f", -1, 1);
        writer.signed("f", -1024, 11);
        writer.signed("f", Integer.MIN_VALUE, 32);
        writer.bits("f", -1, 32);
    }

    @Test
    void refusesCapacityOfMoreBitsThanPositionsCount() {
        for (int capacity : new int[] {-1, 1 << 28, 1 << 29}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new BitWriter(CODE, capacity))
                    .withMessage("capacity is " + capacity + ", must be 0..268435455");
        }
        new BitWriter(CODE, (1 << 28) - 1).raw("bit", 1, 1);
    }

    @Test
    void tracesRawBitsAndCodes() {
        BitWriter writer = new BitWriter(CODE, 8);
        writer.bits("ten", 0b00000010_11, 10);
        BitTracer tracer = new BitTracer(CODE, writer.toByteArray(), 0, writer.position());
        tracer.bits("ten", 0, 10);
        tracer.annotate("entity 11");
        assertThat(tracer.fields())
                .containsExactly(
                        new Traced("ten", 0, 11, "11101000000", "entity 11", false),
                        new Traced("raw", 0, 2, "11", "3", true),
                        new Traced("huffman", 2, 9, "101000000", "byte 02", true));
    }

    @Test
    void tracesCodesOfTextAsOnePart() {
        BitWriter writer = new BitWriter(CODE, 8);
        for (char letter : new char[] {'a', 'b', 0}) {
            writer.bits("letter", letter, 8);
        }
        int bits = writer.position();
        BitTracer tracer = new BitTracer(CODE, writer.toByteArray(), 0, bits);
        tracer.begin("text");
        for (int i = 0; i < 3; i++) {
            tracer.bits("letter", 0, 8);
        }
        tracer.end("ab");
        assertThat(tracer.fields())
                .extracting(Traced::name, Traced::bit, Traced::bits, Traced::meaning)
                .containsExactly(
                        tuple("text", 0, bits, "ab"), tuple("huffman", 0, bits, "bytes 61 62 00"));
    }
}
