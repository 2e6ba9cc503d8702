package dev.wishdir.quake2.combat;

import dev.wishdir.quake2.message.Sound.Channel;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The gun in the hands of one player: which frame its model shows, and when it shoots. It thinks
 * once in each of the game's ten frames a second: at the press of the trigger, or else at the
 * frame's end. So the first shot comes with the press, and two commands within a frame do not fire
 * twice.
 */
public final class GunState {
    /** Listener to the gun. */
    public interface Listener {
        /**
         * It shoots.
         *
         * @param bullets number of bullets, 1 for most weapons
         * @param frame that its model shows now
         */
        void onShot(long now, Weapon weapon, int bullets, int frame);

        /** It flashes and sounds before its shot, as only the BFG does. */
        void onWindUp(long now, Weapon weapon);

        /**
         * It throws a hand grenade, or that explodes in the hand.
         *
         * @param fuseFrames frames of the game's ten a second until it explodes; 0 for now
         * @param isHeld whether it explodes in the hand
         */
        void onThrow(long now, int fuseFrames, boolean isHeld);

        /** It acts in a frame in which its weapon may shoot, before the shot. */
        void onAct(long now);

        /** It makes a sound on a channel of its player. */
        void onSound(String name, Channel channel);
    }

    private enum Phase {
        ACTIVATING,
        READY,
        FIRING,
        DROPPING
    }

    /** Minimum interval of an empty gun's clicks, frames of the game's ten a second. */
    private static final int CLICK_FRAMES = 10;

    private static final int MACHINE_GUN_EMPTY = 6;
    private static final int CHAINGUN_SPIN_UP = 5;
    private static final int CHAINGUN_SLOW_LAST = 9;
    private static final int CHAINGUN_MEDIUM_LAST = 14;
    private static final int CHAINGUN_FAST_FIRST = 15;
    private static final int CHAINGUN_FAST_LAST = 21;
    private static final int CHAINGUN_SPIN_DOWN = 22;
    private static final int CHAINGUN_SPUN_DOWN = 32;
    private static final int SHOTGUN_PUMP = 9;
    private static final int HYPERBLASTER_FIRST = 6;
    private static final int HYPERBLASTER_END = 12;
    private static final int BFG_WIND_UP = 9;
    private static final int GRENADE_DRAWN = 5;

    /** The frame in which a hand grenade is held as long as the trigger. */
    private static final int GRENADE_HOLD = 11;

    private static final int GRENADE_THROW = 12;
    private static final int GRENADE_LAST = 15;

    /** From the hold on until a hand grenade explodes, frames of the game's ten a second. */
    static final int GRENADE_FUSE_FRAMES = 32;

    /** From a throw until the next draw, frames of the game's ten a second. */
    private static final int GRENADE_WAIT_FRAMES = 10;

    /** A gun that waits at an idle frame goes on with a chance of one in this number. */
    private static final int WAIT_CHANCE = 16;

    private final RandomGenerator random;
    private final Listener listener;
    private Inventory inventory = new Inventory();
    private Weapon weapon = Weapon.BLASTER;
    private Weapon before = Weapon.BLASTER;
    private @Nullable Weapon wanted;
    private Phase phase = Phase.ACTIVATING;
    private int frame;
    private boolean pressed;
    private boolean latched;
    private boolean thought;
    private int clickWait;

    /** Until the hand grenade explodes; 0 if none is held. */
    private int grenadeFuse;

    private int grenadeWait;

    public GunState(RandomGenerator random, Listener listener) {
        this.random = random;
        this.listener = listener;
    }

    /** Begins a life: takes up its first weapon. */
    public void begin(Inventory things, Weapon first) {
        inventory = things;
        weapon = first;
        before = weapon;
        wanted = null;
        phase = Phase.ACTIVATING;
        frame = 0;
        pressed = false;
        latched = false;
        clickWait = 0;
        grenadeFuse = 0;
        grenadeWait = 0;
    }

    public Inventory inventory() {
        return inventory;
    }

    /** The weapon in hand. */
    public Weapon weapon() {
        return weapon;
    }

    /** The frame that its model shows. */
    public int frame() {
        return frame;
    }

