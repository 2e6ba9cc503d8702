package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

class WireTest {
    /** A message that uses every field of the wire. */
    record Everything(
            int u8,
            int i8,
            int u16le,
            int u16be,
            int i16le,
            int i16be,
            int u24le,
            int i32le,
            int i32be,
            long u32le,
            long u32be,
            long i64le,
            long i64be,
            float f32le,
            float f32be,
            boolean bool,
            List<Integer> list,
            Bytes bytes) {
        static final Everything BLANK =
                new Everything(
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, List.of(), Bytes.EMPTY);

        static Everything wire(Wire w, Everything m) {
            int u8 = w.u8("u8", m.u8);
            w.bits("low", 0, 4, u8);
            w.bits("high", 4, 4, u8);
            int i8 = w.i8("i8", m.i8);
            int u16le = w.u16le("u16le", m.u16le);
            int u16be = w.u16be("u16be", m.u16be);
            int i16le = w.i16le("i16le", m.i16le);
            int i16be = w.i16be("i16be", m.i16be);
            int u24le = w.u24le("u24le", m.u24le);
            int i32le = w.i32le("i32le", m.i32le);
            int i32be = w.i32be("i32be", m.i32be);
            long u32le = w.u32le("u32le", m.u32le);
            long u32be = w.u32be("u32be", m.u32be);
            long i64le = w.i64le("i64le", m.i64le);
            long i64be = w.i64be("i64be", m.i64be);
            float f32le = w.f32le("f32le", m.f32le);
            float f32be = w.f32be("f32be", m.f32be);
            boolean bool = w.bool("bool", m.bool);
            int count = w.bounded("count", w.u8("count", m.list.size()), 20);
            var list = new ArrayList<Integer>(count);
            for (int i = 0; i < count; i++) {
                w.pushScope("list." + i);
                w.begin("pair");
                int pair = w.u8("a", Wire.item(m.list, i, 0) >> 8) << 8;
                pair |= w.u8("b", Wire.item(m.list, i, 0) & 0xFF);
                w.end(pair);
                w.popScope();
                list.add(pair);
            }
            int length = w.bounded("length", w.u16le("length", m.bytes.length()), 300);
            Bytes bytes = w.bytes("bytes", m.bytes, length);
            return new Everything(
                    u8, i8, u16le, u16be, i16le, i16be, u24le, i32le, i32be, u32le, u32be, i64le,
                    i64be, f32le, f32be, bool, list, bytes);
        }

        static Everything random(Random random) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            return new Everything(
                    random.nextInt(256),
                    random.nextInt(256) - 128,
                    random.nextInt(65536),
                    random.nextInt(65536),
                    (short) random.nextInt(),
                    (short) random.nextInt(),
                    random.nextInt(1 << 24),
                    random.nextInt(),
                    random.nextInt(),
                    random.nextLong(1L << 32),
                    random.nextLong(1L << 32),
                    random.nextLong(),
                    random.nextLong(),
                    random.nextFloat(),
                    random.nextFloat(),
                    random.nextBoolean(),
                    random.ints(random.nextInt(20), 0, 65536).boxed().toList(),
                    Bytes.wrap(bytes));
        }
    }

    @Test
    void holdsLawsForEveryFieldType() {
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            WireLaws.hold(Everything.random(random), Everything.BLANK, Everything::wire);
        }
    }

    @Test
    void writesEitherByteOrder() {
        Writer writer = new Writer(64);
        writer.u16le("a", 0x1234);
        writer.u16be("b", 0x1234);
        writer.u24le("c", 0x123456);
        writer.i32le("d", 0x12345678);
        writer.i32be("e", 0x12345678);
        assertThat(writer.toBytes().hex())
                .isEqualTo("3412" + "1234" + "563412" + "78563412" + "12345678");
    }

    @Test
    void namesPlacesAndPartsInTrace() {
        Tracer tracer = new Tracer(Bytes.ofHex("21 0102"));
        int state = tracer.u8("state", 0);
        tracer.bits("low", 0, 4, state);
        tracer.bits("high", 4, 4, state);
        tracer.pushScope("player");
        tracer.begin("cn");
        tracer.u8("a", 0);
        tracer.u8("b", 0);
        tracer.end(258);
        tracer.annotate("bot");
        tracer.popScope();
        assertThat(tracer.fields())
                .containsExactly(
                        new Traced("state", 0, 8, "21", "33", false),
                        new Traced("low", 0, 4, "1", "1", true),
                        new Traced("high", 4, 4, "2", "2", true),
                        new Traced("player.cn", 8, 16, "0102", "bot", false));
    }

    @Test
    void keepsBoundsBothWays() {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> new Reader(new byte[1]).bounded("count", 21, 20))
                .withMessage("count at byte 0: is 21, must be 0..20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Writer(9).bounded("count", -1, 20));
        assertThatIllegalStateException()
                .isThrownBy(() -> new Writer(3).i32le("seq", 1))
                .withMessage("seq at byte 0: needs 4 bytes, the packet holds at most 3");
    }

    /** A field as it is written, and the values that are just outside its range. */
    private static Stream<Arguments> misfits() {
        return Stream.of(
                misfit((w, v) -> w.u8("f", v.intValue()), -1, 256, "0..255"),
                misfit((w, v) -> w.i8("f", v.intValue()), -129, 128, "-128..127"),
                misfit((w, v) -> w.u16le("f", v.intValue()), -1, 1 << 16, "0..65535"),
                misfit((w, v) -> w.u16be("f", v.intValue()), -1, 1 << 16, "0..65535"),
                misfit((w, v) -> w.i16le("f", v.intValue()), -32769, 32768, "-32768..32767"),
                misfit((w, v) -> w.i16be("f", v.intValue()), -32769, 32768, "-32768..32767"),
                misfit((w, v) -> w.u24le("f", v.intValue()), -1, 1 << 24, "0..16777215"),
                misfit((w, v) -> w.u32le("f", v), -1, 1L << 32, "0..4294967295"),
                misfit((w, v) -> w.u32be("f", v), -1, 1L << 32, "0..4294967295"));
    }

    private static Arguments misfit(
            BiConsumer<Writer, Long> field, long below, long above, String range) {
        return Arguments.of(field, below, above, range);
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void refusesValuesThatTheirFieldWouldCut(
            BiConsumer<Writer, Long> field, long below, long above, String range) {
        Writer writer = new Writer(64);
        for (long value : new long[] {below, above}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> field.accept(writer, value))
                    .withMessage("f is " + value + ", must be " + range);
        }
        assertThat(writer.position()).isZero();
        field.accept(writer, below + 1);
        field.accept(writer, above - 1);
    }

    @Test
    void stopsNarrowedReaderAtEnd() {
        Reader reader = new Reader(Bytes.ofHex("0102030405"));
        int mark = reader.pushLimit("inner", 3);
        assertThat(reader.u16be("a", 0)).isEqualTo(0x0102);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> reader.u16be("b", 0));
        reader.popLimit(mark);
        assertThat(reader.u16be("c", 0)).isEqualTo(0x0405);
    }

    @Test
    void truncatesAndRestarts() {
        Writer writer = new Writer(100);
        writer.u8("a", 1);
        int mark = writer.position();
        writer.u8("b", 2);
        writer.truncate(mark);
        writer.append(new byte[] {7, 8, 9}, 1, 2);
        assertThat(writer.toBytes()).isEqualTo(Bytes.of((byte) 1, (byte) 8, (byte) 9));
        writer.reset();
        assertThat(writer.toBytes()).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void writesMessageIntoArray() {
        Writer writer = new Writer(300);
        writer.append(new byte[255], 0, 255);
        int at = writer.reserve(45);
        assertThat(writer.position()).isEqualTo(255);
        writer.array()[at] = 7;
        writer.advance(at + 1);
        assertThat(writer.toBytes().slice(255, 1)).isEqualTo(Bytes.of((byte) 7));
        assertThatIllegalStateException().isThrownBy(() -> writer.reserve(45));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.advance(255));
        assertThat(writer.position()).isEqualTo(256);
    }

    @Test
    void growsAtAnyField() {
        for (int before = 250; before < 260; before++) {
            Writer writer = new Writer(1000);
            writer.append(new byte[before], 0, before);
            writer.u8("a", 1);
            writer.i8("b", -1);
            writer.u24le("c", 2);
            writer.f32be("d", 3);
            assertThat(writer.position()).isEqualTo(before + 9);
            assertThat(writer.toBytes().slice(before, 2)).isEqualTo(Bytes.of((byte) 1, (byte) -1));
        }
    }
}
