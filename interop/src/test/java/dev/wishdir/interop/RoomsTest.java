package dev.wishdir.interop;

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
                    Map.entry("arena", List.of("wire", "motion", "world")),
                    Map.entry("game", List.of("wire", "motion", "world", "net", "arena")),
                    Map.entry("nethernet", List.of("wire", "net")),
                    Map.entry("inspect", List.of("wire")),
                    Map.entry("sauerbraten", GAME_USES),
                    Map.entry("quake2", GAME_USES),
                    Map.entry("quake3", GAME_USES),
                    Map.entry("bedrock", GAME_USES));

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
    Stream<DynamicTest> aGameHasOnePackageAndItsMessages() {
        return GAMES.stream()
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
