package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.item.Item;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.Ammo;
import dev.wishdir.quake2.combat.DamageFeedback;
import dev.wishdir.quake2.combat.GunState;
import dev.wishdir.quake2.combat.Inventory;
import dev.wishdir.quake2.combat.ItemEffects;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.combat.PickupItem;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.combat.QuadDamage;
import dev.wishdir.quake2.combat.Recoil;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.quake2.server.view.TickClock;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The part of a client's player in a match: its gun, its health, its death, and what it sees of
 * them. Without a match it does nothing.
 */
public final class LifeHandler implements GunState.Listener {
    private static final double HEALTH = 100;

    /** Minimum length of a death, frames of the game's ten a second. */
    private static final int RESPAWN_FRAMES = 10;

    /** Minimum interval of cries, frames of the game's ten a second. */
    private static final int PAIN_FRAMES = 7;

    /** The view of a dead player, degrees. */
    private static final double DEAD_PITCH = -15;

    private static final double DEAD_ROLL = 40;

    /** The kick of a BFG's shot, degrees; to the side at most. */
    private static final double BFG_PITCH = -40;

    private static final double BFG_ROLL = 8;

    private final RunningLevel level;
    private final ShotHandler shots;
    private final EffectSink effects;
    private final RandomGenerator random;
    private final Loadout loadout;
    private final GunState gun;
    private final DamageFeedback feedback = new DamageFeedback();
    private Optional<Shooter> shooter = Optional.empty();
    private Optional<PlayerId> killer = Optional.empty();
    private Vitals vitals = Vitals.NONE;
    private Recoil recoil = Recoil.NONE;

    /** Recoil that the client sees until the next frame of the game's ten a second. */
    private Recoil shownRecoil = Recoil.NONE;

    private double deadYaw;
    private int deadFrames;
    private int painWait;

    public LifeHandler(
            RunningLevel level,
            ShotHandler shots,
            EffectSink effects,
            RandomGenerator random,
            Loadout loadout) {
        this.loadout = loadout;
        this.level = level;
        this.shots = shots;
        this.effects = effects;
        this.random = random;
        gun = new GunState(random, this);
    }

    /** Begins a life in a match, before its body spawns. */
    public void begin(long now, ArenaPlayer player, MatchMode mode) {
        vitals = new Vitals(HEALTH, 0, 0);
        player.combatant().beginLife(now, vitals, shots.hits()::absorbed);
        if (mode.isOneHit()) {
            gun.begin(Inventory.endless(Weapon.RAILGUN), Weapon.RAILGUN);
        } else {
            Loadout given = mode.hasAllWeapons() ? Loadout.ALL : loadout;
            gun.begin(given.inventory(), Weapon.BLASTER);
        }
        feedback.clear();
        killer = Optional.empty();
        recoil = Recoil.NONE;
        shownRecoil = Recoil.NONE;
        deadFrames = 0;
        painWait = 0;
    }

    public GunState gun() {
        return gun;
    }

    /** Index of the sound that its gun makes all the time; 0 for none, and for the dead. */
    public int loopSound() {
        return isAlive() ? level.precache().sound(gun.loopSound()) : 0;
    }

    /** The line about a death. */
    public Print obituary(ArenaEvent.Died died) {
        return Obituaries.line(died, shots.hits().means(died));
    }

    /** The player that ended the last life; empty during a life. */
    public Optional<PlayerId> killer() {
        return killer;
    }

    private boolean isAlive() {
        return shooter.filter(it -> it.player().combatant().isAlive()).isPresent();
    }

    /** Takes the trigger of a command, after it has moved the body. */
    public void command(long now, Shooter from, boolean attack) {
        shooter = Optional.of(from);
        gun.command(now, attack, isAlive());
    }

