package dev.wishdir.net.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the kernel, against what another program reads of them. */
class KernelFileTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/sys/net/core/rmem_max",
                "/proc/sys/net/core/wmem_max",
                "/proc/sys/kernel/pid_max",
                "/proc/sys/kernel/ostype",
                "/proc/version",
                "/sys/kernel/mm/transparent_hugepage/enabled"
            })
    void readsWholeFile(String name) throws IOException {
        Path file = Path.of(name);
        assumeTrue(Files.isReadable(file));
        Process cat = new ProcessBuilder("cat", name).start();
        String expected = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(KernelFile.read(file)).hasSizeGreaterThan(1).isEqualTo(expected);
    }
}
