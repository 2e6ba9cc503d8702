package dev.wishdir.quake3.map;

import dev.wishdir.quake3.map.Quake3Map.Offer;
import dev.wishdir.wire.Bytes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A pk3 file that is being made: the same one whenever it is, so that a client fetches it once. */
final class Pk3 {
    private static final LocalDateTime WHENEVER = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ZipOutputStream zip = new ZipOutputStream(out);

    /**
     * One that was made.
     *
     * @param first the content of its first file
     * @param offer the whole, as clients may download it
     */
    record Made(Bytes first, Offer offer) {}

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
        return this;
    }

    /** The file, which takes no more. */
    byte[] file() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
        return out.toByteArray();
    }

    /**
     * Reads a file that was made by this.
     *
     * @param name without ending
     */
    static Made read(String name, byte[] file) {
        List<Bytes> contents = new ArrayList<>();
        List<Integer> crcs = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file))) {
            while (zip.getNextEntry() != null) {
                byte[] content = zip.readAllBytes();
                CRC32 crc = new CRC32();
                crc.update(content);
                contents.add(Bytes.wrap(content));
                crcs.add((int) crc.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("what was written can be read", e);
        }
        Pak pak = new Pak(Path.of(name), name, List.copyOf(crcs), false, false);
        return new Made(contents.getFirst(), new Offer(Bytes.wrap(file), pak));
    }
}
