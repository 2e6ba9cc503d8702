package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Java of docs/LIBRARY.md, compiled and run from the page itself, without what only NetherNet
 * needs of Netty.
 */
@Timeout(600)
class LibraryExampleIT {
    private static final Path PAGE = Path.of("../docs/LIBRARY.md");
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Pattern FILE =
            Pattern.compile("```java\\n// (\\S+)\\.java\\n(.*?)```", Pattern.DOTALL);

    @TempDir private Path folder;

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !each.matches(".*netty-(codec-http|handler)-.*"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @ParameterizedTest
    @CsvSource({
        "Walker, joined with the number 0",
        "Messages, text",
        "MinuteInVirtualTime, 60 s",
    })
    void compilesAndRuns(String name, String last) throws Exception {
        MatchResult file =
                FILE.matcher(Files.readString(PAGE))
                        .results()
                        .filter(each -> each.group(1).equals(name))
                        .findFirst()
                        .orElseThrow();
        Path source = Files.writeString(folder.resolve(name + ".java"), file.group(2));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (Peer run =
                Peer.start(
                        folder,
                        Map.of("CLASSPATH", classPath()),
                        java,
                        "-XX:TieredStopAtLevel=1",
                        source.toString())) {
            assertThat(run.awaitExit(SOON)).as("%s", run.lines()).isZero();
            assertThat(run.lines()).contains(last);
        }
    }

    /** Each piece of Java names the file that it is, or it would not be compiled. */
    @Test
    void showsOnlyCompiledCode() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(FILE.matcher(page).results()).hasSize(3);
        assertThat(page.split("```java", -1)).hasSize(3 + 1);
    }
}
