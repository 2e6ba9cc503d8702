package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.inspect.capture.PcapWriter;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the datagrams of a proxy as a capture, with the addresses of client and server. */
final class CaptureFile implements TrafficConsumer {
    /** Other programs may read the file while it grows. */
    private static final long FLUSH_NANOS = 200_000_000;

    private final PcapWriter writer;
    private final long start;
    private final long epochNanos;
    private long flushed;

    /**
     * @param start when the proxy started, on its clock
     * @param epochNanos the same time, nanoseconds since 1970
     */
    CaptureFile(OutputStream out, long start, long epochNanos) throws IOException {
        writer = new PcapWriter(new BufferedOutputStream(out));
        writer.flush();
        this.start = start;
        this.epochNanos = epochNanos;
        flushed = start;
    }

    @Override
    public void accept(long frame, ProxiedDatagram datagram) throws IOException {
        writer.write(
                epochNanos + datagram.nanos() - start,
                datagram.source(),
                datagram.destination(),
                datagram.data());
        if (datagram.nanos() - flushed >= FLUSH_NANOS) {
            flushed = datagram.nanos();
            writer.flush();
        }
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
