package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Bounds;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The map file that a server has for its players, and what it knows of the map.
 *
 * @param name the map's name; empty for the empty world that each client generates
 * @param file the map's file; empty if the server has none
 * @param crc the checksum that a client reports after it has loaded the file
 * @param side of the map, units
 * @param triggers the move triggers; empty if they are unknown
 * @param bases with the flags of two teams, of a map of the game; empty if it has none
 * @param flags of a map of the game, in the order in which clients number them
 * @param blocks the arena from which the map was generated
 */
public record ServedMap(
        GameMode mode,
        String name,
        Bytes file,
        OptionalInt crc,
        int side,
        Optional<MoveTriggers> triggers,
        Optional<FlagBases> bases,
        List<FlagMessage.Placed> flags,
        Optional<BlockArena> blocks) {
    /** The side assumed for a map without a file here, units: that of a large map. */
    static final int UNKNOWN_SIDE = 4096;

    /** The option for the number of the first mode. */
    public static final String MODE = "mode";

    /**
     * Checks the option's value.
     *
     * @throws IllegalArgumentException if it is not a mode that is played here
     */
    public static void checkMode(String value) {
        mode(value, GameMode.FFA);
    }

    private static MapFile read(String path) throws IOException {
        try {
            return MapFile.read(path);
        } catch (IOException e) {
            throw new IOException("option " + MapFile.OPTION + ": " + ExceptionMessage.of(e), e);
        }
    }

    /** The operator's map, or the generated arena in coop edit, in which clients fetch it. */
    public static ServedMap of(EndpointContext context) throws IOException {
        if (!CubeText.map(context.map()).equals(context.map())) {
            throw new IOException(
                    "'"
                            + context.map()
                            + "' is not a map name of Sauerbraten: use at most "
                            + CubeText.MAX_STRING_CHARS
                            + " characters that the game has");
        }
        String path = context.options().getOrDefault(MapFile.OPTION, "");
        String value = context.options().getOrDefault(MODE, "");
        GameMode otherwise = GameMode.of(context.arena().match().rules().mode());
        if (!path.isEmpty()) {
            MapFile file = read(path);
            return new ServedMap(
                    mode(value, otherwise),
                    context.map().isEmpty() ? file.name() : context.map(),
                    file.bytes(),
                    OptionalInt.of(file.crc()),
                    file.side(),
                    Optional.empty(),
                    file.bases(),
                    file.flags(),
                    Optional.empty());
        }
        if (!context.map().isEmpty()) {
            return new ServedMap(
                    mode(value, otherwise),
                    context.map(),
                    Bytes.EMPTY,
                    OptionalInt.empty(),
                    UNKNOWN_SIDE,
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty());
        }
        return of(context.blocks(), mode(value, GameMode.COOP_EDIT));
    }

    /** The map that is generated from an arena. */
    static ServedMap of(BlockArena blocks, GameMode mode) {
        Bytes file =
                Bytes.wrap(
                        blocks.compiled("ogz", () -> OgzCompiler.build(blocks).file().toArray()));
        Ogz built = Ogz.read(file);
        return new ServedMap(
                mode,
                blocks.mapName(),
                file,
                OptionalInt.of(built.crc()),
                built.worldsize(),
                Optional.of(MoveTriggers.of(built, SauerbratenMotion.of(built.worldsize()))),
                Optional.empty(),
                List.of(),
                Optional.of(blocks));
    }

    /**
     * Conversion of canonical positions to it: as on stock maps, or in the middle of a generated
     * map.
     */
    public SauerbratenMotion motion() {
        return blocks.isPresent() ? SauerbratenMotion.of(side) : SauerbratenMotion.CENTERED;
    }

    /** The level for the arena. */
    Level level(Bounds otherwise) {
        return blocks.map(Level::of)
                .orElseGet(() -> new Level(name, otherwise).withBases(bases))
                .with(files());
    }

    /** The file as clients have it; empty if the server has none. */
    List<Level.File> files() {
        return file.length() == 0
                ? List.of()
                : List.of(new Level.File("packages/base/" + name + ".ogz", file));
    }

    private static GameMode mode(String value, GameMode otherwise) {
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.matches("[0-9]{1,2}") && new GameMode(Integer.parseInt(value)).supported()) {
            return new GameMode(Integer.parseInt(value));
        }
        throw new IllegalArgumentException(
                "option mode must be 0 to 8, 11, 12 or 17, is '"
                        + value
                        + "'; bases, tokens, protect and hold are not played here, as only one game"
                        + " has their rules");
    }
}
