package dev.wishdir.game;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A headless client of one game: joins a server, moves as its {@link BotController} steers, and
 * sees other players. Used only on the thread of its duty cycle: all methods throw {@link
 * IllegalStateException} on another.
 */
public interface Client extends AutoCloseable {
    /** A snapshot of another player as this client sees it. */
    record RemotePlayer(long id, String name, Movement movement) {}

    /** Whether the server has accepted this client and given it a body. */
    boolean joined();

    /** This client's id on the server; -1 before it has joined. */
    long id();

    /**
     * The file name of the map that the server plays, without folder and ending; empty before it is
     * known, or if the game's client does not know.
     */
    default String level() {
        return "";
    }

    /** This client's own movement, as far as it knows. */
    Movement movement();

    /** All other players with a body, as last seen. */
    Collection<RemotePlayer> others();

    /** Sends a chat line to all. */
    void say(String text);

    /**
     * Performs an action for others to see, without an effect on them.
     *
     * @return false if the game does not support it; then nothing is done
     */
    default boolean act(PlayerAction action) {
        Objects.requireNonNull(action, "action");
        return false;
    }

    /**
     * Fires this client's weapon at a point, metres. What the shot hits is what its game's rules
     * say: the server's, or the client's with the others as it sees them.
     *
     * @return false if nothing was fired: it has no body, its weapon is not ready or empty, or the
     *     game's client does not support it
     */
    default boolean shoot(Vec3 at) {
        Vec3.requireFinite("at", at);
        return false;
    }

    /**
     * The weapons that this client's player has, with ammunition for a shot; empty without a body,
     * or if the game's client does not know.
     */
    default List<BotWeapon> weapons() {
        return List.of();
    }

    /**
     * Takes a weapon in hand for {@link #shoot}, and gets it ready, which may take some time.
     *
     * @param weapon of {@link #weapons}
     */
    default void select(BotWeapon weapon) {
        Objects.requireNonNull(weapon, "weapon");
    }

    /**
     * The health of this client's body, 100 at the start of most lives; empty without a body, or if
     * the game's client does not know it.
     */
    default OptionalDouble health() {
        return OptionalDouble.empty();
    }

    /**
     * The places of the items that lie where this client sees them, metres; without a match none.
     */
    default List<Vec3> items() {
        return List.of();
    }

    /** The frags on this client's board by id, its own included; empty if it has no board. */
    default Map<Long, Integer> frags() {
        return Map.of();
    }

    /**
     * The teams of players by id, its own included, as the server names them; empty if the match
     * has none, or this client is not shown them.
     */
    default Map<Long, String> teams() {
        return Map.of();
    }

    /** The frags of teams on this client's board, by team; empty if it has none. */
    default Map<String, Integer> teamFrags() {
        return Map.of();
    }

    /**
     * The flags of the match, as far as this client's game shows them; empty if the match has none,
     * or the game's client does not know them. A client whose game decides touches by itself asks
     * for a flag when its own body touches it, without a call.
     */
    default List<RemoteFlag> flags() {
        return List.of();
    }

    /**
     * Drops the flag that this client's player carries, by the key or the command of its game.
     *
     * @return false if the game has none; then nothing is done
     */
    default boolean dropFlag() {
        return false;
    }

    /**
     * Requests another name.
     *
     * @return false if the game does not support it during play; then nothing is done
     */
    default boolean rename(String name) {
        Objects.requireNonNull(name, "name");
        return false;
    }

    /** Disconnects cleanly; {@link ClientListener#onEnded} follows. */
    @Override
    void close();
}
