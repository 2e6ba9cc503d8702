package dev.wishdir.quake3.entity;

import dev.wishdir.wire.Bytes;
import dev.wishdir.world.AreaTree;
import dev.wishdir.world.Box;
import dev.wishdir.world.Vec3f;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Which areas of a level are open to one another: a door that is shut parts two of them. */
final class AreaPortals {
    private final AreaTree leafs;
    private final List<Portal> portals = new ArrayList<>();

    private record Portal(int one, int other, BooleanSupplier open) {}

    AreaPortals(AreaTree leafs) {
        this.leafs = leafs;
    }

    /**
     * Adds a door between two areas; a door within one area separates nothing.
     *
     * @param shut a box around the door where it is shut
     */
    void add(Box shut, BooleanSupplier open) {
        BitSet met = leafs.areas(shut);
        int one = met.nextSetBit(0);
        int other = met.nextSetBit(one + 1);
        if (one >= 0 && other >= 0) {
            portals.add(new Portal(one, other, open));
        }
    }

    /**
     * The bits of a snapshot, of which each hides an area.
     *
     * @param eye whose sight it is
     * @return empty where everything is shown, as from outside of all areas
     */
    Bytes hidden(Vec3f eye) {
        int own = leafs.area(eye);
        if (own < 0) {
            return Bytes.EMPTY;
        }
        BitSet seen = new BitSet();
        seen.set(own);
        boolean more = true;
        while (more) {
            more = false;
            for (Portal portal : portals) {
                if (seen.get(portal.one()) != seen.get(portal.other())
                        && portal.open().getAsBoolean()) {
                    seen.set(portal.one());
                    seen.set(portal.other());
                    more = true;
                }
            }
        }
        byte[] bits = new byte[(leafs.areaCount() + 7) / 8];
        for (int area = 0; area < 8 * bits.length; area++) {
            if (!seen.get(area)) {
                bits[area / 8] |= (byte) (1 << area % 8);
            }
        }
        return Bytes.wrap(bits);
    }
}
