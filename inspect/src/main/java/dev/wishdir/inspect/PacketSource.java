package dev.wishdir.inspect;

import java.io.IOException;
import java.util.Optional;

/** Reads the packets of a capture file, in order. */
sealed interface PacketSource permits Pcap, Pcapng, Snoop, Erf {
    /**
     * The next packet, or empty at the end of the file.
     *
     * @throws CaptureException if the file is malformed
     */
    Optional<Packet> next() throws IOException;
}
