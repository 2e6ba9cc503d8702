package dev.wishdir.nethernet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

/**
 * A datagram of discovery in a local network, on UDP port {@value #PORT}. Everybody knows its key.
 */
sealed interface LanMessage {
    /** Where servers listen. */
    int PORT = 7551;

    /** The network id of who sent it. */
    long sender();

    /** Who is there? */
    record Request(long sender) implements LanMessage {}

    /** A server and what it says of itself, as {@link LanAdvertisement} reads it. */
    record Response(long sender, Bytes advertisement) implements LanMessage {}

    /** A line of signalling: a word, the number of the connection, and what follows. */
    record Signal(long sender, long recipient, String text) implements LanMessage {}

    /** The sealed form. */
    static byte[] write(LanMessage message) {
        return LanDiscoveryCipher.seal(LanDiscoveryCipher.plain(message));
    }

    /**
     * Opens a datagram.
     *
     * @throws MalformedPacketException if it is none of discovery's
     */
    static LanMessage read(byte[] datagram) {
        return LanDiscoveryCipher.message(new Reader(LanDiscoveryCipher.open(datagram)));
    }
}
