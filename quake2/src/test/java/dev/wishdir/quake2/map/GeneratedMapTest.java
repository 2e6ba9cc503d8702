package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.wishdir.blocks.arena.ArenaCatalog;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

@Tag("slow")
class GeneratedMapTest {
    private static final int TEXTURES_AT = 8 + 5 * 8;
    private static final int TEXTURE = 76;
    private static final int NAME = 40;

    static final List<String> SHIPPED = ArenaCatalog.SHIPPED;

    /**
     * A client asks for each texture that it lacks before it begins, whether that is drawn or not.
     */
    @ParameterizedTest
    @FieldSource("SHIPPED")
    void includesAllTextures(String arena) throws Exception {
        Quake2Map level =
                new Quake2MapCatalog(Optional.empty(), ArenaCatalog.shipped(arena)).load("");
        assertThat(level.files()).extracting("path").containsAll(textures(level.file().toArray()));
    }

    private static Set<String> textures(byte[] file) {
        ByteBuffer map = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int first = map.getInt(TEXTURES_AT);
        int length = map.getInt(TEXTURES_AT + 4);
        Set<String> textures = new TreeSet<>();
        for (int at = first; at < first + length; at += TEXTURE) {
            String name = new String(file, at + NAME, TEXTURE - NAME - 4, US_ASCII);
            textures.add("textures/" + name.substring(0, name.indexOf('\0')) + ".wal");
        }
        assertThat(textures).contains("textures/wishdir/sky.wal").hasSizeGreaterThan(2);
        return textures;
    }
}
