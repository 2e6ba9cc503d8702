package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What docs/LIBRARY.md shows, as a project of its own that holds nothing else. */
@Timeout(300)
class PageTest {
    private static final Pattern POM =
            Pattern.compile("```xml\\n(<project .*?)```", Pattern.DOTALL);
    private static final Pattern JAVA =
            Pattern.compile("```java\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    @TempDir Path project;

    private static List<MatchResult> blocks(Pattern pattern, String page) {
        return pattern.matcher(page).results().toList();
    }

    private String maven(String... arguments) throws Exception {
        List<String> command =
                Stream.concat(Stream.of("mvn", "-B", "-q"), Stream.of(arguments)).toList();
        Process maven =
                new ProcessBuilder(command)
                        .directory(project.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, maven.waitFor(), said);
        return said;
    }

    @Test
    void matchesPage() throws Exception {
        String page = Files.readString(Path.of("../docs/LIBRARY.md"));
        String pom = blocks(POM, page).getFirst().group(1);
        String repository = Path.of("../target/repository").toRealPath().toUri().toString();
        String here = pom.replace("file:///home/me/wishdir/target/repository", repository);
        assertFalse(here.equals(pom));
        Files.writeString(project.resolve("pom.xml"), here);
        Path source = Files.createDirectories(project.resolve("src/main/java"));
        List<MatchResult> files = blocks(JAVA, page);
        assertFalse(files.isEmpty());
        for (MatchResult file : files) {
            Files.writeString(source.resolve(file.group(1)), file.group(2));
        }

        maven("compile");
        for (MatchResult file : files) {
            String compiled = file.group(1).replace(".java", ".class");
            assertTrue(Files.exists(project.resolve("target/classes").resolve(compiled)), compiled);
        }
        String tree =
                maven(
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:list",
                        "-DoutputFile=list.txt");
        assertFalse(list().contains("netty-codec-http"), tree + list());
    }

    private String list() throws IOException {
        return Files.readString(project.resolve("list.txt"));
    }
}
