package dev.wishdir.app.arena;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.GeneratedFile;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.TopDownImage;
import dev.wishdir.blocks.reach.ArenaValidator;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.ReachabilitySearch;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.game.Game;
import dev.wishdir.wire.Quantity;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import javax.imageio.ImageIO;

/** {@code arena}: checks, exports and converts arenas of blocks. */
@Command(
        name = "arena",
        synopsisSubcommandLabel = "COMMAND",
        description = "Check, export and convert arenas of blocks.")
public final class ArenaCommand implements Runnable {
    private static final int PIXELS_PER_BLOCK = 8;
    private static final String SOURCE_HELP =
            "hall, hills, flat, circuit, forts, an arena file, or map:NAME, a map of an installed"
                    + " game.";

    private final List<Game> games;

    @Spec private CommandSpec spec;

    public ArenaCommand(List<Game> games) {
        this.games = games;
    }

    private ArenaSource source() {
        return ArenaSource.withDefaults(games, spec.commandLine().getErr()::println);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing subcommand: check, export or from-bsp");
    }

    @Command(
            name = "check",
            description =
                    "List the places where players of a game cannot pass, get stuck or cannot"
                            + " spawn. Exit status 1 if there is one.")
    int check(
            @Parameters(paramLabel = "NAME|FILE|map:NAME", description = SOURCE_HELP) String where)
            throws CommandFailedException {
        ArenaSource source = source();
        BlockArena arena = source.arena(where);
        List<BodyDimensions> bodies = source.bodies();
        List<String> problems = ArenaValidator.problems(arena, bodies);
        PrintWriter out = spec.commandLine().getOut();
        problems.forEach(out::println);
        if (problems.isEmpty()) {
            out.println(arena + ": no problems for players of " + bodies.size() + " games");
        }
        out.flush();
        return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    @Command(
            name = "export",
            description =
                    "Write the map files of each game, the arena as text, and a top-down image.")
    int export(
            @Parameters(paramLabel = "NAME|FILE|map:NAME", description = SOURCE_HELP) String where,
            @Option(
                            names = "--out",
                            paramLabel = "DIR",
                            required = true,
                            description = "The folder to write to; created if missing.")
                    Path folder)
            throws CommandFailedException {
        BlockArena arena = source().arena(where);
        try {
            for (Game game : games) {
                for (Level.File file : game.files(arena)) {
                    Path to = folder.resolve(game.name()).resolve(file.path());
                    write(to, file.content().toArray());
                }
            }
            Path text = folder.resolve(arena.name() + ".txt");
            Files.createDirectories(folder);
            if (!where.startsWith(ArenaSource.MAP)
                    && Files.exists(text)
                    && Files.exists(Path.of(where))
                    && Files.isSameFile(text, Path.of(where))) {
                throw new IOException(
                        text + " is the arena itself, which is not replaced: use another --out");
            }
            GeneratedFile.write(text, ArenaText.write(arena));
            Path picture = folder.resolve(arena.name() + ".png");
            ImageIO.write(picture(arena), "png", picture.toFile());
            spec.commandLine().getOut().println(picture);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot write to " + folder + ": " + e.getMessage(), e);
        }
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }

    @Command(
            name = "from-bsp",
            description =
                    "Convert a map of an installed game to an arena of blocks, and report"
                            + " deviations and losses.")
    int fromBsp(
            @Parameters(
                            paramLabel = "NAME|FILE",
                            description = "A map of an installed game, or a .bsp file.")
                    String where,
            @Option(
                            names = "--out",
                            paramLabel = "FILE",
                            description = "Where to write the text; without it, standard output.")
                    @Nullable Path text)
            throws CommandFailedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            StockMap map = source().map(where);
            BlockArena arena = StockMapConverter.of(map);
            if (text == null) {
                out.print(ArenaText.write(arena));
            } else {
                GeneratedFile.write(text, ArenaText.write(arena));
                out.println(text);
            }
            err.println(arena + ", from " + Quantity.of(map.brushes().size(), "brush", "brushes"));
            deviation(map, arena, err);
            map.unsupported().forEach(what -> err.println("lost: " + what));
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } finally {
            out.flush();
            err.flush();
        }
        return CommandLine.ExitCode.OK;
    }

    private void deviation(StockMap map, BlockArena arena, PrintWriter err) {
        ReachabilitySearch own = ReachabilitySearch.of(map.space(), map.body(), map.spawns());
        for (Game game : games) {
            Optional<BodyDimensions> body = game.body();
            if (body.isPresent()) {
                ReachabilitySearch blocks =
                        ReachabilitySearch.of(arena.space(), body.get(), arena.spawns());
                err.println(
                        String.format(
                                Locale.ROOT,
                                "%s: %.1f %% of the map's reachable floor is within 0.5 m of a"
                                        + " place that its players reach, %.1f %% of those places"
                                        + " within 0.5 m of the map's floor",
                                game.name(),
                                100 * own.shareCoveredBy(blocks),
                                100 * blocks.shareCoveredBy(own)));
            }
        }
    }

    private void write(Path file, byte[] content) throws IOException {
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.write(file, content);
        spec.commandLine().getOut().println(file);
    }

    private static BufferedImage picture(BlockArena arena) {
        TopDownImage above = new TopDownImage(arena);
        int[][] rows = above.picture(PIXELS_PER_BLOCK, above.built());
        BufferedImage image =
                new BufferedImage(rows[0].length, rows.length, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < rows.length; y++) {
            image.setRGB(0, y, rows[y].length, 1, rows[y], 0, rows[y].length);
        }
        return image;
    }
}
