package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Any bytes at all as an archive of the operator's folder. */
class GameFolderFuzzTest {
    @TempDir private Path folder;

    @FuzzTest
    void archive(byte[] data) throws IOException {
        find(data, "a.pak");
        find(data, "a.pkz");
    }

    private void find(byte[] data, String name) throws IOException {
        Path archive = folder.resolve(name);
        Files.write(archive, data);
        try {
            assertThat(new GameFolder(folder).read("maps/a.bsp").length())
                    .isLessThanOrEqualTo(GameFolder.MAX_FILE_BYTES);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(folder.toString());
        } finally {
            Files.delete(archive);
        }
    }
}
