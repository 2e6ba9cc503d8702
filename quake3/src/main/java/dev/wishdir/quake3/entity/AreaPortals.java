package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.AreaTree;
import dev.wishdir.idtech.Box;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The areas of a level and the doors between them: a closed door hides one area from another. */
final class AreaPortals {
    private final AreaTree leafs;
    private final List<Portal> portals = new ArrayList<>();

    private record Portal(int first, int second, BooleanSupplier open) {}

    AreaPortals(AreaTree leafs) {
        this.leafs = leafs;
    }

    /**
     * Adds a door between two areas; a door within one area separates nothing.
     *
     * @param closed bounds of the closed door
     */
    void add(Box closed, BooleanSupplier open) {
        BitSet areas = leafs.areas(closed);
        int first = areas.nextSetBit(0);
        int second = areas.nextSetBit(first + 1);
        if (first >= 0 && second >= 0) {
            portals.add(new Portal(first, second, open));
        }
    }

    /**
     * The area bits of a snapshot; each bit that is set hides an area.
     *
     * @param eye position of the view, units
     * @return empty if nothing is hidden, as outside of all areas
     */
    Bytes hiddenAreas(Vec3f eye) {
        int own = leafs.area(eye);
        if (own < 0) {
            return Bytes.EMPTY;
        }
        BitSet visible = new BitSet();
        visible.set(own);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Portal portal : portals) {
                if (visible.get(portal.first()) != visible.get(portal.second())
                        && portal.open().getAsBoolean()) {
                    visible.set(portal.first());
                    visible.set(portal.second());
                    changed = true;
                }
            }
        }
        byte[] bits = new byte[(leafs.areaCount() + 7) / 8];
        for (int area = 0; area < 8 * bits.length; area++) {
            if (!visible.get(area)) {
                bits[area / 8] |= (byte) (1 << area % 8);
            }
        }
        return Bytes.wrap(bits);
    }
}
