package dev.wishdir.quake3.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.LeaveReason.Code;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.game.capture.CapturedPlayer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Text;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One captured client, or a demo: what its messages say of the players. Players are known by their
 * client numbers, which are the same for all clients of a server.
 *
 * <p>The client's own player, or the one that it follows as a spectator, is where the player state
 * of the snapshots is; others are where their entities are.
 */
final class CapturedClient {
    private static final int PLAYER = 1;

    /** Client numbers have eight bits. */
    private static final int MAX_PLAYERS = 1 << 8;

    private static final double MAX_COORDINATE_METRES = 65_536 / Quake3Motion.SCALE;
    private static final Bounds BOUNDS =
            new Bounds(
                    new Vec3(
                            -MAX_COORDINATE_METRES, -MAX_COORDINATE_METRES, -MAX_COORDINATE_METRES),
                    new Vec3(MAX_COORDINATE_METRES, MAX_COORDINATE_METRES, MAX_COORDINATE_METRES));

    private final CapturedConnection connection;
    private final boolean demo;
    private final Configstrings configstrings = new Configstrings();
    private final Map<Integer, CapturedPlayer> known = new HashMap<>();

    /** The last event number of each visible player. */
    private final Map<Integer, Integer> events = new HashMap<>();

    private BitSet present = new BitSet(MAX_PLAYERS);
    private int self = -1;
    private int lastServerTime;
    private double demoSeconds;

    /**
     * @param demo whether snapshots have the only times
     */
    CapturedClient(CapturedConnection connection, boolean demo) {
        this.connection = connection;
        this.demo = demo;
    }

    void setTime(double seconds) {
        connection.setTime(seconds);
    }

    void close(LeaveReason reason) {
        connection.close(reason);
    }

    private CapturedPlayer player(int number) {
        return known.computeIfAbsent(number, connection::player);
    }

    /** A level starts. */
    void onGamestate(ServerMessage.Gamestate gamestate) {
        configstrings.replace(gamestate.configstrings());
        hide(present);
        present = new BitSet(MAX_PLAYERS);
        lastServerTime = 0;
        if (self != gamestate.clientNum() && self >= 0) {
            connection.leave(player(self), LeaveReason.LEFT);
            known.remove(self);
        }
        self = gamestate.clientNum();
        known.put(self, connection.own(self));
        for (int i = 0; i < MAX_PLAYERS; i++) {
            updateName(i);
        }
        connection.changeLevel(configstrings.server().get("mapname"), BOUNDS);
    }

    private void updateName(int number) {
        String name = Quake3Text.shown(configstrings.player(number).get("n"));
        if (!name.isEmpty()) {
            connection.name(player(number), name);
        } else if (known.containsKey(number) && number != self) {
            connection.leave(player(number), LeaveReason.LEFT);
            known.remove(number);
        }
    }

    /** Handles a command of the client. */
    void onSent(String command) {
        if (command.equals("disconnect")) {
            close(LeaveReason.LEFT);
        }
    }

    /** Handles a command of the server. */
    void onReceived(String command) {
        List<String> words = OutOfBand.words(command);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" ->
                    close(new LeaveReason(Code.KICKED, words.size() > 1 ? words.get(1) : ""));
            case "cs", "bcs0", "bcs1", "bcs2" -> {
                int player = configstrings.command(words) - Configstrings.PLAYERS;
                if (player >= 0 && player < MAX_PLAYERS) {
                    updateName(player);
                }
            }
            case "chat" -> {
                int end = words.size() > 1 ? words.get(1).indexOf("\u0019: ") : -1;
                if (end >= 0) {
                    connection.chat(
                            Quake3Text.shown(words.get(1).substring(0, end)),
                            Quake3Text.shown(words.get(1).substring(end + 3)));
                }
            }
            default -> {}
        }
    }

    /** Handles a snapshot, decoded. */
    void onFrame(Frame frame, int flags) {
        if (demo) {
            demoSeconds +=
                    lastServerTime == 0
                            ? 0
                            : Math.max(0, (frame.serverTime() - (double) lastServerTime) / 1000);
            connection.setTime(demoSeconds);
        }
        lastServerTime = frame.serverTime();
        if ((flags & ServerMessage.Snapshot.NOT_ACTIVE) != 0) {
            return;
        }
        BitSet shown = new BitSet(MAX_PLAYERS);
        PlayerState state = frame.player();
        int viewed = state.get(PlayerField.CLIENT_NUM);
        if (viewed >= 0 && viewed < MAX_PLAYERS && Quake3Motion.hasBody(state)) {
            shown.set(viewed);
            connection.move(
                    player(viewed), Quake3Motion.movement(state), NativeMovement.Stored.NONE);
        }
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int number = entity.get(EntityField.CLIENT_NUM);
            if (entity.get(EntityField.E_TYPE) == PLAYER && number != self && number != viewed) {
                shown.set(number);
                show(number, entity);
            }
        }
        present.andNot(shown);
        hide(present);
        present = shown;
    }

    private void show(int number, EntityState entity) {
        CapturedPlayer player = player(number);
        if (player.isOwn()) {
            return;
        }
        connection.move(player, Quake3Motion.movement(entity), new Quake3Movement(entity));
        int event = entity.get(EntityField.EVENT);
        Integer before = events.put(number, event);
        if (before != null && before != event) {
            Quake3Motion.action(entity).ifPresent(action -> connection.act(player, action));
        }
    }

    private void hide(BitSet gone) {
        for (int number = gone.nextSetBit(0); number >= 0; number = gone.nextSetBit(number + 1)) {
            connection.despawn(player(number));
            events.remove(number);
        }
    }
}
