package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.movement.Pmove;

import java.util.List;
import java.util.Optional;

/** The room of the captured fights, 1024 units wide, as a running level. */
public final class CombatLevel {
    private CombatLevel() {}

    public static RunningLevel open(Arena arena) {
        Bounds bounds = new Bounds(new Vec3(-128, -128, -128), new Vec3(128, 128, 128));
        Quake2Map map =
                new Quake2Map(
                        "q2combat",
                        "",
                        Quake2Captures.FILES.file("q2combat.bsp"),
                        "",
                        0,
                        0,
                        bounds,
                        CollisionSpace.OPEN,
                        List.of(Movement.at(Vec3.ZERO, 0)),
                        Optional.empty(),
                        new Pmove(Quake2Captures.world("q2combat.bsp")),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty());
        ConfigStrings strings = new ConfigStrings(_ -> {});
        return new RunningLevel(
                arena,
                new HttpDownloads(),
                strings,
                new ItemEntities(arena.match().items()),
                new FlagEntities(arena, strings),
                0,
                map);
    }
}
