package dev.wishdir.quake3.map;

import dev.wishdir.quake3.movement.Pmove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A room with what a test needs in it: x and y from -512 to 512, the floor at 0. */
public final class TestMap {
    /** What it is loaded as. */
    public static final String NAME = "wishdir_test";

    private static final int TRIGGER = 0x40000000;

    private final Bsp46Writer map = room();
    private final int trigger = map.shader("textures/common/trigger", TRIGGER);
    private final int solid = map.shader("textures/base_wall/metal", Pmove.SOLID);

    /** The spawn's player looks along x. */
    public TestMap(String spawn) {
        map.entity("classname", "worldspawn", "message", "A test");
        map.entity("classname", "info_player_deathmatch", "origin", spawn, "angle", "0");
    }

    private static Bsp46Writer room() {
        Bsp46Writer map = new Bsp46Writer();
        int floor = map.shader("textures/base_floor/concrete", Pmove.SOLID);
        int wall = map.shader("textures/base_wall/concrete", Pmove.SOLID);
        map.box(floor, point("-576 -576 -64"), point("576 576 0"), 5);
        map.box(wall, point("-576 -576 0"), point("-512 576 512"), 1);
        map.box(wall, point("512 -576 0"), point("576 576 512"), 0);
        map.box(wall, point("-512 -576 0"), point("512 -512 512"), 3);
        map.box(wall, point("-512 512 0"), point("512 576 512"), 2);
        map.box(wall, point("-576 -576 512"), point("576 576 576"), 4);
        map.model(point("-576 -576 -64"), point("576 576 576"));
        return map;
    }

    /** Adds an entity without a model. */
    public TestMap entity(String... words) {
        map.entity(words);
        return this;
    }

    private static double[] point(String words) {
        return java.util.Arrays.stream(words.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private TestMap model(int shader, String mins, String maxs, String... words) {
        map.box(shader, point(mins), point(maxs), 0, 1, 2, 3, 4, 5);
        int model = map.model(point(mins), point(maxs));
        String[] all = java.util.Arrays.copyOf(words, words.length + 2);
        all[words.length] = "model";
        all[words.length + 1] = "*" + model;
        map.entity(all);
        return this;
    }

    /** Adds an entity whose model is a box that stops no player. */
    public TestMap trigger(String mins, String maxs, String... words) {
        return model(trigger, mins, maxs, words);
    }

    /** Adds an entity whose model is a solid box. */
    public TestMap solid(String mins, String maxs, String... words) {
        return model(solid, mins, maxs, words);
    }

    /** Area 0 lies before an x, area 1 behind. */
    public TestMap part(double x) {
        map.splitAreas(x);
        return this;
    }

    public byte[] bsp() {
        return map.file();
    }

    /** Puts it into a game's folder. Returns where it can be played from. */
    public Quake3MapCatalog levels(Path folder) throws IOException {
        Files.write(
                folder.resolve("zz-test.pk3"),
                new Pk3().add("maps/" + NAME + ".bsp", map.file()).file());
        return new Quake3MapCatalog(java.util.Optional.of(folder));
    }
}
