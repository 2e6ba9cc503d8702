package dev.wishdir.app.serve.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.BanList;
import dev.wishdir.game.operator.UnsharedBan;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

class BanFileTest {
    private static final Path FILE = Path.of("kept", "bans.txt").toAbsolutePath();

    private final List<String> troubles = new ArrayList<>();

    /** The machine stops here. */
    private static final class Stopped extends IOException {
        private static final long serialVersionUID = 1;
    }

    /**
     * A disk in a machine that stops. What was not forced is there or not, in part or whole: of a
     * file any part, of names the old ones or the new.
     */
    private static final class FailingDisk implements FileOperations {
        private final Random random = new Random(14);
        private final Map<Path, byte[]> files = new HashMap<>();
        private final Set<Path> loose = new HashSet<>();

        /** The names as the disk has them for sure, where they are others than those seen. */
        private Map<Path, byte[]> forced = Map.of();

        /** Steps until the machine stops: each byte that is written is one, and each other call. */
        private int left = Integer.MAX_VALUE;

        private void step() throws Stopped {
            if (left-- <= 0) {
                throw new Stopped();
            }
        }

        /** How many steps something takes that is done to the end. */
        int steps(Work work) throws IOException {
            left = Integer.MAX_VALUE;
            work.run();
            int taken = Integer.MAX_VALUE - left;
            left = Integer.MAX_VALUE;
            return taken;
        }

        interface Work {
            void run() throws IOException;
        }

        @Override
        public byte[] read(Path file) throws IOException {
            byte[] content = files.get(file);
            if (content == null) {
                throw new NoSuchFileException(file.toString());
            }
            return content.clone();
        }

        @Override
        public void write(Path file, byte[] content) throws IOException {
            step();
            files.put(file, new byte[0]);
            loose.add(file);
            for (int i = 1; i <= content.length; i++) {
                step();
                files.put(file, Arrays.copyOf(content, i));
            }
        }

        @Override
        public void force(Path file) throws IOException {
            step();
            loose.remove(file);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step();
            forced = new HashMap<>(files);
            files.put(to, files.remove(from));
            if (loose.remove(from)) {
                loose.add(to);
            } else {
                loose.remove(to);
            }
        }

        @Override
        public void delete(Path file) throws IOException {
            step();
            files.remove(file);
        }

        @Override
        public Path target(Path file) {
            return file;
        }

        @Override
        public void copyAttributes(Path from, Path to) {
            // This disk has none.
        }

        @Override
        public void forceFolder(Path folder) throws IOException {
            step();
            assertThat(folder).isEqualTo(FILE.getParent());
            forced = Map.of();
        }

        /** The power is back. */
        void restart() {
            left = Integer.MAX_VALUE;
            for (Path file : loose) {
                byte[] content = files.get(file);
                if (content != null && content.length > 0) {
                    files.put(file, Arrays.copyOf(content, random.nextInt(content.length + 1)));
                }
            }
            if (!forced.isEmpty() && random.nextBoolean()) {
                files.clear();
                files.putAll(forced);
            }
            forced = Map.of();
            loose.clear();
        }
    }

    private static List<Ban> bans(int number) {
        List<Ban> bans = new ArrayList<>();
        for (int i = 0; i <= number % 3; i++) {
            bans.add(
                    Ban.parse(
                            "10.0."
                                    + i
                                    + ".0/24,xuid:"
                                    + number
                                    + " forever \"console\" \"n\" \"ü "
                                    + number
                                    + "\""));
        }
        return bans;
    }

    private StateFile<BanList> file(FileOperations disk) throws CommandFailedException {
        return open(FILE, disk);
    }

    private StateFile<BanList> open(Path path) throws CommandFailedException {
        return open(path, FileOperations.REAL);
    }

    private StateFile<BanList> open(Path path, FileOperations disk) throws CommandFailedException {
        return new StateFile<>("--bans", "bans", path, disk, new BanFile(), troubles::add);
    }

