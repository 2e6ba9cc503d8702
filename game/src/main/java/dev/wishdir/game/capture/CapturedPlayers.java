package dev.wishdir.game.capture;

import dev.wishdir.arena.event.ArenaListener;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The players in captures and demos, whose movement becomes events of an arena.
 *
 * <p>Each {@code Game.movementDissector} opens a {@link CapturedConnection} for each client that it
 * finds. Connections to one server share its players, so a player in the view of several recorded
 * clients has one identity. Times never decrease: a packet that was captured out of order has the
 * time of the one before.
 *
 * <p>Bounded: {@link #MAX_PLAYERS} at once, and 10,000 servers. Not thread-safe.
 */
public final class CapturedPlayers {
    /** Maximum number of players at once; events of further ones are ignored. */
    public static final int MAX_PLAYERS = 65_536;

    private static final int MAX_SERVERS = 10_000;

    private record Address(String game, Object server) {}

    private final CapturedEvents events;
    private final Map<Address, CapturedServer> servers = new LinkedHashMap<>();

    /**
     * @param listener receives the events, with times in nanoseconds since 1970
     */
    public CapturedPlayers(ArenaListener listener) {
        this(listener, true);
    }

    private CapturedPlayers(ArenaListener listener, boolean withOwn) {
        events = new CapturedEvents(listener, withOwn, MAX_PLAYERS);
    }

    /** The players that captured clients see, without those of the clients themselves. */
    public static CapturedPlayers seen(ArenaListener listener) {
        return new CapturedPlayers(listener, false);
    }

    /**
     * Starts another capture or demo. The players of the previous one leave.
     *
     * @param nanos the time of its second 0, in nanoseconds since 1970
     */
    public void start(long nanos) {
        servers.values().forEach(CapturedServer::clear);
        servers.clear();
        events.start(nanos);
    }

    /** Time of the last message, or of the start; nanoseconds since 1970. */
    public long now() {
        return events.now();
    }

    /**
     * Opens a connection of a client.
     *
     * @param game identifier of the game
     * @param server identity of the server: its address; a new object for a demo
     */
    public CapturedConnection connect(String game, Object server) {
        Address address = new Address(game, server);
        CapturedServer known = servers.get(address);
        if (known == null) {
            if (servers.size() >= MAX_SERVERS) {
                CapturedServer oldest = servers.remove(servers.keySet().iterator().next());
                if (oldest != null) {
                    oldest.clear();
                }
            }
            known = new CapturedServer(events, game);
            servers.put(address, known);
        }
        return new CapturedConnection(events, known);
    }
}
