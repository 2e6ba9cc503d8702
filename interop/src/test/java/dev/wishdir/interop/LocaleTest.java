package dev.wishdir.interop;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.format.DateTimeFormatter;

/**
 * No text depends on the language of the machine: in Persian and five more, {@code %d} writes
 * digits that no game, file or program reads.
 */
@Tag("slow")
class LocaleTest {
    @Test
    @DisplayName("R23 no text depends on the language of the machine")
    void formatsInNoLanguageOfTheMachine() {
        noClasses()
                .should()
                .callMethod(String.class, "formatted", Object[].class)
                .orShould()
                .callMethod(String.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(String.class, "toLowerCase")
                .orShould()
                .callMethod(String.class, "toUpperCase")
                .orShould()
                .callMethod(PrintStream.class, "printf", String.class, Object[].class)
                .orShould()
                .callMethod(PrintStream.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
                .orShould()
                .callMethod(PrintWriter.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(DateTimeFormatter.class, "ofPattern", String.class)
                .because("a text that a program reads has the digits 0 to 9: use Locale.ROOT")
                .check(ProductionClasses.WRITTEN_BY_HAND);
    }
}
