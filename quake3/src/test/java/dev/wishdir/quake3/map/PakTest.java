package dev.wishdir.quake3.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.idtech.Bsp46;
import dev.wishdir.idtech.MalformedMapException;
import dev.wishdir.quake3.Quake3Captures;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The reader of pk3 files against what claims to be one. */
class PakTest {
    private static final String MAP = "maps/labbox.bsp";
    private static final int MAX_FILE_BYTES = 1 << 16;

    @TempDir private @Nullable Path folder;

    private Path file(byte[] content) throws IOException {
        Path file = Files.createTempFile(Objects.requireNonNull(folder), "pak", ".pk3");
        return Files.write(file, content);
    }

    @Test
    void readsCapturedPak() throws IOException {
        Pak pak = Pak.read(Quake3Captures.FILES.path("zz-labbox.pk3"));
        assertThat(pak.name()).isEqualTo("zz-labbox");
        assertThat(pak.crcs()).isNotEmpty();
        assertThat(pak.read("MAPS/labbox.BSP", MAX_FILE_BYTES))
                .hasValueSatisfying(map -> assertThat(Bsp46.read(map).models()).isNotEmpty());
        assertThat(pak.read("maps/other.bsp", MAX_FILE_BYTES)).isEmpty();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> pak.read(MAP, 100))
                .withMessageContainingAll("zz-labbox.pk3", MAP, "100");
    }

    @Test
    void stopsEndlessInflation() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(MAP));
            byte[] nothing = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                zip.write(nothing);
            }
            zip.closeEntry();
        }
        assertThat(out.size()).isLessThan(1 << 17);
        Pak pak = Pak.read(file(out.toByteArray()));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> pak.read(MAP, MAX_FILE_BYTES))
                .withMessageContaining("longer than " + MAX_FILE_BYTES);
    }

    @Test
    void readsOrRefusesEveryCutAndFlip() throws IOException {
        byte[] whole = Quake3Captures.FILES.file("zz-labbox.pk3").toArray();
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            byte[] broken =
                    Arrays.copyOf(whole, i % 3 == 0 ? random.nextInt(whole.length) : whole.length);
            for (int n = 0; n < 4 && broken.length > 0; n++) {
                int at =
                        random.nextBoolean()
                                ? random.nextInt(broken.length)
                                : Math.max(0, broken.length - 1 - random.nextInt(160));
                broken[at] = (byte) random.nextInt();
            }
            anyBytes(broken);
        }
    }

    @FuzzTest
    void anyBytes(byte[] bytes) throws IOException {
        Path file = file(bytes);
        try {
            Pak pak = Pak.read(file);
            pak.read(MAP, MAX_FILE_BYTES).ifPresent(Bsp46::read);
        } catch (IOException | MalformedMapException e) {
            assertThat(e.getMessage()).isNotBlank();
        } finally {
            Files.delete(file);
        }
    }
}
