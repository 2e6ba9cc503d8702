package dev.wishdir.app;

import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.net.InetSocketAddress;

/** Which server a tool goes to. */
final class Target {
    @Parameters(
            index = "0",
            paramLabel = "GAME",
            description = "sauerbraten, quake2, quake3 or bedrock.")
    private Game game;

    @Parameters(index = "1", paramLabel = "HOST[:PORT]", description = "Where the server listens.")
    private Address address;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description = "The game's version that the players speak: bedrock's 1.21.0 to 1.26.51.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "What the server asks for.",
            defaultValue = "")
    private String password = "";

    @Option(
            names = "--allow-public",
            description = "Go to a public address: only to a server whose operator agrees.")
    private boolean allowPublic;

    /** The game, in the version that was asked for. */
    Game game() {
        return inVersion(spec, game, version);
    }

    static Game inVersion(CommandSpec spec, Game game, String version) {
        try {
            return version.isEmpty() ? game : game.ofVersion(version);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--version " + version + ": " + e.getMessage());
        }
    }

    String password() {
        return password;
    }

    /**
     * The server's address.
     *
     * @throws Failure if its host is unknown, or public without the flag
     */
    InetSocketAddress resolve() throws Failure {
        Address typed =
                address.host().isEmpty() ? new Address("localhost", address.port()) : address;
        InetSocketAddress server = typed.resolve(game().port());
        if (!allowPublic && !Address.isPrivate(server.getAddress())) {
            throw new Failure(
                    server.getAddress().getHostAddress()
                            + " is a public address: bots go there only with --allow-public, if its"
                            + " operator agrees");
        }
        return server;
    }
}
