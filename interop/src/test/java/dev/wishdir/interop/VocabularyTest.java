package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds words that the field does not use, and names of types that say no kind, out of the project.
 */
@Tag("slow")
class VocabularyTest {
    /** Texts of the project: code, resources of the program, pages, scripts. */
    private static final Pattern TEXT =
            Pattern.compile(
                    "[^/]+\\.md|wishdir|docs/.*\\.(md|txt|yml|json)|[a-z0-9]+/README\\.md"
                            + "|[a-z0-9]+/src/main/.*\\.(java|html|js|css|txt|properties|json)"
                            + "|dist/src/.*\\.(md|service|conf)|dist/.*Dockerfile");

    /** It quotes old names. */
    private static final Pattern QUOTES = Pattern.compile("CHANGELOG\\.md");

    private static final Pattern TYPE =
            Pattern.compile(
                    "(?m)^\\s*(?:[a-z-]+\\s+)*(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

    /** Names that say no kind: a noun in -ing, a collection of anything, a relative clause. */
    private static final Pattern NO_KIND =
            Pattern.compile(
                    "\\w*ing|\\w*(Manager|Helper|Utils?|Impl)|(Who|Whom|Whose|What|Where|Which|When)([A-Z]\\w*)?");

    /** Nouns of the field, and names of the protocols, that end in -ing. */
    private static final Pattern FIELD =
            Pattern.compile(
                    "\\w*([Ss]tring|Ping|Recording|Listing|Signalling|Encoding|Finding|Setting"
                            + "|Heading|Gathering)");

    private record Word(Pattern word, List<String> exceptions) {
        /** Whether a line, in lower case, has the word outside its exceptions. */
        boolean in(String line) {
            String left = line;
            if (!word.matcher(left).find()) {
                return false;
            }
            for (String exception : exceptions) {
                left = left.replace(exception, "");
            }
            return word.matcher(left).find();
        }
    }

    private static final Map<Path, List<String>> TEXTS = texts();

    private static Map<Path, List<String>> texts() {
        Map<Path, List<String>> texts = new TreeMap<>();
        try {
            for (Path file : SourceTree.files(SourceTree.ROOT)) {
                String name = SourceTree.name(file);
                if (TEXT.matcher(name).matches() && !QUOTES.matcher(name).matches()) {
                    texts.put(file, Files.readAllLines(SourceTree.ROOT.resolve(file)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    private static List<Word> words() throws IOException {
        List<Word> words = new ArrayList<>();
        try (var in =
                Objects.requireNonNull(
                        VocabularyTest.class.getResourceAsStream("/vocabulary/words.txt"))) {
            for (String line :
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                String word = line.replaceAll("#.*", "").strip();
                if (!word.isEmpty()) {
                    List<String> exceptions =
                            Pattern.compile("\\[(.+?)]")
                                    .matcher(line)
                                    .results()
                                    .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                                    .toList();
                    words.add(
                            new Word(
                                    Pattern.compile("\\b" + word.replace(" ", "\\s+") + "\\b"),
                                    exceptions));
                }
            }
        }
        return words;
    }

    /** Each finding as file:line: word. */
    private static List<String> findings(Map<Path, List<String>> texts) throws IOException {
        List<Word> words = words();
        // Nearly all lines have none of them. One pattern of all is searched in one pass, and only
        // where a word begins.
        Pattern any =
                Pattern.compile(
                        words.stream()
                                .map(word -> word.word().pattern())
                                .collect(Collectors.joining("|", "\\b(?:", ")")));
        List<String> findings = new ArrayList<>();
        texts.forEach((path, lines) -> {
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).toLowerCase(Locale.ROOT);
                if (!any.matcher(line).find()) {
                    continue;
                }
                for (Word word : words) {
                    if (word.in(line)) {
                        findings.add("%s:%d: %s".formatted(path, i + 1, lines.get(i).strip()));
                    }
                }
            }
        });
        return findings;
    }

    @Test
    void findsNoOldWord() throws IOException {
        assertThat(TEXTS).hasSizeGreaterThan(500);
        assertThat(String.join("\n", findings(TEXTS))).isEmpty();
    }

    @Test
    void findsNoTypeWithoutKind() throws IOException {
        List<String> findings = new ArrayList<>();
        TEXTS.forEach((path, lines) -> {
            if (path.toString().endsWith(".java")) {
                Matcher type = TYPE.matcher(String.join("\n", lines));
                while (type.find()) {
                    String name = type.group(1);
                    if (NO_KIND.matcher(name).matches() && !FIELD.matcher(name).matches()) {
                        findings.add(path + ": " + name);
                    }
                }
            }
        });
        assertThat(String.join("\n", findings)).isEmpty();
    }

    @Test
    void findsOldWordAndKeepsException() throws IOException {
        Path page = Path.of("docs/page.md");
        assertThat(
                        findings(
                                Map.of(
                                        page,
                                        List.of(
                                                "A Nobody is told.",
                                                "User=nobody",
                                                "a library stands alone"))))
                .containsExactly(
                        "docs/page.md:1: A Nobody is told.", "docs/page.md:1: A Nobody is told.");
    }
}
