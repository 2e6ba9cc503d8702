package dev.wishdir.enet;

import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;

/** Packs commands into a datagram. One a host, used again and again. */
final class DatagramBuilder {
    private final EnetOutput output;
    private final Writer body = new Writer(EnetSettings.MAX_MTU);
    private final Writer head = new Writer(EnetHeader.MAX_LENGTH);
    private int mtu;
    private int count;
    private boolean timed;

    DatagramBuilder(EnetOutput output) {
        this.output = output;
    }

    /** Starts an empty datagram. */
    void start(int mtu) {
        this.mtu = mtu;
        count = 0;
        timed = false;
        body.reset();
        // Room for the longer form of the header, which is known only when the commands are.
        body.i32be("header", 0);
    }

    int count() {
        return count;
    }

    /** Adds a command of the given length; returns false if the datagram has no room for it. */
    boolean add(EnetCommand command, int length) {
        if (count == EnetDatagram.MAX_COMMANDS || body.position() + length > mtu) {
            return false;
        }
        EnetCommand.wire(body, command);
        count++;
        timed |= command.acknowledge();
        return true;
    }

    /**
     * The header's sent time: that of the clock if a command wants an acknowledgement.
     *
     * @param now milliseconds
     */
    int sentTime(long now) {
        return timed ? (int) now & 0xFFFF : EnetHeader.NO_TIME;
    }

    /** Puts the header in front and hands the datagram out; returns its length. */
    int emit(InetSocketAddress to, EnetHeader header) {
        head.reset();
        EnetHeader.wire(head, header);
        int start = EnetHeader.MAX_LENGTH - head.position();
        System.arraycopy(head.array(), 0, body.array(), start, head.position());
        int length = body.position() - start;
        output.send(to, body.array(), start, length);
        return length;
    }
}
