package dev.wishdir.app.bot;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The walkable paths of the levels that servers name to their clients, where this machine has the
 * level too: a shipped arena, or a map of an installed game. Each is computed once, on a separate
 * thread. Can be queried on any thread.
 */
final class LevelPaths {
    private static final Logger LOG = LoggerFactory.getLogger(LevelPaths.class);

    private final Map<String, CompletableFuture<Optional<BodyReachability>>> known =
            new ConcurrentHashMap<>();

    /**
     * The paths of a level; empty until they are known, and if it is not here.
     *
     * @param level as its server names it, or empty
     */
    Optional<BodyReachability> of(String level) {
        String name =
                level.startsWith(BlockArena.MAP_NAME_PREFIX)
                        ? level.substring(BlockArena.MAP_NAME_PREFIX.length())
                        : level;
        return name.isEmpty()
                ? Optional.empty()
                : known.computeIfAbsent(name, this::compute).getNow(Optional.empty());
    }

    private CompletableFuture<Optional<BodyReachability>> compute(String name) {
        CompletableFuture<Optional<BodyReachability>> computed = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            Optional<BodyReachability> found = Optional.empty();
            try {
                found = arena(name).map(ArenaPaths::of);
            } catch (RuntimeException e) {
                LOG.debug("paths of level {} not computed", name, e);
            } finally {
                computed.complete(found);
            }
        });
        return computed;
    }

    /** A shipped arena, or a map of an installed game. */
    private static Optional<BlockArena> arena(String name) {
        try {
            return Optional.of(
                    ArenaCatalog.SHIPPED.contains(name)
                            ? ArenaCatalog.shipped(name)
                            : ArenaSource.withDefaults(Games.ALL, _ -> {}).arena("map:" + name));
        } catch (CommandFailedException _) {
            return Optional.empty();
        }
    }
}
