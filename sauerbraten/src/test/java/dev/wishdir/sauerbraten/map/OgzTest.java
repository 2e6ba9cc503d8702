package dev.wishdir.sauerbraten.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.inspect.SauerbratenCaptures;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

@Tag("slow")
class OgzTest {
    @ParameterizedTest
    @CsvSource({"boxarena, 1236023436, 17", "ramparena, 375998279, 13"})
    void readsMapLoadedByGame(String name, int crc, int entities) {
        Ogz map = Ogz.read(SauerbratenCaptures.FILES.file(name + ".ogz"));
        assertThat(map.worldsize()).isEqualTo(1024);
        assertThat(map.entities()).hasSize(entities);
        assertThat(map.vars())
                .contains(new EditMessage.EditVar("fullbright", new EditMessage.IntValue(1)));
        assertThat(map.crc()).isEqualTo(crc);
        assertThat(Ogz.read(map.file())).isEqualTo(map);
        assertThat(map.entities().getFirst().type()).isEqualTo(Ogz.Entity.PLAYERSTART);
        Octree octree = Octree.read(map).orElseThrow();
        assertThat(octree.filled(0, 0, -2)).isEqualTo(2);
        assertThat(octree.filled(-2, 26, 11)).isZero();
    }

    @Test
    void readsFlagsAndStartsOfTeams() {
        SauerbratenMotion motion = SauerbratenMotion.CENTERED;
        Ogz map = Ogz.read(SauerbratenCaptures.FILES.file("boxarena.ogz"));
        assertThat(map.flags())
                .containsExactly(
                        new FlagMessage.Placed(2, new Point(6400, 10_240, 8192)),
                        new FlagMessage.Placed(1, new Point(8000, 10_240, 8192)));
        FlagBases bases = map.bases(motion).orElseThrow();
        assertThat(bases.red().flag()).isEqualTo(motion.toCanonical(new Vec3(400, 640, 512)));
        assertThat(bases.blue().flag()).isEqualTo(motion.toCanonical(new Vec3(500, 640, 512)));
        assertThat(bases.blue().spawns())
                .extracting(start -> Math.round(motion.toNative(start.position()).x()))
                .containsExactly(300L);
        assertThat(bases.red().spawns())
                .extracting(start -> Math.round(motion.toNative(start.position()).x()))
                .containsExactly(700L);
        assertThat(Ogz.read(SauerbratenCaptures.FILES.file("ramparena.ogz")).bases(motion))
                .as("without starts of a team")
                .hasValueSatisfying(other -> assertThat(other.red().spawns()).isEmpty());
        assertThat(OgzCompiler.build(ArenaCatalog.shipped("hall")).bases(motion)).isEmpty();
    }

    @Test
    void holdsLaws() {
        Ogz rich =
                new Ogz(
                        32,
                        2048,
                        1,
                        2,
                        3,
                        4,
                        List.of(
                                new EditMessage.EditVar("a", new EditMessage.FloatValue(0.5f)),
                                new EditMessage.EditVar("é", new EditMessage.TextValue("Жь"))),
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
    void readsArenaBackUnchanged() {
        for (String name : ArenaCatalog.SHIPPED) {
            BlockArena arena = ArenaCatalog.shipped(name);
            Ogz map = Ogz.read(OgzCompiler.build(arena).file());
            assertThat(map).isEqualTo(OgzCompiler.build(arena));
            Octree octree = Octree.read(map).orElseThrow();
            BlockGrid blocks = arena.blocks();
            List<String> differ = new ArrayList<>();
            for (int x = blocks.minX() - 1; x <= blocks.maxX(); x++) {
                for (int y = blocks.minY() - 1; y <= blocks.maxY(); y++) {
                    for (int z = blocks.minZ() - 1; z <= blocks.maxZ(); z++) {
                        if (octree.filled(x, y, z) != blocks.filled(x, y, z)) {
                            differ.add(name + " at " + x + " " + y + " " + z);
                        }
                    }
                }
            }
            assertThat(differ).isEmpty();
            List<Movement> starts = map.starts(octree.motion());
            assertThat(starts).hasSameSizeAs(arena.spawns());
            for (int i = 0; i < starts.size(); i++) {
                Movement spawn = arena.spawns().get(i);
                assertThat(starts.get(i).position().distance(spawn.position())).isZero();
                assertThat(starts.get(i).yaw()).isEqualTo(spawn.yaw());
            }
        }
    }

    /**
     * Cube 2: Sauerbraten, units and axes: who looks along a yaw has (cos, sin) of it to the left.
     */
    @Test
    void keepsLeftOnLeft() {
        SauerbratenMotion motion = SauerbratenMotion.of(1024);
        for (int yaw = 0; yaw < 360; yaw += 15) {
            double turn = Math.toRadians(yaw);
            Vec3 left = new Vec3(512 + 8 * Math.cos(turn), 512 + 8 * Math.sin(turn), 512);
            double canonical = Math.toRadians(SauerbratenMotion.yaw(yaw));
            Vec3 expected = new Vec3(-Math.sin(canonical), Math.cos(canonical), 0);
            assertThat(motion.toCanonical(left).distance(expected)).isLessThan(1e-9);
        }
    }

    @Test
    void refusesEndlessInflation() throws IOException {
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
    void refusesFileThatIsNotAMap() {
        for (Bytes file :
                List.of(
                        Bytes.EMPTY,
                        Bytes.ofHex("1f8b0800"),
                        SauerbratenCaptures.FILES.file("ctf_sample.dmo"),
                        SauerbratenCaptures.FILES.file("solo_walk.pcap"))) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> Ogz.read(file));
        }
        byte[] cut = SauerbratenCaptures.FILES.file("boxarena.ogz").toArray();
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Ogz.read(Bytes.wrap(Arrays.copyOf(cut, 300))));
    }

    /** Each empty member was a call within the call for the one before. */
    @Test
    @DisplayName("B18 a map of 50,000 empty gzip members is refused")
    void refusesManyEmptyMembers() throws IOException {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        new GZIPOutputStream(member).close();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int i = 0; i < 50_000; i++) {
            member.writeTo(file);
        }
        Bytes bytes = Bytes.wrap(file.toByteArray());
        assertThat(Ogz.isMap(bytes)).isFalse();
        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> Ogz.read(bytes));
    }
}
