package dev.wishdir.dist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Both launchers in odd environments, with a script in place of Java that stores its own. */
@Timeout(30)
class LaunchEnvironmentIT {
    private static final String JAVA =
            """
            #!/bin/sh
            [ "$1" != -XshowSettings:properties ] || { echo "    java.home = $REAL_HOME" >&2; exit 0; }
            for word; do
              case $word in -XX:AOTCacheOutput=*)
                echo made >>"$COUNT"
                [ -z "${BROKEN:-}" ] || { echo "[1.2s][error][aot] $BROKEN" >&2; exit 1; }
                until [ -e "$GO" ]; do sleep 0.02; done
                echo classes >"${word#*=}"
                exit 0
              esac
            done
            at0=$(readlink /proc/$$/fd/0); at1=$(readlink /proc/$$/fd/1); at2=$(readlink /proc/$$/fd/2)
            { echo "locale=$LC_ALL"; echo "$at0 $at1 $at2"; for word; do echo "$word"; done; } >"$OUT"
            """;

    private static final String ARCHIVE = "wd/dist/src/main/dist/wishdir";
    private static final Map<String, String> CACHED = Map.of("WISHDIR_CACHE", "on");

    @TempDir private Path folder = Path.of("");

    private Path root = Path.of("");

    @BeforeEach
    void copy() throws IOException {
        root = Files.createDirectories(folder.resolve("own folder/wd"));
        Path module = Path.of("").toAbsolutePath();
        for (String launcher : List.of("wishdir", "dist/src/main/dist/wishdir")) {
            Path to = root.resolve(launcher);
            Files.createDirectories(to.getParent());
            Files.copy(module.resolveSibling(launcher), to);
        }
        jdk(folder.resolve("jdk"));
    }

    private static void jdk(Path home) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        script(home.resolve("bin/java"), JAVA);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs a line of a shell, and returns what Java was started with. */
    private List<String> started(Map<String, String> environment, String line) throws Exception {
        assertThat(run(environment, line)).as(Files.readString(folder.resolve("log"))).isZero();
        return Files.readAllLines(folder.resolve("out"));
    }

