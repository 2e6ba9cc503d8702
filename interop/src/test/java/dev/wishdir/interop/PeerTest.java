package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

class PeerTest {
    @Test
    void awaitsLinesAndExitStatus(@TempDir Path directory) throws Exception {
        try (Peer peer =
                Peer.start(
                        directory,
                        Map.of("WHO", "you"),
                        "sh",
                        "-c",
                        "echo hello $WHO; read x; exit 3")) {
            assertThat(peer.awaitLine("^hello", Duration.ofSeconds(10))).isEqualTo("hello you");
            assertThat(peer.isAlive()).isTrue();
            peer.terminate();
            assertThat(peer.awaitExit(Duration.ofSeconds(10))).isNotZero();
        }
    }
}
