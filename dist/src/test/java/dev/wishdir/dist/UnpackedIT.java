package dev.wishdir.dist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The tarball on a machine that has a JDK and no more: no Maven, no home. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UnpackedIT {
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    /** What the launcher's own lines call; Debian has all of them in its smallest image. */
    private static final List<String> TOOLS =
            List.of(
                    "sh",
                    "sed",
                    "cat",
                    "ls",
                    "cksum",
                    "tr",
                    "rm",
                    "mv",
                    "ln",
                    "find",
                    "stat",
                    "dirname",
                    "readlink",
                    "uname");

    /** A first word of each game that a server answers, and where it listens for it. */
    private enum Ask {
        SAUERBRATEN("Sauerbraten", 1, "01"),
        QUAKE2("Quake II:", 0, "ffffffff" + hex("info 34\n")),
        QUAKE3("Quake III", 0, "ffffffff" + hex("getstatus x\n")),
        BEDROCK(
                "Bedrock",
                0,
                "01" + "0000000000000005" + "00ffff00fefefefefdfdfdfd12345678" + "00".repeat(8));

        private final String title;
        private final int beside;
        private final byte[] bytes;

        Ask(String title, int beside, String bytes) {
            this.title = title;
            this.beside = beside;
            this.bytes = HexFormat.of().parseHex(bytes);
        }

        private static String hex(String text) {
            return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
        }

        /** Asks until an answer comes; the limit is the test's. */
        void answered(int port) throws IOException {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(200);
                socket.connect(InetAddress.getLoopbackAddress(), port + beside);
                while (true) {
                    try {
                        socket.send(new DatagramPacket(bytes, bytes.length));
                        socket.receive(new DatagramPacket(new byte[4096], 4096));
                        return;
                    } catch (SocketTimeoutException e) {
                        // Asked again: a first datagram may be lost.
                    }
                }
            }
        }
    }

    /** A folder of the test's own. */
    private Path clean = Path.of("");

    /** Where the archive is unpacked. Java would cut the name of a jar at the colon. */
    private Path root = Path.of("");

    /** What the first start printed, which makes a cache. */
    private String first = "";

    @BeforeAll
    void unpackAndStart(@TempDir Path folder) throws Exception {
        clean = folder;
        root = unpacked(Files.createDirectory(clean.resolve("a:b [1] %20 'c'")));
        first = run(root, "--version");
    }

    private static Path unpacked(Path folder) throws Exception {
        Path tarball = Path.of(System.getProperty("wishdir.tarball"));
        Process tar =
                new ProcessBuilder("tar", "-xzf", tarball.toString(), "-C", folder.toString())
                        .inheritIO()
                        .start();
        assertThat(tar.waitFor()).isZero();
        return folder.resolve(tarball.getFileName().toString().replace(".tar.gz", ""));
    }

    /** The pages that are unpacked. */
    private static List<Path> pages(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }

    /** What a page links to: not what stands elsewhere, nor within it. */
    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(Files.readString(page))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains(":") && !link.startsWith("#"))
                .toList();
    }

    @Test
    void matchesPagesToArchive() throws Exception {
        Path root = unpacked(Files.createDirectory(clean.resolve("pages")));
        assertThat(pages(root)).hasSizeGreaterThan(10);
        for (Path page : pages(root)) {
            assertThat(links(page))
                    .as("%s", page)
                    .allMatch(
                            link -> Files.exists(page.resolveSibling(link.replaceAll("#.*", ""))));
        }
        for (String page :
                List.of("README.md", "docs/install.md", "Dockerfile", "wishdir.service")) {
            String text = Files.readString(root.resolve(page));
            assertThat(text).as(page).doesNotContain("mvn", "src/main");
        }
        assertThat(Files.readString(root.resolve("README.md"))).contains("WISHDIR_CACHE=off");
        assertThat(run(root, Map.of("WISHDIR_CACHE", "off"), "--version")).startsWith("wishdir ");
        assertThat(caches(root)).isEmpty();
    }

    private Path path() throws IOException {
        Path bin = Files.createDirectories(clean.resolve("bin"));
        if (Files.exists(bin.resolve("sh"))) {
            return bin;
        }
        for (String tool : TOOLS) {
            Path there = Path.of("/usr/bin", tool);
            Files.createSymbolicLink(
                    bin.resolve(tool), Files.exists(there) ? there : Path.of("/bin", tool));
        }
        Files.createSymbolicLink(
                bin.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        return bin;
    }

    private Process start(Path root, Map<String, String> settings, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(root.resolve("wishdir").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(clean.toFile());
        builder.environment().clear();
        builder.environment().putAll(settings);
        builder.environment().put("PATH", path().toString());
        builder.environment()
                .put("HOME", Files.createDirectories(clean.resolve("home")).toString());
        Process process = builder.start();
        // Reading from a process can't be interrupted; its end ends the reading.
        CompletableFuture.delayedExecutor(500, TimeUnit.SECONDS).execute(process::destroyForcibly);
        return process;
    }

    private String run(Path root, String... arguments) throws Exception {
        return run(root, Map.of(), arguments);
    }

    private String run(Path root, Map<String, String> settings, String... arguments)
            throws Exception {
        Process process = start(root, settings, arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out + err).isZero();
        return out + err;
    }

    /** The files of maps that were made of the arena. */
    private static List<String> kept(Path root) throws IOException {
        try (var files = Files.walk(root, 2)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> name.startsWith("maps-"))
                    .toList();
        }
    }

    private static List<Path> caches(Path root) throws IOException {
        try (var files = Files.list(root)) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    @Test
    @Order(1)
    void answersInFourGamesFromCleanDirectory() throws Exception {
        assertThat(first).contains("creating a cache for faster starts").contains("wishdir ");
        assertThat(caches(root))
                .singleElement()
                .satisfies(cache -> assertThat(Files.size(cache)).isGreaterThan(1 << 20));
        assertThat(kept(root))
                .extracting(name -> name.replaceAll(".*\\.", ""))
                .containsExactlyInAnyOrder("ogz", "bsp", "pk3");

        String here = "127.0.0.1:0";
        Process serve =
                start(
                        root,
                        Map.of(),
                        "serve",
                        "--sauerbraten",
                        here,
                        "--quake2",
                        here,
                        "--quake3",
                        here,
                        "--bedrock",
                        here);
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8)) {
            List<Ask> left = new ArrayList<>(List.of(Ask.values()));
            for (String line = err.readLine();
                    line != null && !left.isEmpty();
                    line = err.readLine()) {
                String said = line;
                assertThat(said).doesNotContain("warning", "[aot", "preparing");
                int at = said.indexOf(": players connect to ");
                if (at < 0) {
                    continue;
                }
                Ask ask =
                        left.stream()
                                .filter(each -> said.substring(0, at + 1).contains(each.title))
                                .findFirst()
                                .orElseThrow();
                ask.answered(Integer.parseInt(said.substring(said.lastIndexOf(' ') + 1)));
                left.remove(ask);
                if (left.isEmpty()) {
                    break;
                }
            }
            assertThat(left).isEmpty();
        } finally {
            serve.destroyForcibly();
        }
        assertThat(clean.resolve("home")).isEmptyDirectory();
    }

    /** A cache that does not fit is none: nothing is said of it, nothing fails. */
    @Test
    @Order(2)
    void ignoresBrokenCacheSilently() throws Exception {
        Path cache = caches(root).getFirst();
        byte[] bytes = Files.readAllBytes(cache);
        String quiet = first.substring(0, first.indexOf('\n') + 1);
        for (int kept : new int[] {100, bytes.length / 2}) {
            Files.write(cache, Arrays.copyOf(bytes, kept));
            assertThat(run(root, "--version")).isEqualTo(quiet);
        }
        // An empty one is what a full disk leaves.
        Files.write(cache, new byte[0]);
        assertThat(run(root, "--version")).contains("creating a cache for faster starts");
        assertThat(Files.size(cache)).isGreaterThan(1 << 20);
        // Other jars than those that it was made with: a new one is made. The two newest stay.
        Path jar = root.resolve("lib").resolve("another.jar");
        Files.write(jar, new byte[0]);
        assertThat(run(root, "--version")).contains("creating a cache for faster starts");
        assertThat(caches(root)).hasSize(2).contains(cache);
        assertThat(kept(root)).hasSize(6);
    }
}
