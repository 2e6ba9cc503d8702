package dev.wishdir.quake2.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.LeaveReason.Code;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.game.capture.CapturedPlayer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.movement.VelocityEstimator;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Text;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One captured client, or a demo: what its messages say of the players. Players are known by their
 * slots, which are the same for all clients of a server.
 *
 * <p>The client's own player is where the player state of the server's frames is, exact to the bit;
 * others are where their entities are.
 */
final class CapturedClient {
    private static final int DEFAULT_FRAMES_PER_SECOND = 10;
    private static final int MAX_FRAMES_PER_SECOND = 1000;
    private static final int MAX_SLOTS = 256;
    private static final String FRAMES = "frames ";

    /** Coordinates have 16 bits, in eighths of a unit. */
    private static final Bounds BOUNDS =
            new Bounds(new Vec3(-128, -128, -128), new Vec3(128, 128, 128));

    /** A player that the client sees. */
    private static final class Other {
        final CapturedPlayer player;
        final VelocityEstimator estimator;
        Optional<PlayerAction> action = Optional.empty();
        int frame;

        Other(CapturedPlayer player, VelocityEstimator estimator) {
            this.player = player;
            this.estimator = estimator;
        }
    }

    private final Supplier<CapturedConnection> opener;
    private final boolean demo;
    private final Map<Integer, Other> others = new HashMap<>();
    private final String[] names = new String[MAX_SLOTS];
    private CapturedConnection connection;
    private @Nullable CapturedPlayer self;
    private int slot = -1;
    private int framesPerSecond = DEFAULT_FRAMES_PER_SECOND;
    private int lastFrame;
    private double demoSeconds;

    /**
     * @param opener opens a connection to the server
     * @param demo whether frames have the only times
     */
    CapturedClient(Supplier<CapturedConnection> opener, boolean demo) {
        this.opener = opener;
        this.demo = demo;
        connection = opener.get();
        forget();
    }

    private void forget() {
        Arrays.fill(names, "");
        others.clear();
        lastFrame = 0;
        framesPerSecond = DEFAULT_FRAMES_PER_SECOND;
    }

    void setTime(double seconds) {
        connection.setTime(seconds);
    }

    private void reconnect(LeaveReason reason) {
        connection.close(reason);
        connection = opener.get();
        self = null;
        slot = -1;
        forget();
    }

    void onOutOfBand(String name) {
        if (name.equals("client_connect") && slot >= 0) {
            reconnect(LeaveReason.TIMED_OUT);
        }
    }

    /** Handles a message of the client. */
    void onSent(ClientMessage message) {
        if (message instanceof ClientMessage.StringCmd command
                && command.text().value().equals("disconnect")) {
            reconnect(LeaveReason.LEFT);
        }
    }

    /** Another map starts. */
    void onServerData(ServerMessage.ServerData data) {
        others.values().forEach(other -> connection.despawn(other.player));
        forget();
        if (data.playerNum() < 0 || data.playerNum() >= MAX_SLOTS) {
            return;
        }
        if (self != null) {
            connection.despawn(self);
            if (slot != data.playerNum()) {
                connection.leave(self, LeaveReason.LEFT);
            }
        }
        slot = data.playerNum();
        self = connection.own(slot);
        connection.changeLevel(data.levelName(), BOUNDS);
    }

    /** Handles another message of the server. */
    void onReceived(ServerMessage message) {
        switch (message) {
            case ConfigString string -> {
                int player = string.index() - ConfigString.SKINS;
                if (player >= 0 && player < MAX_SLOTS) {
                    onName(player, string.text());
                }
            }
            case ServerMessage.StuffText text -> text.text().lines().forEach(this::onCommand);
            case ServerMessage.Print print when print.level() == ServerMessage.Print.CHAT ->
                    onChat(Quake2Text.plain(print.text()).strip());
            case ServerMessage.Signal signal -> {
                switch (signal) {
                    case DISCONNECT -> reconnect(new LeaveReason(Code.KICKED, ""));
                    case RECONNECT -> reconnect(LeaveReason.SERVER_CLOSED);
                    case NOP -> {}
                }
            }
            default -> {}
        }
    }

    private void onName(int player, String skin) {
        int end = skin.indexOf('\\');
        String name = Quake2Text.plain(end < 0 ? skin : skin.substring(0, end));
        boolean had = !names[player].isEmpty();
        names[player] = name;
        if (!name.isEmpty()) {
            connection.name(connection.player(player), name);
        } else if (had) {
            Other gone = others.remove(player);
            connection.leave(
                    gone == null ? connection.player(player) : gone.player, LeaveReason.LEFT);
        }
    }

    private void onCommand(String line) {
        if (line.startsWith(FRAMES) && line.substring(FRAMES.length()).matches("[0-9]{1,4}")) {
            framesPerSecond =
                    Math.clamp(
                            Integer.parseInt(line.substring(FRAMES.length())),
                            DEFAULT_FRAMES_PER_SECOND,
                            MAX_FRAMES_PER_SECOND);
        }
    }

    private void onChat(String line) {
        // A name may contain the separator.
        for (int end = line.indexOf(": "); end >= 0; end = line.indexOf(": ", end + 1)) {
            if (connection.chat(line.substring(0, end), line.substring(end + 2))) {
                return;
            }
        }
    }

    /** Handles a frame, decoded. */
    void onFrame(FrameHistory.Snapshot frame) {
        if (!frame.usable() || frame.number() <= lastFrame && lastFrame > 0) {
            return;
        }
        if (demo) {
            demoSeconds +=
                    lastFrame == 0 ? 0 : (frame.number() - lastFrame) / (double) framesPerSecond;
            connection.setTime(demoSeconds);
        }
        if (self != null) {
            PlayerState state = frame.player();
            if (state.pmType() == PlayerState.NORMAL) {
                connection.move(self, Quake2Motion.toCanonical(state), new Quake2Movement(state));
            } else {
                connection.despawn(self);
            }
        }
        for (FrameHistory.Numbered entity : frame.entities()) {
            int player = entity.state().skin() & 0xFF;
            if (entity.state().model() == EntityState.PLAYER_MODEL
                    && player != slot
                    && !names[player].isEmpty()) {
                show(frame.number(), player, entity.state());
            }
        }
        for (Iterator<Other> each = others.values().iterator(); each.hasNext(); ) {
            Other other = each.next();
            if (other.frame != frame.number()) {
                connection.despawn(other.player);
                each.remove();
            }
        }
        lastFrame = frame.number();
    }

    private void show(int frame, int player, EntityState entity) {
        Vec3 position = Quake2Motion.toCanonical(entity.origin());
        Other other = others.get(player);
        Vec3 velocity = Vec3.ZERO;
        if (other == null) {
            other = new Other(connection.player(player), new VelocityEstimator(frame, position));
            others.put(player, other);
        } else {
            velocity = other.estimator.update(lastFrame, frame, framesPerSecond, position);
        }
        other.frame = frame;
        if (other.player.isOwn()) {
            return;
        }
        connection.move(
                other.player,
                Quake2Motion.toCanonical(entity, position, velocity),
                NativeMovement.Stored.NONE);
        Optional<PlayerAction> action = Quake2Motion.action(entity);
        if (action.isPresent() && !action.equals(other.action)) {
            connection.act(other.player, action.get());
        }
        other.action = action;
    }
}
