package dev.wishdir.cluster;

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

    /** An operator of another node banned a player or addresses. */
    void onBan(long now, NodeBan ban);

    /** Something happened that an operator may want to know. */
    void onEvent(NodeEvent event);
}
