package dev.wishdir.interop;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
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
                    Map.entry("raknet", List.of("wire", "net")),
                    Map.entry("arena", List.of("wire", "motion", "world")),
                    Map.entry("game", List.of("wire", "motion", "world", "net", "arena")),
                    Map.entry("inspect", List.of("wire")),
                    Map.entry("sauerbraten", GAME_USES),
                    Map.entry("quake2", GAME_USES),
                    Map.entry("quake3", GAME_USES),
                    Map.entry("bedrock", with(GAME_USES, "raknet")));

    /** What a package of bedrock uses of its neighbours. */
    private static final Map<String, List<String>> BEDROCK =
            Map.of(
                    "message", List.of(),
                    "protocol", List.of("message"),
                    "movement", List.of("message"),
                    "map", List.of("message"),
                    "client", List.of("message", "protocol", "movement"),
                    "server", List.of("message", "protocol", "movement", "map"),
                    "inspect", List.of("message", "protocol"));

    private static List<String> with(List<String> rooms, String room) {
        List<String> all = new ArrayList<>(rooms);
        all.add(room);
        return all;
    }

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.wishdir");

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
    Stream<DynamicTest> aPackageOfBedrockUsesOnlyThoseThatItsArrowsReach() {
        return BEDROCK.entrySet().stream()
                .map(arrow ->
                        DynamicTest.dynamicTest(
                                arrow.getKey(),
                                () -> {
                                    String[] reached =
                                            Stream.concat(
                                                            Stream.of(arrow.getKey()),
                                                            arrow.getValue().stream())
                                                    .map(name -> "dev.wishdir.bedrock." + name)
                                                    .toArray(String[]::new);
                                    noClasses()
                                            .that()
                                            .resideInAPackage(
                                                    "dev.wishdir.bedrock." + arrow.getKey())
                                            .should()
                                            .dependOnClassesThat(
                                                    resideInAPackage("dev.wishdir.bedrock..")
                                                            .and(resideOutsideOfPackages(reached)))
                                            .check(CLASSES);
                                }));
    }

    @Test
    void bedrocksRootIsItsGameAlone() {
        classes()
                .that()
                .resideInAPackage("dev.wishdir.bedrock")
                .should()
                .haveSimpleName("BedrockGame")
                .orShould()
                .haveSimpleName("package-info")
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage("dev.wishdir.bedrock..")
                .should()
                .resideInAnyPackage(
                        Stream.concat(Stream.of(""), BEDROCK.keySet().stream().map(n -> "." + n))
                                .map(name -> "dev.wishdir.bedrock" + name)
                                .toArray(String[]::new))
                .check(CLASSES);
    }

    @TestFactory
    Stream<DynamicTest> aGameHasOnePackageAndItsMessages() {
        return GAMES.stream()
                .filter(game -> !game.equals("bedrock"))
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
}