    @Test
    @DisplayName(
            "killed at any of a thousand points of writing, the list is the old or the new one")
    void survivesKillAtAnyPoint() throws Exception {
        FailingDisk disk = new FailingDisk();
        file(disk).writeNow(new BanList(bans(0)));
        StateFile<BanList> first = file(disk);
        int steps = disk.steps(() -> first.writeNow(new BanList(bans(1))));
        assertThat(steps).isBetween(300, 1000);
        List<Ban> before = bans(1);
        int olds = 0;
        int news = 0;
        for (int round = 2; round < 4000; round++) {
            List<Ban> after = bans(round);
            StateFile<BanList> open = file(disk);
            assertThat(open.initial().bans()).isEqualTo(before);
            disk.left = round % (steps + 60);
            boolean done = true;
            try {
                open.writeNow(new BanList(after));
            } catch (Stopped _) {
                done = false;
            }
            disk.restart();
            List<Ban> found = file(disk).initial().bans();
            if (done) {
                assertThat(found).isEqualTo(after);
            } else {
                assertThat(found).as("round %d", round).isIn(before, after);
                olds += found.equals(before) ? 1 : 0;
                news += found.equals(after) ? 1 : 0;
            }
            before = found;
        }
        assertThat(olds).isGreaterThan(500);
        assertThat(news).isPositive();
        assertThat(troubles).isEmpty();
    }

    @Test
    @DisplayName("a disk that refuses leaves the old list, and says so")
    void reportsFullDisk() throws Exception {
        FailingDisk disk = new FailingDisk();
        try (StateFile<BanList> open = file(disk)) {
            open.writeNow(new BanList(bans(1)));
            disk.left = 20;
            open.write(() -> new BanList(bans(2)));
        }
        assertThat(troubles)
                .singleElement()
                .asString()
                .contains("bans cannot be written to", "and when the server stops")
                .doesNotContain("lost");
        disk.restart();
        assertThat(file(disk).initial().bans()).isEqualTo(bans(1));
    }

    @Test
    @DisplayName("a file broken by hand is reported with its line, and stays as it is")
    void leavesBrokenFileUnchanged(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("bans.txt");
        String text =
                """
                # mine
                10.0.0.1 forever "me" "" "because"

                10.0.0.300 forever
                """;
        Files.writeString(path, text);
        assertThatThrownBy(() -> open(path))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("bans.txt, line 4: \"10.0.0.300\" is not an address");
        assertThat(path).hasContent(text);
        Files.writeString(path, "10.0.0.1 tomorrow");
        assertThatThrownBy(() -> open(path))
                .hasMessageContaining("line 1: \"tomorrow\" is not the end of a ban");
        Files.write(path, new byte[] {(byte) 0xFF, '\n'});
        assertThatThrownBy(() -> open(path)).hasMessageContaining("is not UTF-8 text");
    }

    @Test
    @DisplayName("what an operator writes into the file while the server runs is kept")
    void keepsOutsideChanges(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("bans.txt");
        try (StateFile<BanList> open = open(path)) {
            open.write(() -> new BanList(bans(1)));
        }
        StateFile<BanList> open = open(path);
        assertThat(open.initial().bans()).isEqualTo(bans(1));
        Files.writeString(path, "by hand");
        open.writeNow(new BanList(bans(2)));
        assertThat(folder.resolve("bans.txt.changed")).hasContent("by hand");
        assertThat(open(path).initial().bans()).isEqualTo(bans(2));
        assertThat(troubles).singleElement().asString().contains("bans.txt.changed");
    }

