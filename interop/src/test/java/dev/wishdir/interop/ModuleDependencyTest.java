package dev.wishdir.interop;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The dependencies between modules, and between the packages of a game, as docs/ARCHITECTURE.md
 * draws it.
 */
class ModuleDependencyTest {
    private static final String ROOT = "dev.wishdir";

    private static final Map<String, List<String>> ROOMS =
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

    /** The packages of a game; the one without a name is its root, where its entry is. */
    private static final Map<String, List<String>> PACKAGES =
            Map.ofEntries(
                    Map.entry("message", List.of()),
                    Map.entry("netchan", List.of("message")),
                    Map.entry("protocol", List.of("message", "netchan")),
                    Map.entry("movement", List.of("message")),
                    Map.entry("map", List.of("message", "movement", "combat")),
                    Map.entry("entity", List.of("message", "movement", "map")),
                    Map.entry("combat", List.of("message")),
                    Map.entry(
                            "client",
                            List.of("message", "netchan", "protocol", "movement", "map", "entity")),
                    Map.entry(
                            "server",
                            List.of(
                                    "message",
                                    "netchan",
                                    "protocol",
                                    "movement",
                                    "map",
                                    "entity",
                                    "combat")),
                    Map.entry(
                            "inspect",
                            List.of("message", "netchan", "protocol", "movement", "map")),
                    Map.entry("proxy", List.of("message", "netchan", "protocol", "inspect")));

    private static final JavaClasses CLASSES = ProductionClasses.ALL;

    private static Set<String> lacking(String game) {
        return switch (game) {
            case "quake3" -> Set.of("combat");
            case "quake2" -> Set.of("entity");
            default -> Set.of("netchan", "entity", "combat");
        };
    }

    private static List<String> gameUses(String... others) {
        return Stream.concat(
                        Stream.of("wire", "motion", "blocks", "net", "arena", "game"),
                        Stream.of(others))
                .toList();
    }

    /** The name of the part below a root that a class is in, empty for the root itself. */
    private static String part(JavaClass type, String root) {
        String rest = type.getPackageName().substring(root.length());
        return rest.isEmpty() ? "" : rest.substring(1).split("\\.", 2)[0];
    }

    private static boolean isBelow(JavaClass type, String root) {
        return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
    }

    /**
     * Fails where a part below a root uses another that its arrows don't reach, or is empty, or has
     * no arrows at all.
     *
     * @param free what may use everything
     */
    static void hold(
            JavaClasses classes,
            String root,
            Map<String, List<String>> arrows,
            Predicate<String> free) {
        Map<String, Set<String>> uses = new HashMap<>();
        Map<String, Set<String>> examples = new HashMap<>();
        for (JavaClass type : classes) {
            if (!isBelow(type, root)) {
                continue;
            }
            String from = part(type, root);
            uses.computeIfAbsent(from, _ -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .filter(use -> isBelow(use.getTargetClass().getBaseComponentType(), root))
                    .forEach(use -> {
                        String to = part(use.getTargetClass().getBaseComponentType(), root);
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
        hold(CLASSES, ROOT, ROOMS, room -> Set.of("app", "bench", "interop").contains(room));
    }

    @TestFactory
    Stream<DynamicTest> usesOnlyAllowedPackagesInGames() {
        return GAMES.stream()
                .map(game ->
                        DynamicTest.dynamicTest(
                                game,
                                () -> {
                                    Map<String, List<String>> arrows = new HashMap<>(PACKAGES);
                                    arrows.keySet().removeAll(lacking(game));
                                    hold(CLASSES, ROOT + "." + game, arrows, String::isEmpty);
                                }));
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
                                .containsPattern("by .*[.]quake3[.]movement[.]Pmove"));
    }

    @Test
    void findsForeignFieldWrite() {
        assertThat(writtenOutside(new ClassFileImporter().importPackages(ROOT + ".interop.walls")))
                .containsExactly(
                        ROOT
                                + ".interop.walls.lower.Lower.written by "
                                + ROOT
                                + ".interop.walls.upper.Upper");
    }

    @Test
    void findsForbiddenUse() {
        JavaClasses walls = new ClassFileImporter().importPackages(ROOT + ".interop.walls");
        String root = ROOT + ".interop.walls";
        Map<String, List<String>> drawn = Map.of("upper", List.of("lower"), "lower", List.of());
        hold(walls, root, drawn, String::isEmpty);
        Map<String, List<String>> lacking = Map.of("upper", List.of(), "lower", List.of());
        assertThatThrownBy(() -> hold(walls, root, lacking, String::isEmpty))
                .hasMessageContaining("upper -> lower");
        Map<String, List<String>> more =
                Map.of("upper", List.of("lower"), "lower", List.of(), "cellar", List.of());
        assertThatThrownBy(() -> hold(walls, root, more, String::isEmpty))
                .hasMessageContaining("cellar");
        Map<String, List<String>> fewer = Map.of("upper", List.of("lower"));
        assertThatThrownBy(() -> hold(walls, root, fewer, String::isEmpty))
                .hasMessageContaining("lower");
    }
}
