package dev.wishdir.nethernet;

import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Segmentation of an application's packets into messages of a data channel.
 *
 * <p>The first byte of a message is the number of messages of the same packet that follow.
 */
final class SegmentCodec {
    /** Maximum length of a message that this side accepts, bytes. */
    static final int MAX_MESSAGE_BYTES = 262_144;

    private static final int MAX_SEGMENTS = 256;

    private int largestPacket;
    private @Nullable ByteArrayOutputStream packet;
    private int left;

    SegmentCodec(int largestPacket) {
        this.largestPacket = largestPacket;
    }

    void largestPacket(int bytes) {
        largestPacket = bytes;
    }

    /** The heap of an incomplete packet, bytes. */
    int retainedBytes() {
        ByteArrayOutputStream begun = packet;
        return begun == null ? 0 : (int) HeapFootprint.bytes(2 * begun.size());
    }

    /**
     * Splits a packet.
     *
     * @param largest maximum length of a message that the receiver accepts, bytes
     * @throws IllegalArgumentException if the packet is empty or needs more than {@value
     *     #MAX_SEGMENTS} messages
     */
    static List<byte[]> split(byte[] packet, int offset, int length, int largest) {
        int room = largest - 1;
        int count = (length + room - 1) / room;
        if (count < 1 || count > MAX_SEGMENTS) {
            throw new IllegalArgumentException(
                    "packet has "
                            + length
                            + " bytes, must be 1.."
                            + MAX_SEGMENTS
                            + " messages of "
                            + largest);
        }
        List<byte[]> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int from = i * room;
            int part = Math.min(room, length - from);
            byte[] message = new byte[1 + part];
            message[0] = (byte) (count - 1 - i);
            System.arraycopy(packet, offset + from, message, 1, part);
            messages.add(message);
        }
        return messages;
    }

    /**
     * Handles a message of the reliable channel.
     *
     * @return the packet; null if more messages of it follow
     * @throws MalformedPacketException if it is not the next message: the connection must end
     */
    byte @Nullable [] join(byte[] message) {
        checkSize(message);
        int count = message[0] & 0xFF;
        ByteArrayOutputStream begun = packet;
        if (begun == null && count == 0) {
            check(message.length - 1);
            return Arrays.copyOfRange(message, 1, message.length);
        }
        if (begun == null) {
            begun = new ByteArrayOutputStream(message.length);
            packet = begun;
        } else if (count != left - 1) {
            throw new MalformedPacketException(0, "countdown", "is " + count + " after " + left);
        }
        // Each message that follows has at least one byte.
        check(begun.size() + message.length - 1 + count);
        begun.write(message, 1, message.length - 1);
        left = count;
        if (count > 0) {
            return null;
        }
        packet = null;
        return begun.toByteArray();
    }

    private void check(int size) {
        if (size > largestPacket) {
            throw new MalformedPacketException(
                    0, "packet", "has more than " + largestPacket + " bytes");
        }
    }

    private static void checkSize(byte[] message) {
        if (message.length < 2) {
            throw new MalformedPacketException(message.length, "message", "has no content");
        }
    }

    /** The packet in a message of the unreliable channel, which is never split. */
    static byte[] whole(byte[] message) {
        checkSize(message);
        if (message[0] != 0) {
            throw new MalformedPacketException(0, "countdown", "is not 0 without reliability");
        }
        return Arrays.copyOfRange(message, 1, message.length);
    }
}
