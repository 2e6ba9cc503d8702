package dev.wishdir.sauerbraten.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.inspect.Captures;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.world.BoxArena;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.zip.GZIPOutputStream;

class OgzTest {
    @ParameterizedTest
    @CsvSource({"boxarena, 1236023436, 17", "ramparena, 375998279, 13"})
    void aMapThatTheGameLoaded(String name, int crc, int entities) {
        Ogz map = Ogz.read(Captures.file(name + ".ogz"));
        assertThat(map.worldsize()).isEqualTo(1024);
        assertThat(map.entities()).hasSize(entities);
        assertThat(map.vars()).contains(new Edit.EditVar("fullbright", new Edit.IntValue(1)));
        assertThat(map.crc()).isEqualTo(crc);
        assertThat(Ogz.read(map.file())).isEqualTo(map);
        assertThat(map.entities().getFirst().type()).isEqualTo(Ogz.Entity.PLAYERSTART);
        Octree octree = new Octree(map);
        assertThat(octree.isSolid(new Vec3(512, 512, 500))).isTrue();
        assertThat(octree.isSolid(new Vec3(500, 300, 600))).isFalse();
    }

    @Test
    void lawsHold() {
        Ogz rich =
                new Ogz(
                        2048,
                        1,
                        2,
                        3,
                        4,
                        List.of(
                                new Edit.EditVar("a", new Edit.FloatValue(0.5f)),
                                new Edit.EditVar("é", new Edit.TextValue("Жь"))),
                        "fps",
                        2,
                        Bytes.ofHex("010203"),
                        List.of(7, 65535),
                        List.of(
                                new Ogz.Entity(
                                        1, -2, 3, -4, 5, 6, 7, 8, 30, 9, Bytes.ofHex("aabb"))),
                        Bytes.ofHex("00"));
        WireLaws.holdToTheEnd(rich, Ogz.BLANK, Ogz::wire);
    }

    @Test
    void theArenaIsTheRoomOfAllGames() {
        Ogz map = Ogz.read(Ogz.arena("box", Ogz.arenaStarts()).file());
        assertThat(map).isEqualTo(Ogz.arena("box", Ogz.arenaStarts()));
        Octree octree = new Octree(map);
        for (double x = -35.5; x < 36; x += 1) {
            for (double y = -35.5; y < 36; y += 1) {
                for (double z : new double[] {-60, -0.5, 0.5, 7.5, 8.5, 60}) {
                    boolean room = Math.max(Math.abs(x), Math.abs(y)) < BoxArena.SIDE / 2;
                    boolean solid = z < 0 || !room && z < BoxArena.WALL;
                    Vec3 at = SauerbratenMotion.CENTERED.toNative(new Vec3(x, y, z));
                    assertThat(octree.isSolid(at))
                            .as("solid at %s %s %s", x, y, z)
                            .isEqualTo(solid);
                }
            }
        }
        for (Ogz.Entity start : map.entities()) {
            Vec3 at = SauerbratenMotion.CENTERED.toCanonical(start.place());
            assertThat(BoxArena.BOUNDS.contains(at)).isTrue();
            double canonical = Math.toRadians(SauerbratenMotion.yaw(start.attr1()));
            double ahead = -(at.x() * Math.cos(canonical) + at.y() * Math.sin(canonical));
            assertThat(ahead / at.horizontal()).as("looks at the middle").isGreaterThan(0.999);
        }
    }

    /** What is solid, by cubes of 16 units: an independent reader of a generated geometry. */
    private static final class Octree {
        private static final int GRID = 16;
        private final BitSet solid = new BitSet();
        private final int side;

        Octree(Ogz map) {
            side = map.worldsize() / GRID;
            Reader r = new Reader(map.geometry());
            children(r, 0, 0, 0, side / 2);
            assertThat(r.remaining()).isZero();
        }

        private void children(Reader r, int x, int y, int z, int size) {
            for (int i = 0; i < 8; i++) {
                cube(r, x + (i & 1) * size, y + (i >> 1 & 1) * size, z + (i >> 2 & 1) * size, size);
            }
        }

        private void cube(Reader r, int x, int y, int z, int size) {
            int tag = r.u8("tag", 0);
            if ((tag & 7) == 0) {
                children(r, x, y, z, size / 2);
                return;
            }
            r.bytes("edges", Bytes.EMPTY, (tag & 7) == 3 ? 12 : 0);
            r.bytes("textures", Bytes.EMPTY, 12);
            r.bytes("material", Bytes.EMPTY, (tag & 0x40) != 0 ? 2 : 0);
            for (int i = 0; (tag & 7) == 2 && i < size * size; i++) {
                int from = index(x, y + i % size, z + i / size);
                solid.set(from, from + size);
            }
        }

        private int index(int x, int y, int z) {
            return (z * side + y) * side + x;
        }

        boolean isSolid(Vec3 at) {
            return solid.get(index((int) at.x() / GRID, (int) at.y() / GRID, (int) at.z() / GRID));
        }
    }

    @Test
    void aFileThatUnpacksWithoutEndIsRefused() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i <= Ogz.MAX_LENGTH >> 20; i++) {
                out.write(zeros);
            }
        }
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Ogz.read(Bytes.wrap(file.toByteArray())))
                .withMessageContaining("has more than");
    }

    @Test
    void whatIsNoMapIsRefused() {
        for (Bytes file :
                List.of(
                        Bytes.EMPTY,
                        Bytes.ofHex("1f8b0800"),
                        Captures.file("ctf_sample.dmo"),
                        Captures.file("solo_walk.pcap"))) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> Ogz.read(file));
        }
        byte[] cut = Captures.file("boxarena.ogz").toArray();
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Ogz.read(Bytes.wrap(Arrays.copyOf(cut, 300))));
    }
}
