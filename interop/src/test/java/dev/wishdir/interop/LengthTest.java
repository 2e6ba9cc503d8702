package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A class of more than 450 lines says why it is as long as it is. */
class LengthTest {
    private static final int MOST = 450;
    private static final Pattern DECLARATION =
            Pattern.compile(
                    "(?m)^(?:public |abstract |final |sealed )*(?:class|record|interface|enum) ");
    private static final Pattern REASON =
            Pattern.compile("\\b(?:as long as|longer than) ", Pattern.CASE_INSENSITIVE);

    /** Whether a source is short, or its class's javadoc has a reason for its length. */
    static boolean holds(String source) {
        if (source.lines().count() <= MOST) {
            return true;
        }
        Matcher declaration = DECLARATION.matcher(source);
        String before = declaration.find() ? source.substring(0, declaration.start()) : "";
        return REASON.matcher(before.replaceAll("\\s+\\*\\s+", " ")).find();
    }

    @Test
    void aLongClassSaysWhyItIsLong() throws IOException {
        List<String> reasonless = new ArrayList<>();
        int files = 0;
        try (Stream<Path> walked = Files.walk(Path.of(".."))) {
            for (Path file :
                    walked.filter(file -> file.toString().contains("/src/main/java/"))
                            .filter(file -> file.toString().endsWith(".java"))
                            .toList()) {
                files++;
                if (!holds(Files.readString(file))) {
                    reasonless.add(file.toString());
                }
            }
        }
        assertThat(files).isGreaterThan(500);
        assertThat(reasonless).as("of more than %s lines, without a reason", MOST).isEmpty();
    }

    @Test
    void aReasonIsLookedForInTheJavadocOfTheClass() {
        String body = "final class A {\n" + "\n".repeat(MOST) + "}\n";
        assertThat(holds("final class A {}\n")).isTrue();
        assertThat(holds(body)).isFalse();
        assertThat(holds("/** A class. */\n" + body)).isFalse();
        assertThat(holds("/** Longer\n * than others, as it has more. */\n" + body)).isTrue();
        assertThat(holds(body + "/** As long as a list. */\nclass B {}\n")).isFalse();
    }
}
