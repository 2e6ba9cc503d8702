package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.List;

/** Adds the brush models that trigger jump pads. See docs/protocols/quake2.md, 7. */
final class PadModels {
    private static final int SOLID = 1;

    private PadModels() {}

    /** Adds a model of one brush for each jump pad. */
    static void add(BlockArena arena, Bsp38Writer bsp, int texture) {
        for (MoveTrigger trigger : arena.moveTriggers()) {
            if (trigger instanceof MoveTrigger.JumpPad) {
                int radius = (int) (MoveTrigger.JumpPad.RADIUS_METRES * Quake2Motion.SCALE);
                int height = (int) (MoveTrigger.HEIGHT_METRES * Quake2Motion.SCALE);
                Vec3 at = trigger.place().times(Quake2Motion.SCALE);
                int x = (int) Math.round(at.x());
                int y = (int) Math.round(at.y());
                int z = (int) Math.round(at.z());
                add(
                        bsp,
                        texture,
                        new int[] {x - radius, y - radius, z},
                        new int[] {x + radius, y + radius, z + height});
            }
        }
    }

    private static void add(Bsp38Writer bsp, int texture, int[] min, int[] max) {
        int brush = bsp.lump(Bsp38Writer.BRUSHES).position() / 12;
        bsp.brush(min, max, SOLID, texture);
        int leaf = bsp.lump(Bsp38Writer.LEAFS).position() / 28;
        bsp.put(Bsp38Writer.LEAFS, SOLID);
        bsp.putShorts(Bsp38Writer.LEAFS, -1, 0);
        bsp.putShorts(Bsp38Writer.LEAFS, min);
        bsp.putShorts(Bsp38Writer.LEAFS, max);
        bsp.putShorts(
                Bsp38Writer.LEAFS,
                bsp.lump(Bsp38Writer.LEAF_FACES).position() / 2,
                0,
                bsp.lump(Bsp38Writer.LEAF_BRUSHES).position() / 2,
                1);
        bsp.putShorts(Bsp38Writer.LEAF_BRUSHES, brush);
        int node = bsp.lump(Bsp38Writer.NODES).position() / 28;
        int faces = bsp.lump(Bsp38Writer.FACES).position() / 20;
        bsp.put(Bsp38Writer.NODES, bsp.plane(2, max[2]), -1 - leaf, -1 - leaf);
        bsp.putShorts(Bsp38Writer.NODES, min);
        bsp.putShorts(Bsp38Writer.NODES, max);
        bsp.putShorts(Bsp38Writer.NODES, faces, 0);
        for (int[] corner : List.of(min, max)) {
            for (int coordinate : corner) {
                bsp.putFloats(Bsp38Writer.MODELS, coordinate);
            }
        }
        bsp.putFloats(Bsp38Writer.MODELS, 0, 0, 0);
        bsp.put(Bsp38Writer.MODELS, node, faces, 0);
    }
}
