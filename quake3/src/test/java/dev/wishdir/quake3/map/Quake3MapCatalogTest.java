package dev.wishdir.quake3.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Maps out of a game's own folder. */
class Quake3MapCatalogTest {
    @TempDir Path game;

    private void pak(String name, String entry, byte[] content) throws IOException {
        Path base = Files.createDirectories(game.resolve("baseoa"));
        try (OutputStream out = Files.newOutputStream(base.resolve(name));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content);
            zip.closeEntry();
        }
    }

    private Quake3MapCatalog levels() {
        return new Quake3MapCatalog(Optional.of(game));
    }

    @ParameterizedTest
    @FieldSource("dev.wishdir.blocks.arena.ArenaCatalog#SHIPPED")
    void drawsSkyWithFewVertices(String arena) throws IOException {
        Quake3Map map =
                new Quake3MapCatalog(Optional.empty(), ArenaCatalog.shipped(arena)).load("");
        Bytes pk3 = map.offer().orElseThrow().file();
        ByteBuffer bsp =
                ByteBuffer.wrap(Pk3.read("sky", pk3.toArray()).first().toArray())
                        .order(ByteOrder.LITTLE_ENDIAN);
        int shaders = bsp.getInt(8 + 8 * 1);
        int surfaces = bsp.getInt(8 + 8 * 13);
        int bytes = bsp.getInt(8 + 8 * 13 + 4);
        int vertices = 0;
        for (int at = surfaces; at < surfaces + bytes; at += 104) {
            int flags = bsp.getInt(shaders + 72 * bsp.getInt(at) + 64);
            vertices += (flags & 4) != 0 ? bsp.getInt(at + 16) : 0;
        }

        assertThat(vertices).isBetween(1, 1_000);
    }

    private void assertRefused(String map, String... says) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> levels().load(map))
                .satisfies(e -> assertThat(e.getMessage()).contains(says));
    }

    @Test
    void usesGeneratedMapWithoutName() throws IOException {
        Quake3Map box = new Quake3MapCatalog(Optional.empty()).load("");
        assertThat(box.name()).isEqualTo("wishdir_flat");
        assertThat(box.offer()).isPresent();
        assertThat(box.spawns()).hasSize(8);
        assertThat(box.bounds()).isEqualTo(ArenaCatalog.FLAT.bounds());
    }

    @Test
    void knowsAreasThatHurtFromTheStart() throws IOException {
        CollisionSpace space =
                new TestMap("0 0 24")
                        .trigger("64 0 0", "128 64 32", "classname", "trigger_hurt")
                        .trigger(
                                "-128 0 0",
                                "-64 64 32",
                                "classname",
                                "trigger_hurt",
                                "spawnflags",
                                "1")
                        .levels(game)
                        .load(TestMap.NAME)
                        .space();
        assertThat(space.isDeadly(new Vec3(3, 1, 0.5))).isTrue();
        assertThat(space.isDeadly(new Vec3(-3, 1, 0.5))).isFalse();
        assertThat(space.isDeadly(new Vec3(0, 0, 0.5))).isFalse();
    }

    @Test
    void prefersLastPak() throws IOException {
        byte[] labbox = Quake3Captures.FILES.file("labbox.bsp").toArray();
        pak(
                "pak0.pk3",
                "maps/labbox.bsp",
                "IBSP, but of another kind".getBytes(StandardCharsets.US_ASCII));
        pak("PAK1.pk3", "Maps/LABBOX.bsp", labbox);
        Quake3Map level = levels().load("labbox");
        assertThat(level.offer()).isEmpty();
        assertThat(level.spawns()).isNotEmpty();
        Vec3f start = level.spawns().getFirst().origin();
        assertThat(level.world().contents(start)).isZero();
        // A room of 1024 by 1024 by 384 units with walls of 16.
        assertThat(level.bounds())
                .isEqualTo(new Bounds(new Vec3(-16.5, -16.5, -0.5), new Vec3(16.5, 16.5, 12.5)));
        pak("pak2.pk3", "maps/labbox.bsp", new byte[0]);
        assertRefused("labbox", "'labbox' is broken", "byte 0");
    }

    @Test
    void namesMissingMap() throws IOException {
        assertRefused("labbox", game.toString(), "baseoa");
        pak("pak0.pk3", "maps/other.bsp", new byte[1]);
        assertRefused("labbox", "no map 'labbox'", "maps/labbox.bsp", "baseoa");
        assertRefused("../labbox", "is not a name of a map");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new Quake3MapCatalog(Optional.empty()).load("labbox"))
                .withMessageContaining("option data");
    }

    @Test
    void skipsFileThatIsNotAPak() throws IOException {
        Files.createDirectories(game.resolve("baseoa"));
        Files.writeString(game.resolve("baseoa/pak0.pk3"), "no zip");
        assertRefused("labbox", "no map 'labbox'", "maps/labbox.bsp");
    }
}
