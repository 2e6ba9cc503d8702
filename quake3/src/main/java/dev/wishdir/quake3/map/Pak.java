package dev.wishdir.quake3.map;

import dev.wishdir.idtech.Md4;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A pk3 file with the checksums by which pure servers and their clients identify it.
 *
 * @param name file name without folder and extension
 * @param crcs the CRC-32 of each entry that is not empty, in the order of the file's directory
 * @param cgame whether it contains the client's game code
 * @param ui whether it contains the client's menu code
 */
public record Pak(Path file, String name, List<Integer> crcs, boolean cgame, boolean ui) {
    /** Maximum number of entries; far more than any game's pak has. */
    private static final int MAX_ENTRIES = 1 << 16;

    /**
     * Reads a pk3's directory.
     *
     * @throws IOException if it can't be read; the message names it
     */
    static Pak read(Path file) throws IOException {
        List<Integer> crcs = new ArrayList<>();
        try (ZipFile zip = open(file)) {
            if (zip.size() > MAX_ENTRIES) {
                throw new IOException(
                        file
                                + " has "
                                + zip.size()
                                + " entries, must be at maxBytes "
                                + MAX_ENTRIES);
            }
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getSize() > 0) {
                    crcs.add((int) entry.getCrc());
                }
            }
            String name = String.valueOf(file.getFileName()).replaceFirst("(?i)\\.pk3$", "");
            return new Pak(
                    file,
                    name,
                    List.copyOf(crcs),
                    zip.getEntry("vm/cgame.qvm") != null,
                    zip.getEntry("vm/ui.qvm") != null);
        }
    }

    private static ZipFile open(Path file) throws IOException {
        try {
            return new ZipFile(file.toFile());
        } catch (NoSuchFileException e) {
            throw new IOException(file + " can't be read: there is no such file", e);
        } catch (ZipException | EOFException e) {
            throw new IOException(file + " is not a pk3 file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(file + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * A file of the pak; the case of its name is ignored.
     *
     * @param maxBytes maximum length of the file
     * @throws IOException if it can't be read, or is longer; the message names the pak
     */
    Optional<byte[]> read(String name, int maxBytes) throws IOException {
        try (ZipFile zip = open(file)) {
            Optional<? extends ZipEntry> entry =
                    zip.stream().filter(each -> each.getName().equalsIgnoreCase(name)).findFirst();
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            byte[] bytes = unpack(zip, entry.get(), maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new IOException(
                        file + ": " + name + " is longer than " + maxBytes + " bytes");
            }
            return Optional.of(bytes);
        }
    }

    private byte[] unpack(ZipFile zip, ZipEntry entry, int maxBytes) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readNBytes(maxBytes);
        } catch (IOException e) {
            throw new IOException(file + ": " + entry + " can't be unpacked: " + e, e);
        }
    }

    /** The checksum in {@code sv_paks}. */
    public int checksum() {
        return folded(words(0, 0));
    }

    /** The checksum by which a client proves in a level that it has the file. */
    public int pureChecksum(int checksumFeed) {
        return folded(words(1, checksumFeed));
    }

    private static int folded(byte[] words) {
        return Md4.fold(words, words.length);
    }

    private byte[] words(int first, int feed) {
        byte[] bytes = new byte[(first + crcs.size()) * Integer.BYTES];
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (first > 0) {
            words.putInt(feed);
        }
        crcs.forEach(words::putInt);
        return bytes;
    }
}
