package dev.wishdir.game.level;

import dev.wishdir.blocks.arena.BlockArena;

import java.io.IOException;
import java.util.Optional;

/**
 * Changes the maps of one endpoint. While it plays an arena of blocks it is a participant of the
 * {@link SharedArena}, whose changes it follows; any other map it plays by itself. Used only on the
 * thread of the duty cycle.
 *
 * @param <M> a loaded map of the game
 */
public final class MapChanger<M extends MapChanger.GameMap> {
    /** A loaded map of a game. */
    public interface GameMap {
        /** The name by which operators request it. */
        String name();

        /** The arena that it was generated from, or that was made from it. */
        Optional<BlockArena> blocks();
    }

    /**
     * The maps of a game.
     *
     * @param <M> a loaded map of the game
     */
    public interface Catalog<M> {
        /**
         * Loads a map.
         *
         * @throws IOException if there is no such map or it is malformed; the message says what to
         *     do
         */
        M load(String name) throws IOException;

        /**
         * The map that the game's clients play for an arena.
         *
         * @throws IOException if the game can't have it
         */
        M of(BlockArena arena) throws IOException;
    }

    /**
     * Starts maps.
     *
     * @param <M> a loaded map of the game
     */
    @FunctionalInterface
    public interface Starter<M> {
        /** Starts a map for all current and later clients of the endpoint. */
        void start(long now, M map);
    }

    private final SharedArena sharedArena;
    private final Catalog<M> catalog;
    private final Starter<M> starter;
    private final SharedArena.Participant participant = this::prepare;

    /**
     * @param current the map that the endpoint plays already
     */
    public MapChanger(SharedArena sharedArena, Catalog<M> catalog, M current, Starter<M> starter) {
        this.sharedArena = sharedArena;
        this.catalog = catalog;
        this.starter = starter;
        enterIfBlocks(current);
    }

    private void enterIfBlocks(M map) {
        if (map.blocks().isPresent()) {
            sharedArena.enter(participant, time -> starter.start(time, map));
        }
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) throws IOException {
        M next = catalog.of(blocks);
        return time -> starter.start(time, next);
    }

    /**
     * Changes the map at an operator's request: an arena of blocks for all games, any other map for
     * this endpoint only.
     *
     * @return the answer for the operator
     */
    public String change(long now, String name) {
        if (sharedArena.controls(participant, name)) {
            return sharedArena.change(now, name);
        }
        try {
            M next = catalog.load(name);
            sharedArena.leave(participant);
            enterIfBlocks(next);
            starter.start(now, next);
            return "playing " + next.name();
        } catch (IOException e) {
            return "can't load the map: " + e.getMessage();
        }
    }

    /** Whether other games play the same arena, so that this one can't change maps by itself. */
    public boolean isShared() {
        return sharedArena.isShared(participant);
    }

    /** Leaves the shared arena: its changes no longer reach this endpoint. */
    public void close() {
        sharedArena.leave(participant);
    }
}