    /**
     * Ends one of the game's ten frames a second.
     *
     * @return whether the player is to spawn again: it is dead, and has pressed the trigger
     */
    public boolean endFrame(long now, Shooter from) {
        shooter = Optional.of(from);
        boolean pressed = gun.isNewlyPressed();
        boolean alive = isAlive();
        Vitals worn = feedback.items().endFrame(vitals);
        if (alive && !worn.equals(vitals)) {
            vitals = worn;
            from.player().combatant().setVitals(vitals);
        }
        gun.endFrame(now, alive);
        painWait = Math.max(0, painWait - 1);
        if (feedback.endFrame(vitals.health(), from.axes()) && alive && painWait == 0) {
            painWait = PAIN_FRAMES;
            sound(painSound(), Sound.Channel.VOICE);
        }
        int quad = QuadDamage.frames(from.player().combatant().quadLeft(now));
        if (feedback.items().setQuadFrames(quad)) {
            sound(QuadDamage.RUNS_OUT, Sound.Channel.ITEM);
        }
        shownRecoil = recoil;
        recoil = Recoil.NONE;
        deadFrames = alive ? 0 : deadFrames + 1;
        return !alive
                && pressed
                && deadFrames > RESPAWN_FRAMES
                && from.player().combatant().respawnWait(now) == 0;
    }

    /**
     * Takes an item that its body touches.
     *
     * @return whether it has use for it
     */
    public boolean take(long now, Shooter from, Item item) {
        shooter = Optional.of(from);
        PickupItem kind = PickupItem.of(item.placed());
        boolean first = kind.arms().filter(weapon -> !gun.inventory().has(weapon)).isPresent();
        Optional<Vitals> after = feedback.items().take(kind, vitals, gun.inventory());
        if (after.isEmpty()) {
            return false;
        }
        vitals = after.get();
        from.player().combatant().setVitals(vitals);
        if (first && gun.weapon() == Weapon.BLASTER) {
            kind.arms().ifPresent(gun::use);
        }
        feedback.onPickup();
        sound(kind.sound(), Sound.Channel.ITEM);
        if (kind == PickupItem.QUAD) {
            // Items are used at once: the flag 16 of dmflags, which servers have by default.
            Combatant combatant = from.player().combatant();
            combatant.setQuad(now + combatant.quadLeft(now) + Combatant.QUAD_NANOS);
            sound(QuadDamage.USED, Sound.Channel.ITEM);
        }
        return true;
    }

    private String painSound() {
        double health = vitals.health();
        int level = health < 25 ? 25 : health < 50 ? 50 : health < 75 ? 75 : 100;
        return "*pain" + level + "_" + (1 + random.nextInt(2)) + ".wav";
    }

    private void sound(String name, Sound.Channel channel) {
        int index = level.precache().sound(name);
        shooter.filter(_ -> index > 0)
                .ifPresent(it -> effects.send(it.id(), Sound.of(index, it.entity(), channel)));
    }

    /** Its player was hit. */
    public void onHit(ArenaEvent.Hit hit) {
        double blood = vitals.health() - hit.vitals().health();
        double armour = vitals.armour() - hit.vitals().armour();
        vitals = hit.vitals();
        feedback.onHit(
                blood,
                armour,
                hit.attacker().movement().position().minus(hit.player().movement().position()));
    }

    /** Its player died. */
    public void onDied(ArenaEvent.Died died) {
        vitals = new Vitals(Math.min(0, vitals.health()), 0, 0);
        killer = Optional.of(died.killer().id());
        deadFrames = 0;
        Vec3 towards =
                died.killer().movement().position().minus(died.player().movement().position());
        deadYaw =
                towards.horizontal() == 0
                        ? died.player().movement().yaw()
                        : Math.toDegrees(Math.atan2(towards.y(), towards.x()));
        sound("*death" + (1 + random.nextInt(4)) + ".wav", Sound.Channel.VOICE);
    }

    @Override
    public void onShot(long now, Weapon weapon, int bullets, int frame) {
        shooter.ifPresent(from -> {
            recoil = shots.fire(now, from, weapon, bullets, frame);
            if (weapon == Weapon.BFG) {
                feedback.onKick(BFG_PITCH, BFG_ROLL * (random.nextDouble() * 2 - 1));
            } else {
                from.player().performAction(now, PlayerAction.ATTACK);
            }
        });
    }

    @Override
    public void onWindUp(long now, Weapon weapon) {
        shooter.ifPresent(from -> {
            shots.windUp(from, weapon);
            from.player().performAction(now, PlayerAction.ATTACK);
        });
    }

