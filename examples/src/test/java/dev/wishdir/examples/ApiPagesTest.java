package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The pages of the API: all in target/apidocs, and those of a library in its javadoc jar. */
class ApiPagesTest {
    private static final Path REPOSITORY = Path.of("../target/repository/dev/wishdir");
    private static final Path SITE = Path.of("../target/apidocs");
    private static final Pattern PAGE_OF_MODULE = Pattern.compile("dev/wishdir/(\\w+)/.*\\.html");
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]+)");

    /** What the newest jar of an artifact with a classifier holds, by path. */
    private static Map<String, String> jar(String artifact, String classifier) throws IOException {
        Path newest;
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve(artifact))) {
            newest =
                    files.filter(file -> file.toString().endsWith("-" + classifier + ".jar"))
                            .sorted()
                            .reduce((_, next) -> next)
                            .orElseThrow();
        }
        Map<String, String> content = new TreeMap<>();
        try (ZipFile jar = new ZipFile(newest.toFile())) {
            for (ZipEntry entry : jar.stream().toList()) {
                if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/")) {
                    byte[] bytes = jar.getInputStream(entry).readAllBytes();
                    content.put(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
                }
            }
        }
        return content;
    }

    private static Map<String, String> site() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SITE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                content.put(
                        SITE.relativize(file).toString(),
                        new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return content;
    }

    /** The files that a page links to, as paths in the site. */
    private static Set<String> targets(String page, String text) {
        Set<String> targets = new TreeSet<>();
        for (MatchResult link : LINK.matcher(text).results().toList()) {
            URI target = URI.create("/" + page).resolve(link.group(1));
            if (target.getScheme() == null) {
                targets.add(target.getPath().substring(1));
            }
        }
        return targets;
    }

    private static Set<String> modules(Set<String> pages) {
        return pages.stream()
                .map(PAGE_OF_MODULE::matcher)
                .filter(page -> page.matches())
                .map(page -> page.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void hasNoDeadLinks() throws IOException {
        Map<String, String> site = site();
        assertTrue(site.size() > 1000, site.size() + " files");
        Set<String> dead = new TreeSet<>();
        site.forEach((name, text) -> {
            if (name.endsWith(".html")) {
                assertTrue(!text.contains("arg0"), name);
                for (String target : targets(name, text)) {
                    if (!site.containsKey(target)) {
                        dead.add(name + " -> " + target);
                    }
                }
            }
        });
        assertEquals(Set.of(), dead);
    }

    @Test
    void publishesPagesSourcesAndClassesOfEachModule() throws IOException {
        Set<String> all = site().keySet();
        assertEquals(all, jar("wishdir", "javadoc").keySet());
        Set<String> modules = modules(all);
        assertTrue(modules.size() > 15, modules.toString());
        for (String module : modules) {
            String artifact = "wishdir-" + module;
            Set<String> pages = jar(artifact, "javadoc").keySet();
            assertEquals(Set.of(module), modules(pages));
            assertTrue(all.containsAll(pages), artifact);
            String here = "dev/wishdir/" + module + "/";
            assertEquals(
                    all.stream().filter(each -> each.startsWith(here)).toList(),
                    pages.stream().filter(each -> each.startsWith(here)).toList());
            assertTrue(pages.contains("index.html"), artifact);

            Set<String> sources = jar(artifact, "sources").keySet();
            for (String source : sources) {
                boolean isInModule = source.startsWith(here) || !source.endsWith(".java");
                assertTrue(isInModule, artifact + ": " + source);
            }
            assertTrue(
                    sources.stream().anyMatch(each -> each.endsWith("/package-info.java")),
                    artifact);
        }
        try (Stream<Path> artifacts = Files.list(REPOSITORY)) {
            Set<String> expected = new TreeSet<>(Set.of("wishdir", "wishdir-bom"));
            modules.forEach(module -> expected.add("wishdir-" + module));
            assertEquals(
                    expected,
                    artifacts
                            .filter(Files::isDirectory)
                            .map(each -> each.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @ParameterizedTest
    @CsvSource({"sauerbraten, Sauerbraten", "quake2, Quake2", "quake3, Quake3", "bedrock, Bedrock"})
    void includesTypesOfOtherModules(String module, String game) throws IOException {
        String name = "dev/wishdir/" + module + "/" + game + "Game.html";
        String page = jar("wishdir-" + module, "javadoc").get(name);
        assertTrue(page != null, name);
        assertTrue(page.contains("All Implemented Interfaces:"), page);
        assertTrue(targets(name, page).contains("dev/wishdir/game/Game.html"), page);
        assertTrue(page.contains("Description copied from interface:"), page);
        assertTrue(page.contains("Identifier in commands, events and captures"), page);
    }
}
