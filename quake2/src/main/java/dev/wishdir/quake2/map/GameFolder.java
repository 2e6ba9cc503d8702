package dev.wishdir.quake2.map;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A folder of the game: loose files, and {@code .pak} and {@code .pkz} archives. Loose files take
 * precedence over archives, and archives later in alphabetical order over earlier ones.
 */
final class GameFolder {
    /** Maximum size of a file. */
    static final int MAX_FILE_BYTES = 64 << 20;

    private static final int PAK_MAGIC = 0x4B43_4150;
    private static final int ENTRY_BYTES = 64;
    private static final int NAME_BYTES = 56;
    private static final int MAX_ENTRIES = 1 << 16;

    private final Path folder;

    GameFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads a file.
     *
     * @param path with slashes, below the folder; the caller has checked that it does not leave it
     * @throws IOException if there is none, or it or an archive searched before is malformed
     */
    Bytes read(String path) throws IOException {
        return find(path)
                .orElseThrow(() ->
                        new IOException(
                                "there is no " + path + " in " + folder + " (option data)"));
    }

    /** Reads a file, if there is one. */
    Optional<Bytes> find(String path) throws IOException {
        Path loose = folder.resolve(path);
        if (Files.isRegularFile(loose)) {
            try (InputStream in = Files.newInputStream(loose)) {
                return Optional.of(readAll(in, path));
            }
        }
        for (Path archive : archives()) {
            Optional<Bytes> found =
                    name(archive).endsWith(".pak") ? inPak(archive, path) : inPkz(archive, path);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Bytes readAll(InputStream in, String path) throws IOException {
        byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
        if (bytes.length > MAX_FILE_BYTES) {
            throw new IOException(path + " has more than " + MAX_FILE_BYTES + " bytes");
        }
        return Bytes.wrap(bytes);
    }

    private static String name(Path archive) {
        return String.valueOf(archive.getFileName()).toLowerCase(Locale.ROOT);
    }

    private List<Path> archives() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is not a folder: correct option data");
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name(file).endsWith(".pak") || name(file).endsWith(".pkz"))
                    .sorted((a, b) -> name(b).compareTo(name(a)))
                    .toList();
        }
    }

    /** A file in a pak archive: header, then a directory of names, offsets and lengths. */
    static Optional<Bytes> inPak(Path archive, String path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "r")) {
            Reader header = new Reader(part(file, archive, 0, 12));
            if (header.i32le("magic", 0) != PAK_MAGIC) {
                throw new IOException(archive + " is not a pak archive");
            }
            int offset = header.i32le("offset", 0);
            int length = header.i32le("length", 0);
            if (length % ENTRY_BYTES != 0 || length / ENTRY_BYTES > MAX_ENTRIES) {
                throw new IOException(archive + " has a broken directory");
            }
            Reader directory = new Reader(part(file, archive, offset, length));
            while (directory.remaining() > 0) {
                byte[] name = directory.bytes("name", Bytes.EMPTY, NAME_BYTES).toArray();
                int at = directory.i32le("offset", 0);
                int size = directory.i32le("length", 0);
                if (text(name).equalsIgnoreCase(path)) {
                    return Optional.of(Bytes.wrap(part(file, archive, at, size)));
                }
            }
            return Optional.empty();
        } catch (MalformedPacketException e) {
            throw new IOException(archive + " is broken: " + e.getMessage(), e);
        }
    }

    private static String text(byte[] padded) {
        int end = 0;
        while (end < padded.length && padded[end] != 0) {
            end++;
        }
        return new String(padded, 0, end, StandardCharsets.ISO_8859_1);
    }

    private static byte[] part(RandomAccessFile file, Path archive, int offset, int length)
            throws IOException {
        if (offset < 0
                || length < 0
                || length > MAX_FILE_BYTES
                || (long) offset + length > file.length()) {
            throw new IOException(
                    archive + " is truncated: no " + length + " bytes at offset " + offset);
        }
        byte[] bytes = new byte[length];
        file.seek(offset);
        file.readFully(bytes);
        return bytes;
    }

    private static Optional<Bytes> inPkz(Path archive, String path) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            ZipEntry entry = zip.getEntry(path);
            if (entry == null) {
                return Optional.empty();
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return Optional.of(readAll(in, path));
            }
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw new IOException(archive + " is broken: " + ExceptionMessage.of(e), e);
        }
    }
}
