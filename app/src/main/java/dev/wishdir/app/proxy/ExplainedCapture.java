package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.inspect.capture.PcapngWriter;
import dev.wishdir.inspect.output.TextListing;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Dissector;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the datagrams of a proxy to a pipe of Wireshark, each with its explanation in comments.
 * When Wireshark closes the pipe, the capture ends.
 */
final class ExplainedCapture implements TrafficConsumer {
    private final PcapngWriter writer;
    private final Dissector dissector;
    private final Runnable onClosed;
    private final long start;
    private final long epochNanos;
    private boolean closed;

    /**
     * @param name of the interface
     * @param onClosed called once, if the pipe is closed
     * @param start when the proxy started, on its clock
     * @param epochNanos the same time, nanoseconds since 1970
     */
    ExplainedCapture(
            OutputStream out,
            String name,
            Dissector dissector,
            Runnable onClosed,
            long start,
            long epochNanos)
            throws IOException {
        writer = new PcapngWriter(new BufferedOutputStream(out), name);
        writer.flush();
        this.dissector = dissector;
        this.onClosed = onClosed;
        this.start = start;
        this.epochNanos = epochNanos;
    }

    @Override
    public void accept(long frame, ProxiedDatagram datagram) {
        if (closed) {
            return;
        }
        try {
            writer.write(
                    epochNanos + datagram.nanos() - start,
                    datagram.source(),
                    datagram.destination(),
                    datagram.data(),
                    comments(datagram.captured(frame, start), datagram));
            writer.flush();
        } catch (IOException _) {
            closed = true;
            onClosed.run();
        }
    }

    private List<String> comments(Datagram captured, ProxiedDatagram datagram) {
        List<String> comments = new ArrayList<>();
        try {
            // Dissectors find the server, and what each of its ports is for, by this.
            dissector.recognise(captured);
            dissector.datagram(
                    captured,
                    datagram.direction(),
                    message -> comments.addAll(TextListing.lines(message)));
        } catch (RuntimeException | StackOverflowError e) {
            comments.add("undecoded: " + e);
        }
        return comments;
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException _) {
            // The reader has closed the pipe already.
        }
    }
}
