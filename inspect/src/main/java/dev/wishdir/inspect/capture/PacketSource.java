package dev.wishdir.inspect.capture;

import dev.wishdir.inspect.link.Packet;

import java.io.IOException;
import java.util.Optional;

/** Reads the packets of a capture file, in order. */
sealed interface PacketSource permits Pcap, Pcapng {
    /**
     * The next packet, or empty at the end of the file.
     *
     * @throws CaptureException if the file is malformed
     */
    Optional<Packet> next() throws IOException;
}
