package dev.wishdir.app.command;

import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options that select the server for headless clients, and their source addresses. */
public final class TargetOptions {
    @Parameters(
            index = "0",
            paramLabel = "GAME",
            completionCandidates = Games.Names.class,
            description = "${COMPLETION-CANDIDATES}.")
    private Game game;

    @Parameters(index = "1", paramLabel = "HOST[:PORT]", description = "The server's address.")
    private HostPort address;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            completionCandidates = Games.Versions.class,
            description = "Version of the game to use: ${COMPLETION-CANDIDATES}.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "The password of the server.",
            defaultValue = "")
    private String password = "";

    @Option(
            names = "--from",
            paramLabel = "ADDR[/BITS]",
            converter = Range.class,
            description =
                    "Source address on this machine, or a range to use in turns, such as"
                            + " 127.0.1.0/24. Servers limit the number of players per address.")
    private @Nullable AddressRange from;

    @Option(
            names = "--allow-public",
            description =
                    "Allow a public address. Use it only with the consent of the server's"
                            + " operator.")
    private boolean allowPublic;

    private final GameOptions options;
    private long nextClient;

    /**
     * @param games whose clients may have options of their own
     */
    public TargetOptions(List<Game> games) {
        options = new GameOptions(games, GameOptions.Kind.CLIENTS);
    }

    /** Adds the options that only some games have. */
    public void addTo(CommandLine line) {
        options.addTo(line);
    }

    /** Parses a range of addresses. */
    public static final class Range implements ITypeConverter<AddressRange> {
        @Override
        public AddressRange convert(String text) {
            try {
                return AddressRange.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** The game, in the requested version. */
    public Game game() {
        return gameOfVersion(spec, game, version);
    }

    /**
     * A version of a game.
     *
     * @param version empty for the default
     * @throws CommandLine.ParameterException if the game has no such version
     */
    public static Game gameOfVersion(CommandSpec spec, Game game, String version) {
        try {
            return version.isEmpty() ? game : game.ofVersion(version);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--version " + version + ": " + e.getMessage());
        }
    }

    /**
     * The game's own options that are set.
     *
     * @throws CommandLine.ParameterException if one that is set is another game's
     */
    public Map<String, String> options() {
        return options.of(spec, game);
    }

    /** The source address of the next client; empty for any. */
    public Optional<InetAddress> from() {
        AddressRange range = from;
        return range == null ? Optional.empty() : Optional.of(range.address(nextClient++));
    }

    public String password() {
        return password;
    }

    /**
     * The server's address.
     *
     * @throws CommandFailedException if its host is unknown, or public without --allow-public
     */
    public InetSocketAddress resolve() throws CommandFailedException {
        return resolve(address);
    }

    /**
     * The address of another server of the game.
     *
     * @throws CommandFailedException if its host is unknown, or public without --allow-public
     */
    public InetSocketAddress resolve(HostPort other) throws CommandFailedException {
        return resolve(game(), other, allowPublic);
    }

    /**
     * The address of a server of a game.
     *
     * @throws CommandFailedException if its host is unknown, or public and that is not allowed
     */
    public static InetSocketAddress resolve(Game game, HostPort address, boolean allowPublic)
            throws CommandFailedException {
        InetSocketAddress server = address.resolveServer(game.port());
        if (!allowPublic && !HostPort.isPrivate(server.getAddress())) {
            throw new CommandFailedException(
                    AddressText.of(server.getAddress())
                            + " is a public address: use --allow-public if its operator consents");
        }
        return server;
    }
}
