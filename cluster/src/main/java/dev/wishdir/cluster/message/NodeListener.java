package dev.wishdir.cluster.message;

import dev.wishdir.arena.event.PlayerId;

import java.util.List;

/** Questions of a {@code Node} to its server. Called on the node's thread. */
public interface NodeListener {
    /**
     * All nodes are to play a level. The server prepares it, begins it when it is ready, and then
     * calls {@code Node.startLevel}.
     *
     * @param name 1 to 64 printable ASCII characters; may name no level of this server
     * @return false if this server does not have the level
     */
    boolean onLevelWanted(long now, String name);

    /** The level that this server prepares to begin, for the others to prepare; empty for none. */
    default String nextLevel() {
        return "";
    }

    /**
     * Another node prepares a level. A server that prepares it as well begins it without delay when
     * it {@linkplain #onLevelWanted is to play it}. Called with each batch until then.
     *
     * @param name as of {@link #onLevelWanted}
     */
    default void onNextLevel(String name) {}

    /**
     * Whether this server prepares a level that another node {@linkplain #onNextLevel announced},
     * so that the other one is to wait. Asked in each turn.
     */
    default boolean isPreparing(String name) {
        return false;
    }

    /**
     * The day's clock of this server, milliseconds since 1970, which operators compare with those
     * of others; 0 to report none. Nodes do not go by it.
     */
    default long clockMillis() {
        return 0;
    }

    /**
     * All bans of this server, as its own file has them; asked once. Those that the other nodes
     * have not heard of are sent to them.
     */
    default List<NodeBan> bans() {
        return List.of();
    }

    /**
     * The changes of bans by this server before its start that were not {@linkplain #onBanShared
     * shared}; asked once. Of each, the ban is in force if {@link #bans} has it, else it was
     * removed. Such a change goes to the other nodes unless the bus has a newer one.
     */
    default List<BanChange> unsharedBans() {
        return List.of();
    }

    /**
     * A change of a ban by this server is stored for all nodes, or there is a newer one.
     *
     * @param target as of the ban
     * @param game as of the ban
     */
    default void onBanShared(String target, String game) {}

    /** An operator of another node banned a player or addresses; replaces one of the same. */
    void onBan(long now, NodeBan ban);

    /**
     * An operator of another node removed a ban.
     *
     * @param target as of the ban
     * @param game as of the ban
     */
    default void onUnban(long now, String target, String game) {}

    /**
     * An operator of another node bans a player of this server, by its address and account. The
     * server bans it, and then {@code all nodes} do.
     *
     * @param player of this server
     * @param ban with the player's number as its target
     */
    default void onBanOrder(long now, PlayerId player, NodeBan ban) {}

    /**
     * A batch of another node has arrived.
     *
     * @param ageNanos how much longer it was under way than the fastest of the last seconds
     */
    default void onBatch(long ageNanos) {}

    /** Something happened that an operator may want to know. */
    void onEvent(NodeEvent event);
}
