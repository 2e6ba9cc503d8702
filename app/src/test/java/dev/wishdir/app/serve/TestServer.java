package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** A real server of one game on a free port, for the tests of commands that connect to it. */
public final class TestServer implements AutoCloseable {
    private final Server server;

    private TestServer(Server server) {
        this.server = server;
    }

    /**
     * Starts a server that does not limit the players from this machine.
     *
     * @param password empty if players need none
     */
    public static TestServer start(
            Game game, int maxPlayers, String password, ArenaListener... observers)
            throws CommandFailedException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new TestServer(
                Server.start(
                        ServerSettings.of(
                                "test",
                                ArenaCatalog.FLAT,
                                ServerSettings.Access.of(password),
                                ServerSettings.Limits.of(
                                        maxPlayers, List.of(AddressRange.parse("127.0.0.1"))),
                                MatchRules.NONE),
                        List.of(new Server.Part(game, anyPort, false, Map.of())),
                        List.of(observers)));
    }

    /** The address for a command line. */
    public String address() {
        return "127.0.0.1:" + server.addresses().values().iterator().next().getPort();
    }

    @Override
    public void close() {
        server.close();
    }
}
