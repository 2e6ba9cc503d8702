package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.SharedArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The map that the server provides.
 *
 * @param name empty for the empty world that every client makes itself
 * @param file empty if the server has none
 * @param crc as clients with this file report it
 * @param side of the map, units
 * @param exits move triggers; empty if unknown
 * @param blocks arena that the map was generated from
 */
record ServedMap(
        SauerbratenMode mode,
        String name,
        Bytes file,
        OptionalInt crc,
        int side,
        Optional<MoveTriggers> exits,
        Optional<BlockArena> blocks) {
    /** The option for the number of the first mode. */
    static final String MODE = "mode";

    /**
     * @throws IllegalArgumentException if the option's value is wrong
     */
    static void checkMode(String value) {
        mode(value, SauerbratenMode.FFA);
    }

    /**
     * The operator's map, or one generated from the arena in coop edit, in which clients can
     * download it.
     */
    static ServedMap of(EndpointContext context) throws IOException {
        String path = context.options().getOrDefault(MapFile.OPTION, "");
        String value = context.options().getOrDefault(MODE, "");
        if (!path.isEmpty()) {
            MapFile file = MapFile.read(path);
            return new ServedMap(
                    mode(value, SauerbratenMode.FFA),
                    context.map().isEmpty() ? file.name() : context.map(),
                    file.bytes(),
                    OptionalInt.of(file.crc()),
                    file.side(),
                    Optional.empty(),
                    Optional.empty());
        }
        if (!context.map().isEmpty()) {
            return new ServedMap(
                    mode(value, SauerbratenMode.FFA),
                    context.map(),
                    Bytes.EMPTY,
                    OptionalInt.empty(),
                    SauerbratenMatch.UNKNOWN_SIDE,
                    Optional.empty(),
                    Optional.empty());
        }
        return of(context.blocks(), mode(value, SauerbratenMode.COOP_EDIT));
    }

    /** A map generated from an arena. */
    static ServedMap of(BlockArena blocks, SauerbratenMode mode) {
        Bytes file =
                Bytes.wrap(blocks.made("ogz", () -> OgzCompiler.build(blocks).file().toArray()));
        Ogz built = Ogz.read(file);
        return new ServedMap(
                mode,
                SharedArena.PREFIX + blocks.name(),
                file,
                OptionalInt.of(built.crc()),
                built.worldsize(),
                Optional.of(MoveTriggers.of(built, SauerbratenMotion.of(built.worldsize()))),
                Optional.of(blocks));
    }

    /** Conversion of its coordinates: the default one, or centred for a generated map. */
    SauerbratenMotion motion() {
        return blocks.isPresent() ? SauerbratenMotion.of(side) : SauerbratenMotion.CENTERED;
    }

    /** The map as a level of the arena. */
    Level level(Bounds defaultValue) {
        return blocks.map(Level::of).orElseGet(() -> new Level(name, defaultValue)).with(files());
    }

    /** The file for clients; empty if the server has none. */
    List<Level.File> files() {
        return file.length() == 0
                ? List.of()
                : List.of(new Level.File("packages/base/" + name + ".ogz", file));
    }

    private static SauerbratenMode mode(String value, SauerbratenMode defaultValue) {
        if (value.isEmpty()) {
            return defaultValue;
        }
        if (value.matches("[0-9]{1,2}")
                && new SauerbratenMode(Integer.parseInt(value)).supported()) {
            return new SauerbratenMode(Integer.parseInt(value));
        }
        throw new IllegalArgumentException(
                "--sauerbraten-mode must be a number from 0 to 8, is " + value);
    }
}