    /** Runs a line of a shell; its output is in the file {@code log}. */
    private int run(Map<String, String> environment, String line) throws Exception {
        Path out = folder.resolve("out");
        Path log = folder.resolve("log");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", line)
                        .directory(root.resolve("..").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("LC_.*|LANG|J.*|_J.*"));
        builder.environment().put("WISHDIR_JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("WISHDIR_CACHE", "off");
        builder.environment().put("OUT", out.toString());
        builder.environment().put("COUNT", folder.resolve("count").toString());
        builder.environment().put("GO", folder.resolve("go").toString());
        builder.environment().putAll(environment);
        return builder.start().waitFor();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /** How often Java was to make a cache. */
    private int attempts() throws IOException {
        return Files.readAllLines(folder.resolve("count")).size();
    }

    private List<Path> beside(String ending) throws IOException {
        try (var files = Files.list(root.resolve("dist/src/main/dist"))) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    @Test
    void makesOneCacheForThreeStarts() throws Exception {
        String all =
                "{launcher} & until [ -s \"$COUNT\" ]; do sleep 0.02; done;"
                        + " {launcher} && {launcher} && touch \"$GO\" && wait";
        assertThat(run(CACHED, all.replace("{launcher}", ARCHIVE))).isZero();
        assertThat(attempts()).isOne();
        assertThat(log()).containsOnlyOnce("creating a cache");
        assertThat(beside(".aot")).hasSize(1);
        assertThat(started(CACHED, ARCHIVE)).anyMatch(word -> word.startsWith("-XX:AOTCache="));
        assertThat(attempts()).isOne();
    }

    @Test
    void findsCacheThroughLinkToFolder() throws Exception {
        Files.createFile(folder.resolve("go"));
        Files.createSymbolicLink(root.resolveSibling("link"), root);
        started(CACHED, ARCHIVE);
        List<Path> made = beside(".aot");
        assertThat(started(CACHED, ARCHIVE.replace("wd/", "link/")))
                .anyMatch(word -> word.startsWith("-XX:AOTCache="));
        assertThat(attempts()).isOne();
        assertThat(beside(".aot")).isEqualTo(made).hasSize(1);
    }

    @Test
    void reportsFailedCacheAndTriesAgainTheNextDay() throws Exception {
        String said = "[0.1s][warning][aot] Skipping dev/UsageErrors\nerror: disk full";
        Map<String, String> broken = Map.of("WISHDIR_CACHE", "on", "BROKEN", said);
        started(broken, ARCHIVE);
        assertThat(log())
                .contains("could not create the cache for faster starts (error: disk full");
        assertThat(beside(".aot")).isEmpty();
        started(broken, ARCHIVE);
        assertThat(log()).isEmpty();
        assertThat(attempts()).isOne();

        for (Path failed : beside(".failed")) {
            Files.setLastModifiedTime(
                    failed, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        }
        Files.createFile(folder.resolve("go"));
        started(CACHED, ARCHIVE);
        assertThat(beside(".aot")).hasSize(1);
        assertThat(beside(".failed")).isEmpty();
    }

    @Test
    void takesLockOfKilledStart() throws Exception {
        Files.createFile(folder.resolve("go"));
        assertThat(
                        run(
                                CACHED,
                                "ln -s 1 wd/dist/src/main/dist/.start-cache && touch -h -d"
                                        + " '1 hour ago' wd/dist/src/main/dist/.start-cache && "
                                        + ARCHIVE))
                .isZero();
        assertThat(attempts()).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "WISHDIR_JAVA_HOME, /nowhere, 'no bin/java', 0",
        "WISHDIR_JAVA_HOME, OLD, Java 17, 0",
        "WISHDIR_HEAP, 512mb, 'such as 512m', 1"
    })
    void namesWrongSetting(String name, String value, String why, int status) throws Exception {
        Path old = folder.resolve("old");
        jdk(old);
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.2\"\n");
        String given = value.equals("OLD") ? old.toString() : value;
        String java = folder.resolve("jdk").toString();
        Map<String, String> environment = new HashMap<>(Map.of("JAVA_HOME", java, name, given));
        assertThat(run(environment, ARCHIVE)).isEqualTo(status);
        assertThat(log()).contains("wishdir: " + name + "=" + given, why);
    }

    @ParameterizedTest
    @ValueSource(strings = {".:/usr", "/nowhere", "other"})
    void ignoresPathOfFolders(String path) throws Exception {
        Files.createDirectories(root.resolveSibling("other/wd/dist/src/main/dist"));
        for (String launcher : List.of("wd/wishdir", "wd/dist/src/main/dist/wishdir")) {
            assertThat(started(Map.of("CDPATH", path), launcher + " --version"))
                    .contains("--version")
                    .anyMatch(word -> word.startsWith(root + "/") && word.endsWith("/wishdir.jar"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "JAVA_TOOL_OPTIONS, -XX:+UseG1GC, false",
        "JDK_JAVA_OPTIONS, -Xint -XX:+UseZGC, false",
        "_JAVA_OPTIONS, -XX:+UseSerialGC, false",
        "JAVA_TOOL_OPTIONS, -XX:+UseGCOverheadLimit, true",
        "JAVA_TOOL_OPTIONS, '', true"
    })
    void leavesGarbageCollectorOfEnvironment(String variable, String value, boolean ours)
            throws Exception {
        assertThat(started(Map.of(variable, value), "wd/wishdir").contains("-XX:+UseSerialGC"))
                .isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource({
        "C, C.UTF-8",
        "POSIX, C.UTF-8",
        "xx_XX.UTF-8, C.UTF-8",
        "'', C.UTF-8",
        "C.UTF-8, C.UTF-8"
    })
    void setsLocaleOfLetters(String locale, String expected) throws Exception {
        assertThat(started(Map.of("LC_ALL", locale), "wd/wishdir")).contains("locale=" + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0<&-",
        "1, 1>&-",
        "2, 2>&-",
        "0, 0<&- 1>&- 2>&-",
        "1, 0<&- 1>&- 2>&-",
        "2, 0<&- 1>&- 2>&-"
    })
    @DisplayName("R23 a closed descriptor is none of Java's files")
    void opensClosedDescriptors(int descriptor, String redirections) throws Exception {
        for (String launcher : List.of("wd/wishdir", "wd/dist/src/main/dist/wishdir")) {
            String descriptors = started(Map.of(), launcher + " serve " + redirections).get(1);
            assertThat(descriptors.split(" ")[descriptor]).isEqualTo("/dev/null");
        }
    }

    @Test
    void asksScriptOfVersionManagerForItsJdk() throws Exception {
        Path real = folder.resolve("versions/25");
        jdk(real);
        Path bin = Files.createDirectories(folder.resolve("shims"));
        script(bin.resolve("java"), JAVA);
        Map<String, String> environment = new HashMap<>();
        environment.put("WISHDIR_JAVA_HOME", "/nowhere");
        environment.put("JAVA_HOME", "");
        environment.put("REAL_HOME", real.toString());
        environment.put("PATH", bin + ":" + System.getenv("PATH"));
        assertThat(started(environment, "wd/wishdir --version")).contains("--version");
    }
}
