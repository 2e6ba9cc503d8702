package dev.wishdir.arena.item;

import dev.wishdir.motion.Vec3;

/**
 * Positions of the feet of a body that touches an item, relative to the middle of the item's base.
 *
 * @param least metres, the limits included
 * @param most metres, at most {@value #MAX_METRES} along x and y
 */
public record ItemReach(Vec3 least, Vec3 most) {
    static final double MAX_METRES = 2;

    /**
     * @throws IllegalArgumentException if it is wider than allowed
     */
    public ItemReach {
        if (!(Math.min(least.x(), least.y()) >= -MAX_METRES
                && Math.max(most.x(), most.y()) <= MAX_METRES)) {
            throw new IllegalArgumentException(
                    "a body touches items within 2 m, not from " + least + " to " + most);
        }
    }

    /** Boxes that touch: of a body and of an item, which stand on the same ground. */
    public static ItemReach ofBoxes(
            double bodyWidth, double bodyHeight, double itemWidth, double itemHeight) {
        double aside = (bodyWidth + itemWidth) / 2;
        return new ItemReach(
                new Vec3(-aside, -aside, -bodyHeight), new Vec3(aside, aside, itemHeight));
    }

    /** Whether a body touches an item from which its feet are this far. */
    public boolean contains(Vec3 off) {
        return contains(off.x(), off.y(), off.z());
    }

    /** Whether a body with its feet at a place touches an item; allocates nothing. */
    public boolean touches(Vec3 feet, Vec3 item) {
        return contains(feet.x() - item.x(), feet.y() - item.y(), feet.z() - item.z());
    }

    private boolean contains(double x, double y, double z) {
        return x >= least.x()
                && x <= most.x()
                && y >= least.y()
                && y <= most.y()
                && z >= least.z()
                && z <= most.z();
    }
}
