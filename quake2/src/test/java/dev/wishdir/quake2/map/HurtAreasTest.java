package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/** A jump pad that is made into an area that hurts. */
class HurtAreasTest {
    private static final BodyDimensions BODY = new BodyDimensions("quake2", 1, 1.75, 0.5625, 1.5);

    @Test
    void knowsAreasThatHurt() throws IOException {
        BlockArena arena = ArenaCatalog.shipped("hills");
        Vec3 pad =
                arena.moveTriggers().stream()
                        .filter(MoveTrigger.JumpPad.class::isInstance)
                        .findFirst()
                        .orElseThrow()
                        .place();
        String push = "trigger_push";
        String file = new String(Bsp38Compiler.file(arena).toArray(), ISO_8859_1);
        byte[] hurt = file.replace(push, "trigger_hurt").getBytes(ISO_8859_1);
        byte[] pushes = file.getBytes(ISO_8859_1);
        Vec3 over = pad.plus(new Vec3(0, 0, 0.1));
        assertThat(Quake2MapCatalog.stock("hills", hurt, BODY).space().isDeadly(over)).isTrue();
        assertThat(Quake2MapCatalog.stock("hills", pushes, BODY).space().isDeadly(over)).isFalse();
    }
}
