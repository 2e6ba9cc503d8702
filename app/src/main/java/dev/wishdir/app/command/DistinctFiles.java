package dev.wishdir.app.command;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files that options name, of which no written one may be another one. */
public final class DistinctFiles {
    /** Links to a file that does not exist yet that are followed; more are a loop. */
    private static final int MAX_LINKS = 40;

    private record Use(String option, Path file, boolean written) {}

    private final List<Use> uses = new ArrayList<>();

    /** Adds a file, or a folder, that is written. */
    public void addOutput(String option, @Nullable Path file) {
        add(option, file, true);
    }

    /** Adds a file that is only read. */
    public void addInput(String option, @Nullable Path file) {
        add(option, file, false);
    }

    private void add(String option, @Nullable Path file, boolean written) {
        if (file != null) {
            uses.add(new Use(option, file, written));
        }
    }

    /**
     * The files without those that were given before, also by another path.
     *
     * @param err receives which are left out
     */
    public static List<Path> inputs(List<Path> files, PrintWriter err) {
        Map<Path, Path> known = new LinkedHashMap<>();
        for (Path file : files) {
            Path before = known.putIfAbsent(identity(file), file);
            if (before != null) {
                err.println(file + ": is read once, as it is the same file as " + before);
            }
        }
        return List.copyOf(known.values());
    }

    private static Path identity(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            // Reading it reports the reason.
            return file;
        }
    }

    /** The pairs of options that name one file, of which at least one writes it. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < uses.size(); i++) {
            for (Use other : uses.subList(i + 1, uses.size())) {
                Use one = uses.get(i);
                if ((one.written || other.written)
                        && !one.option.equals(other.option)
                        && isSame(one.file, other.file)) {
                    problems.add(
                            one.option
                                    + ": "
                                    + one.file
                                    + " is also the file of "
                                    + other.option
                                    + ": give each a file of its own");
                }
            }
        }
        return problems;
    }

    /** Whether two paths are one file, of which what is written twice is lost. */
    private static boolean isSame(Path one, Path other) {
        try {
            if (Files.exists(one) && Files.exists(other)) {
                // Devices and pipes, such as /dev/null, keep nothing.
                return Files.isSameFile(one, other)
                        && (Files.isRegularFile(one) || Files.isDirectory(one));
            }
            return real(one, MAX_LINKS).equals(real(other, MAX_LINKS));
        } catch (IOException e) {
            // Whoever opens them reports it.
            return false;
        }
    }

    /** The place where a file is, or is made if it does not exist. */
    private static Path real(Path file, int links) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (Files.isSymbolicLink(absolute) && !Files.exists(absolute) && links > 0) {
            return real(absolute.resolveSibling(Files.readSymbolicLink(absolute)), links - 1);
        }
        Path folder = absolute.getParent();
        Path name = absolute.getFileName();
        return Files.exists(absolute) || folder == null || name == null
                ? absolute.toRealPath()
                : folder.toRealPath().resolve(name);
    }
}
