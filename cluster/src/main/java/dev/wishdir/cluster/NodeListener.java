package dev.wishdir.cluster;

import java.util.List;

/** What a {@link Node} asks of its server. Called on the node's thread. */
public interface NodeListener {
    /**
     * All nodes are to play a level. The server prepares it, begins it when it is ready, and then
     * calls {@link Node#startLevel}.
     *
     * @param name 1 to 64 printable ASCII characters; may name no level of this server
     * @return false if this server does not have the level
     */
    boolean onLevelWanted(long now, String name);

    /**
     * All bans of this server, as its own file has them; asked once. Those that the other nodes
     * have not heard of are sent to them.
     */
    default List<NodeBan> bans() {
        return List.of();
    }

    /** An operator of another node banned a player or addresses; replaces one of the same. */
    void onBan(long now, NodeBan ban);

    /**
     * An operator of another node removed a ban.
     *
     * @param target as of the ban
     * @param game as of the ban
     */
    default void onUnban(long now, String target, String game) {}

    /** Something happened that an operator may want to know. */
    void onEvent(NodeEvent event);
}
