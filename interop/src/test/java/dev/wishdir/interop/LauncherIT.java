package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The developers' launcher, {@code ./wishdir}, with a Maven of ours, and that of the archive. */
@Timeout(600)
class LauncherIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir private Path root;

    @BeforeEach
    void unbuilt() throws IOException {
        program("wishdir", Files.readString(Path.of("../wishdir")));
        program(
                "dist/src/main/dist/wishdir",
                "#!/bin/sh\necho \"runs $(cat \"$WISHDIR_JAR\") $1\"");
        program(
                "bin/mvn",
                """
                #!/bin/sh
                echo built >>builds
                echo "[INFO] Building Wishdir wire 0.2.0-SNAPSHOT        [1/2]"
                until [ -e go ]; do sleep 0.1; done
                echo "[INFO] Building Wishdir app 0.2.0-SNAPSHOT        [2/2]"
                [ ! -e bad ] || { echo "[ERROR] it does not compile"; exit 1; }
                mkdir -p app/target/run
                echo jar >app/target/run/wishdir.jar
                """);
        program("app/src/main/Source", "");
    }

    private void program(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private Peer start(String argument) throws IOException {
        return Peer.start(root, Map.of("PATH", path()), root + "/wishdir", argument);
    }

    private String path() {
        return root.resolve("bin") + ":" + System.getenv("PATH");
    }

    /** Lets Maven end. */
    private void go() throws IOException {
        Files.createFile(root.resolve("go"));
    }

    private void assertBuilt(int times) throws IOException {
        assertThat(Files.readAllLines(root.resolve("builds"))).hasSize(times);
        try (var files = Files.list(root)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(".build"));
        }
    }

    @Test
    void buildsOnceForConcurrentStarts() throws Exception {
        List<Peer> starts = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                starts.add(start("number " + i));
            }
            for (Peer each : starts) {
                each.awaitLine("building|waiting", SOON);
            }
            go();
            for (Peer each : starts) {
                assertThat(each.awaitExit(SOON)).isZero();
                assertThat(each.lines()).noneMatch(line -> line.startsWith("["));
                assertThat(each.lines().getLast())
                        .isEqualTo("runs jar number " + starts.indexOf(each));
            }
        } finally {
            starts.forEach(Peer::close);
        }
        assertBuilt(1);
    }

    @Test
    void showsWhichModuleIsBuilt() throws Exception {
        go();
        String one = "wishdir: building module 1 of 2: wire";
        String two = "wishdir: building module 2 of 2: app";
        try (Peer start = start("one")) {
            assertThat(start.awaitExit(SOON)).isZero();
            assertThat(start.lines()).containsSequence(one, two, "runs jar one");
        }
        Files.delete(root.resolve("app/target/run/wishdir.jar"));
        Map<String, String> path = Map.of("PATH", path());
        String[] onTerminal = {"script", "-qec", root + "/wishdir two", "/dev/null"};
        try (Peer start = Peer.start(root, path, onTerminal)) {
            assertThat(start.awaitExit(SOON)).isZero();
            // Each carriage return begins a line of what was read.
            String clear = "\033[K";
            assertThat(start.lines())
                    .containsSequence(clear + one, clear + two, clear + "runs jar two");
        }
    }

    @Test
    void showsWhyABuildFails() throws Exception {
        go();
        Files.createFile(root.resolve("bad"));
        try (Peer start = start("one")) {
            assertThat(start.awaitExit(SOON)).isEqualTo(1);
            assertThat(start.lines())
                    .endsWith("[ERROR] it does not compile", "wishdir: the build failed; see above")
                    .noneMatch(line -> line.startsWith("[INFO]") || line.startsWith("runs"));
        }
    }

    @Test
    void recoversLockOfDeadBuilder() throws Exception {
        go();
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Files.createSymbolicLink(root.resolve(".building"), Path.of(String.valueOf(gone.pid())));
        List<Peer> starts = List.of(start("one"), start("two"), start("three"));
        try {
            for (Peer each : starts) {
                assertThat(each.awaitExit(SOON)).as("%s", each.lines()).isZero();
            }
        } finally {
            starts.forEach(Peer::close);
        }
        assertBuilt(1);
    }

    @Test
    void passesInterruptedBuildToNext() throws Exception {
        try (Peer first = start("one")) {
            first.awaitLine("building", SOON);
            Path link = root.resolve(".building");
            assertThat(Files.readSymbolicLink(link)).hasToString(String.valueOf(first.pid()));
            Peer.await("Maven", SOON, () -> Files.exists(root.resolve("builds")));
            first.terminate();
            go();
            assertThat(first.awaitExit(SOON)).isEqualTo(143);
            assertThat(first.lines()).noneMatch(line -> line.startsWith("runs"));
            assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", ":", "a b'c\"", "[1] %20#+;&$x*", "-dash", "\u00e9\u4e2d"})
    void startsFromAFolderOfAnyName(String name) throws Exception {
        program(name + "/wishdir", Files.readString(Path.of("../dist/src/main/dist/wishdir")));
        Files.writeString(root.resolve(name).resolve("wishdir.jar"), "the jar\n");
        Files.createDirectory(root.resolve(name).resolve("lib"));
        program("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
        // It cuts the name of a jar and that of a cache at each colon, as Java does.
        program(
                "jdk/bin/java",
                """
                #!/bin/sh
                for each; do
                  case $each in
                    -XX:AOTCacheOutput=*) each=${each#*=}; echo the cache >"${each%%:*}" ;;
                    -XX:AOTCache=*) each=${each#*=}; cat "${each%%:*}" ;;
                    *.jar) cat "${each%%:*}" ;;
                  esac
                done
                echo "in $PWD with $each"
                """);
        Map<String, String> here = Map.of("WISHDIR_JAVA_HOME", root + "/jdk");
        for (String said : List.of("wishdir: creating", "")) {
            try (Peer start = Peer.start(root, here, root + "/" + name + "/wishdir", "x:y")) {
                assertThat(start.awaitExit(SOON)).as("%s", start.lines()).isZero();
                assertThat(start.lines().getFirst()).startsWith(said);
                assertThat(start.lines())
                        .endsWith("the cache", "the jar", "in " + root + " with x:y");
            }
        }
    }

    @Test
    void asksForLargePagesWhereAvailable() throws Exception {
        program("dist/wishdir", Files.readString(Path.of("../dist/src/main/dist/wishdir")));
        program("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
        program("jdk/bin/java", "#!/bin/sh\necho \"$*\"\n");
        Map<String, String> here =
                Map.of("WISHDIR_JAVA_HOME", root + "/jdk", "WISHDIR_CACHE", "off");
        Path system = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean given = Files.isReadable(system) && !Files.readString(system).contains("[never]");
        try (Peer start = Peer.start(root, here, root + "/dist/wishdir", "serve")) {
            assertThat(start.awaitExit(SOON)).as("%s", start.lines()).isZero();
            assertThat(start.lines().getLast()).endsWith("/wishdir.jar serve");
            assertThat(start.lines().getLast().contains(" -XX:+UseTransparentHugePages "))
                    .isEqualTo(given);
        }
    }

    @Test
    void skipsFreshBuild() throws Exception {
        go();
        for (String each : List.of("one", "two")) {
            try (Peer start = start(each)) {
                assertThat(start.awaitExit(SOON)).isZero();
                assertThat(start.lines().getLast()).isEqualTo("runs jar " + each);
            }
        }
        assertBuilt(1);
    }
}
