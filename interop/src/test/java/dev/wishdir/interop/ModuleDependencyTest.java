package dev.wishdir.interop;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The dependencies between modules, and between the packages of a game, as docs/ARCHITECTURE.md
 * draws it.
 */
@Tag("slow")
class ModuleDependencyTest {
    private static final String ROOT = "dev.wishdir";

    private static final Map<String, List<String>> MODULES =
            Map.ofEntries(
                    Map.entry("wire", List.of()),
                    Map.entry("motion", List.of()),
                    Map.entry("idtech", List.of("wire", "motion")),
                    Map.entry("blocks", List.of("wire", "motion", "idtech")),
                    Map.entry("net", List.of()),
                    Map.entry("enet", List.of("wire", "net")),
                    Map.entry("raknet", List.of("wire", "net")),
                    Map.entry("arena", List.of("wire", "motion", "blocks")),
                    Map.entry("record", List.of("wire", "motion", "blocks", "arena")),
                    Map.entry("cluster", List.of("wire", "motion", "net", "arena", "record")),
                    Map.entry("game", List.of("wire", "motion", "blocks", "net", "arena")),
                    Map.entry("nethernet", List.of("wire", "net")),
                    Map.entry("inspect", List.of("wire")),
                    Map.entry(
                            "web",
                            List.of(
                                    "wire", "motion", "blocks", "net", "arena", "inspect",
                                    "record")),
                    Map.entry("sauerbraten", gameUses("enet")),
                    Map.entry("quake2", gameUses("idtech")),
                    Map.entry("quake3", gameUses("idtech")),
                    Map.entry("bedrock", gameUses("raknet", "nethernet")));

    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");

    /**
     * The packages of each game, low to high: each may use those before it. Bars separate branches,
     * which do not use each other; all use the first.
     */
    private static final Map<String, String> PACKAGES =
            Map.of(
                    "sauerbraten",
                    "message movement protocol combat map | client | inspect proxy | server.view"
                            + " server.session server.chat server.movement server.combat"
                            + " server.match server.join server",
                    "quake2",
                    "message netchan protocol movement combat map | client | inspect proxy |"
                            + " server.view server.match server.combat server.session server.join"
                            + " server.chat server",
                    "quake3",
                    "message netchan protocol combat movement map entity | client | inspect proxy |"
                            + " server.view server.session server.combat server.match server.join"
                            + " server.chat server",
                    "bedrock",
                    "message protocol protocol.login protocol.transport movement combat map |"
                            + " client | inspect proxy | server.view server.match server.movement"
                            + " server.chat server.join server.combat server.session server");

    private static final JavaClasses CLASSES = ProductionClasses.ALL;

    /** What each package of a game may use. */
    private static Map<String, List<String>> arrows(String packages) {
        Map<String, List<String>> arrows = new HashMap<>();
        List<String> common = List.of();
        for (String branch : packages.split(" [|] ")) {
            List<String> below = new ArrayList<>(common);
            for (String name : branch.split(" ")) {
                arrows.put(name, List.copyOf(below));
                below.add(name);
            }
            common = common.isEmpty() ? below : common;
        }
        return arrows;
    }

    private static List<String> gameUses(String... others) {
        return Stream.concat(
                        Stream.of("wire", "motion", "blocks", "net", "arena", "game"),
                        Stream.of(others))
                .toList();
    }

    /** The package of a class, from a root on; empty for the root itself. */
    private static String below(JavaClass type, String root) {
        String rest = type.getPackageName().substring(root.length());
        return rest.isEmpty() ? "" : rest.substring(1);
    }

    /** The first name of a package. */
    private static String first(String name) {
        return name.split("\\.", 2)[0];
    }

    private static boolean isBelow(JavaClass type, String root) {
        return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
    }

