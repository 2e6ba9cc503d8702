package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;

import java.time.Instant;
import java.util.Optional;

/**
 * The other servers of one arena: operator commands have effect on their players, too. Used only on
 * the thread of the duty cycle.
 */
public interface OtherServers {
    /**
     * Address at which players of a game join a server.
     *
     * @param host a name or an address
     */
    record Address(String host, int port) {
        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** Sends a message to the players of this server and of all others. */
    void announce(long now, String text);

    /** Has the other servers apply a ban that this server has applied. */
    void ban(Ban ban);

    /** Has the other servers remove a ban that this server has removed. */
    void unban(Ban ban);

    /**
     * Has the server of a mirrored player ban it by its address and account, which only that server
     * knows; it then has all servers apply the ban.
     *
     * @param terms end, author, reason and game
     */
    void ban(Player player, BanTerms terms);

    /** A server of the arena with room for a player of a game; empty if there is none. */
    Optional<Address> room(String game);

    /** Terms of a ban of a player besides its addresses and accounts, as {@link Ban} has it. */
    record BanTerms(Optional<Instant> end, String author, String reason, String game) {}

    /** No other servers: only the players of an arena are meant. */
    static OtherServers none(Arena arena) {
        return new OtherServers() {
            @Override
            public void announce(long now, String text) {
                arena.announce(now, text);
            }

            @Override
            public void ban(Ban ban) {
                // This server has applied it.
            }

            @Override
            public void unban(Ban ban) {
                // This server has removed it.
            }

            @Override
            public void ban(Player player, BanTerms terms) {
                throw new IllegalArgumentException(
                        "cannot ban " + player + ": it is a player of no known server");
            }

            @Override
            public Optional<Address> room(String game) {
                return Optional.empty();
            }
        };
    }
}
