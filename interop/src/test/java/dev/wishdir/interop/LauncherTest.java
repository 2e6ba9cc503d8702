package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The developers' launcher, {@code ./wishdir}, where a Maven of ours builds at our word. */
@Timeout(60)
class LauncherTest {
    private static final Duration SOON = Duration.ofSeconds(20);

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
                until [ -e go ]; do sleep 0.1; done
                mkdir -p app/target
                echo jar >app/target/wishdir.jar
                """);
        program("app/src/main/Source", "");
    }

    private void program(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private Peer start(String argument) throws IOException {
        String path = root.resolve("bin") + ":" + System.getenv("PATH");
        return Peer.start(root, Map.of("PATH", path), root + "/wishdir", argument);
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
    void startsAtOnceBuildOnce() throws Exception {
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
                assertThat(each.lines()).hasSize(2);
                assertThat(each.lines().getLast())
                        .isEqualTo("runs jar number " + starts.indexOf(each));
            }
        } finally {
            starts.forEach(Peer::close);
        }
        assertBuilt(1);
    }

    @Test
    void whoDiedAsHeBuiltKeepsNobodyWaiting() throws Exception {
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
    void whoIsEndedAsHeBuildsLeavesItToTheNext() throws Exception {
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

    @Test
    void largePagesAreAskedForWhereLinuxGivesThem() throws Exception {
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
    void whatIsFreshIsNotBuilt() throws Exception {
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
