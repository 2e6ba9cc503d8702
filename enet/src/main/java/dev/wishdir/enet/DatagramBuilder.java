package dev.wishdir.enet;

import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;

/** Packs commands into datagrams. One per host, reused for each datagram. */
final class DatagramBuilder {
    private final DatagramSink output;
    private final Writer body = new Writer(EnetSettings.MAX_MTU);
    private final Writer head = new Writer(EnetHeader.MAX_LENGTH);
    private int mtu;
    private int count;
    private boolean hasSentTime;

    DatagramBuilder(DatagramSink output) {
        this.output = output;
    }

    /** Checks that the caller runs on the thread that sends. */
    void checkThread(String action) {
        output.checkThread(action);
    }

    /** Starts an empty datagram. */
    void start(int mtu) {
        this.mtu = mtu;
        count = 0;
        hasSentTime = false;
        body.reset();
        // Room for the longer header: its form is known only after the commands.
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
        hasSentTime |= command.acknowledge();
        return true;
    }

    /**
     * The header's sent time: the low 16 bits of the clock if a command must be acknowledged, else
     * {@link EnetHeader#NO_TIME}.
     *
     * @param now milliseconds
     */
    int sentTime(long now) {
        return hasSentTime ? (int) now & 0xFFFF : EnetHeader.NO_TIME;
    }

    /** Prepends the header and sends the datagram; returns its length, bytes. */
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
