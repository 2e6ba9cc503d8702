package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.sauerbraten.protocol.PlayerKeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

class SauerbratenKeyCommandTest {
    private final Shell shell = new Shell();
    @TempDir private Path folder;

    @Test
    void writesSecretForOwnerOnly() throws IOException {
        Path file = folder.resolve("auth.cfg");
        Shell.Run run =
                shell.run(
                        "sauerbraten-key",
                        "ada",
                        "example.org",
                        "--privilege",
                        "admin",
                        "--output",
                        file.toString());

        PlayerKeys.Entry key = PlayerKeys.read(file.toString()).find("example.org").orElseThrow();
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .isEqualTo("ada example.org " + key.key().publicKey() + " admin\n")
                .doesNotContain(key.key().text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        Shell.Run again =
                shell.run("sauerbraten-key", "ada", "example.org", "--output", file.toString());
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.err()).contains("exists and may hold another key");
        assertThat(PlayerKeys.read(file.toString()).find("example.org").orElseThrow().key().text())
                .isEqualTo(key.key().text());
    }

    @Test
    void printsBothLines() {
        Shell.Run run = shell.run("sauerbraten-key", "ada", "dom");
        assertThat(run.out())
                .matches(
                        """
                        ada dom [+-][0-9a-f]{40,48} auth
                        authkey "ada" "[0-9a-f]{40,48}" "dom"
                        """);
    }

    @Test
    void refusesNameThatServerWouldRefuse() {
        Shell.Run run = shell.run("sauerbraten-key", "a b", "dom");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("a name must have");
        assertThat(shell.run("sauerbraten-key", "ada", "dom", "--privilege", "3").err())
                .contains("a privilege must be master, auth, admin or none, is 3");
    }
}
