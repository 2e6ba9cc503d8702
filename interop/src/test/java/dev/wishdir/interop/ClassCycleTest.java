package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * No class uses, by whatever way, a class that uses it. Nested classes are a part of their
 * outermost one, and a sealed type may name the types that it permits, and what it makes of them.
 */
class ClassCycleTest {
    /** The name of a class in a descriptor or a signature. */
    private static final Pattern NAME = Pattern.compile("L(dev/wishdir/[\\w/$]+)[;<]");

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /**
     * The classes that each class uses, by their constant pools.
     *
     * @param part the class that a name counts as
     */
    private static Map<String, Set<String>> uses(
            Iterable<JavaClass> types, UnaryOperator<String> part) {
        Map<String, Set<String>> uses = new TreeMap<>();
        Map<String, Set<String>> permitted = new TreeMap<>();
        for (JavaClass type : types) {
            ClassModel model = parse(type);
            String name = part.apply(model.thisClass().asInternalName());
            Set<String> used = uses.computeIfAbsent(name, _ -> new TreeSet<>());
            for (PoolEntry entry : model.constantPool()) {
                names(entry).map(part).forEach(used::add);
            }
            model.findAttribute(Attributes.permittedSubclasses())
                    .map(PermittedSubclassesAttribute::permittedSubclasses)
                    .ifPresent(subclasses ->
                            subclasses.forEach(subclass ->
                                    permitted
                                            .computeIfAbsent(name, _ -> new TreeSet<>())
                                            .add(part.apply(subclass.asInternalName()))));
        }
        uses.forEach((name, used) -> {
            used.retainAll(uses.keySet());
            used.remove(name);
            used.removeAll(permitted.getOrDefault(name, Set.of()));
        });
        return uses;
    }

    private static ClassModel parse(JavaClass type) {
        try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> names(PoolEntry entry) {
        return switch (entry) {
            case ClassEntry type -> {
                String name = type.asInternalName();
                yield name.startsWith("[") ? descriptor(name) : Stream.of(name);
            }
            case Utf8Entry text -> descriptor(text.stringValue());
            default -> Stream.of();
        };
    }

    private static Stream<String> descriptor(String text) {
        Matcher matcher = NAME.matcher(text);
        List<String> names = new ArrayList<>();
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names.stream();
    }

    private static Set<String> reachable(Map<String, Set<String>> uses, String from) {
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(uses.get(from));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (reached.add(next)) {
                open.addAll(uses.get(next));
            }
        }
        return reached;
    }

    /** The sets of classes of which each reaches each other. */
    private static Set<Set<String>> cycles(Map<String, Set<String>> uses) {
        Map<String, Set<String>> reachable = new TreeMap<>();
        uses.keySet().forEach(name -> reachable.put(name, reachable(uses, name)));
        Set<Set<String>> cycles = new HashSet<>();
        reachable.forEach((name, reached) -> {
            if (reached.contains(name)) {
                Set<String> cycle = new TreeSet<>(reached);
                cycle.removeIf(other -> !requireNonNull(reachable.get(other)).contains(name));
                cycles.add(cycle);
            }
        });
        return cycles;
    }

    @Test
    void findsNoCycles() {
        JavaClasses classes = ProductionClasses.WRITTEN_BY_HAND;
        assertThat(classes).hasSizeGreaterThan(500);
        assertThat(cycles(uses(classes, ClassCycleTest::outermost))).isEmpty();
    }

    @SuppressWarnings("unused")
    private static final class Hub {
        private final Spoke spoke = new Spoke(this);

        Spoke spoke() {
            return spoke;
        }
    }

    private record Spoke(Hub hub) {}

    private record Far(Spoke spoke) {}

    @SuppressWarnings("unused")
    private sealed interface Shape permits Circle {
        static Shape unit() {
            return new Circle(1);
        }
    }

    private record Circle(double radius) implements Shape {}

    @Test
    void findsCycleButNotSealedFamily() {
        var classes =
                new ClassFileImporter()
                        .importClasses(
                                Hub.class, Spoke.class, Far.class, Shape.class, Circle.class);
        String prefix = ClassCycleTest.class.getName().replace('.', '/') + "$";
        assertThat(cycles(uses(classes, name -> name)))
                .containsExactly(Set.of(prefix + "Hub", prefix + "Spoke"));
    }
}
