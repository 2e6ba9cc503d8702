package dev.wishdir.app.serve.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

import dev.wishdir.app.command.CommandFailedException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

class HealthFileTest {
    private static final Path DOCKERFILE =
            Path.of("..", "dist", "src", "main", "dist", "Dockerfile");

    @TempDir private Path folder;

    @Test
    @DisplayName("R4 the file says that the loop turns, and is gone with the server")
    void saysWhetherTheLoopTurns() throws Exception {
        Path file = folder.resolve("alive");
        boolean[] healthy = {true};
        try (HealthFile alive = HealthFile.open(file, () -> healthy[0])) {
            assertThat(file).exists();
            FileTime past = FileTime.from(Instant.EPOCH);
            Files.setLastModifiedTime(file, past);
            healthy[0] = false;
            alive.write();
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(past);
            healthy[0] = true;
            alive.write();
            assertThat(Files.getLastModifiedTime(file)).isGreaterThan(past);
        }
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> HealthFile.open(folder.resolve("no/alive"), () -> true))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("--health-file: cannot write");
    }

    @Test
    @DisplayName("R4 the container's health check asks no port, and reports a server that hangs")
    void reportsHungServerToContainer() throws Exception {
        String text = Files.readString(DOCKERFILE).replace("\\\n", "");
        String check =
                text.lines()
                        .filter(line -> line.startsWith("HEALTHCHECK"))
                        .findFirst()
                        .orElseThrow();
        assertThat(check).doesNotContain("/dev/udp", "/dev/tcp", "curl", "wget");
        JsonArray words =
                JsonParser.parseString(check.substring(check.indexOf('['))).getAsJsonArray();
        List<String> command = words.asList().stream().map(JsonElement::getAsString).toList();
        Path file = folder.resolve("alive");
        assertThat(status(command, file)).as("never written").isNotZero();
        Files.writeString(file, "1\n");
        assertThat(status(command, file)).as("just written").isZero();
        Instant old = Instant.now().minus(Duration.ofSeconds(60));
        Files.setLastModifiedTime(file, FileTime.from(old));
        assertThat(status(command, file)).as("a minute ago").isNotZero();
    }

    private static int status(List<String> command, Path file)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("WISHDIR_HEALTH_FILE", file.toString());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void replacesNoOtherFile() throws Exception {
        Path bans = Files.writeString(folder.resolve("bans.txt"), "127.0.0.1 for ever");
        assertThatThrownBy(() -> HealthFile.open(bans, () -> true))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("is not replaced");
        assertThat(bans).hasContent("127.0.0.1 for ever");
        Path old = Files.writeString(folder.resolve("alive"), "4711\n");
        HealthFile.open(old, () -> true).close();
        assertThat(old).doesNotExist();
    }
}
