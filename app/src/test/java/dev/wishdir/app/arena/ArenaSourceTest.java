package dev.wishdir.app.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

@Tag("slow")
final class ArenaSourceTest {
    private final Game quake2 = new Quake2Game();
    private final List<String> told = new ArrayList<>();
    private final List<Game> games = List.of(quake2, new Quake3Game());

    @TempDir private Path folder;

    /** The hall as a map of Quake II in a folder of the game. */
    private byte[] hall() throws IOException {
        Level.File bsp = quake2.files(ArenaCatalog.shipped("hall")).getFirst();
        Files.createDirectories(folder.resolve("maps"));
        Files.write(folder.resolve("maps/hall.bsp"), bsp.content().toArray());
        return bsp.content().toArray();
    }

    private ArenaSource source() {
        return new ArenaSource(
                games,
                game -> game.equals(quake2) ? Map.of("data", folder.toString()) : Map.of(),
                told::add);
    }

    @Test
    void playsNamedMapUnchangedInItsGame() throws Exception {
        hall();
        BlockArena arena = source().arena("map:hall");
        assertThat(arena.original("quake2")).contains("hall");
        assertThat(arena.original("quake3")).isEmpty();
        assertThat(told).contains("Players of quake2 play the original map.");
    }

    @Test
    void exportsBlocksOfNamedMap() throws Exception {
        hall();
        BlockArena arena = source().arena("map:hall");
        for (Game game : games) {
            assertThat(game.files(arena))
                    .as(game.name())
                    .extracting(Level.File::path)
                    .containsExactlyElementsOf(
                            game.files(ArenaCatalog.shipped("hall")).stream()
                                    .map(Level.File::path)
                                    .toList());
        }
    }

    @Test
    void convertsMapFileToBlocksForAllGames() throws Exception {
        hall();
        BlockArena arena = source().arena("map:" + folder.resolve("maps/hall.bsp"));
        assertThat(arena.original("quake2")).isEmpty();
        assertThat(arena.spawns()).isEqualTo(ArenaCatalog.shipped("hall").spawns());
    }

    @Test
    void readsTextOfMapAsArena() throws Exception {
        hall();
        Path text = folder.resolve("hall.txt");
        Shell.Run run =
                new Shell(quake2)
                        .run(
                                "arena",
                                "from-bsp",
                                folder.resolve("maps/hall.bsp").toString(),
                                "--out",
                                text.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(ArenaText.read(Files.readString(text)).spawns())
                .isEqualTo(ArenaCatalog.shipped("hall").spawns());
        // A map's bodies stop a 32nd of a unit before what they touch: what just fits does not.
        assertThat(run.err())
                .containsPattern(
                        "quake2: 9\\d\\.\\d % of the map's reachable floor is within 0.5 m of a"
                            + " place that its players reach, 9\\d\\.\\d % of those places within"
                            + " 0.5 m of the map's floor");
    }

    /** The arena that docs/arena.md lets its reader begin with. */
    private static List<String> example() throws IOException {
        return Files.readAllLines(Path.of("../docs/arena.md")).stream()
                .dropWhile(line -> !line.equals("    wishdir-arena 1"))
                .takeWhile(line -> line.isEmpty() || line.startsWith("    "))
                .map(String::strip)
                .toList();
    }

    @Test
    void acceptsExampleOfPageInAllGames() throws Exception {
        Path file = Files.write(folder.resolve("shed.txt"), example());

        Shell.Run run =
                new Shell(Games.ALL.toArray(Game[]::new)).run("arena", "check", file.toString());

        assertThat(run.out())
                .isEqualTo("shed, 8 x 6 x 4 blocks: no problems for players of 4 games\n");
        assertThat(run.status()).isZero();
    }

    @Test
    void namesUnusableSpawnPoints() throws Exception {
        List<String> lines = new ArrayList<>(example());
        lines.replaceAll(line -> line.startsWith("spawn ") ? "spawn -2 1.5 0 0" : line);
        Path file = Files.write(folder.resolve("shed.txt"), lines);

        source().playable(file.toString());

        assertThat(told)
                .containsExactly(
                        "spawn 1 at -2.0 1.5 0.0 is in something solid for quake2",
                        "spawn 1 at -2.0 1.5 0.0 is in something solid for quake3",
                        "For a list of all problems: wishdir arena check " + file);
    }

    @Test
    void refusesInvalidMapWithReasonAndPlace() throws Exception {
        byte[] hall = hall();
        Path cut = folder.resolve("maps/cut.bsp");
        Files.write(cut, Arrays.copyOf(hall, hall.length / 2));
        assertThatThrownBy(() -> source().arena("map:" + cut))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageMatching("map cut is broken: map, byte \\d+: lump .* lies outside.*");
        assertThatThrownBy(() -> source().arena("map:cut"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith("map cut is broken: ");
        Path text = Files.writeString(folder.resolve("text.bsp"), "no map at all");
        assertThatThrownBy(() -> source().arena("map:" + text))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageEndingWith("is not a map of Quake II (IBSP 38) or Quake III (IBSP 46)");
        assertThatThrownBy(() -> source().arena("map:./nowhere.bsp"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessage("there is no file ./nowhere.bsp");
        for (String name : List.of("nowhere", "..", "a b")) {
            assertThatThrownBy(() -> source().arena("map:" + name))
                    .isInstanceOf(CommandFailedException.class)
                    .hasMessageContaining("set the folder of the game with --quake2-data");
        }
        Path huge = folder.resolve("huge.bsp");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength((64 << 20) + 1);
        }
        assertThatThrownBy(() -> source().arena("map:" + huge))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageEndingWith("is larger than a map can be (67108864 bytes)");
    }
}
