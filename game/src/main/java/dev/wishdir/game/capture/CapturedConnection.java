package dev.wishdir.game.capture;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

/**
 * The captured connection of one client: what its messages say about the players of its server.
 *
 * <p>A player is described by one connection at a time: by its own client's if that is captured,
 * else by the first that shows it. What other connections say about its body is ignored. Chat is
 * taken from the oldest open connection of a server, and from each client's own messages.
 */
public final class CapturedConnection {
    private final CapturedEvents all;
    private final CapturedServer server;

    CapturedConnection(CapturedEvents all, CapturedServer server) {
        this.all = all;
        this.server = server;
        server.open(this);
    }

    /**
     * Sets the time of what follows.
     *
     * @param seconds since the start of the capture
     */
    public void setTime(double seconds) {
        all.setTime(seconds);
    }

    /**
     * The player with a key of the game, the same in all connections to the server.
     *
     * @param key as the server identifies players to all clients: a client number or a name
     */
    public CapturedPlayer player(Object key) {
        return server.player(key);
    }

    /** The client's own player, or one whose movement only this client sends. */
    public CapturedPlayer own(Object key) {
        CapturedPlayer player = server.player(key);
        if (player.isOwn() && !player.isSource(this)) {
            // The end of that connection was not captured.
            server.remove(player, LeaveReason.TIMED_OUT);
            player = server.player(key);
        }
        player.setOwn(this);
        return player;
    }

    /** A player has this name: it joins, or changes its name. An empty name is ignored. */
    public void name(CapturedPlayer player, String name) {
        player.name(name);
    }

    /** A player with a body is at a place; it joins and spawns if it has not. */
    public void move(CapturedPlayer player, Movement movement, NativeMovement encoded) {
        if (player.takeSource(this)) {
            player.move(movement, encoded);
        }
    }

    /** A player is at another place at once. */
    public void teleport(CapturedPlayer player, Movement movement, NativeMovement encoded) {
        if (player.takeSource(this)) {
            player.teleport(movement, encoded);
        }
    }

    /** A player has no body, or is not visible to the client. */
    public void despawn(CapturedPlayer player) {
        if (player.isSource(this)) {
            player.despawn();
            if (!player.isOwn()) {
                player.release();
            }
        }
    }

    /** The server reported that a player left. */
    public void leave(CapturedPlayer player, LeaveReason reason) {
        if (!player.isOwn() || player.isSource(this)) {
            server.remove(player, reason);
        }
    }

    /** The client sent a chat line to all. */
    public void say(CapturedPlayer player, String text) {
        player.chat(text);
    }

    /** The server relayed a chat line of a player to all. */
    public void chat(CapturedPlayer player, String text) {
        if (server.isFirst(this)) {
            player.chat(text);
        }
    }

    /**
     * The server relayed a chat line with the name of its author. It is ignored if no player has
     * the name, as that of a private line and of the server.
     *
     * @return whether a player has the name
     */
    public boolean chat(String author, String text) {
        CapturedPlayer player = named(author);
        if (player != null) {
            chat(player, text);
        }
        return player != null;
    }

    /** The player of the server with a name; null if there is none. */
    public @Nullable CapturedPlayer named(String name) {
        return server.named(name);
    }

    /** A player's body performed an action. */
    public void act(CapturedPlayer player, PlayerAction action) {
        if (player.isSource(this)) {
            player.act(action);
        }
    }

    /**
     * The server plays a level.
     *
     * @param name of its map
     * @param bounds within which the protocol can express positions, metres
     */
    public void changeLevel(String name, Bounds bounds) {
        if (server.isFirst(this)) {
            server.changeLevel(name, bounds);
        }
    }

    /** The connection ended; its client's player leaves. Nothing may follow. */
    public void close(LeaveReason reason) {
        server.close(this, reason);
    }
}