    /**
     * Fails where a part below a root uses another that its arrows don't reach, or is empty, or has
     * no arrows at all.
     *
     * @param part the part that a package below the root belongs to
     * @param free what may use everything
     */
    static void hold(
            JavaClasses classes,
            String root,
            Map<String, List<String>> arrows,
            UnaryOperator<String> part,
            Predicate<String> free) {
        Map<String, Set<String>> uses = new HashMap<>();
        Map<String, Set<String>> examples = new HashMap<>();
        for (JavaClass type : classes) {
            if (!isBelow(type, root)) {
                continue;
            }
            String from = part.apply(below(type, root));
            uses.computeIfAbsent(from, _ -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .filter(use -> isBelow(use.getTargetClass().getBaseComponentType(), root))
                    .forEach(use -> {
                        String to =
                                part.apply(
                                        below(use.getTargetClass().getBaseComponentType(), root));
                        if (!to.equals(from)
                                && !free.test(from)
                                && !arrows.getOrDefault(from, List.of()).contains(to)) {
                            examples.computeIfAbsent(from + " -> " + to, _ -> new TreeSet<>())
                                    .add(use.getDescription());
                        }
                    });
        }
        assertThat(examples).as("arrows below " + root + " that are not drawn").isEmpty();
        assertThat(uses.keySet().stream().filter(free.negate()).collect(Collectors.toSet()))
                .as("parts below " + root)
                .isEqualTo(arrows.keySet());
    }

    @Test
    void usesOnlyAllowedModules() {
        hold(
                CLASSES,
                ROOT,
                MODULES,
                ModuleDependencyTest::first,
                module -> Set.of("app", "bench", "interop").contains(module));
    }

    @TestFactory
    Stream<DynamicTest> usesOnlyAllowedPackagesInGames() {
        return GAMES.stream()
                .map(game ->
                        DynamicTest.dynamicTest(
                                game,
                                () ->
                                        hold(
                                                CLASSES,
                                                ROOT + "." + game,
                                                arrows(requireNonNull(PACKAGES.get(game))),
                                                name -> name,
                                                String::isEmpty)));
    }

    @TestFactory
    Stream<DynamicTest> keepsOnlyEntryInGameRoot() {
        return GAMES.stream()
                .map(game ->
                        DynamicTest.dynamicTest(
                                game,
                                () ->
                                        assertThat(
                                                        CLASSES.stream()
                                                                .filter(type ->
                                                                        type.getPackageName()
                                                                                .equals(
                                                                                        ROOT + "."
                                                                                                + game))
                                                                .filter(JavaClass::isTopLevelClass)
                                                                .map(JavaClass::getSimpleName)
                                                                .filter(name ->
                                                                        !name.equals(
                                                                                "package-info")))
                                                .hasSize(1)
                                                .allMatch(name -> name.endsWith("Game"))));
    }

    /** Whoever knows one game knows four: the same stems, where all look for them. */
    @TestFactory
    Stream<DynamicTest> hasPublicStemsInEachGame() {
        Map<String, String> names =
                Map.of(
                        "sauerbraten", "Sauerbraten",
                        "quake2", "Quake2",
                        "quake3", "Quake3",
                        "bedrock", "Bedrock");
        return GAMES.stream()
                .map(game ->
                        DynamicTest.dynamicTest(
                                game,
                                () -> {
                                    String root = ROOT + "." + game + ".";
                                    String name = names.get(game);
                                    assertPublic(root + name + "Game");
                                    assertPublic(root + "protocol." + name + "Codec");
                                    assertPublic(root + "movement." + name + "Motion");
                                    assertPublic(root + "inspect." + name + "Dissector");
                                    assertOpenedBy(root + "client." + name + "Client", "connect");
                                    assertOpenedBy(root + "server." + name + "Endpoint", "open");
                                }));
    }

    private static JavaClass assertPublic(String name) {
        JavaClass type = CLASSES.get(name);
        assertThat(type.getModifiers()).as(name).contains(JavaModifier.PUBLIC);
        return type;
    }

    /** Made by a public static method, so that no caller has one that is not whole. */
    private static void assertOpenedBy(String name, String method) {
        JavaClass type = assertPublic(name);
        assertThat(type.getConstructors())
                .as(name)
                .noneMatch(made -> made.getModifiers().contains(JavaModifier.PUBLIC));
        assertThat(type.getMethods())
                .as(name)
                .anyMatch(each ->
                        each.getName().equals(method)
                                && each.getModifiers()
                                        .containsAll(
                                                Set.of(JavaModifier.PUBLIC, JavaModifier.STATIC)));
    }

    @Test
    void hasNoPackageCycles() {
        assertThat(CLASSES).hasSizeGreaterThan(500);
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void keepsNettyInNet() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".net..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..")
                .check(CLASSES);
    }

    @Test
    void keepsNatsInCluster() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.nats..")
                .check(CLASSES);
    }

    /** Nodes compare no wall clocks, which may be wrong and may be set at any time. */
    @Test
    void readsNoWallClockInCluster() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".cluster..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .accessClassesThat()
                .areAssignableTo(InstantSource.class)
                .check(CLASSES);
    }

    /** Only the movement steps of its game write a player's body, some of them in two classes. */
    private static final String BODY = ROOT + ".quake3.movement.PmoveState";

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ModuleDependencyTest::outermost).orElse(type);
    }

    /** The fields that another top-level class than their own writes, and who does. */
    static Set<String> writtenOutside(JavaClasses classes) {
        Set<String> written = new TreeSet<>();
        for (JavaClass type : classes) {
            for (JavaFieldAccess access : type.getFieldAccessesFromSelf()) {
                JavaClass owner = outermost(access.getTargetOwner());
                if (access.getAccessType() == AccessType.SET
                        && owner.getPackageName().startsWith(ROOT)
                        && !owner.getName().equals(outermost(type).getName())) {
                    written.add(access.getTarget().getFullName() + " by " + type.getName());
                }
            }
        }
        return written;
    }

    @Test
    void writesFieldsOnlyInTheirClass() {
        assertThat(CLASSES).hasSizeGreaterThan(500);
        assertThat(writtenOutside(CLASSES))
                .allSatisfy(written ->
                        assertThat(written)
                                .startsWith(BODY + ".")
                                .containsPattern(
                                        "by .*[.]quake3[.]movement[.](Pmove|ItemEffects)"));
    }

    @Test
    void findsForeignFieldWrite() {
        assertThat(writtenOutside(new ClassFileImporter().importPackages(ROOT + ".interop.layers")))
                .containsExactly(
                        ROOT
                                + ".interop.layers.lower.Lower.written by "
                                + ROOT
                                + ".interop.layers.upper.Upper");
    }

    @Test
    void findsForbiddenUse() {
        JavaClasses layers = new ClassFileImporter().importPackages(ROOT + ".interop.layers");
        String root = ROOT + ".interop.layers";
        Map<String, List<String>> drawn = Map.of("upper", List.of("lower"), "lower", List.of());
        hold(layers, root, drawn, name -> name, String::isEmpty);
        Map<String, List<String>> lacking = Map.of("upper", List.of(), "lower", List.of());
        assertThatThrownBy(() -> hold(layers, root, lacking, name -> name, String::isEmpty))
                .hasMessageContaining("upper -> lower");
        Map<String, List<String>> more =
                Map.of("upper", List.of("lower"), "lower", List.of(), "base", List.of());
        assertThatThrownBy(() -> hold(layers, root, more, name -> name, String::isEmpty))
                .hasMessageContaining("base");
        Map<String, List<String>> fewer = Map.of("upper", List.of("lower"));
        assertThatThrownBy(() -> hold(layers, root, fewer, name -> name, String::isEmpty))
                .hasMessageContaining("lower");
    }
}
