package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.ArmourKind;
import dev.wishdir.quake2.combat.MeansOfDeath;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Hits by weapons of this game. The arena knows kinds of weapons only: which weapon it was decides
 * what armour takes, and the line about a death.
 */
public final class HitHandler {
    /** Cause of a player's death, with its time. */
    private record Cause(long time, MeansOfDeath means) {}

    private final Arena arena;

    /** By victim, until it dies again or leaves: viewers may be sent its death late. */
    private final Map<PlayerId, Cause> causes = new HashMap<>();

    /** Means of the present hit; null between hits. */
    private @Nullable MeansOfDeath current;

    public HitHandler(Arena arena) {
        this.arena = arena;
    }

    /**
     * Hits a player.
     *
     * @param damage before armour
     * @param knockback metres a second
     * @param place metres
     */
    void hit(
            long now,
            ArenaPlayer attacker,
            PlayerId victim,
            MeansOfDeath by,
            double damage,
            Vec3 knockback,
            Vec3 place) {
        // Viewers are sent the death within the hit.
        Cause before = causes.put(victim, new Cause(now, by));
        current = by;
        boolean isHit = attacker.combatant().hit(now, victim, by.kind(), damage, knockback, place);
        current = null;
        if (!isHit || isAlive(victim)) {
            if (before == null) {
                causes.remove(victim);
            } else {
                causes.put(victim, before);
            }
        }
    }

    /** Those of other servers die there. */
    private boolean isAlive(PlayerId victim) {
        return arena.player(victim).map(it -> it.combatant().isAlive()).orElse(true);
    }

    /** Part of a damage that the armour of a player of this game takes. */
    double absorbed(double damage, Vitals before) {
        return ArmourKind.absorbed(damage, before, current != null && current.isEnergy());
    }

    /** Forgets a player. */
    public void onLeft(PlayerId player) {
        causes.remove(player);
    }

    /** Means by which a player died; empty if it was not a weapon of this game, or is forgotten. */
    Optional<MeansOfDeath> means(ArenaEvent.Died died) {
        return Optional.ofNullable(causes.get(died.id()))
                .filter(cause -> cause.time == died.time() && cause.means.kind() == died.means())
                .map(Cause::means);
    }
}
