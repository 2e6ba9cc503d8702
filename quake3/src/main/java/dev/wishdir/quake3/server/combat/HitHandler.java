package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;

import java.util.HashMap;
import java.util.Map;

/** Hits by this game's damage law: docs/protocols/quake3.md#damage. */
public final class HitHandler {
    /** The share of damage that armour takes. */
    private static final double ABSORPTION = 0.66;

    /** Factor of quad damage, of explosions too, and so of the push. */
    static final int QUAD_FACTOR = 3;

    private static final int PUSH_PER_POINT = 5;
    private static final int MAX_PUSH_POINTS = 200;

    private final Arena arena;
    private final ClientTable clients;

    /** Means by which each player was killed, until the arena reports its death. */
    private final Map<PlayerId, MeansOfDeath> means = new HashMap<>();

    public HitHandler(Arena arena, ClientTable clients) {
        this.arena = arena;
        this.clients = clients;
    }

    /** Factor of the damage of a player's shots. */
    static int factor(long now, ArenaPlayer shooter) {
        return shooter.combatant().quadLeft(now) > 0 ? QUAD_FACTOR : 1;
    }

    /** Health and armour of a body as the arena keeps them. */
    static Vitals vitals(int health, int armour) {
        return new Vitals(health, armour, ABSORPTION);
    }

    /** Part of a damage that armour takes. */
    static double absorbed(double damage, Vitals vitals) {
        return Math.ceil(damage * vitals.absorption());
    }

    /** Health as clients have it: above 0 exactly if the body lives. */
    public static int health(Vitals vitals) {
        double health = vitals.health();
        return (int) (health > 0 ? Math.ceil(health) : Math.floor(health));
    }

    public static int armour(Vitals vitals) {
        return (int) Math.ceil(vitals.armour());
    }

    /**
     * Hits a body.
     *
     * @param points before the armour
     * @param direction in which the shot or blast goes, of any length
     * @param place of the hit
     */
    void hit(
            long now,
            ArenaPlayer attacker,
            PlayerId victim,
            int points,
            Vec3f direction,
            Vec3f place,
            MeansOfDeath by) {
        boolean itself = attacker.id().equals(victim);
        Vitals before =
                arena.player(victim).map(player -> player.combatant().vitals()).orElse(Vitals.NONE);
        Vec3f push =
                direction.normalised().times(PUSH_PER_POINT * Math.min(points, MAX_PUSH_POINTS));
        boolean hurt =
                hit(
                        now,
                        attacker,
                        victim,
                        itself ? Math.max(1, points / 2) : points,
                        ShotGeometry.metres(push),
                        ShotGeometry.metres(place),
                        by);
        Quake3Session shooter = clients.find(attacker.id());
        if (hurt && !itself && shooter != null) {
            shooter.body().combat().addHit(health(before), armour(before));
        }
    }

    /** Damage by the level, without a push. */
    void hurt(long now, ArenaPlayer player, int points, MeansOfDeath by) {
        Vec3 place = player.snapshot().movement().position();
        hit(now, player, player.id(), points, Vec3.ZERO, place, by);
    }

    private boolean hit(
            long now,
            ArenaPlayer attacker,
            PlayerId victim,
            int points,
            Vec3 push,
            Vec3 place,
            MeansOfDeath by) {
        means.put(victim, by);
        boolean hurt = attacker.combatant().hit(now, victim, by.kind(), points, push, place);
        if (!hurt || arena.player(victim).map(it -> it.combatant().isAlive()).orElse(true)) {
            means.remove(victim);
        }
        return hurt;
    }

    /** Ends a player's life. */
    void kill(long now, ArenaPlayer player, MeansOfDeath by) {
        if (player.combatant().isAlive()) {
            means.put(player.id(), by);
            player.combatant().die(now);
        }
    }

    /** Means by which a player died, once. */
    public MeansOfDeath takeMeans(PlayerId victim, DamageMeans known) {
        MeansOfDeath own = means.remove(victim);
        return own == null ? MeansOfDeath.of(known) : own;
    }
}
