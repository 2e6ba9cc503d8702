package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.match.Match;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.EnumSet;
import java.util.Set;

/** Begins and ends the lives of this game's players in a match: docs/protocols/quake3.md#lives. */
public final class LifeHandler {
    /** Time after a death before the player can respawn. */
    private static final int RESPAWN_MILLIS = 1_700;

    /** Time after a death at which the player respawns by itself. */
    private static final int FORCED_RESPAWN_MILLIS = 20_000;

    /** A fall makes its own sound, so that the pain of it is not shown. */
    private static final int FALL_PAIN_MILLIS = 200;

    private final Match match;
    private final RunningLevel running;
    private final CombatEntities entities;
    private final HitHandler hits;
    private final Set<Weapon> weapons;

    /**
     * @param weapons with which a life begins
     */
    public LifeHandler(
            Arena arena,
            RunningLevel running,
            CombatEntities entities,
            HitHandler hits,
            Set<Weapon> weapons) {
        match = arena.match();
        this.running = running;
        this.entities = entities;
        this.hits = hits;
        this.weapons = EnumSet.copyOf(weapons);
    }

    /** Whether a match is played, so that lives and weapons count. */
    boolean isOn() {
        return match.isOn();
    }

    /** A body has been placed at its spawn point: arms it and begins its life. */
    void begin(long now, Quake3Session client) {
        if (!match.isOn() || client.spectates() || client.player().isEmpty()) {
            return;
        }
        if (match.phase() == Match.Phase.INTERMISSION) {
            client.body().startIntermission();
            return;
        }
        PlayerBody body = client.body();
        if (match.rules().mode().isOneHit()) {
            body.armEndlessly(Weapon.RAILGUN);
        } else if (match.rules().mode().hasAllWeapons()) {
            body.arm(EnumSet.allOf(Weapon.class), Weapon.MACHINE_GUN);
        } else {
            body.arm(
                    weapons,
                    weapons.contains(Weapon.MACHINE_GUN) ? Weapon.MACHINE_GUN : Weapon.GAUNTLET);
        }
        client.player()
                .get()
                .combatant()
                .beginLife(
                        now,
                        HitHandler.vitals(body.health(), body.combat().armour()),
                        HitHandler::absorbed);
    }

    /** Shows where a player appears. */
    void showSpawn(long now, Quake3Session client, ArenaPlayer player) {
        if (match.isOn() && player.combatant().isAlive()) {
            entities.event(
                    running.time(now),
                    TempEvent.TELEPORT_IN,
                    new Content(
                                    CombatEntities.at(PlayerBody.truncated(client.body().origin()))
                                            .build())
                            .naming(EntityField.CLIENT_NUM, player.id()));
        }
    }

    /** Damage of the falls in the newest command; none where each hit kills. */
    void hurtByFalls(long now, Quake3Session client, ArenaPlayer player, int eventsBefore) {
        if (match.rules().mode().isOneHit()) {
            return;
        }
        PlayerBody body = client.body();
        for (int i = Math.max(eventsBefore, body.events() - 2); i < body.events(); i++) {
            int damage = body.fallDamage(i);
            if (damage > 0 && player.combatant().isAlive()) {
                body.combat().feedback().suppressPain(running.time(now), FALL_PAIN_MILLIS);
                hits.hurt(now, player, damage, MeansOfDeath.FALLING);
            }
        }
    }

    /** Loss of each second of a life: health and armour above the maximum. */
    void age(Quake3Session client, ArenaPlayer player, int millis) {
        PlayerBody body = client.body();
        int seconds = body.takeSeconds(millis);
        if (seconds == 0 || !player.combatant().isAlive()) {
            return;
        }
        int most = body.maxHealth();
        int health = reduced(body.health(), most, seconds);
        int armour = reduced(body.combat().armour(), most, seconds);
        if (health != body.health() || armour != body.combat().armour()) {
            body.setHealth(health);
            body.combat().setArmour(armour);
            player.combatant().setVitals(HitHandler.vitals(health, armour));
        }
    }

    private static int reduced(int points, int most, int by) {
        return points > most ? Math.max(most, points - by) : points;
    }

    /** Whether a dead player's command lets it respawn, or its time is over. */
    boolean respawns(long now, Quake3Session client, int buttons) {
        PlayerBody body = client.body();
        if (!match.isOn() || !body.isDead() || match.phase() == Match.Phase.INTERMISSION) {
            return false;
        }
        if (client.player().map(it -> it.combatant().respawnWait(now)).orElse(0L) > 0) {
            return false;
        }
        int dead = running.time(now) - body.diedAt();
        return dead > FORCED_RESPAWN_MILLIS
                || dead > RESPAWN_MILLIS
                        && (buttons & (Usercmd.ATTACK | Usercmd.USE_HOLDABLE)) != 0;
    }

    /** Whether the board is still shown to a player although the next round begins. */
    boolean isLate(Quake3Session client) {
        return client.body().isInIntermission() && match.phase() != Match.Phase.INTERMISSION;
    }

    /** Feedback to a player at the end of a server frame: damage, pain, the end of an event. */
    boolean endFrame(long now, Quake3Session client) {
        PlayerBody body = client.body();
        int time = running.time(now);
        boolean isQuadOver = body.combat().endQuad(time);
        boolean changed = body.combat().endEvent() || isQuadOver;
        if (body.health() > 0 && body.combat().feedback().advance(time)) {
            body.combat().show(BodyEvent.PAIN, Math.min(body.health(), 255));
            changed = true;
        }
        return changed;
    }

    /** Ends a life by something in the level or by the player itself. */
    void kill(long now, ArenaPlayer player, MeansOfDeath by) {
        hits.kill(now, player, by);
    }
}
