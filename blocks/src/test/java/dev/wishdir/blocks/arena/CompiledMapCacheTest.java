package dev.wishdir.blocks.arena;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

@Tag("slow")
class CompiledMapCacheTest {
    @TempDir Path folder;
    private int made;

    private String made(BlockArena arena, String kind, String content) {
        byte[] bytes =
                arena.compiled(
                        kind,
                        () -> {
                            made++;
                            return content.getBytes(StandardCharsets.UTF_8);
                        });
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void findsCompiledArena() throws IOException {
        assertThat(made(ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)), "bsp", "a map"))
                .isEqualTo("a map");
        assertThat(
                        made(
                                ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)),
                                "bsp",
                                "another"))
                .isEqualTo("a map");
        assertThat(made).isEqualTo(1);
        assertThat(files()).hasSize(1);
    }

    @Test
    void separatesKindsAndArenas() {
        made(ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)), "bsp", "a map");
        assertThat(
                        made(
                                ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)),
                                "ogz",
                                "for others"))
                .isEqualTo("for others");
        BlockArena darker = flat(new BlockArena.Sun(10, 20));
        assertThat(made(darker.withCache(new CompiledMapCache(folder)), "bsp", "darker"))
                .isEqualTo("darker");
    }

    @Test
    void rebuildsDamagedFile() throws IOException {
        made(ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)), "bsp", "a map");
        Path file = files().getFirst();
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = new byte[length];
            System.arraycopy(whole, 0, cut, 0, length);
            Files.write(file, cut);
            assertThat(
                            made(
                                    ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)),
                                    "bsp",
                                    "anew"))
                    .isEqualTo("anew");
        }
        byte[] changed = Files.readAllBytes(file);
        changed[changed.length - 1] ^= 1;
        Files.write(file, changed);
        assertThat(made(ArenaCatalog.FLAT.withCache(new CompiledMapCache(folder)), "bsp", "again"))
                .isEqualTo("again");
        assertThat(files()).hasSize(1);
    }

    @Test
    void compilesWithoutCache() throws IOException {
        Path file = Files.createFile(folder.resolve("no folder"));
        assertThat(made(ArenaCatalog.FLAT.withCache(new CompiledMapCache(file)), "bsp", "a map"))
                .isEqualTo("a map");
        BlockArena flat = flat(ArenaCatalog.FLAT.sun());
        assertThat(made(flat, "bsp", "a map")).isEqualTo("a map");
        assertThat(made).isEqualTo(2);
        assertThat(made(flat, "bsp", "another")).isEqualTo("a map");
        assertThat(made).isEqualTo(2);
    }

    /**
     * The shipped arena with another sun, and without the files that others have compiled of it.
     */
    private static BlockArena flat(BlockArena.Sun sun) {
        BlockArena flat = ArenaCatalog.FLAT;
        return new BlockArena(flat.name(), flat.title(), sun, flat.blocks(), flat.spawns());
    }
}
