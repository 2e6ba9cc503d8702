package dev.wishdir.interop;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;

/** The files of the project that were written, not built: a build beside a test changes others. */
final class SourceTree {
    static final Path ROOT = Path.of("..");

    /** Folders of what was built, and of Git. */
    private static final Set<String> NOT_WRITTEN = Set.of("target", ".git");

    private SourceTree() {}

    /** The files below a folder, relative to it. */
    static Set<Path> files(Path root) throws IOException {
        Set<Path> files = new TreeSet<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return NOT_WRITTEN.contains(String.valueOf(folder.getFileName()))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(root.relativize(file));
                        return FileVisitResult.CONTINUE;
                    }
                });
        return files;
    }

    /** A relative path with slashes on every system. */
    static String name(Path file) {
        return file.toString().replace('\\', '/');
    }
}
