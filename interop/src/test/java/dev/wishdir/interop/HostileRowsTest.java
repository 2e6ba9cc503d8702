package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The table of hostile inputs names the tests that hold each row, and no others. */
@Tag("slow")
class HostileRowsTest {
    private static final Path ROOT = SourceTree.ROOT;
    private static final Pattern ID = Pattern.compile("\\b[A-Z]\\d{1,2}\\b");

    /** The line of a section with the tests of its rows that name none. */
    private static final Pattern COMMON = Pattern.compile("A row that names no tests: (.+)\\.$");

    /** The names of the tests that name each row. */
    private static Map<String, Set<String>> tests() throws IOException {
        Map<String, Set<String>> tests = new HashMap<>();
        for (Path file : SourceTree.files(ROOT)) {
            if (SourceTree.name(file).matches("(?!examples/).*/src/test/.*(Test|IT)\\.java")
                    && !file.endsWith("HostileRowsTest.java")) {
                ID.matcher(Files.readString(ROOT.resolve(file)))
                        .results()
                        .forEach(id ->
                                tests.computeIfAbsent(id.group(), _ -> new TreeSet<>())
                                        .add(name(file)));
            }
        }
        return tests;
    }

    /** The tests of each row: those that it names, or else those of its section. */
    private static Map<String, Set<String>> rows(List<String> page) {
        Map<String, Set<String>> rows = new LinkedHashMap<>();
        String section = "";
        for (String line : page) {
            Matcher common = COMMON.matcher(line);
            String[] cells = line.split(" *\\| *", -1);
            if (line.startsWith("## ")) {
                section = "";
            } else if (common.find()) {
                section = common.group(1);
            } else if (cells.length == 5 && ID.matcher(cells[1]).matches()) {
                String named = cells[3].isEmpty() ? section : cells[3];
                assertThat(rows.put(cells[1], new TreeSet<>(List.of(named.split(", "))))).isNull();
            }
        }
        return rows;
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @TestFactory
    Stream<DynamicTest> namesTestsOfEachRow() throws IOException {
        Map<String, Set<String>> tests = tests();
        Map<String, Set<String>> rows = rows(Files.readAllLines(ROOT.resolve("docs/HOSTILE.md")));
        assertThat(rows).hasSizeGreaterThan(100);
        return rows.entrySet().stream()
                .map(row ->
                        DynamicTest.dynamicTest(
                                row.getKey(),
                                () ->
                                        assertThat(row.getValue())
                                                .isEqualTo(
                                                        tests.getOrDefault(
                                                                row.getKey(), Set.of()))));
    }
}
