package dev.wishdir.quake2.client;

import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Md4;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** The server's map, as it comes block after block. */
final class MapDownload {
    private static final int MAX_BYTES = 64 << 20;

    /** What a block means for the whole. */
    enum Progress {
        /** The next block is to be asked for. */
        MORE,
        /** The map is there. */
        WHOLE,
        /** The server does not give the map. */
        REFUSED,
        /** The map is not the one that the server plays. */
        WRONG
    }

    private final ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    private Optional<Bytes> map = Optional.empty();

    /** The map; empty until it is whole. */
    Optional<Bytes> map() {
        return map;
    }

    /** Begins with the first block. */
    void begin() {
        blocks.reset();
    }

    /** Another map is played. */
    void forget() {
        map = Optional.empty();
    }

    /**
     * Takes in a block.
     *
     * @param checksum of the whole map, as the server says it
     */
    Progress take(Download part, String checksum) {
        if (part.size() < 0 || blocks.size() + part.size() > MAX_BYTES) {
            return Progress.REFUSED;
        }
        byte[] data = part.data().toArray();
        blocks.write(data, 0, data.length);
        if (part.percent() < 100) {
            return Progress.MORE;
        }
        byte[] file = blocks.toByteArray();
        if (!checksum.equals(Integer.toString(Md4.fold(file, file.length)))) {
            return Progress.WRONG;
        }
        map = Optional.of(Bytes.wrap(file));
        return Progress.WHOLE;
    }
}
