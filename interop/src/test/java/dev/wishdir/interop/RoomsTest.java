package dev.wishdir.interop;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The walls between the rooms: who may use whom, as docs/ARCHITECTURE.md draws it. */
class RoomsTest {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");

    private static final List<String> GAME_USES =
            List.of("wire", "motion", "world", "net", "arena", "game");

    private static final Map<String, List<String>> ARROWS =
            Map.ofEntries(
                    Map.entry("wire", List.of()),
                    Map.entry("motion", List.of()),
                    Map.entry("world", List.of("motion")),
                    Map.entry("net", List.of()),
                    Map.entry("enet", List.of("wire", "net")),
                    Map.entry("arena", List.of("wire", "motion", "world")),
                    Map.entry("game", List.of("wire", "motion", "world", "net", "arena")),
                    Map.entry("inspect", List.of("wire")),
                    Map.entry("sauerbraten", with(GAME_USES, "enet")),
                    Map.entry("quake2", GAME_USES),
                    Map.entry("quake3", GAME_USES),
                    Map.entry("bedrock", GAME_USES));

    /** What the packages of a game may use of the game; the root has no name. */
    private static final Map<String, Map<String, List<String>>> INSIDE =
            Map.of(
                    "sauerbraten",
                    Map.of(
                            "",
                            List.of("client", "server", "inspect", "map", "protocol"),
                            "message",
                            List.of(),
                            "protocol",
                            List.of("message"),
                            "movement",
                            List.of("message"),
                            "map",
                            List.of("message", "movement"),
                            "client",
                            List.of("message", "protocol", "movement", "map"),
                            "server",
                            List.of("message", "protocol", "movement", "map"),
                            "inspect",
                            List.of("message", "protocol")));

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.wishdir");

    private static List<String> with(List<String> rooms, String another) {
        return Stream.concat(rooms.stream(), Stream.of(another)).toList();
    }

    private static String room(String name) {
        return "dev.wishdir." + name + "..";
    }

    @TestFactory
    Stream<DynamicTest> aRoomUsesOnlyTheRoomsThatItsArrowsReach() {
        List<String> rooms = new ArrayList<>(ARROWS.keySet());
        rooms.add("app");
        return ARROWS.entrySet().stream()
                .map(arrow ->
                        DynamicTest.dynamicTest(
                                arrow.getKey(),
                                () -> {
                                    String[] forbidden =
                                            rooms.stream()
                                                    .filter(room -> !room.equals(arrow.getKey()))
                                                    .filter(room ->
                                                            !arrow.getValue().contains(room))
                                                    .map(RoomsTest::room)
                                                    .toArray(String[]::new);
                                    noClasses()
                                            .that()
                                            .resideInAPackage(room(arrow.getKey()))
                                            .should()
                                            .dependOnClassesThat()
                                            .resideInAnyPackage(forbidden)
                                            .allowEmptyShould(true)
                                            .check(CLASSES);
                                }));
    }

    @Test
    void nettyStaysInNet() {
        noClasses()
                .that()
                .resideOutsideOfPackage(room("net"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..")
                .check(CLASSES);
    }

    @TestFactory
    Stream<DynamicTest> aGameHasOnePackageAndItsMessages() {
        return GAMES.stream()
                .filter(game -> !INSIDE.containsKey(game))
                .map(game ->
                        DynamicTest.dynamicTest(
                                game,
                                () ->
                                        classes()
                                                .that()
                                                .resideInAPackage(room(game))
                                                .should()
                                                .resideInAnyPackage(
                                                        "dev.wishdir." + game,
                                                        "dev.wishdir." + game + ".message")
                                                .check(CLASSES)));
    }

    @TestFactory
    Stream<DynamicTest> aPackageOfAGameUsesOnlyThoseThatItsArrowsReach() {
        return INSIDE.entrySet().stream()
                .flatMap(game ->
                        game.getValue().entrySet().stream()
                                .map(arrow ->
                                        DynamicTest.dynamicTest(
                                                game.getKey() + " " + arrow.getKey(),
                                                () -> checkPackage(game, arrow))));
    }

    /** An unknown package of the game is forbidden too: what is neither in it nor allowed. */
    private static void checkPackage(
            Map.Entry<String, Map<String, List<String>>> game,
            Map.Entry<String, List<String>> arrow) {
        String[] allowed =
                Stream.concat(Stream.of(arrow.getKey()), arrow.getValue().stream())
                        .map(name -> inside(game.getKey(), name))
                        .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(inside(game.getKey(), arrow.getKey()))
                .should()
                .onlyDependOnClassesThat(
                        resideOutsideOfPackage(room(game.getKey())).or(resideInAnyPackage(allowed)))
                .check(CLASSES);
    }

    @TestFactory
    Stream<DynamicTest> aGameHasNoOtherPackages() {
        return INSIDE.entrySet().stream()
                .map(game ->
                        DynamicTest.dynamicTest(
                                game.getKey(),
                                () ->
                                        classes()
                                                .that()
                                                .resideInAPackage(room(game.getKey()))
                                                .should()
                                                .resideInAnyPackage(
                                                        game.getValue().keySet().stream()
                                                                .map(name ->
                                                                        inside(game.getKey(), name))
                                                                .toArray(String[]::new))
                                                .check(CLASSES)));
    }

    private static String inside(String game, String name) {
        return "dev.wishdir." + game + (name.isEmpty() ? "" : "." + name);
    }
}
