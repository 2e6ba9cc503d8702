package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;

/**
 * The laws that every message of every game holds. A game's tests call {@link #hold} once a
 * message, with values that reach each branch of its walk.
 */
public final class WireLaws {
    private WireLaws() {}

    /** A message's wire walk, {@code Pos::wire}. */
    @FunctionalInterface
    public interface Walk<M> {
        M walk(Wire wire, M message);
    }

    /**
     * What is written reads back equal, the trace covers every byte once, every cut is malformed.
     */
    public static <M> void hold(M message, M blank, Walk<M> walk) {
        byte[] bytes = write(message, walk);
        readsBackEqual(message, blank, walk, bytes);
        traceCoversEveryByte(blank, walk, bytes);
        everyCutIsMalformed(blank, walk, bytes);
    }

    /**
     * The laws of a message whose last field runs to the end of the packet, so that a cut may give
     * a shorter message: it is then malformed or writes back as what was left.
     */
    public static <M> void holdToTheEnd(M message, M blank, Walk<M> walk) {
        byte[] bytes = write(message, walk);
        readsBackEqual(message, blank, walk, bytes);
        traceCoversEveryByte(blank, walk, bytes);
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] shorter = Arrays.copyOf(bytes, cut);
            try {
                M read = walk.walk(new Reader(shorter), blank);
                assertThat(write(read, walk))
                        .as("%s cut to %d bytes", message, cut)
                        .isEqualTo(shorter);
            } catch (MalformedPacketException expected) {
                assertThat(expected.field()).isNotEmpty();
            }
        }
    }

    /** The bytes of a message. */
    public static <M> byte[] write(M message, Walk<M> walk) {
        Writer writer = new Writer(1 << 24);
        M written = walk.walk(writer, message);
        assertThat(written).as("the walk of a writer returns the message").isEqualTo(message);
        return writer.toByteArray();
    }

    private static <M> void readsBackEqual(M message, M blank, Walk<M> walk, byte[] bytes) {
        Reader reader = new Reader(bytes);
        assertThat(walk.walk(reader, blank)).isEqualTo(message);
        assertThat(reader.remaining()).as("bytes left after %s", message).isZero();
    }

    private static <M> void traceCoversEveryByte(M blank, Walk<M> walk, byte[] bytes) {
        Tracer tracer = new Tracer(bytes);
        walk.walk(tracer, blank);
        int covered = 0;
        for (Traced field : tracer.fields()) {
            if (!field.part()) {
                assertThat(field.bit()).as("start of %s", field).isEqualTo(covered);
                assertThat(field.name()).isNotEmpty();
                covered += field.bits();
            }
        }
        assertThat(covered).as("bits covered by the trace").isEqualTo(bytes.length * 8);
    }

    private static <M> void everyCutIsMalformed(M blank, Walk<M> walk, byte[] bytes) {
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] shorter = Arrays.copyOf(bytes, cut);
            assertThatExceptionOfType(MalformedPacketException.class)
                    .as("cut to %d of %d bytes", cut, bytes.length)
                    .isThrownBy(() -> walk.walk(new Reader(shorter), blank))
                    .satisfies(e -> {
                        assertThat(e.field()).isNotEmpty();
                        assertThat(e.offset()).isBetween(0, shorter.length);
                    });
        }
    }
}
