package dev.wishdir.game;

import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The maps of a game: those that come with it, and arenas of blocks in its format. */
public interface GameMaps {
    /** Body dimensions for arenas of blocks; empty if the game does not support them. */
    default Optional<BodyDimensions> body() {
        return Optional.empty();
    }

    /**
     * The map files of an arena of blocks for its clients, named as the game names them.
     *
     * @throws IOException if the game can't have the arena
     */
    default List<Level.File> files(BlockArena arena) throws IOException {
        return List.of();
    }

    /**
     * Parses a map of this game, for conversion to blocks.
     *
     * @param name of the file, without folder and extension
     * @return empty if the file belongs to another game
     * @throws IOException if it is malformed; the message says where
     */
    default Optional<StockMap> map(String name, byte[] file) throws IOException {
        return Optional.empty();
    }

    /**
     * Reads the file of an installed map.
     *
     * @param options the game's own settings, as in {@link EndpointContext}
     * @return empty if there is no such map
     */
    default Optional<byte[]> mapFile(String name, Map<String, String> options) throws IOException {
        return Optional.empty();
    }

    /** Names of maps that come with the game, by which an installed game is recognised. */
    default List<String> stockMaps() {
        return List.of();
    }

    /** Title and format of the maps that {@link #map} parses; empty, the default, for none. */
    default Optional<String> mapFormat() {
        return Optional.empty();
    }
}
