package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.match.Match;
import dev.wishdir.bedrock.combat.ArmourSet;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.combat.Loadout;
import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.bedrock.combat.Weapon;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.FightMessage.MobEffect;
import dev.wishdir.bedrock.message.FightMessage.SetHealth;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.view.CombatMessages;
import dev.wishdir.bedrock.server.view.HeldItems;
import dev.wishdir.bedrock.server.view.RunningLevel;
import dev.wishdir.bedrock.server.view.SpawnMessages;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/**
 * The lives of one client's player. In a match the player has health and may die: then its client
 * shows the death screen, on which its user asks for the next life.
 */
public final class LifeHandler {
    /** States of a respawn: the server looks for a place, it has one, the client wants it. */
    private static final int SEARCHING = 0;

    private static final int READY = 1;
    private static final int CLIENT_READY = 2;

    /** An action of the client that asks for the next life, too. */
    public static final int RESPAWN_ACTION = 7;

    /** The ammunition that lies together. */
    private static final int ITEM_AMMUNITION = 8;

    private static final double SHARD_ARMOUR = 5;
    private static final double LIGHT_ARMOUR = 50;

    private static final Vitals WHOLE = new Vitals(MeleeRules.POINTS * MeleeRules.MAX_HEALTH, 0, 0);

    /** The boxes of a body and an item, and what the game adds: 1 m aside and 0.5 m up. */
    private static final ItemReach REACH =
            new ItemReach(new Vec3(-1.425, -1.425, -2.3), new Vec3(1.425, 1.425, 0.75));

    private final Match match;
    private final RunningLevel world;
    private final MovementHandler.Client client;
    private final ArenaPlayer player;
    private final Hotbar hotbar;
    private final HeldItems heldItems;
    private final MovementHandler movement;
    private boolean isDead;

    /** Whether the client has asked for the next life, for which the match lets it wait. */
    private boolean isAwaited;

    /** Whether the client was sent the effect of quad damage in this life. */
    private boolean isStrong;

    /** Whether the world has changed since the death. */
    private boolean isTransferDue;

    public LifeHandler(
            Match match,
            RunningLevel world,
            MovementHandler.Client client,
            ArenaPlayer player,
            Hotbar hotbar,
            HeldItems heldItems,
            MovementHandler movement) {
        this.match = match;
        this.world = world;
        this.client = client;
        this.player = player;
        this.hotbar = hotbar;
        this.heldItems = heldItems;
        this.movement = movement;
    }

    /** Whether the client shows the death screen. */
    public boolean isDead() {
        return isDead;
    }

    /** Gives the player a body, and in a match a life. */
    public void spawn(long now, Movement start) {
        if (match.isOn()) {
            player.combatant().beginLife(now, WHOLE, ArmourSet.RULE);
            hotbar.refill(Loadout.of(match.rules().mode()));
            heldItems.set(player.id(), hotbar.held());
            client.output().accept(hotbar.content());
            sendHealth(WHOLE.health());
            if (isStrong) {
                isStrong = false;
                client.output().accept(MobEffect.remove(client.runtimeId(), MobEffect.STRENGTH));
            }
        }
        player.spawn(now, start);
    }

    private void sendHealth(double health) {
        int points = MeleeRules.health(health);
        client.output().accept(SpawnMessages.health(client.runtimeId(), points));
        client.output().accept(new SetHealth(points));
    }

    /** Takes the items that the body touches where the server has accepted it. */
    public void takeItems(long now) {
        Vec3 feet = player.snapshot().movement().position();
        if (match.isOn() && !isDead) {
            movement.aim()
                    .claim(now, (_, _) -> {})
                    .whenProven(
                            now,
                            at ->
                                    player.combatant()
                                            .takeItems(at, feet, REACH, item -> take(at, item)));
        }
    }

    /**
     * Health heals, armour is worn, bows and crossbows come with arrows, there are snowballs, and
     * quad damage makes strong. There is no use for other items.
     */
    private boolean take(long now, Item item) {
        return switch (item.kind()) {
            case WEAPON_SHOTGUN, WEAPON_RIFLE, AMMO_SHOTGUN, AMMO_RIFLE ->
                    takeAmmunition(Weapon.ARROW);
            case WEAPON_MACHINE_GUN, AMMO_MACHINE_GUN -> takeAmmunition(Weapon.SNOWBALL);
            case ARMOUR_SHARD -> takeArmour(SHARD_ARMOUR);
            case LIGHT_ARMOUR -> takeArmour(LIGHT_ARMOUR);
            case HEAVY_ARMOUR -> takeArmour(ArmourSet.MAX_ARMOUR);
            case QUAD -> takeQuad(now);
            default -> takeHealth(item);
        };
    }

    private boolean takeAmmunition(Weapon item) {
        if (hotbar.room(item) == 0) {
            return false;
        }
        hotbar.setCount(item, hotbar.count(item) + ITEM_AMMUNITION);
        client.output().accept(hotbar.slot(item));
        // The hand may have been empty.
        heldItems.show(player.id(), hotbar.held());
        return true;
    }