    @Test
    void keepsWhatClusterDoesNotHave(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("bans.txt");
        Ban ban = Ban.parse("10.0.0.1 forever \"me\" \"\" \"because\"");
        String head =
                """
                # Bans. Wishdir rewrites this file at each ban. Before you edit it, stop the server; or send it SIGHUP
                # afterwards. Each line is: ADDRESS[,ADDRESS|ACCOUNT…] END "AUTHOR" "NAME" "REASON",
                # where END is forever or a time such as 2030-01-31T12:00:00Z.
                10.0.0.1 forever "me" "" "because"
                """;
        String tail =
                """
                # Changed here, and not stored by the cluster yet: unshared SINCE ADDRESS[,ADDRESS|ACCOUNT…]. What has no line of
                # its own above was removed.
                unshared 2026-11-27T17:00:00Z 10.0.0.1
                unshared 2026-11-27T17:00:01Z 10.0.0.2,xuid:1 quake3
                """;
        StateFile<BanList> open = open(path);
        open.writeNow(new BanList(List.of(ban)));
        assertThat(Files.readString(path)).as("a server without cluster").isEqualTo(head);
        List<UnsharedBan> unshared =
                List.of(
                        UnsharedBan.parse("unshared 2026-11-27T17:00:00Z 10.0.0.1"),
                        new UnsharedBan(
                                "10.0.0.2,xuid:1",
                                "quake3",
                                Instant.parse("2026-11-27T17:00:01Z")));
        open.writeNow(new BanList(List.of(ban), unshared));
        assertThat(Files.readString(path)).isEqualTo(head + tail);
        Files.writeString(path, tail + head);
        assertThat(open.readAgain()).contains(new BanList(List.of(ban), unshared));
        Files.writeString(path, "unshared yesterday 10.0.0.1");
        assertThatThrownBy(open::readAgain)
                .hasMessageContaining("line 1: \"yesterday\" is not a time such as 2030");
        Files.writeString(path, "unshared 10.0.0.1");
        assertThatThrownBy(open::readAgain)
                .hasMessageContaining("line 1: an unshared ban is unshared SINCE ADDRESS GAME");
        Files.writeString(path, "unshared 2026-11-27T17:00:00Z anna");
        assertThatThrownBy(open::readAgain).hasMessageContaining("\"anna\" is not an address");
        open.close();
    }

    /** A disk on which this process may not do something. */
    private static final class RefusingDisk implements FileOperations {
        private final String refused;

        RefusingDisk(String refused) {
            this.refused = refused;
        }

        @Override
        public byte[] read(Path file) throws IOException {
            return REAL.read(file);
        }

        @Override
        public void force(Path file) throws IOException {
            REAL.force(file);
        }

        @Override
        public void forceFolder(Path file) throws IOException {
            REAL.forceFolder(file);
        }

        @Override
        public void delete(Path file) throws IOException {
            REAL.delete(file);
        }

        @Override
        public Path target(Path file) throws IOException {
            return REAL.target(file);
        }

        @Override
        public void write(Path file, byte[] content) throws IOException {
            if (refused.equals("create") && !Files.exists(file)) {
                throw new AccessDeniedException(file.toString());
            }
            REAL.write(file, content);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            if (refused.equals("rename")) {
                throw new FileSystemException(to.toString(), null, "Device or resource busy");
            }
            REAL.rename(from, to);
        }

        @Override
        public void copyAttributes(Path from, Path to) throws IOException {
            if (refused.equals("chown")) {
                throw new FileSystemException(to.toString(), null, "Operation not permitted");
            }
            REAL.copyAttributes(from, to);
        }
    }

    @Test
    @DisplayName("R22 a file that is rewritten stays the same file")
    void keepsLinkAndPermissions(@TempDir Path folder) throws Exception {
        Path real = Files.createDirectory(folder.resolve("real")).resolve("bans.txt");
        Files.writeString(real, "10.0.0.1 forever\n");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-rw-r--"));
        Path link = Files.createSymbolicLink(folder.resolve("b"), Path.of("real/bans.txt"));
        Path linked = Files.createSymbolicLink(folder.resolve("bans.txt"), link);
        open(linked).writeNow(new BanList(bans(2)));
        assertThat(linked).isSymbolicLink();
        assertThat(open(real).initial().bans()).isEqualTo(bans(2));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-rw-r--");
        assertThat(folder.resolve("real/bans.txt.new")).doesNotExist();
        Path fresh = folder.resolve("fresh.txt");
        open(fresh).writeNow(new BanList(bans(2)));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
                .isEqualTo("rw-r-----");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "rename", "chown"})
    void writesFileThatCannotBeReplaced(String refused, @TempDir Path folder) throws Exception {
        Path path = folder.resolve("bans.txt");
        Files.writeString(path, "10.0.0.1 forever\n");
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        open(path, new RefusingDisk(refused)).writeNow(new BanList(bans(2)));
        assertThat(open(path).initial().bans()).isEqualTo(bans(2));
        assertThat(Files.readAttributes(path, BasicFileAttributes.class).fileKey()).isEqualTo(key);
        assertThat(folder.resolve("bans.txt.new")).doesNotExist();
        assertThat(troubles).isEmpty();
    }
}
