package dev.wishdir.quake3.map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A game's own folder of pk3 files, in the game's order: a file in a later one stands before that
 * of an earlier one.
 *
 * @param folder that holds them
 * @param paks ascending
 */
public record PakSearchPath(Path folder, List<Pak> paks) {
    private static final Logger LOG = LoggerFactory.getLogger(PakSearchPath.class);
    private static final List<Path> USUAL =
            List.of(
                    Path.of("/usr/share/games/openarena/baseoa"),
                    Path.of("/usr/lib/openarena/baseoa"),
                    Path.of("/usr/share/games/quake3-data/baseq3"));

    /** Where Debian and its like install the game's data, if they have. */
    public static Optional<Path> usual() {
        return USUAL.stream().filter(Files::isDirectory).findFirst();
    }

    /**
     * Reads the directories of all paks; those that can't be read are left out.
     *
     * @param folder one that holds paks, or the folder above it
     * @throws IOException if there is no pak; the message says what was expected
     */
    public static PakSearchPath read(Path folder) throws IOException {
        for (String inner : List.of("", "baseoa", "baseq3")) {
            Path base = folder.resolve(inner);
            if (Files.isDirectory(base)) {
                List<Path> files;
                try (Stream<Path> all = Files.list(base)) {
                    files =
                            all.filter(PakSearchPath::isPak)
                                    .sorted(Comparator.comparing(PakSearchPath::name))
                                    .toList();
                }
                if (!files.isEmpty()) {
                    return new PakSearchPath(base, readable(files));
                }
            }
        }
        throw new IOException(
                folder + " holds no pk3 files: name the game's folder with baseoa or baseq3 in it");
    }

    /** The paks of these files; what is broken is reported and left out, as the game does. */
    private static List<Pak> readable(List<Path> files) {
        List<Pak> paks = new ArrayList<>();
        for (Path file : files) {
            try {
                paks.add(Pak.read(file));
            } catch (IOException e) {
                LOG.warn("a pak is left out: {}", e.getMessage());
            }
        }
        return List.copyOf(paks);
    }

    /**
     * A file out of the last pak that has it, whose name counts without case.
     *
     * @param most bytes that are read
     * @throws IOException if it can't be read, or is longer
     */
    public Optional<byte[]> file(String name, int most) throws IOException {
        @Nullable IOException failure = null;
        for (Pak pak : paks.reversed()) {
            try {
                Optional<byte[]> found = pak.read(name, most);
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                LOG.warn("a pak is left out: {}", e.getMessage());
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    private static boolean isPak(Path file) {
        return name(file).endsWith(".pk3");
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    /**
     * The command that proves to a server which paks we have: docs/protocols/quake3.md#pure.
     *
     * @param known the plain checksums that the server lists; empty for one that does not care
     */
    public String pureCommand(int serverId, int checksumFeed, List<Integer> known) {
        List<Pak> have =
                paks.stream()
                        .filter(pak -> known.isEmpty() || known.contains(pak.checksum()))
                        .toList()
                        .reversed();
        Optional<Pak> cgame = have.stream().filter(Pak::cgame).findFirst();
        Optional<Pak> ui = have.stream().filter(Pak::ui).findFirst();
        List<Integer> sums = have.stream().map(pak -> pak.pureChecksum(checksumFeed)).toList();
        int all = checksumFeed ^ sums.size();
        for (int sum : sums) {
            all ^= sum;
        }
        String code =
                Stream.of(cgame, ui)
                        .flatMap(Optional::stream)
                        .map(pak -> pak.pureChecksum(checksumFeed) + " ")
                        .collect(Collectors.joining());
        String list = sums.stream().map(sum -> sum + " ").collect(Collectors.joining());
        return "cp " + serverId + " " + code + "@ " + list + all;
    }
}
