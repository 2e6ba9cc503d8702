package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The javadoc jars of the libraries hold what comes from other modules, and link to it. */
class ApiPagesTest {
    private static final Path REPOSITORY = Path.of("../target/repository/dev/wishdir");
    private static final Pattern OTHER_MODULE =
            Pattern.compile("href=\"(?:\\.\\./)+(wishdir-[a-z0-9]+)/([^\"#]*)");

    private static ZipFile jar(String artifact) throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve(artifact))) {
            Path newest =
                    files.filter(file -> file.toString().endsWith("-javadoc.jar"))
                            .sorted()
                            .reduce((_, next) -> next)
                            .orElseThrow();
            return new ZipFile(newest.toFile());
        }
    }

    private static Set<String> names(String artifact) {
        try (ZipFile jar = jar(artifact)) {
            return jar.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(ZipFile jar, ZipEntry page) {
        try {
            return new String(jar.getInputStream(page).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"sauerbraten, Sauerbraten", "quake2, Quake2", "quake3, Quake3", "bedrock, Bedrock"})
    void includesTypesOfOtherModules(String module, String game) throws IOException {
        try (ZipFile jar = jar("wishdir-" + module)) {
            String name = "dev/wishdir/" + module + "/" + game + "Game.html";
            ZipEntry entry = jar.getEntry(name);
            assertTrue(entry != null, name);
            String page = text(jar, entry);
            assertTrue(page.contains("All Implemented Interfaces:"), page);
            assertTrue(page.contains("wishdir-game/dev/wishdir/game/Game.html"), page);
            assertTrue(page.contains("Description copied from interface:"), page);
            assertTrue(page.contains("Identifier in commands, events and captures"), page);

            List<String> pages =
                    jar.stream()
                            .filter(each -> each.getName().endsWith(".html"))
                            .map(each -> text(jar, each))
                            .toList();
            assertTrue(pages.stream().noneMatch(each -> each.contains("arg0")));
            Map<String, Set<String>> there = new HashMap<>();
            List<String> dead = new ArrayList<>();
            for (String each : pages) {
                for (MatchResult link : OTHER_MODULE.matcher(each).results().toList()) {
                    if (!there.computeIfAbsent(link.group(1), ApiPagesTest::names)
                            .contains(link.group(2))) {
                        dead.add(link.group(1) + "/" + link.group(2));
                    }
                }
            }
            assertTrue(there.size() > 3, there.keySet().toString());
            assertEquals(List.of(), dead);
        }
    }
}
