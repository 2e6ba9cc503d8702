package dev.wishdir.inspect.capture;

import dev.wishdir.inspect.link.Packet;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A capture in the pcapng format: sections, each in its own byte order, with blocks that describe
 * interfaces and contain packets. Blocks of other types are skipped.
 */
final class Pcapng implements PacketSource {
    /** The type of a section's first block, the same in both byte orders. */
    static final int SECTION = 0x0A0D0D0A;

    private static final int BYTE_ORDER = 0x1A2B3C4D;
    private static final int INTERFACE = 1;
    private static final int OLD_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int PACKET = 6;

    private static final int END_OF_OPTIONS = 0;
    private static final int TIME_RESOLUTION = 9;
    private static final int CHECK_SEQUENCE = 13;
    private static final int TIME_OFFSET = 14;

    /** The flags option of a packet: bits 5 to 8 are the length of its check sequence. */
    private static final int FLAGS = 2;

    /** Maximum number of interfaces of one section. */
    private static final int MAX_INTERFACES = 4096;

    private static final int MAX_DESCRIPTION_BYTES = 1 << 16;

    /** Length of a block without content: type, length, and the length again at the end. */
    private static final int MIN_BLOCK_BYTES = 12;

    private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

    /**
     * The interface of packets.
     *
     * @param snap maximum captured length of a packet; 0 for no limit
     * @param ticks ticks of its clock per second
     * @param offset seconds to add to its clock
     * @param checkSequence length of the check sequence at the end of each frame
     */
    private record Interface(
            int link, long snap, BigInteger ticks, BigInteger offset, int checkSequence) {
        /** Nanoseconds since 1970, limited to the range of a long. */
        long nanos(int high, int low) {
            BigInteger time =
                    BigInteger.valueOf(Integer.toUnsignedLong(high))
                            .shiftLeft(Integer.SIZE)
                            .add(BigInteger.valueOf(Integer.toUnsignedLong(low)));
            BigInteger nanos = time.multiply(BILLION).divide(ticks).add(offset.multiply(BILLION));
            return nanos.bitLength() < Long.SIZE
                    ? nanos.longValue()
                    : nanos.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private final CaptureInput in;
    private final List<Interface> interfaces = new ArrayList<>();
    private final byte[] start = new byte[8];
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private long lastNanos;

    Pcapng(CaptureInput in) {
        this.in = in;
    }

    @Override
    public Optional<Packet> next() throws IOException {
        while (true) {
            long block = in.position();
            if (!in.readHeader(start, "a block header")) {
                return Optional.empty();
            }
            ByteBuffer head = ByteBuffer.wrap(start).order(order);
            int type = head.getInt();
            if (type == SECTION) {
                section(block, head.getInt());
                continue;
            }
            long length = length(block, head.getInt());
            Optional<Packet> packet =
                    switch (type) {
                        case INTERFACE -> {
                            describe(block, length);
                            yield Optional.empty();
                        }
                        case PACKET -> Optional.of(packet(block, length, false));
                        case OLD_PACKET -> Optional.of(packet(block, length, true));
                        case SIMPLE_PACKET -> Optional.of(simple(block, length));
                        default -> Optional.empty();
                    };
            finish(block, length);
            if (packet.isPresent()) {
                return packet;
            }
        }
    }

    private void section(long block, int length) throws IOException {
        int magic = in.readBuffer(4, ByteOrder.BIG_ENDIAN, "a section header").getInt();
        ByteOrder before = order;
        if (magic == BYTE_ORDER) {
            order = ByteOrder.BIG_ENDIAN;
        } else if (magic == Integer.reverseBytes(BYTE_ORDER)) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else {
            throw new CaptureException(block + 8, "a section has no byte-order mark");
        }
        interfaces.clear();
        long inOrder = length(block, before == order ? length : Integer.reverseBytes(length));
        int major = in.readBuffer(4, order, "a section header").getShort();
        if (major != 1) {
            throw new CaptureException(
                    block + 12, "pcapng version " + major + " is not supported, only version 1");
        }
        finish(block, inOrder);
    }

    private static long length(long block, int length) throws CaptureException {
        long unsigned = Integer.toUnsignedLong(length);
        if (unsigned < MIN_BLOCK_BYTES || unsigned % 4 != 0) {
            throw new CaptureException(
                    block + 4, "a block claims an invalid length of " + unsigned);
        }
        return unsigned;
    }

    /** Skips the rest of a block and checks the length at its end. */
    private void finish(long block, long length) throws IOException {
        in.skip(remaining(block, length), "a block");
        long again = Integer.toUnsignedLong(in.readBuffer(4, order, "a block").getInt());
        if (again != length) {
            throw new CaptureException(
                    in.position() - 4,
                    "the length at the end of a block is "
                            + again
                            + ", at its start it is "
                            + length);
        }
    }

    /** Number of unread bytes of a block, without the length at its end. */
    private long remaining(long block, long length) {
        return block + length - 4 - in.position();
    }

    private ByteBuffer fields(long block, long length, int count) throws IOException {
        if (remaining(block, length) < count) {
            throw new CaptureException(block + 4, "a block of " + length + " bytes is too short");
        }
        return in.readBuffer(count, order, "a block");
    }

    private void describe(long block, long length) throws IOException {
        if (interfaces.size() == MAX_INTERFACES || length > MAX_DESCRIPTION_BYTES) {
            throw new CaptureException(
                    block,
                    "a section has more than "
                            + MAX_INTERFACES
                            + " interfaces, or the description of one is longer than "
                            + MAX_DESCRIPTION_BYTES
                            + " bytes");
        }
        ByteBuffer fields = fields(block, length, 8);
        int link = fields.getShort() & 0xFFFF;
        long snap = Integer.toUnsignedLong(fields.getInt(4));
        BigInteger ticks = BigInteger.valueOf(1_000_000);
        long offset = 0;
        int checkSequence = 0;
        Options options = options(block, length);
        while (options.next()) {
            ByteBuffer value = options.value;
            int size = value.remaining();
            if (options.code == TIME_RESOLUTION && size == 1) {
                int power = value.get();
                ticks = BigInteger.valueOf(power < 0 ? 2 : 10).pow(power & 0x7F);
            } else if (options.code == TIME_OFFSET && size == 8) {
                offset = value.getLong();
            } else if (options.code == CHECK_SEQUENCE && size == 1) {
                // The unit is bits in the draft, but some programs write bytes.
                int written = value.get() & 0xFF;
                checkSequence = written >= 16 ? written / 8 : written;
            }
        }
        interfaces.add(new Interface(link, snap, ticks, BigInteger.valueOf(offset), checkSequence));
    }

    /** The options at the end of a block, one after the other. */
    private static final class Options {
        private final long block;
        private final ByteBuffer bytes;
        int code;
        ByteBuffer value = ByteBuffer.allocate(0);

        Options(long block, ByteBuffer bytes) {
            this.block = block;
            this.bytes = bytes;
        }

        boolean next() throws CaptureException {
            if (bytes.remaining() < 4) {
                return false;
            }
            code = bytes.getShort() & 0xFFFF;
            int size = bytes.getShort() & 0xFFFF;
            if (code == END_OF_OPTIONS) {
                return false;
            }
            if (size > bytes.remaining()) {
                throw new CaptureException(block, "an option extends beyond its block");
            }
            value = bytes.slice(bytes.position(), size).order(bytes.order());
            bytes.position(Math.min(bytes.limit(), bytes.position() + (size + 3 & ~3)));
            return true;
        }
    }

    /** The options in the rest of a block, limited to {@link #MAX_DESCRIPTION_BYTES}. */
    private Options options(long block, long length) throws IOException {
        long left = remaining(block, length);
        return new Options(
                block, fields(block, length, (int) Math.min(left, MAX_DESCRIPTION_BYTES)));
    }

    private Packet packet(long block, long length, boolean old) throws IOException {
        ByteBuffer fields = fields(block, length, 20);
        long number = old ? fields.getShort(0) & 0xFFFF : Integer.toUnsignedLong(fields.getInt(0));
        Interface interfaceOf = interfaceOf(block, number);
        lastNanos = interfaceOf.nanos(fields.getInt(4), fields.getInt(8));
        long captured = Integer.toUnsignedLong(fields.getInt(12));
        long original = Integer.toUnsignedLong(fields.getInt(16));
        Bytes data = data(block, length, captured);
        int checkSequence = interfaceOf.checkSequence;
        if (!old) {
            in.skip(Math.min(remaining(block, length), -captured & 3), "a packet");
            Options options = options(block, length);
            while (options.next()) {
                if (options.code == FLAGS && options.value.remaining() == 4) {
                    int written = options.value.getInt() >> 5 & 0xF;
                    checkSequence = written > 0 ? written : checkSequence;
                }
            }
        }
        return Packet.of(lastNanos, interfaceOf.link, data, original, checkSequence);
    }

    /** A packet without a time, which gets that of the packet before it. */
    private Packet simple(long block, long length) throws IOException {
        long original = Integer.toUnsignedLong(fields(block, length, 4).getInt());
        Interface interfaceOf = interfaceOf(block, 0);
        long captured = interfaceOf.snap == 0 ? original : Math.min(original, interfaceOf.snap);
        Bytes data = data(block, length, captured);
        return Packet.of(lastNanos, interfaceOf.link, data, original, interfaceOf.checkSequence);
    }

    private Bytes data(long block, long length, long captured) throws IOException {
        if (captured > Packet.MAX_BYTES || captured > remaining(block, length)) {
            throw new CaptureException(
                    block,
                    "a block of "
                            + length
                            + " bytes claims a packet of "
                            + captured
                            + (captured > Packet.MAX_BYTES
                                    ? ", more than the maximum of " + Packet.MAX_BYTES
                                    : ""));
        }
        return Bytes.wrap(in.readBytes((int) captured, "a packet"));
    }

    private Interface interfaceOf(long block, long number) throws CaptureException {
        if (number >= interfaces.size()) {
            throw new CaptureException(
                    block, "a packet refers to interface " + number + ", which is not described");
        }
        return interfaces.get((int) number);
    }
}
