package dev.wishdir.quake3.map;

import dev.wishdir.quake3.map.Level.Offer;
import dev.wishdir.wire.Bytes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A pk3 file that is being made: the same one whenever it is, so that a client fetches it once. */
final class Pk3 {
    private static final LocalDateTime WHENEVER = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ZipOutputStream zip = new ZipOutputStream(out);
    private final List<Integer> crcs = new ArrayList<>();

    /** Adds a file that is not empty. */
    Pk3 add(String path, byte[] content) {
        try {
            ZipEntry entry = new ZipEntry(path);
            entry.setTimeLocal(WHENEVER);
            zip.putNextEntry(entry);
            zip.write(content);
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
        CRC32 crc = new CRC32();
        crc.update(content);
        crcs.add((int) crc.getValue());
        return this;
    }

    /** The file, which takes no more. */
    Bytes file() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
        return Bytes.wrap(out.toByteArray());
    }

    /**
     * The file as clients may download it, which takes no more.
     *
     * @param name without ending
     */
    Offer offer(String name) {
        return new Offer(file(), new Pak(Path.of(name), name, List.copyOf(crcs), false, false));
    }
}
