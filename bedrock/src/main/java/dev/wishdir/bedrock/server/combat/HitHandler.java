package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.combat.HitCoolDown;
import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/** Carries out the hits of one client's player, with the pause after each and the push. */
final class HitHandler {
    private final CombatServices services;
    private final ArenaPlayer player;
    private final HitCoolDown foreignCoolDown = new HitCoolDown();

    HitHandler(CombatServices services, ArenaPlayer player) {
        this.services = services;
        this.player = player;
    }

    /** Factor of the damage of its hits. */
    double factor(long now) {
        return player.combatant().quadLeft(now) > 0 ? MeleeRules.QUAD_FACTOR : 1;
    }

    /**
     * Hits a player.
     *
     * @param damage before armour; 0 for a hit that only pushes
     * @param from where the push comes from, metres
     * @param place where the victim was hit, metres
     * @return whether it had an effect
     */
    boolean hit(
            long now, PlayerId victim, DamageMeans means, double damage, Vec3 from, Vec3 place) {
        Optional<ArenaPlayer> target = services.arena().player(victim);
        if (target.isEmpty()) {
            services.drops().count("attack-unknown");
            return false;
        }
        HitCoolDown coolDown =
                services.identities().isClient(victim) ? services.coolDown() : foreignCoolDown;
        boolean isOver = coolDown.isOver(now, victim);
        double excess = coolDown.excess(now, victim, damage);
        if (excess <= 0 && !isOver) {
            services.drops().count("attack-cool-down");
            return false;
        }
        Movement at = target.get().snapshot().movement();
        Vec3 knockback =
                isOver ? MeleeRules.knockback(from, at.position(), at.velocity()) : Vec3.ZERO;
        if (!player.combatant().hit(now, victim, means, excess, knockback, place)) {
            services.drops().count("attack-no-effect");
            return false;
        }
        coolDown.record(now, victim, damage);
        return true;
    }
}
