package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What the code cites of the protocol notes is there: headings, and terms in bold. */
class ProtocolReferenceTest {
    private static final Path NOTES = Path.of("../docs/protocols");

    /** How the code calls each page. */
    private static final Map<String, String> PAGES =
            Map.of(
                    "ENet 1.3", "enet",
                    "RakNet", "raknet",
                    "Bedrock", "bedrock",
                    "Cube 2: Sauerbraten", "sauerbraten",
                    "Quake III", "quake3");

    private static final Pattern TERM =
            Pattern.compile("(?m)^#+ (?:([0-9.]+?)\\.? )?(.*)$|\\*\\*(.+?)\\*\\*");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/");
    private static final Pattern BY_TITLE =
            Pattern.compile(
                    "(?<!Minecraft)(?::|,? and) ("
                            + String.join("|", PAGES.keySet())
                            + "), ([a-zA-Z_0-9 '-]+?)(?=[.,;)])");
    private static final Pattern BY_NUMBER =
            Pattern.compile(
                    "docs/protocols/(\\w+)\\.md((?:(?:,| and) [0-9][0-9.]*[0-9]|(?:,| and)"
                            + " [0-9])*)");

    private static Map<String, Set<String>> terms() throws IOException {
        Map<String, Set<String>> terms = new HashMap<>();
        try (Stream<Path> pages = Files.list(NOTES)) {
            for (Path page : pages.toList()) {
                Set<String> of = new TreeSet<>();
                Matcher term = TERM.matcher(Files.readString(page));
                while (term.find()) {
                    for (int i = 1; i <= term.groupCount(); i++) {
                        if (term.group(i) != null) {
                            of.add(plain(term.group(i)));
                        }
                    }
                }
                terms.put(page.getFileName().toString().replace(".md", ""), of);
            }
        }
        return terms;
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9. ]", "").strip();
    }

    /** What a source cites, as page and term. */
    static List<Map.Entry<String, String>> citations(String source) {
        List<Map.Entry<String, String>> citations = new ArrayList<>();
        Matcher comment = COMMENT.matcher(source);
        while (comment.find()) {
            String text = comment.group().replaceAll("\\s*\\n\\s*\\* ?", " ");
            Matcher title = BY_TITLE.matcher(text);
            while (title.find()) {
                citations.add(Map.entry(PAGES.get(title.group(1)), plain(title.group(2))));
            }
            Matcher number = BY_NUMBER.matcher(text);
            while (number.find()) {
                Matcher each = Pattern.compile("[0-9][0-9.]*").matcher(number.group(2));
                while (each.find()) {
                    citations.add(Map.entry(number.group(1), each.group()));
                }
            }
        }
        return citations;
    }

    @Test
    void findsEveryCitedSection() throws IOException {
        Map<String, Set<String>> terms = terms();
        Map<String, Integer> cited = new HashMap<>();
        List<String> missing = new ArrayList<>();
        try (Stream<Path> walked = Files.walk(Path.of(".."))) {
            for (Path file :
                    walked.filter(file -> file.toString().matches(".*/src/main/.*\\.java"))
                            .toList()) {
                for (Map.Entry<String, String> citation : citations(Files.readString(file))) {
                    cited.merge(citation.getKey(), 1, Integer::sum);
                    if (!terms.getOrDefault(citation.getKey(), Set.of())
                            .contains(citation.getValue())) {
                        missing.add(file.getFileName() + ": " + citation);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Set.of("enet", "raknet", "bedrock", "sauerbraten", "quake2", "quake3"));
        assertThat(cited.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(60);
    }

    @Test
    void findsCitations() {
        String source =
                "/**\n * Timers: ENet 1.3, round\n * trips, and RakNet, splitting.\n *\n"
                        + " * <p>See docs/protocols/quake2.md, 3.1 and 4.\n */\nclass A {}";
        assertThat(citations(source))
                .containsExactly(
                        Map.entry("enet", "round trips"),
                        Map.entry("raknet", "splitting"),
                        Map.entry("quake2", "3.1"),
                        Map.entry("quake2", "4"));
    }
}
