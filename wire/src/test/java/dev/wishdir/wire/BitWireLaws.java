package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** {@link WireLaws} for messages of bits; a message may be cut at any bit. */
public final class BitWireLaws {
    private BitWireLaws() {}

    /** A message's walk, {@code Snapshot::wire}. */
    @FunctionalInterface
    public interface Walk<M> {
        M walk(BitWire wire, M message);
    }

    /**
     * What is written reads back equal, the trace covers every bit once, every cut is malformed.
     */
    public static <M> void hold(HuffmanCode code, M message, M blank, Walk<M> walk) {
        BitWriter writer = new BitWriter(code, 1 << 20);
        assertThat(walk.walk(writer, message))
                .as("the walk of a writer returns the message")
                .isEqualTo(message);
        byte[] bytes = writer.toByteArray();
        int bits = writer.position();

        BitReader reader = new BitReader(code, bytes, 0, bits);
        assertThat(walk.walk(reader, blank)).isEqualTo(message);
        assertThat(reader.remaining()).as("bits left after %s", message).isZero();

        BitTracer tracer = new BitTracer(code, bytes, 0, bits);
        assertThat(walk.walk(tracer, blank)).isEqualTo(message);
        traceCoversEveryBit(tracer, bits);

        for (int cut = 0; cut < bits; cut++) {
            BitReader shorter = new BitReader(code, bytes, 0, cut);
            assertThatExceptionOfType(MalformedPacketException.class)
                    .as("%s cut to %d of %d bits", message, cut, bits)
                    .isThrownBy(() -> walk.walk(shorter, blank))
                    .satisfies(e -> {
                        assertThat(e.field()).isNotEmpty();
                        assertThat(e.offset()).isBetween(0, bytes.length);
                    });
        }
    }

    private static void traceCoversEveryBit(BitTracer tracer, int bits) {
        int covered = 0;
        int steps = 0;
        for (Traced field : tracer.fields()) {
            assertThat(field.raw()).hasSize(field.bits());
            if (field.part()) {
                assertThat(field.bit()).as("start of %s", field).isGreaterThanOrEqualTo(steps);
                steps = field.bit() + field.bits();
                assertThat(steps).as("end of %s in its field", field).isLessThanOrEqualTo(covered);
            } else {
                assertThat(field.bit()).as("start of %s", field).isEqualTo(covered);
                assertThat(field.name()).isNotEmpty();
                steps = covered;
                covered += field.bits();
            }
        }
        assertThat(covered).as("bits covered by the trace").isEqualTo(bits);
    }
}
