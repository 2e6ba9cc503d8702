package dev.wishdir.nethernet;

import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The two data channels of NetherNet (RFC 8831, 8832), which the client opens. */
final class DataChannels {
    /** The association below and the packets above, as the channels see them. */
    interface Steps {
        /** Sends a message; the caller does not change the array any more. */
        void send(int stream, int kind, boolean unreliable, byte[] message);

        /** Both channels are open. */
        void opened();

        /** A message of the application was received; the callee may keep the array. */
        void message(boolean reliable, byte[] message);
    }

    static final String RELIABLE = "ReliableDataChannel";
    static final String UNRELIABLE = "UnreliableDataChannel";
    private static final int CONTROL = 50;
    private static final int BINARY = 53;
    private static final int OPEN = 3;
    private static final int ACK = 2;
    private static final int ORDERED = 0x00;
    private static final int UNORDERED_LIMITED = 0x81;
    private static final int OPEN_HEADER = 12;
    private static final int MAX_LABEL_BYTES = 64;
    private static final int MAX_STREAMS = 1024;
    private static final int EARLY_MESSAGES = 8;
    private static final int EARLY_BYTES = 64 << 10;

    private record Early(int stream, Bytes message) {}

    private final boolean opener;
    private final Steps steps;
    private final List<Early> early = new ArrayList<>();
    private int reliable = -1;
    private int unreliable = -1;
    private boolean reliableOpen;
    private boolean unreliableOpen;
    private int held;

    DataChannels(boolean opener, Steps steps) {
        this.opener = opener;
        this.steps = steps;
    }

    /**
     * Opens the channels, on the client.
     *
     * @param first number of the first channel's stream: 0 for the client of DTLS, else 1
     */
    void open(int first) {
        if (opener) {
            reliable = first;
            unreliable = first + 2;
            steps.send(reliable, CONTROL, false, open(ORDERED, RELIABLE));
            steps.send(unreliable, CONTROL, false, open(UNORDERED_LIMITED, UNRELIABLE));
        }
    }

    private static byte[] open(int type, String label) {
        Writer w = new Writer(OPEN_HEADER + MAX_LABEL_BYTES);
        w.u8("message", OPEN);
        w.u8("channel type", type);
        w.u16be("priority", 256);
        w.i32be("reliability", 0);
        w.u16be("label length", label.length());
        w.u16be("protocol length", 0);
        byte[] text = label.getBytes(StandardCharsets.US_ASCII);
        w.append(text, 0, text.length);
        return w.toByteArray();
    }

    /** The heap of messages that arrived before their channel was opened, bytes. */
    int retainedBytes() {
        return held;
    }

    boolean isOpen() {
        return reliableOpen && unreliableOpen;
    }

    /** Sends a message of the application. */
    void send(boolean reliably, byte[] message) {
        steps.send(reliably ? reliable : unreliable, BINARY, !reliably, message);
    }

    /**
     * Handles a message.
     *
     * @throws MalformedPacketException if it breaks the protocol: the connection must end
     */
    void message(int stream, int kind, byte[] message) {
        switch (kind) {
            case CONTROL -> control(stream, message);
            case BINARY -> {
                if (isOpen() && (stream == reliable || stream == unreliable)) {
                    steps.message(stream == reliable, message);
                } else {
                    keep(stream, message);
                }
            }
            default -> throw new MalformedPacketException(0, "payload protocol", "is " + kind);
        }
    }

    /** Keeps a message that arrived before its channel was opened. */
    private void keep(int stream, byte[] message) {
        if (isOpen()) {
            throw new MalformedPacketException(0, "stream", "is " + stream + ", no channel's");
        }
        long bytes = HeapFootprint.OBJECT + HeapFootprint.bytes(message.length);
        if (early.size() >= EARLY_MESSAGES || held + bytes > EARLY_BYTES) {
            throw new MalformedPacketException(0, "message", "is one too many before the channels");
        }
        early.add(new Early(stream, Bytes.wrap(message)));
        held += (int) bytes;
    }

    private void control(int stream, byte[] message) {
        if (message[0] == ACK && message.length == 1 && opener) {
            reliableOpen |= stream == reliable;
            unreliableOpen |= stream == unreliable;
            opened();
            return;
        }
        Reader r = new Reader(message);
        if (r.u8("message", 0) != OPEN || opener || stream >= MAX_STREAMS) {
            throw new MalformedPacketException(0, "message", "is none of a client's");
        }
        int type = r.u8("channel type", 0);
        r.u16be("priority", 0);
        int parameter = r.i32be("reliability", 0);
        int length = r.bounded("label length", r.u16be("label length", 0), MAX_LABEL_BYTES);
        int protocol = r.u16be("protocol length", 0);
        byte[] text = r.bytes("label", Bytes.EMPTY, length).toArray();
        String label = new String(text, StandardCharsets.UTF_8);
        boolean first = label.equals(RELIABLE) && type == ORDERED && !reliableOpen;
        boolean second = label.equals(UNRELIABLE) && type == UNORDERED_LIMITED && !unreliableOpen;
        if (protocol != 0
                || parameter != 0
                || !first && !second
                || stream == reliable
                || stream == unreliable) {
            throw new MalformedPacketException(0, "channel", "is none of NetherNet's two");
        }
        if (first) {
            reliable = stream;
            reliableOpen = true;
        } else {
            unreliable = stream;
            unreliableOpen = true;
        }
        steps.send(stream, CONTROL, false, new byte[] {ACK});
        opened();
    }

    private void opened() {
        if (isOpen()) {
            steps.opened();
            List<Early> messages = List.copyOf(early);
            early.clear();
            held = 0;
            for (Early each : messages) {
                message(each.stream, BINARY, each.message.toArray());
            }
        }
    }
}
