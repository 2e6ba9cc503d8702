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
 * The pk3 files of a game folder in search order: a file in a later one overrides an earlier one's.
 *
 * @param folder that contains them
 * @param paks ascending
 */
public record PakSearchPath(Path folder, List<Pak> paks) {
    private static final Logger LOG = LoggerFactory.getLogger(PakSearchPath.class);
    private static final List<Path> USUAL =
            List.of(
                    Path.of("/usr/share/games/openarena/baseoa"),
                    Path.of("/usr/lib/openarena/baseoa"),
                    Path.of("/usr/share/games/quake3-data/baseq3"));

    /** The folder where Debian and similar systems install the game, if it exists. */
    public static Optional<Path> usual() {
        return USUAL.stream().filter(Files::isDirectory).findFirst();
    }

    /**
     * Reads the directories of all paks; unreadable paks are left out.
     *
     * @param folder that contains paks, or the folder above it
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

    /** The paks of these files; unreadable ones are logged and left out, as the game does. */
    private static List<Pak> readable(List<Path> files) {
        List<Pak> paks = new ArrayList<>();
        for (Path file : files) {
            try {
                paks.add(Pak.read(file));
            } catch (IOException e) {
                LOG.warn("pak left out: {}", e.getMessage());
            }
        }
        return List.copyOf(paks);
    }

    /**
     * A file from the last pak that contains it; the case of its name is ignored.
     *
     * @param maxBytes maximum length of the file
     * @throws IOException if it can't be read, or is longer
     */
    public Optional<byte[]> file(String name, int maxBytes) throws IOException {
        @Nullable IOException failure = null;
        for (Pak pak : paks.reversed()) {
            try {
                Optional<byte[]> found = pak.read(name, maxBytes);
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                LOG.warn("pak left out: {}", e.getMessage());
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
     * The command that proves to a server which paks the client has: docs/protocols/quake3.md#pure.
     *
     * @param known the plain checksums that the server lists; empty if it does not check them
     */
    public String pureCommand(int serverId, int checksumFeed, List<Integer> known) {
        List<Pak> owned =
                paks.stream()
                        .filter(pak -> known.isEmpty() || known.contains(pak.checksum()))
                        .toList()
                        .reversed();
        Optional<Pak> cgame = owned.stream().filter(Pak::cgame).findFirst();
        Optional<Pak> ui = owned.stream().filter(Pak::ui).findFirst();
        List<Integer> sums = owned.stream().map(pak -> pak.pureChecksum(checksumFeed)).toList();
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
