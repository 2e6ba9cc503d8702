package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The operator's own maps, loose and in archives. */
class GameFolderTest {
    private static final byte[] BOX = Quake2Captures.FILES.file("q2box1.bsp").toArray();

    @TempDir private Path folder;

    private void loose(String path, byte[] data) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, data);
    }

    private void pak(String archive, String path, byte[] data) throws IOException {
        ByteBuffer pak = ByteBuffer.allocate(12 + data.length + 128).order(ByteOrder.LITTLE_ENDIAN);
        pak.put("PACK".getBytes(StandardCharsets.US_ASCII)).putInt(12 + data.length).putInt(128);
        pak.put(data);
        pak.put(Arrays.copyOf("pics/other.pcx".getBytes(StandardCharsets.US_ASCII), 56));
        pak.putInt(12).putInt(1);
        pak.put(Arrays.copyOf(path.getBytes(StandardCharsets.US_ASCII), 56));
        pak.putInt(12).putInt(data.length);
        Files.write(folder.resolve(archive), pak.array());
    }

    private void pkz(String archive, String path, byte[] data) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve(archive));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(path));
            zip.write(data);
        }
    }

    private Bytes read(String path) throws IOException {
        return new GameFolder(folder).read(path);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void prefersLooseFilesAndLaterArchives() throws IOException {
        pak("pak0.pak", "maps/a.bsp", text("pak0"));
        assertThat(read("maps/a.bsp")).isEqualTo(Bytes.wrap(text("pak0")));
        pak("pak1.pak", "MAPS/A.BSP", text("pak1"));
        assertThat(read("maps/a.bsp")).isEqualTo(Bytes.wrap(text("pak1")));
        pkz("zz.pkz", "maps/a.bsp", text("pkz"));
        assertThat(read("maps/a.bsp")).isEqualTo(Bytes.wrap(text("pkz")));
        loose("maps/a.bsp", text("loose"));
        assertThat(read("maps/a.bsp")).isEqualTo(Bytes.wrap(text("loose")));
    }

    @Test
    void namesMissingOrBrokenFiles() throws IOException {
        assertThatThrownBy(() -> read("maps/a.bsp"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("maps/a.bsp");
        Files.write(folder.resolve("bad.pak"), text("KCAP00001111"));
        assertThatThrownBy(() -> read("maps/a.bsp")).hasMessageContaining("bad.pak");
        Files.delete(folder.resolve("bad.pak"));
        Files.write(folder.resolve("bad.pkz"), text("PK no zip"));
        assertThatThrownBy(() -> read("maps/a.bsp")).hasMessageContaining("bad.pkz");
        assertThatThrownBy(() -> new GameFolder(folder.resolve("nowhere")).read("maps/a.bsp"))
                .hasMessageContaining("option data");
    }

    @Test
    void playsMapFromEachPlace() throws IOException {
        loose("maps/one.bsp", BOX);
        pak("pak0.pak", "maps/two.bsp", BOX);
        pkz("more.pkz", "maps/three.bsp", BOX);
        loose("maps/broken.bsp", Arrays.copyOf(BOX, 500));
        Quake2MapCatalog catalog = new Quake2MapCatalog(Optional.of(folder));
        for (String name : new String[] {"one", "two", "three"}) {
            Quake2Map map = catalog.load(name);
            assertThat(map.path()).isEqualTo("maps/" + name + ".bsp");
            assertThat(map.file()).isEqualTo(Bytes.wrap(BOX));
            assertThat(map.spawns()).isNotEmpty();
        }
        assertThatThrownBy(() -> catalog.load("broken")).hasMessageContaining("broken");
        for (String name : new String[] {"../one", "maps/one", "a b", ".", "x".repeat(41)}) {
            assertThatThrownBy(() -> catalog.load(name)).hasMessageContaining("is not a map name");
        }
    }
}
