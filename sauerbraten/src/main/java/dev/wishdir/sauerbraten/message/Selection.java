package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

/**
 * The selected part of a map that an edit changes.
 *
 * @param ox corner nearest to the origin, units, like {@code oy} and {@code oz}
 * @param sx number of cubes in x, like {@code sy} and {@code sz}
 * @param grid side of a cube, units
 * @param orient selected side
 * @param cx first corner of a selection of corners, like {@code cy}
 * @param cxs their number, like {@code cys}
 */
public record Selection(
        int ox,
        int oy,
        int oz,
        int sx,
        int sy,
        int sz,
        int grid,
        int orient,
        int cx,
        int cxs,
        int cy,
        int cys,
        int corner)
        implements Fields.Part {
    public static final Selection BLANK = new Selection(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Selection wire(Wire w, Selection m) {
        int ox = integer(w, "ox", m.ox);
        int oy = integer(w, "oy", m.oy);
        int oz = integer(w, "oz", m.oz);
        int sx = integer(w, "sx", m.sx);
        int sy = integer(w, "sy", m.sy);
        int sz = integer(w, "sz", m.sz);
        int grid = integer(w, "grid", m.grid);
        int orient = integer(w, "orient", m.orient);
        int cx = integer(w, "cx", m.cx);
        int cxs = integer(w, "cxs", m.cxs);
        int cy = integer(w, "cy", m.cy);
        int cys = integer(w, "cys", m.cys);
        int corner = integer(w, "corner", m.corner);
        return new Selection(ox, oy, oz, sx, sy, sz, grid, orient, cx, cxs, cy, cys, corner);
    }
}