    /** The sound that it makes all the time; empty for none. */
    public String loopSound() {
        boolean fires = phase == Phase.FIRING;
        return switch (weapon) {
            case RAILGUN -> "weapons/rg_hum.wav";
            case BFG -> "weapons/bfg_hum.wav";
            case HAND_GRENADE -> grenadeFuse > 0 ? "weapons/hgrenc1b.wav" : "";
            case CHAINGUN ->
                    fires && frame > CHAINGUN_SPIN_UP && frame < CHAINGUN_SPIN_DOWN
                            ? "weapons/chngnl1a.wav"
                            : "";
            case HYPERBLASTER -> fires && frame < HYPERBLASTER_END ? "weapons/hyprbl1a.wav" : "";
            default -> "";
        };
    }

    /** Whether the trigger was pressed since the last frame, or is held. */
    public boolean isPressed() {
        return pressed || latched;
    }

    /** Whether the trigger was pressed since the last frame: it was released before. */
    public boolean isNewlyPressed() {
        return latched;
    }

    /**
     * Takes the trigger of a command.
     *
     * @param attack whether it is held
     * @param alive whether the gun may shoot; one of the dead only sees the press
     */
    public void command(long now, boolean attack, boolean alive) {
        latched |= attack && !pressed;
        pressed = attack;
        if (latched && alive && !thought) {
            thought = true;
            think(now);
        }
    }

    /**
     * Ends one of the game's ten frames a second.
     *
     * @param alive whether the gun may shoot
     */
    public void endFrame(long now, boolean alive) {
        clickWait = Math.max(0, clickWait - 1);
        if (alive && !thought) {
            think(now);
        }
        thought = false;
        latched = false;
    }

    /**
     * Requests another weapon.
     *
     * @return why it can't be taken, as the player reads it; empty if it can
     */
    public Optional<String> use(Weapon other) {
        if (!inventory.has(other)) {
            return Optional.of("Out of item: " + other.title());
        }
        if (!inventory.canFire(other)) {
            return Optional.of(
                    (inventory.ammo(other) == 0 ? "No " : "Not enough ")
                            + other.ammo().map(Ammo::title).orElse("")
                            + " for "
                            + other.title()
                            + ".");
        }
        if (other != weapon) {
            wanted = other;
        }
        return Optional.empty();
    }

    /** Requests the weapon after the one in hand, or before it. */
    public void useNext(boolean backwards) {
        inventory.next(weapon, backwards).ifPresent(this::use);
    }

    /** Requests the weapon that was in hand before. */
    public void useLast() {
        use(before);
    }

    private void think(long now) {
        GunFrames frames = weapon.frames();
        if (phase == Phase.DROPPING) {
            if (frame == frames.downLast()) {
                takeUp();
            } else {
                frame++;
            }
            return;
        }
        if (phase == Phase.ACTIVATING) {
            if (frame == frames.upLast()) {
                phase = Phase.READY;
                frame = frames.idleFirst();
            } else {
                frame++;
            }
            return;
        }
        if (wanted != null && phase == Phase.READY) {
            putAway(frames);
            return;
        }
        // A hand grenade is only drawn in the frame of the press.
        if (phase == Phase.READY && (!pull() || weapon == Weapon.HAND_GRENADE)) {
            return;
        }
        if (weapon == Weapon.HAND_GRENADE) {
            handGrenade(now);
        } else {
            fire(now);
        }
    }

    private void putAway(GunFrames frames) {
        if (frames.hasDown()) {
            phase = Phase.DROPPING;
            frame = frames.downFirst();
        } else {
            takeUp();
        }
    }

    private void takeUp() {
        before = weapon;
        weapon = wanted == null ? weapon : wanted;
        wanted = null;
        frame = 0;
        phase = Phase.ACTIVATING;
    }

    /**
     * Pulls the trigger if it is pressed, else idles.
     *
     * @return whether it fires
     */
    private boolean pull() {
        if (!isPressed()) {
            idle();
            return false;
        }
        latched = false;
        if (!inventory.canFire(weapon)) {
            runOut();
            return false;
        }
        frame = weapon.frames().fireFirst();
        phase = Phase.FIRING;
        return true;
    }

    private void idle() {
        GunFrames frames = weapon.frames();
        if (frame == frames.idleLast()) {
            frame = frames.idleFirst();
        } else if (!frames.waits().contains(frame) || random.nextInt(WAIT_CHANCE) == 0) {
            frame++;
        }
    }

    /** The gun clicks, and another one is taken. */
    private void runOut() {
        if (clickWait == 0) {
            listener.onSound("weapons/noammo.wav", Channel.VOICE);
            clickWait = CLICK_FRAMES;
        }
        wanted = inventory.best();
    }

