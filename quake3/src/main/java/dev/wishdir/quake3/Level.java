package dev.wishdir.quake3;

import dev.wishdir.wire.Bytes;
import dev.wishdir.world.BrushWorld;
import dev.wishdir.world.Vec3f;

import java.util.List;

/**
 * A map to play.
 *
 * @param name what the client loads as {@code maps/NAME.bsp}
 * @param pakName the file's name without ending, that a client downloads who lacks the map
 * @param pak the pk3 file itself
 * @param pakChecksum what the client knows the file by
 */
record Level(
        String name,
        BrushWorld world,
        List<Spawn> spawns,
        String pakName,
        Bytes pak,
        int pakChecksum) {
    /** Where a player appears: units, degrees. */
    record Spawn(Vec3f origin, double yaw) {}
}
