package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The largest classes. Records are exempt from the limit of fields: a message has the fields that
 * its protocol has. So are the options of a command.
 */
@Tag("slow")
class ClassSizeTest {
    private static final int MAX_FIELDS = 25;
    private static final int MAX_LINES = 900;

    /** The figures of one run, and the variables of two algorithms that allocate nothing. */
    private static final Set<String> MANY_FIELDS =
            Set.of(
                    "dev.wishdir.app.load.LoadGenerator",
                    "dev.wishdir.quake2.movement.Pmove",
                    "dev.wishdir.quake3.movement.PmoveState");

    private static boolean isCounted(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.STATIC)
                && !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && field.getAnnotations().stream()
                        .noneMatch(it -> it.getRawType().getPackageName().equals("picocli"));
    }

    private static Map<String, Long> manyFields(Iterable<JavaClass> types, long most) {
        Map<String, Long> found = new TreeMap<>();
        for (JavaClass type : types) {
            long fields = type.getFields().stream().filter(ClassSizeTest::isCounted).count();
            if (!type.isRecord() && !type.isEnum() && fields > most) {
                found.put(type.getName(), fields);
            }
        }
        return found;
    }

    private static Map<Path, Integer> longFiles(Path root) throws IOException {
        Map<Path, Integer> found = new TreeMap<>();
        for (Path file : SourceTree.files(root)) {
            if (SourceTree.name(file).matches(".*/src/main/java/.*\\.java")) {
                int lines = Files.readAllLines(root.resolve(file)).size();
                if (lines > MAX_LINES) {
                    found.put(file, lines);
                }
            }
        }
        return found;
    }

    @Test
    void keepsFieldsFew() {
        assertThat(ProductionClasses.WRITTEN_BY_HAND).hasSizeGreaterThan(500);
        assertThat(manyFields(ProductionClasses.WRITTEN_BY_HAND, MAX_FIELDS).keySet())
                .isSubsetOf(MANY_FIELDS);
    }

    @Test
    void keepsSourcesShort() throws IOException {
        assertThat(longFiles(SourceTree.ROOT).keySet())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .isSubsetOf("ServeCommand.java");
    }

    @SuppressWarnings("unused")
    private static final class Two {
        private static int counted;
        private int first;
        private int second;
    }

    @Test
    void findsManyFields() {
        var types = new ClassFileImporter().importClasses(Two.class);
        assertThat(manyFields(types, 1)).containsExactly(Map.entry(Two.class.getName(), 2L));
        assertThat(manyFields(types, 2)).isEmpty();
    }

    @Test
    void findsLongSource(@TempDir Path folder) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("module/src/main/java"));
        Files.writeString(sources.resolve("Long.java"), "\n".repeat(MAX_LINES + 1));
        Files.writeString(sources.resolve("Short.java"), "\n".repeat(MAX_LINES));
        assertThat(longFiles(folder))
                .containsExactly(
                        Map.entry(Path.of("module/src/main/java/Long.java"), MAX_LINES + 1));
    }
}
