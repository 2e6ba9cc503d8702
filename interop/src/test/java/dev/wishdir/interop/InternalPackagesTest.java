package dev.wishdir.interop;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The packages that other modules may use. A public type in another package is internal to its
 * module. Benchmarks measure the inside of modules, and are exempt.
 */
@Tag("slow")
class InternalPackagesTest {
    private static final String ROOT = "dev.wishdir";

    /** Names below the module; a dot is its root. */
    private static final Map<String, String> EXPORTED =
            Map.ofEntries(
                    Map.entry(
                            "arena", ". combat event flag item match player race relay validation"),
                    Map.entry("bedrock", ". message protocol protocol.login proxy"),
                    Map.entry("blocks", "arena grid reach stock"),
                    Map.entry("cluster", ". bus message nats publish"),
                    Map.entry("enet", "."),
                    Map.entry("game", ". capture level operator proxy text"),
                    Map.entry("idtech", "."),
                    Map.entry("inspect", ". capture link output"),
                    Map.entry("motion", "."),
                    Map.entry("net", ". http limit loop netty simulation"),
                    Map.entry("nethernet", ". discovery identity"),
                    Map.entry("quake2", ". map message netchan protocol proxy"),
                    Map.entry("quake3", ". map message movement netchan protocol proxy"),
                    Map.entry("raknet", "."),
                    Map.entry("record", "file mcap message recorder v1"),
                    Map.entry("sauerbraten", ". message protocol proxy server"),
                    Map.entry("web", ". explore map"),
                    Map.entry("wire", ". dissect"));

    /** The module of a type below a root; empty for a type elsewhere. */
    private static String module(JavaClass type, String root) {
        String name = type.getPackageName();
        return name.startsWith(root + ".")
                ? name.substring(root.length() + 1).split("\\.", 2)[0]
                : "";
    }

    private static boolean isExported(JavaClass type, String root, Map<String, String> exported) {
        String module = module(type, root);
        String rest = type.getPackageName().substring((root + "." + module).length());
        List<String> names = List.of(exported.getOrDefault(module, "").split(" "));
        return names.contains(rest.isEmpty() ? "." : rest.substring(1));
    }

    private static Set<String> violations(
            JavaClasses classes, String root, Map<String, String> exported) {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : classes) {
            for (Dependency use : type.getDirectDependenciesFromSelf()) {
                JavaClass target = use.getTargetClass().getBaseComponentType();
                String module = module(target, root);
                if (!module.isEmpty()
                        && !module.equals(module(type, root))
                        && !isExported(target, root, exported)) {
                    found.add(use.getDescription());
                }
            }
        }
        return found;
    }

    @Test
    void usesOnlyExportedPackages() {
        JavaClasses classes =
                ProductionClasses.ALL.that(
                        DescribedPredicate.not(resideInAPackage(ROOT + ".bench..")));
        assertThat(classes).hasSizeGreaterThan(500);
        assertThat(violations(classes, ROOT, EXPORTED)).isEmpty();
    }

    @Test
    void namesOnlyPackagesThatExist() {
        Set<String> packages = new TreeSet<>();
        ProductionClasses.ALL.forEach(type -> packages.add(type.getPackageName()));
        EXPORTED.forEach((module, names) -> {
            for (String name : names.split(" ")) {
                assertThat(packages)
                        .contains(ROOT + "." + module + (name.equals(".") ? "" : "." + name));
            }
        });
    }

    @Test
    void findsUseOfInternalPackage() {
        String root = ROOT + ".interop.layers";
        JavaClasses layers = new ClassFileImporter().importPackages(root);
        assertThat(violations(layers, root, Map.of("lower", "."))).isEmpty();
        assertThat(violations(layers, root, Map.of("lower", "inner")))
                .isNotEmpty()
                .allMatch(use -> use.contains("lower.Lower"));
    }
}
