package dev.wishdir.game.capture;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

/** A player of a captured server; changed through the connections that show it. */
public final class CapturedPlayer {
    private final CapturedEvents all;
    private final Object key;
    private Player player;
    private boolean joined;

    /** The connection whose messages describe it; null until one does. */
    private @Nullable Object source;

    /** Whether the source is the player's own client. */
    private boolean own;

    /**
     * @param number 0 for a player that is left out
     */
    CapturedPlayer(CapturedEvents all, String game, Object key, int number) {
        this.all = all;
        this.key = key;
        player =
                new Player(
                        new PlayerId(0, number),
                        game,
                        "player " + number,
                        0,
                        0,
                        false,
                        Movement.ORIGIN,
                        NativeMovement.Stored.NONE);
    }

    /**
     * Whether the player's own client is captured, so that others' messages about it are not used.
     */
    public boolean isOwn() {
        return own;
    }

    Object key() {
        return key;
    }

    boolean isCounted() {
        return player.id().number() > 0;
    }

    boolean isNamed(String name) {
        return joined && player.name().equals(name);
    }

    boolean isSource(Object connection) {
        return connection.equals(source);
    }

    /** Takes a connection as source, if there is none; returns whether it is the source. */
    boolean takeSource(Object connection) {
        if (source == null) {
            source = connection;
        }
        return connection.equals(source);
    }

    void setOwn(Object connection) {
        source = connection;
        own = true;
    }

    void release() {
        source = null;
        own = false;
    }

    private void set(String name, boolean spawned, Movement movement, NativeMovement encoded) {
        player =
                new Player(
                        player.id(),
                        player.game(),
                        name,
                        joined ? player.joined() : all.now(),
                        0,
                        spawned,
                        movement,
                        encoded);
    }

    private void emit(ArenaEvent event) {
        if (isCounted() && (!own || all.hasOwn())) {
            all.emit(event);
        }
    }

    void name(String given) {
        String name = cut(given);
        if (name.isEmpty() || isNamed(name)) {
            return;
        }
        String old = player.name();
        set(name, player.spawned(), player.movement(), player.nativeMovement());
        if (joined) {
            emit(new ArenaEvent.Renamed(all.now(), player, old, name));
        } else {
            join();
        }
    }

    private static String cut(String name) {
        StringBuilder plain = new StringBuilder();
        name.codePoints()
                .filter(c -> !Character.isISOControl(c))
                .takeWhile(c -> plain.length() + Character.charCount(c) <= Player.MAX_NAME_CHARS)
                .forEach(plain::appendCodePoint);
        return plain.toString().strip();
    }

    private void join() {
        set(player.name(), false, player.movement(), player.nativeMovement());
        joined = true;
        emit(new ArenaEvent.Joined(all.now(), player));
    }

    void move(Movement movement, NativeMovement encoded) {
        if (!movement.isValid()) {
            return;
        }
        if (!joined) {
            join();
        }
        boolean spawned = player.spawned();
        if (spawned && movement.equals(player.movement())) {
            return;
        }
        set(player.name(), true, movement, encoded);
        emit(
                spawned
                        ? new ArenaEvent.Moved(all.now(), player, movement)
                        : new ArenaEvent.Spawned(all.now(), player, movement));
    }

    void teleport(Movement movement, NativeMovement encoded) {
        if (movement.isValid() && player.spawned()) {
            set(player.name(), true, movement, encoded);
            emit(new ArenaEvent.Teleported(all.now(), player, movement));
        } else {
            move(movement, encoded);
        }
    }

    void despawn() {
        if (player.spawned()) {
            set(player.name(), false, player.movement(), player.nativeMovement());
            emit(new ArenaEvent.Despawned(all.now(), player));
        }
    }

    void leave(LeaveReason reason) {
        despawn();
        if (joined) {
            emit(new ArenaEvent.Left(all.now(), player, reason));
            joined = false;
        }
    }

    void chat(String text) {
        if (joined && !text.isEmpty()) {
            emit(new ArenaEvent.Chat(all.now(), player, text));
        }
    }

    void act(PlayerAction action) {
        if (player.spawned()) {
            emit(new ArenaEvent.ActionPerformed(all.now(), player, action));
        }
    }
}
