package dev.wishdir.app;

import dev.wishdir.game.Game;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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

    Game game() {
        return game;
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
