package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sections of docs/protocols that the code cites exist: {@code docs/protocols/NAME.md#anchor}
 * of a heading or of a term in bold, or {@code docs/protocols/NAME.md, 3.1 and 4} by number.
 */
@Tag("slow")
class ProtocolReferenceTest {
    private static final Path NOTES = Path.of("../docs/protocols");

    private static final Pattern TERM =
            Pattern.compile("(?m)^#+ (?:([0-9.]+?)\\.? )?(.*)$|\\*\\*(.+?)\\*\\*");
    private static final Pattern CITATION =
            Pattern.compile(
                    "docs/protocols/(\\w+)\\.md(?:#([\\w-]+)|"
                            + "((?:(?:,| and) [0-9][0-9.]*[0-9]|(?:,| and) [0-9])*))");
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.]*");

    /** The anchors and the numbers of sections of each page. */
    private static Map<String, Set<String>> sections() throws IOException {
        Map<String, Set<String>> sections = new HashMap<>();
        try (Stream<Path> pages = Files.list(NOTES)) {
            for (Path page : pages.toList()) {
                Set<String> of = new TreeSet<>();
                Matcher term = TERM.matcher(Files.readString(page));
                while (term.find()) {
                    for (int i = 1; i <= term.groupCount(); i++) {
                        if (term.group(i) != null) {
                            of.add(i == 1 ? term.group(i) : anchor(term.group(i)));
                        }
                    }
                }
                sections.put(page.getFileName().toString().replace(".md", ""), of);
            }
        }
        return sections;
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").strip().replace(' ', '-');
    }

    /** What a source cites, as page and section. */
    static List<Map.Entry<String, String>> citations(String source) {
        List<Map.Entry<String, String>> citations = new ArrayList<>();
        Matcher found = CITATION.matcher(source.replaceAll("\\s*\\n\\s*\\* ?", " "));
        while (found.find()) {
            if (found.group(2) != null) {
                citations.add(Map.entry(found.group(1), found.group(2)));
            } else {
                NUMBER.matcher(found.group(3))
                        .results()
                        .forEach(each -> citations.add(Map.entry(found.group(1), each.group())));
            }
        }
        return citations;
    }

    @Test
    void findsEveryCitedSection() throws IOException {
        Map<String, Set<String>> sections = sections();
        int cited = 0;
        List<String> missing = new ArrayList<>();
        for (Path file : SourceTree.files(SourceTree.ROOT)) {
            if (SourceTree.name(file).matches(".*/src/main/.*\\.java")) {
                String source = Files.readString(SourceTree.ROOT.resolve(file));
                for (Map.Entry<String, String> citation : citations(source)) {
                    cited++;
                    if (!sections.getOrDefault(citation.getKey(), Set.of())
                            .contains(citation.getValue())) {
                        missing.add(file.getFileName() + ": " + citation);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(40);
    }

    @Test
    void findsCitations() {
        String source =
                "/**\n * Timers: docs/protocols/enet.md#round-trips, and\n *"
                        + " docs/protocols/raknet.md#splitting.\n *\n"
                        + " * <p>See docs/protocols/quake2.md, 3.1\n * and 4.\n */\nclass A {}";
        assertThat(citations(source))
                .containsExactly(
                        Map.entry("enet", "round-trips"),
                        Map.entry("raknet", "splitting"),
                        Map.entry("quake2", "3.1"),
                        Map.entry("quake2", "4"));
        assertThat(anchor("IBSP version 46")).isEqualTo("ibsp-version-46");
    }
}
