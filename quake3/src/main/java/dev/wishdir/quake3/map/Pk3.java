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

/** A writer of reproducible pk3 files: equal contents give equal bytes, downloaded once. */
final class Pk3 {
    private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ZipOutputStream zip = new ZipOutputStream(out);

    /**
     * The contents of a written file.
     *
     * @param first content of the first entry
     * @param offer the whole file, for clients to download
     */
    record Contents(Bytes first, Offer offer) {}

    /** Adds an entry, which must not be empty. */
    Pk3 add(String path, byte[] content) {
        try {
            ZipEntry entry = new ZipEntry(path);
            entry.setTimeLocal(ENTRY_TIME);
            zip.putNextEntry(entry);
            zip.write(content);
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException("pk3 not written to memory", e);
        }
        return this;
    }

    /** Ends the file and returns it. */
    byte[] file() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException("pk3 not written to memory", e);
        }
        return out.toByteArray();
    }

    /**
     * Reads a file that this class has written.
     *
     * @param name without extension
     */
    static Contents read(String name, byte[] file) {
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
            throw new UncheckedIOException("generated pk3 is not readable", e);
        }
        Pak pak = new Pak(Path.of(name), name, List.copyOf(crcs), false, false);
        return new Contents(contents.getFirst(), new Offer(Bytes.wrap(file), pak));
    }
}