    private void fire(long now) {
        if (weapon.frames().shots().contains(frame)) {
            listener.onAct(now);
            switch (weapon) {
                case SHOTGUN -> {
                    if (frame != SHOTGUN_PUMP) {
                        shoot(now, 1);
                    }
                    frame++;
                }
                case MACHINE_GUN -> machineGun(now);
                case CHAINGUN -> chaingun(now);
                case HYPERBLASTER -> hyperblaster(now);
                case BFG -> {
                    if (frame == BFG_WIND_UP) {
                        listener.onWindUp(now, weapon);
                    } else if (inventory.canFire(weapon)) {
                        shoot(now, weapon.use());
                    }
                    frame++;
                }
                default -> {
                    shoot(now, weapon.use());
                    frame++;
                }
            }
        } else {
            frame++;
        }
        if (frame == weapon.frames().idleFirst() + 1) {
            phase = Phase.READY;
        }
    }

    /** Shoots, and spends ammunition: a bullet for each unit, or all of it for one shot. */
    private void shoot(long now, int amount) {
        inventory.spend(weapon, amount);
        listener.onShot(now, weapon, weapon == Weapon.CHAINGUN ? amount : 1, frame);
    }

    /** Draws a hand grenade, holds it as long as the trigger, and throws it. */
    private void handGrenade(long now) {
        boolean waits = grenadeWait > 0;
        grenadeWait = Math.max(0, grenadeWait - 1);
        switch (frame) {
            case GRENADE_DRAWN -> listener.onSound("weapons/hgrena1b.wav", Channel.WEAPON);
            case GRENADE_HOLD -> {
                if (waits ? grenadeWait > 0 : holds(now)) {
                    return;
                }
                if (waits) {
                    // The hand is empty: there is nothing to throw.
                    frame = GRENADE_LAST;
                }
            }
            case GRENADE_THROW -> throwGrenade(now, grenadeFuse - 1, false);
            case GRENADE_LAST -> {
                if (grenadeWait > 0) {
                    return;
                }
            }
            default -> {
                // The arm moves.
            }
        }
        frame++;
        if (frame == weapon.frames().idleFirst()) {
            phase = Phase.READY;
        }
    }

    /** Whether the hand grenade stays in the hand for another frame, in which it may explode. */
    private boolean holds(long now) {
        grenadeFuse = grenadeFuse == 0 ? GRENADE_FUSE_FRAMES : grenadeFuse - 1;
        if (grenadeFuse > 0) {
            return pressed;
        }
        throwGrenade(now, 0, true);
        return true;
    }

    private void throwGrenade(long now, int fuseFrames, boolean isHeld) {
        grenadeFuse = 0;
        grenadeWait = GRENADE_WAIT_FRAMES;
        inventory.spend(weapon, weapon.use());
        listener.onThrow(now, fuseFrames, isHeld);
    }

    private void machineGun(long now) {
        if (!pressed) {
            frame++;
            return;
        }
        frame = frame == 5 ? 4 : 5;
        if (inventory.canFire(weapon)) {
            shoot(now, 1);
        } else {
            frame = MACHINE_GUN_EMPTY;
            runOut();
        }
    }

    private void chaingun(long now) {
        if (frame == CHAINGUN_SPIN_UP) {
            listener.onSound("weapons/chngnu1a.wav", Channel.AUTO);
        }
        if (frame == CHAINGUN_MEDIUM_LAST && !pressed) {
            frame = CHAINGUN_SPUN_DOWN;
            return;
        }
        if (frame == CHAINGUN_FAST_LAST && pressed && inventory.canFire(weapon)) {
            frame = CHAINGUN_FAST_FIRST;
        } else {
            frame++;
        }
        if (frame == CHAINGUN_SPIN_DOWN) {
            listener.onSound("weapons/chngnd1a.wav", Channel.AUTO);
        }
        int bullets =
                frame <= CHAINGUN_SLOW_LAST
                        ? 1
                        : frame <= CHAINGUN_MEDIUM_LAST ? pressed ? 2 : 1 : 3;
        bullets = Math.min(bullets, inventory.ammo(weapon));
        if (bullets > 0) {
            shoot(now, bullets);
        } else {
            runOut();
        }
    }

    private void hyperblaster(long now) {
        if (pressed) {
            if (inventory.canFire(weapon)) {
                shoot(now, 1);
            } else {
                runOut();
            }
        }
        frame++;
        if (frame == HYPERBLASTER_END && pressed && inventory.canFire(weapon)) {
            frame = HYPERBLASTER_FIRST;
        }
        if (frame == HYPERBLASTER_END) {
            listener.onSound("weapons/hyprbd1a.wav", Channel.AUTO);
        }
    }
}
