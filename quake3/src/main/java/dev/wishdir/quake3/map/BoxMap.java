package dev.wishdir.quake3.map;

import dev.wishdir.quake3.map.Level.Offer;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.world.BoxArena;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/** Builds the generated arena as a map of Quake III. */
final class BoxMap {
    /** What clients load it as. */
    static final String NAME = "wishdir_box";

    private static final int WALL = 64;

    private BoxMap() {}

    /** The level with its pk3. */
    static Level build() {
        double half = BoxArena.SIDE / 2 * Quake3Motion.SCALE;
        double top = BoxArena.BOUNDS.max().z() * Quake3Motion.SCALE;
        Bsp46Writer map = room(half, top);
        map.entity("classname", "worldspawn", "message", "Wishdir");
        for (int i = 0; i < 8; i++) {
            double angle = Math.toRadians(45 * i);
            long x = Math.round(half / 2 * Math.cos(angle));
            long y = Math.round(half / 2 * Math.sin(angle));
            map.entity(
                    "classname",
                    "info_player_deathmatch",
                    "origin",
                    x + " " + y + " 32",
                    "angle",
                    Integer.toString((45 * i + 180) % 360));
        }
        // Its walls are no place for anybody.
        return level(NAME, map.file()).within(BoxArena.BOUNDS);
    }

    /**
     * An empty room as the world of a map.
     *
     * @param half of the length of its sides, units
     * @param top its height
     */
    static Bsp46Writer room(double half, double top) {
        Bsp46Writer map = new Bsp46Writer();
        int floor = map.shader("textures/base_floor/concrete", Pmove.SOLID);
        int wall = map.shader("textures/base_wall/concrete", Pmove.SOLID);
        double out = half + WALL;
        map.box(floor, new double[] {-out, -out, -WALL}, new double[] {out, out, 0}, 5);
        map.box(wall, new double[] {-out, -out, 0}, new double[] {-half, out, top}, 1);
        map.box(wall, new double[] {half, -out, 0}, new double[] {out, out, top}, 0);
        map.box(wall, new double[] {-half, -out, 0}, new double[] {half, -half, top}, 3);
        map.box(wall, new double[] {-half, half, 0}, new double[] {half, out, top}, 2);
        map.box(wall, new double[] {-out, -out, top}, new double[] {out, out, top + WALL}, 4);
        map.model(new double[] {-out, -out, -WALL}, new double[] {out, out, top + WALL});
        return map;
    }

    /** A map that clients may download. */
    private static Level level(String name, byte[] bsp) {
        Pak known = new Pak(Path.of(name), "zz-" + name, List.of(crc(bsp)), false, false);
        return Level.read(name, bsp, Optional.of(new Offer(Bsp46Writer.pk3(name, bsp), known)));
    }

    private static int crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
