package dev.wishdir.interop;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A class with many fields, or a constructor with many parameters, does more than one thing.
 * Records are exempt: a message has the fields that its protocol has. So are the options of a
 * command.
 */
class ClassSizeTest {
    private static final int MAX_FIELDS = 15;
    private static final int MAX_PARAMETERS = 8;

    /** The classes that may be larger, by the reason. */
    private static final Map<String, Set<String>> EXCEPTIONS =
            Map.of(
                    "the state of one connection, session or player",
                    Set.of(
                            "bedrock.client.BedrockClient",
                            "enet.EnetConnection",
                            "enet.SendQueue",
                            "nethernet.dtls.DtlsConnection",
                            "nethernet.NetherNetPeer",
                            "nethernet.sctp.SctpSender",
                            "quake3.client.Quake3Client",
                            "raknet.RakNetPeer",
                            "raknet.RakNetSender"),
                    "the parts of an endpoint, wired once",
                    Set.of(
                            "app.serve.Server",
                            "enet.EnetHost",
                            "game.EndpointContext$Builder",
                            "nethernet.LanResponder",
                            "nethernet.NetherNetClient",
                            "nethernet.NetherNetServer",
                            "nethernet.NetherNetSignalling"),
                    "the variables of one algorithm, which allocates nothing",
                    Set.of(
                            "arena.MovementValidator",
                            "quake2.movement.Pmove",
                            "quake3.movement.PmoveState",
                            "quake3.movement.Pmove",
                            "idtech.BoxSweep"),
                    "the figures of one run",
                    Set.of(
                            "app.analysis.ReportData",
                            "app.load.LoadGenerator",
                            "web.CaptureIndex"));

    private static long fields(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(field -> !isOption(field))
                .count();
    }

    private static boolean isOption(JavaField field) {
        return field.getAnnotations().stream()
                .anyMatch(it -> it.getRawType().getPackageName().equals("picocli"));
    }

    private static int parameters(JavaClass type) {
        return type.getConstructors().stream()
                .map(JavaConstructor::getRawParameterTypes)
                .mapToInt(List::size)
                .max()
                .orElse(0);
    }

    private static Map<String, String> large(Iterable<JavaClass> types) {
        Map<String, String> large = new TreeMap<>();
        for (JavaClass type : types) {
            if (!type.isRecord() && !type.isEnum() && !type.isAnonymousClass()) {
                long fields = fields(type);
                int parameters = parameters(type);
                if (fields > MAX_FIELDS || parameters > MAX_PARAMETERS) {
                    large.put(type.getName(), fields + " fields, " + parameters + " parameters");
                }
            }
        }
        return large;
    }

    @Test
    void keepsClassesSmallButForTheExceptions() {
        var production =
                ProductionClasses.WRITTEN_BY_HAND.that(
                        DescribedPredicate.not(resideInAPackage("dev.wishdir.bench..")));
        assertThat(production).hasSizeGreaterThan(500);
        Set<String> exceptions =
                EXCEPTIONS.values().stream()
                        .flatMap(Set::stream)
                        .map(name -> "dev.wishdir." + name)
                        .collect(Collectors.toSet());
        Map<String, String> large = large(production);
        assertThat(large.keySet()).as("%s", large).isEqualTo(exceptions);
    }

    /** Too large. */
    @SuppressWarnings("unused")
    private static final class Large {
        Large(int a, int b, int c, int d, int e, int f, int g, int h, int i) {}
    }

    @Test
    void findsALargeClass() {
        var types = new ClassFileImporter().importClasses(Large.class, ClassSizeTest.class);
        assertThat(large(types)).containsOnlyKeys(Large.class.getName());
    }
}
