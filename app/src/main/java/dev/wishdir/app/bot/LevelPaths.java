package dev.wishdir.app.bot;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.command.Games;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.blocks.stock.StockMapPaths;
import dev.wishdir.game.Game;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The walkable paths of the levels that servers name to the clients of a game, where this machine
 * has the level too: a shipped arena, or a map of an installed game, which that game's clients play
 * as it is and others as blocks. Each is computed once, on a separate thread. Can be queried on any
 * thread.
 */
final class LevelPaths {
    private static final Logger LOG = LoggerFactory.getLogger(LevelPaths.class);

    private final Map<String, CompletableFuture<Optional<NavigationGraph>>> known =
            new ConcurrentHashMap<>();

    private final Game game;

    LevelPaths(Game game) {
        this.game = game;
    }

    /**
     * The paths of a level; empty until they are known, and if it is not here.
     *
     * @param level as its server names it, or empty
     */
    Optional<NavigationGraph> of(String level) {
        return level.isEmpty()
                ? Optional.empty()
                : known.computeIfAbsent(level, this::compute).getNow(Optional.empty());
    }

    /** Whether the paths of a level are being computed. */
    boolean isPending(String level) {
        CompletableFuture<Optional<NavigationGraph>> computed = known.get(level);
        return computed != null && !computed.isDone();
    }

    private CompletableFuture<Optional<NavigationGraph>> compute(String level) {
        CompletableFuture<Optional<NavigationGraph>> computed = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            Optional<NavigationGraph> found = Optional.empty();
            try {
                found = Optional.of(paths(level));
            } catch (IOException _) {
                // Not on this machine.
            } catch (RuntimeException e) {
                LOG.debug("paths of level {} not computed", level, e);
            } finally {
                computed.complete(found);
            }
        });
        return computed;
    }

    private NavigationGraph paths(String level) throws IOException {
        String name = BlockArena.nameOfMap(level);
        if (ArenaCatalog.SHIPPED.contains(name)) {
            return ArenaPaths.of(ArenaCatalog.shipped(name));
        }
        StockMap map = ArenaSource.withDefaults(Games.ALL, _ -> {}).map(name);
        return map.game().equals(game.name()) && name.equals(level)
                ? new StockMapPaths(map)
                : ArenaPaths.of(StockMapConverter.of(map));
    }
}
