package dev.wishdir.quake2.client;

import dev.wishdir.idtech.Md4;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.wire.Bytes;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** The download of the server's map, block by block. */
final class MapDownload {
    private static final int MAX_BYTES = 64 << 20;

    /** The state of the download after a block. */
    enum Progress {
        /** The next block must be requested. */
        MORE,
        /** The map is complete. */
        COMPLETE,
        /** The server refuses to send the map. */
        REFUSED,
        /** The checksum differs from the announced one. */
        CHECKSUM_MISMATCH
    }

    private final ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    private Optional<Bytes> map = Optional.empty();

    /** The map; empty until it is complete. */
    Optional<Bytes> map() {
        return map;
    }

    /** Starts with the first block. */
    void start() {
        blocks.reset();
    }

    /** Drops the map, as another one is played. */
    void clear() {
        map = Optional.empty();
    }

    /**
     * Processes a block.
     *
     * @param checksum of the complete map, announced by the server
     */
    Progress onBlock(Download part, String checksum) {
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
            return Progress.CHECKSUM_MISMATCH;
        }
        map = Optional.of(Bytes.wrap(file));
        return Progress.COMPLETE;
    }
}
