package dev.wishdir.record.file;

import dev.wishdir.record.mcap.McapException;
import dev.wishdir.record.mcap.McapRepair;
import dev.wishdir.record.mcap.RepairResult;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of a server's recordings: names, repair after a crash, deletion of old files. Only
 * files with the names that it gives are ever changed; an operator keeps one by renaming it.
 */
public final class RecordingFolder implements AutoCloseable {
    /** Suffix of a file that grows. */
    public static final String PART = ".part";

    private static final String MCAP = ".mcap";
    private static final String LOCK = ".recorder.lock";
    private static final Logger LOG = LoggerFactory.getLogger(RecordingFolder.class);

    /** A smaller file has no messages. */
    private static final int MIN_CONTENT_BYTES = 100;

    private static final int MAX_LABEL_CHARS = 40;
    private static final int MAX_SAME_NAMES = 1000;

    private static final DateTimeFormatter START =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** Length of the start in a name. */
    private static final int START_CHARS = 20;

    private static final Pattern OURS =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ-[a-z0-9_-]*\\.mcap");

    private final Path folder;
    private final FileChannel lock;

    private RecordingFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens a folder, creates it if it is missing, and completes the files that a killed process
     * left; those without a message are deleted.
     *
     * @throws IOException if it cannot be written, or another process records there
     */
    public static RecordingFolder open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            restrict(folder, "rwxr-x---");
        }
        FileChannel lock =
                lock(folder, "give each server its own folder", StandardOpenOption.CREATE);
        RecordingFolder opened = new RecordingFolder(folder, lock);
        opened.completeParts();
        return opened;
    }

    /**
     * Locks a folder until the channel is closed.
     *
     * @param advice for the operator if another server has it
     */
    private static FileChannel lock(Path folder, String advice, OpenOption... how)
            throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(how));
        options.add(StandardOpenOption.WRITE);
        FileChannel lock = FileChannel.open(folder.resolve(LOCK), options);
        try {
            if (lock.tryLock() != null) {
                return lock;
            }
        } catch (OverlappingFileLockException _) {
            // This process.
        } catch (IOException e) {
            lock.close();
            throw e;
        }
        lock.close();
        throw new IOException("another server records into " + folder + ": " + advice);
    }

    /**
     * Repairs a recording, as {@link McapRepair#repair}, unless another process writes it.
     *
     * @throws IOException if one does, or the file cannot be repaired; it is not touched then
     */
    public static RepairResult repair(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.exists(folder.resolve(LOCK))) {
            return McapRepair.repair(file);
        }
        try (FileChannel _ = lock(folder, "stop it first, or repair a copy of the file")) {
            return McapRepair.repair(file);
        }
    }

    /**
     * The recordings of a server in its folder, in the order of their names, which is that of their
     * starts. One that grows has the suffix {@value #PART}.
     *
     * @throws IOException if the folder cannot be read
     */
    public static List<Path> recordings(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(RecordingFolder::isRecording)
                    .sorted(Comparator.comparing(RecordingFolder::title))
                    .toList();
        }
    }

    /** Whether a file has a name that a server gives to its recordings. */
    public static boolean isRecording(Path file) {
        return OURS.matcher(title(file) + MCAP).matches();
    }

    /** The name of a recording without its suffixes: the same while it grows, and afterwards. */
    public static String title(Path file) {
        String name = String.valueOf(file.getFileName());
        String whole =
                name.endsWith(PART) ? name.substring(0, name.length() - PART.length()) : name;
        return whole.endsWith(MCAP) ? whole.substring(0, whole.length() - MCAP.length()) : name;
    }

    /**
     * The start of a recording by its name, to the second.
     *
     * @throws java.time.DateTimeException if it has another name
     */
    public static Instant start(Path file) {
        return START.parse(title(file).substring(0, START_CHARS), Instant::from);
    }

    private void completeParts() throws IOException {
        for (Path part : list(name -> isOurs(name, PART))) {
            try {
                if (Files.size(part) < MIN_CONTENT_BYTES
                        || McapRepair.repair(part).statistics().messages() == 0) {
                    Files.deleteIfExists(part);
                } else {
                    complete(part);
                }
            } catch (McapException e) {
                LOG.atWarn()
                        .addKeyValue("event", "recording-damaged")
                        .log("cannot complete {}, it is left as it is: {}", part, e.getMessage());
            }
        }
    }

    private static boolean isOurs(String name, String suffix) {
        return name.endsWith(suffix)
                && OURS.matcher(name.substring(0, name.length() - suffix.length())).matches();
    }

    /**
     * A name for a new file, with the suffix of a file that grows.
     *
     * @param label arena, or why the part is kept
     */
    public Path newFile(Instant start, String label) throws IOException {
        String clean = label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String base =
                START.format(start)
                        + "-"
                        + clean.substring(0, Math.min(clean.length(), MAX_LABEL_CHARS));
        for (int i = 1; i <= MAX_SAME_NAMES; i++) {
            // '_' sorts after the '.' of the first file's suffix, '-' before it.
            String name = (i == 1 ? base : String.format(Locale.ROOT, "%s_%03d", base, i)) + MCAP;
            if (Files.notExists(folder.resolve(name))
                    && Files.notExists(folder.resolve(name + PART))) {
                return folder.resolve(name + PART);
            }
        }
        throw new IOException("too many files named " + base + MCAP + " in " + folder);
    }

    /**
     * Fails if the file system is too full to begin a file.
     *
     * @param minFreeBytes what must be free
     */
    public void checkFree(long minFreeBytes) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < minFreeBytes) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "%s has %d MiB free, a recording begins with at least %d MiB",
                            folder,
                            free >> 20,
                            minFreeBytes >> 20));
        }
    }

    /** Lets only the owner and its group read a file. */
    public static void restrict(Path path, String permissions) throws IOException {
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    /** Gives a file that is complete its final name. */
    public Path complete(Path part) throws IOException {
        String name = part.getFileName().toString();
        Path whole = part.resolveSibling(name.substring(0, name.length() - PART.length()));
        return Files.move(part, whole);
    }

    /** Deletes files that are too old, then the oldest until the rest is small enough. */
    public void deleteOld(Instant now, Duration maxAge, long maxTotalBytes) throws IOException {
        record Kept(Path path, Instant ended, long bytes) {}
        List<Kept> files = new ArrayList<>();
        long total = 0;
        for (Path path : list(name -> isOurs(name, ""))) {
            try {
                Kept file =
                        new Kept(
                                path,
                                Files.getLastModifiedTime(path).toInstant(),
                                Files.size(path));
                files.add(file);
                total += file.bytes;
            } catch (NoSuchFileException _) {
                // An operator has moved it.
            }
        }
        files.sort(Comparator.comparing(file -> file.path.getFileName().toString()));
        for (Kept file : files) {
            if (total > maxTotalBytes || file.ended.isBefore(now.minus(maxAge))) {
                Files.deleteIfExists(file.path);
                total -= file.bytes;
            }
        }
    }

    private List<Path> list(Predicate<String> chosen) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> chosen.test(path.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
