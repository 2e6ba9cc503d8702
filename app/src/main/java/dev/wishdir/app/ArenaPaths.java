package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BodyDimensions;
import dev.wishdir.world.blocks.BodyReachability;

import java.util.List;
import java.util.Optional;

/**
 * The ways of the arena that is played, which bots of the server's own process walk. They are found
 * on a thread of their own; until then there are none. May be asked by any thread.
 */
final class ArenaPaths implements ArenaListener {
    /** As wide and high as any game's body, and no better at climbing: it gets where all do. */
    private static final BodyDimensions BODY = new BodyDimensions("any", 1.05, 2, 0.5, 1.2);

    private final List<BlockArena> arenas;
    private volatile String playing = "";
    private volatile Optional<BodyReachability> ways = Optional.empty();

    /**
     * @param arenas that may be played, the first at first
     */
    ArenaPaths(List<BlockArena> arenas) {
        this.arenas = arenas;
        play(arenas.getFirst().name());
    }

    /** The ways of an arena. */
    static BodyReachability of(BlockArena arena) {
        return new BodyReachability(arena, BODY);
    }

    Optional<BodyReachability> ways() {
        return ways;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.LevelChanged changed
                && arenas.stream().anyMatch(each -> each.name().equals(changed.level().name()))) {
            play(changed.level().name());
        }
    }

    private void play(String name) {
        if (name.equals(playing)) {
            return;
        }
        playing = name;
        ways = Optional.empty();
        arenas.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .ifPresent(arena -> Thread.startVirtualThread(() -> find(arena)));
    }

    private void find(BlockArena arena) {
        BodyReachability found = of(arena);
        if (arena.name().equals(playing)) {
            ways = Optional.of(found);
        }
    }
}
