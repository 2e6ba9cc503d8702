package dev.wishdir.app;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.server.SauerbratenEndpoint;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code sauerbraten-key}: makes an auth key for a player of Sauerbraten. */
@Command(
        name = "sauerbraten-key",
        sortOptions = false,
        description = {
            "Make an auth key for a player of Sauerbraten, of 192 random bits.",
            "Print the line for the server's file of --sauerbraten-auth-keys, and the line for the"
                    + " player's auth.cfg: a secret, with which bot, record and proxy --key prove"
                    + " the key, too."
        })
final class SauerbratenKeyCommand implements Callable<Integer> {
    private static final String OWNER_ONLY = "rw-------";

    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the key's owner.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "DOMAIN",
            description = "The domain of the name, such as that of --sauerbraten-auth-domain.")
    private String domain = "";

    @Option(
            names = "--privilege",
            paramLabel = "master|auth|admin|none",
            description =
                    "What the key gives; none opens the server only (default ${DEFAULT-VALUE}).",
            defaultValue = "auth")
    private String privilege = "";

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description =
                    "Write the player's line to this new file, readable by its owner only, instead"
                            + " of printing it.")
    private @Nullable Path output;

    @Override
    public Integer call() throws CommandFailedException {
        AuthPrivateKey key = AuthPrivateKey.generate(new SecureRandom());
        String serverLine;
        try {
            serverLine = SauerbratenEndpoint.authKeyLine(name, domain, key.publicKey(), privilege);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        String playerLine = PlayerKeys.line(new PlayerKeys.Entry(domain, name, key));
        Path file = output;
        if (file != null) {
            write(file, playerLine + "\n");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(serverLine);
        if (file == null) {
            out.println(playerLine);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void write(Path file, String text) throws CommandFailedException {
        try (SeekableByteChannel channel =
                Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString(OWNER_ONLY)))) {
            Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    "--output: " + file + " exists and may hold another key: choose another file",
                    e);
        } catch (UnsupportedOperationException e) {
            throw new CommandFailedException(
                    "--output "
                            + file
                            + ": its file system has no permissions to make the file private",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--output: cannot write " + file + ": " + ExceptionMessage.of(e), e);
        }
    }
}
