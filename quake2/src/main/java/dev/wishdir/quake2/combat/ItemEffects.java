package dev.wishdir.quake2.combat;

import dev.wishdir.arena.event.Vitals;

import java.util.Optional;

/**
 * Effects of items on one player: health that wears off, and what the status bar shows of the last
 * item for three seconds.
 */
public final class ItemEffects {
    private static final int MAX_HEALTH = 100;
    private static final int SMALL_POINTS = 2;
    private static final int MEDIUM_POINTS = 10;
    private static final int LARGE_POINTS = 25;
    private static final int MEGA_POINTS = 100;

    /** Frames of the game's ten a second. */
    private static final int SHOWN_FRAMES = 30;

    private static final int WEAR_OFF_FRAMES = 50;
    private static final int WEAR_INTERVAL_FRAMES = 10;

    private Optional<PickupItem> last = Optional.empty();
    private int shownFrames;

    /** Until the next point of the mega health is lost; 0 if it has worn off. */
    private int wearFrames;

    /** For which its quad damage lasts. */
    private int quadFrames;

    /** Begins a life. */
    public void clear() {
        last = Optional.empty();
        shownFrames = 0;
        wearFrames = 0;
        quadFrames = 0;
    }

    /**
     * Takes an item.
     *
     * @return what the player has then; empty if it has no use for it
     */
    public Optional<Vitals> take(PickupItem item, Vitals before, Inventory inventory) {
        Optional<Vitals> after = after(item, before, inventory);
        if (after.isPresent()) {
            last = Optional.of(item);
            shownFrames = SHOWN_FRAMES;
            if (item == PickupItem.HEALTH_MEGA) {
                wearFrames = WEAR_OFF_FRAMES;
            }
        }
        return after;
    }

    private static Optional<Vitals> after(PickupItem item, Vitals before, Inventory inventory) {
        return switch (item) {
            case HEALTH_SMALL -> Optional.of(healed(before, SMALL_POINTS));
            case HEALTH_MEGA -> Optional.of(healed(before, MEGA_POINTS));
            case HEALTH -> healedToMaximum(before, MEDIUM_POINTS);
            case HEALTH_LARGE -> healedToMaximum(before, LARGE_POINTS);
            case ARMOR_SHARD -> Optional.of(ArmourKind.shard(before));
            case ARMOR_JACKET, ARMOR_COMBAT, ARMOR_BODY -> ArmourKind.taken(item, before);
            case QUAD -> Optional.of(before);
            default -> {
                item.weapon().ifPresent(inventory::give);
                boolean more =
                        item.ammo().filter(kind -> add(inventory, kind, item.amount())).isPresent();
                yield more || item.weapon().isPresent() ? Optional.of(before) : Optional.empty();
            }
        };
    }

    private static boolean add(Inventory inventory, Ammo kind, int amount) {
        int before = inventory.count(kind);
        inventory.set(kind, before + amount);
        return inventory.count(kind) > before;
    }

    private static Vitals healed(Vitals before, int points) {
        return new Vitals(before.health() + points, before.armour(), before.absorption());
    }

    private static Optional<Vitals> healedToMaximum(Vitals before, int points) {
        return before.health() >= MAX_HEALTH
                ? Optional.empty()
                : Optional.of(
                        new Vitals(
                                Math.min(before.health() + points, MAX_HEALTH),
                                before.armour(),
                                before.absorption()));
    }

    /**
     * Ends one of the game's ten frames a second.
     *
     * @return what the player has after it; the same as before unless health wears off
     */
    public Vitals endFrame(Vitals vitals) {
        shownFrames = Math.max(0, shownFrames - 1);
        if (wearFrames == 0 || --wearFrames > 0) {
            return vitals;
        }
        if (vitals.health() <= MAX_HEALTH) {
            return vitals;
        }
        wearFrames = WEAR_INTERVAL_FRAMES;
        return healed(vitals, -1);
    }

    /**
     * Sets the frames for which its quad damage lasts; 0 for none.
     *
     * @return whether it begins to run out, which its player hears
     */
    public boolean setQuadFrames(int frames) {
        boolean ran = QuadDamage.runsOut(quadFrames);
        quadFrames = frames;
        return !ran && QuadDamage.runsOut(frames);
    }

    /** The frames for which its quad damage lasts; 0 for none. */
    public int quadFrames() {
        return quadFrames;
    }

    /** The last item, as long as the status bar shows it. */
    public Optional<PickupItem> shown() {
        return last.filter(_ -> shownFrames > 0);
    }

    /** Name of the picture of the armour that is worn; empty for none. */
    public static String armourIcon(Vitals vitals) {
        return ArmourKind.icon(vitals);
    }
}
