package dev.wishdir.inspect.capture;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes UDP datagrams with comments as a capture in pcapng's format, with times in nanoseconds and
 * packets of raw IP, like {@link PcapWriter}. Wireshark shows and filters the comments without a
 * dissector.
 *
 * <p>Not thread-safe. Source: draft-ietf-opsawg-pcapng.
 */
public final class PcapngWriter implements AutoCloseable {
    /** Maximum length of a comment, bytes of UTF-8; the rest is left out. */
    static final int MAX_COMMENT_BYTES = 4096;

    /** Maximum length of all comments of a packet, bytes; further comments are left out. */
    static final int MAX_COMMENTS_BYTES = 48 << 10;

    private static final int MAX_NAME_BYTES = 0xFFFF;

    /** Capture programs read from a pipe only the byte order of their machine. */
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private static final int INTERFACE_BLOCK = 1;
    private static final int PACKET_BLOCK = 6;
    private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;

    private static final int COMMENT = 1;
    private static final int INTERFACE_NAME = 2;
    private static final int TIME_RESOLUTION = 9;
    private static final byte NANOSECONDS = 9;
    private static final int WORD = 4;

    private final OutputStream out;

    private record Item(int code, Bytes value) {
        Item(int code, byte... value) {
            this(code, Bytes.wrap(value));
        }

        int length() {
            return WORD + padded(value.length());
        }
    }

    /**
     * Begins a capture.
     *
     * @param out is closed with the capture
     * @param name of the interface
     * @throws IllegalArgumentException if the name has more than {@value #MAX_NAME_BYTES} bytes
     */
    public PcapngWriter(OutputStream out, String name) throws IOException {
        this.out = out;
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        if (nameBytes.length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name must be at most "
                            + MAX_NAME_BYTES
                            + " bytes of UTF-8, is "
                            + nameBytes.length);
        }
        ByteBuffer section = ByteBuffer.allocate(16);
        section.order(ORDER)
                .putInt(BYTE_ORDER_MAGIC)
                .putShort((short) 1)
                .putShort((short) 0)
                .putLong(-1);
        block(Pcapng.SECTION, section.array(), new byte[0], List.of());
        ByteBuffer description = ByteBuffer.allocate(8);
        description.order(ORDER).putShort((short) PcapWriter.LINK_TYPE_RAW).putShort((short) 0);
        description.putInt(PcapWriter.SNAP_LENGTH);
        block(
                INTERFACE_BLOCK,
                description.array(),
                new byte[0],
                List.of(
                        new Item(INTERFACE_NAME, nameBytes),
                        new Item(TIME_RESOLUTION, NANOSECONDS)));
    }

    private static int padded(int length) {
        return length + WORD - 1 & -WORD;
    }

    /**
     * Writes a datagram.
     *
     * @param nanos time since 1970
     * @param comments of the packet, cut at their maximum lengths
     * @throws IllegalArgumentException if the payload does not fit into one IP packet
     */
    public void write(
            long nanos,
            InetSocketAddress source,
            InetSocketAddress destination,
            Bytes payload,
            List<String> comments)
            throws IOException {
        byte[] packet = PcapWriter.packet(source, destination, payload);
        ByteBuffer head = ByteBuffer.allocate(20);
        head.order(ORDER).putInt(0).putInt((int) (nanos >> Integer.SIZE)).putInt((int) nanos);
        head.putInt(packet.length).putInt(packet.length);
        List<Item> items = new ArrayList<>();
        int length = 0;
        for (String comment : comments) {
            Item item = new Item(COMMENT, cut(comment));
            length += item.length();
            if (length > MAX_COMMENTS_BYTES) {
                break;
            }
            items.add(item);
        }
        block(PACKET_BLOCK, head.array(), packet, items);
    }

    /** A text in UTF-8, at most {@link #MAX_COMMENT_BYTES} of whole characters. */
    private static byte[] cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_COMMENT_BYTES) {
            return bytes;
        }
        int end = MAX_COMMENT_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private void block(int type, byte[] head, byte[] data, List<Item> items) throws IOException {
        int options = items.stream().mapToInt(Item::length).sum();
        int length =
                3 * WORD + head.length + padded(data.length) + (options > 0 ? options + WORD : 0);
        ByteBuffer block = ByteBuffer.allocate(length);
        block.order(ORDER).putInt(type).putInt(length).put(head).put(data);
        block.position(2 * WORD + head.length + padded(data.length));
        for (Item item : items) {
            int end = block.position() + item.length();
            block.putShort((short) item.code).putShort((short) item.value.length());
            item.value.copyTo(block.array(), block.position());
            block.position(end);
        }
        block.putInt(length - WORD, length);
        out.write(block.array());
    }

    /** Hands what was written to the operating system. */
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
