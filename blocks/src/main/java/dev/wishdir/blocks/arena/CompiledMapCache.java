package dev.wishdir.blocks.arena;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Caches in a folder the files that games compile from arenas, the slowest part of a start. The key
 * is the digest of the whole arena. A file that cannot be stored, or is damaged, is compiled again.
 * Each version of the program needs a folder of its own.
 */
public final class CompiledMapCache implements BlockArena.MapCache {
    private static final int DIGEST_BYTES = 32;

    private final Path folder;

    /**
     * @param folder used by this version of the program only
     */
    public CompiledMapCache(Path folder) {
        this.folder = folder;
    }

    @Override
    public byte[] get(BlockArena arena, String kind, Supplier<byte[]> make) {
        String all =
                HexFormat.of()
                        .formatHex(digest(ArenaText.write(arena).getBytes(StandardCharsets.UTF_8)));
        Path file = folder.resolve(arena.name() + "-" + all + "." + kind);
        byte[] cached = read(file);
        if (cached != null) {
            return cached;
        }
        byte[] compiled = make.get();
        write(file, compiled);
        return compiled;
    }

    private static byte @Nullable [] read(Path file) {
        try {
            byte[] all = Files.readAllBytes(file);
            byte[] content =
                    Arrays.copyOfRange(all, Math.min(DIGEST_BYTES, all.length), all.length);
            boolean whole = Arrays.equals(Arrays.copyOf(all, DIGEST_BYTES), digest(content));
            return whole ? content : null;
        } catch (IOException e) {
            return null;
        }
    }

    private void write(Path file, byte[] content) {
        try {
            Files.createDirectories(folder);
            Path part = Files.createTempFile(folder, "made", "");
            try {
                byte[] all = Arrays.copyOf(digest(content), DIGEST_BYTES + content.length);
                System.arraycopy(content, 0, all, DIGEST_BYTES, content.length);
                Files.write(part, all);
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException _) {
            // The next start compiles it again.
        }
    }

    private static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