    private boolean takeQuad(long now) {
        long left = player.combatant().quadLeft(now) + Combatant.QUAD_NANOS;
        player.combatant().setQuad(now + left);
        client.output()
                .accept(
                        MobEffect.add(
                                client.runtimeId(),
                                MobEffect.STRENGTH,
                                MeleeRules.QUAD_FACTOR - 1,
                                (int) (left / BedrockMotion.TICK_NANOS)));
        isStrong = true;
        return true;
    }

    private boolean takeArmour(double more) {
        Vitals before = player.combatant().vitals();
        double armour = Math.min(before.armour() + more, ArmourSet.MAX_ARMOUR);
        boolean isUsed = armour > before.armour();
        if (isUsed) {
            player.combatant().setVitals(ArmourSet.vitals(before.health(), armour));
        }
        return isUsed;
    }

    private boolean takeHealth(Item item) {
        Vitals before = player.combatant().vitals();
        int points =
                switch (item.kind()) {
                    case SMALL_HEALTH -> 5;
                    case HEALTH -> 25;
                    case LARGE_HEALTH -> 50;
                    case MEGA_HEALTH -> 100;
                    default -> 0;
                };
        if (points == 0 || before.health() >= WHOLE.health()) {
            return false;
        }
        double health = Math.min(before.health() + points, WHOLE.health());
        player.combatant().setVitals(new Vitals(health, before.armour(), before.absorption()));
        sendHealth(health);
        return true;
    }

    /** Puts the flag that the player carries into its hot bar, or takes it away. */
    public void showFlag() {
        Optional<Team> carried = match.flags().carriedBy(player.id());
        if (!carried.equals(hotbar.flag())) {
            hotbar.setFlag(carried);
            client.output().accept(hotbar.flagSlot());
        }
    }

    /** The player was hit. */
    public void onHit(long now, ArenaEvent.Hit hit) {
        if (hit.vitals().health() <= 0) {
            return;
        }
        sendHealth(hit.vitals().health());
        if (!hit.attacker().id().equals(hit.id()) && hit.knockback().length() > 0) {
            movement.push(now, hit.player().movement().velocity().plus(hit.knockback()));
        }
    }

    /** The player died, and has no body any more. */
    public void onDied(long now, ArenaEvent.Died died) {
        if (isDead) {
            return;
        }
        isDead = true;
        hotbar.release();
        heldItems.draw(player.id(), false);
        sendHealth(0);
        sendRespawn(SEARCHING, world.spawnPoint(now, player));
        client.output().accept(CombatMessages.deathInfo(died));
        client.output().accept(ActorEvent.of(client.runtimeId(), ActorEvent.DEATH));
    }

    private void sendRespawn(int state, Movement place) {
        client.output()
                .accept(
                        new Respawn(
                                BedrockMotion.eyes(place.position()), state, client.runtimeId()));
    }

    /** The client asks for the next life; it does so in two ways, the first of which counts. */
    public void handle(long now, Respawn respawn) {
        if (respawn.state() != CLIENT_READY) {
            return;
        }
        if (isDead) {
            respawn(now);
        } else if (match.isOn()) {
            sendRespawn(READY, player.snapshot().movement());
        }
    }

    /** Begins the next life, if the last one is over, at once or when the match lets it. */
    public void respawn(long now) {
        if (!isDead) {
            return;
        }
        isAwaited = player.combatant().respawnWait(now) > 0;
        if (isAwaited) {
            return;
        }
        isDead = false;
        Movement start = world.spawnPoint(now, player);
        sendRespawn(READY, start);
        if (isTransferDue) {
            isTransferDue = false;
            sendHealth(WHOLE.health());
            movement.startTransfer(now);
        } else {
            restart(now, start);
        }
    }

    /**
     * Begins a life that the client has waited for.
     *
     * @return when to call again, nanoseconds
     */
    public long advance(long now) {
        if (isAwaited) {
            respawn(now);
        }
        return isAwaited ? now + player.combatant().respawnWait(now) : Long.MAX_VALUE;
    }

    private void restart(long now, Movement start) {
        movement.putAt(now, start);
        client.output().accept(SpawnMessages.abilities(client.runtimeId()));
        spawn(now, start);
    }

    /** A round has started: a player that lives begins again, the others when they ask. */
    public void onRoundStarted(long now) {
        if (!isDead && !movement.isInTransfer()) {
            restart(now, world.spawnPoint(now, player));
        }
    }

    /** The player has changed its team, which ended its life: it begins again. */
    public void onTeamChanged(long now) {
        onRoundStarted(now);
    }

    /** Takes the client to the world that is played now, from a death screen with the next life. */
    public void changeWorld(long now) {
        if (isDead) {
            isTransferDue = true;
        } else {
            movement.startTransfer(now);
        }
    }
}
