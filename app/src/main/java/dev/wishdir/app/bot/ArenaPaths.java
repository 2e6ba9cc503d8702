package dev.wishdir.app.bot;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.blocks.reach.NavigationGraph;

import java.util.List;
import java.util.Optional;

/**
 * The walkable paths of the current arena, for bots in the server's own process. They are computed
 * on a separate thread; until then there are none. Can be queried on any thread.
 */
public final class ArenaPaths implements ArenaListener {
    /**
     * As large as the largest body of all games, and no better at climbing: what it reaches, all
     * reach.
     */
    private static final BodyDimensions LARGEST_BODY = new BodyDimensions("any", 1.05, 2, 0.5, 1.2);

    private final List<BlockArena> arenas;
    private volatile String current = "";
    private volatile Optional<NavigationGraph> reachability = Optional.empty();

    /**
     * @param arenas all arenas of the server; the first is played first
     */
    public ArenaPaths(List<BlockArena> arenas) {
        this.arenas = arenas;
        setCurrent(arenas.getFirst().name());
    }

    /** Computes the walkable paths of an arena. */
    public static BodyReachability of(BlockArena arena) {
        return new BodyReachability(arena, LARGEST_BODY);
    }

    public Optional<NavigationGraph> reachability() {
        return reachability;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.LevelChanged changed
                && arenas.stream().anyMatch(each -> each.name().equals(changed.level().name()))) {
            setCurrent(changed.level().name());
        }
    }

    private void setCurrent(String name) {
        if (name.equals(current)) {
            return;
        }
        current = name;
        reachability = Optional.empty();
        arenas.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .ifPresent(arena -> Thread.startVirtualThread(() -> compute(arena)));
    }

    private void compute(BlockArena arena) {
        BodyReachability found = of(arena);
        if (arena.name().equals(current)) {
            reachability = Optional.of(found);
        }
    }
}