    @Override
    public void onThrow(long now, int fuseFrames, boolean isHeld) {
        shooter.ifPresent(from -> {
            if (!isHeld) {
                sound("weapons/hgrent1a.wav", Sound.Channel.WEAPON);
                from.player().performAction(now, PlayerAction.ATTACK);
            }
            shots.throwGrenade(now, from, fuseFrames * TickClock.FRAME_NANOS, isHeld);
        });
    }

    @Override
    public void onAct(long now) {
        if (shooter.filter(it -> it.factor(now) > 1).isPresent()) {
            sound(QuadDamage.SHOT, Sound.Channel.ITEM);
        }
    }

    @Override
    public void onSound(String name, Sound.Channel channel) {
        sound(name, channel);
    }

    /** Health as clients have it: above 0 exactly if the body lives. */
    static int health(Vitals vitals) {
        double health = vitals.health();
        return (int) (health > 0 ? Math.ceil(health) : Math.floor(health));
    }

    /** The player state with gun, health and view. */
    public PlayerState view(PlayerState state) {
        return state.pmType() == PlayerState.DEAD
                ? state.seen(
                        state.viewOffset(),
                        new Triple(
                                Quake2Motion.angle16(DEAD_PITCH),
                                Quake2Motion.angle16(deadYaw),
                                Quake2Motion.angle16(DEAD_ROLL)),
                        Triple.ZERO,
                        0,
                        0,
                        feedback.blend(),
                        stats(state.stats(), false))
                : seen(state);
    }

    private PlayerState seen(PlayerState state) {
        boolean plays = state.pmType() == PlayerState.NORMAL;
        Vec3 eye = shownRecoil.eye();
        return state.seen(
                new Triple(
                        clamped(state.viewOffset().x() + quarters(eye.x())),
                        clamped(state.viewOffset().y() + quarters(eye.y())),
                        clamped(state.viewOffset().z() + quarters(eye.z()))),
                state.viewAngles(),
                new Triple(
                        quarters(shownRecoil.pitch() + feedback.pitch()),
                        quarters(shownRecoil.yaw()),
                        quarters(shownRecoil.roll() + feedback.roll())),
                plays ? level.precache().model(gun.weapon().viewModel()) : 0,
                plays ? gun.frame() : 0,
                plays ? feedback.blend() : Blend.NONE,
                stats(state.stats(), plays));
    }

    private static int quarters(double value) {
        return clamped((int) (value * 4));
    }

    private static int clamped(int quarters) {
        return Math.clamp(quarters, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    private Stats stats(Stats stats, boolean armed) {
        PrecacheTable precache = level.precache();
        Optional<Ammo> ammo = armed ? gun.weapon().ammo() : Optional.empty();
        int quad = feedback.items().quadFrames();
        int frags = shooter.map(it -> it.player().combatant().score().frags()).orElse(0);
        return stats.with(Stats.HEALTH_ICON, precache.picture("i_health"))
                .with(Stats.HEALTH, health(vitals))
                .with(Stats.AMMO_ICON, ammo.map(it -> precache.picture(it.icon())).orElse(0))
                .with(Stats.AMMO, ammo.map(gun.inventory()::count).orElse(0))
                .with(Stats.ARMOUR_ICON, precache.picture(ItemEffects.armourIcon(vitals)))
                .with(Stats.ARMOUR, (int) Math.ceil(vitals.armour()))
                .with(
                        Stats.PICKUP_ICON,
                        feedback.items().shown().map(it -> precache.picture(it.icon())).orElse(0))
                .with(
                        Stats.PICKUP_STRING,
                        feedback.items().shown().map(it -> precache.itemName(it.item())).orElse(0))
                .with(Stats.TIMER_ICON, quad > 0 ? precache.picture(PickupItem.QUAD.icon()) : 0)
                .with(Stats.TIMER, QuadDamage.seconds(quad))
                .with(Stats.SELECTED_ICON, armed ? precache.picture(gun.weapon().icon()) : 0)
                .with(Stats.SELECTED_ITEM, armed ? gun.weapon().item() : 0)
                .with(Stats.FRAGS, frags)
                .with(Stats.FLASHES, feedback.flashes());
    }
}
