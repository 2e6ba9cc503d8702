package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of hostile inputs names the tests that hold each row, and no others. */
@Tag("slow")
class HostileRowsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ID = Pattern.compile("\\b[A-Z]\\d{1,2}\\b");

    /** The names of the tests that name each row. */
    private static Map<String, Set<String>> tests() throws IOException {
        Map<String, Set<String>> tests = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(file -> file.toString().contains("/src/test/"))
                    .filter(file -> file.getFileName().toString().matches(".*(Test|IT)\\.java"))
                    .filter(file -> !file.toString().contains("/examples/"))
                    .filter(file -> !file.endsWith("HostileRowsTest.java"))
                    .forEach(file ->
                            ID.matcher(read(file))
                                    .results()
                                    .forEach(id ->
                                            tests.computeIfAbsent(id.group(), _ -> new TreeSet<>())
                                                    .add(name(file))));
        }
        return tests;
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> namesTestsOfEachRow() throws IOException {
        Map<String, Set<String>> tests = tests();
        List<String[]> rows =
                Files.readAllLines(ROOT.resolve("docs/HOSTILE.md")).stream()
                        .map(line -> line.split(" *\\| *", -1))
                        .filter(cells -> cells.length == 6 && ID.matcher(cells[1]).matches())
                        .toList();
        assertThat(rows).hasSizeGreaterThan(100);
        assertThat(rows.stream().collect(Collectors.groupingBy(r -> r[1], Collectors.counting())))
                .allSatisfy((_, count) -> assertThat(count).isOne());
        return rows.stream()
                .map(row ->
                        DynamicTest.dynamicTest(
                                row[1],
                                () -> {
                                    Set<String> named =
                                            row[4].equals("nothing yet")
                                                    ? new TreeSet<>()
                                                    : new TreeSet<>(
                                                            Arrays.asList(row[4].split(", ")));
                                    assertThat(named)
                                            .isEqualTo(tests.getOrDefault(row[1], Set.of()));
                                }));
    }
}
