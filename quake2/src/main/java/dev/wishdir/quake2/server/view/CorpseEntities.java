package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Triple;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bodies of dead players, until they spawn again. */
final class CorpseEntities {
    /** Time for which a body stays, frames of the game's ten a second. */
    private static final int MAX_FRAMES = 300;

    /** An animation of the model: consecutive frames. */
    private record Fall(int first, int count) {}

    /** The animations of death, one after the other. */
    private static final List<Fall> FALLS =
            List.of(new Fall(178, 6), new Fall(184, 6), new Fall(190, 8));

    /** A body, and the animation with which it fell. */
    private record Corpse(EntityState entity, int since, Fall fall) {
        int modelFrame(int now) {
            return fall.first + Math.clamp(now - since, 0, fall.count - 1);
        }
    }

    private final Map<PlayerId, Corpse> corpses = new HashMap<>();
    private int deaths;

    /**
     * Adds the body of a player that died.
     *
     * @param since frame in which it begins to fall
     */
    void add(PlayerId player, EntityState entity, int since) {
        corpses.put(player, new Corpse(entity, since, FALLS.get(deaths++ % FALLS.size())));
    }

    /** Moves a body, if it is there. */
    void move(PlayerId player, Triple origin) {
        corpses.computeIfPresent(
                player,
                (_, corpse) -> new Corpse(corpse.entity.moved(origin), corpse.since, corpse.fall));
    }

    /**
     * Removes a body.
     *
     * @return whether it was there
     */
    boolean remove(PlayerId player) {
        return corpses.remove(player) != null;
    }

    /** Removes all bodies. */
    void clear() {
        corpses.clear();
    }

    /** Puts all bodies into the next frame, and their numbers into a set. */
    void compose(FrameEntities frameEntities, int frame, BitSet numbers) {
        corpses.values().removeIf(corpse -> frame - corpse.since > MAX_FRAMES);
        for (Corpse corpse : corpses.values()) {
            int number = (corpse.entity.skin() & 0xFF) + 1;
            frameEntities.put(number, corpse.entity.dead(corpse.modelFrame(frame)));
            numbers.set(number);
        }
    }
}
