package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.LeaveReason.Code;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.game.capture.CapturedPlayer;
import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Direction;

import java.util.Map;

/**
 * One captured client, or a demo: what its messages say of the players. Players are known by their
 * client numbers, which are the same for all clients of a server.
 *
 * <p>The client's own player, and bots that it controls, are where its own {@code N_POS} are.
 */
final class CapturedClient {
    private static final int ALIVE = 0;
    private static final int EDITING = 4;

    /** The number of clients and bots that a server can have. */
    private static final int MAX_PLAYERS = 512;

    /** Client numbers from here on are bots. */
    private static final int FIRST_BOT = 128;

    /** Side of the largest map; that of the present one is unknown. */
    private static final int MAX_SIDE_UNITS = 1 << 15;

    /** No life: positions are of the past. */
    private static final int DEAD = -1;

    /** A life whose beginning was not captured: all positions are of it. */
    private static final int UNKNOWN = -2;

    private static final class Body {
        final int cn;
        CapturedPlayer player;
        int lifeseq = UNKNOWN;
        boolean teleported;

        Body(int cn, CapturedPlayer player) {
            this.cn = cn;
            this.player = player;
        }

        /** Whether a position is of the body's present life. */
        boolean isOf(Pos pos) {
            return lifeseq == UNKNOWN || lifeseq != DEAD && (lifeseq & 1) == pos.lifeseq();
        }
    }

    private final CapturedConnection connection;
    private final Map<Integer, Body> bodies = new EvictingMap<>(MAX_PLAYERS);
    private SauerbratenMotion motion = SauerbratenMotion.CENTERED;
    private String name = "";
    private int self = -1;

    /** Whether the server accepts messages of the client: it ignores all before its welcome. */
    private boolean welcomed;

    /** The client, or the bot of it, that sends the rest of the packet. */
    private int sender = -1;

    CapturedClient(CapturedConnection connection) {
        this.connection = connection;
    }

    void setTime(double seconds) {
        connection.setTime(seconds);
    }

    void close(LeaveReason reason) {
        connection.close(reason);
    }

    void onDisconnected(Direction side, long reason) {
        if (side == Direction.C2S) {
            close(LeaveReason.LEFT);
            return;
        }
        DisconnectReason known = DisconnectReason.of(reason).orElse(DisconnectReason.NONE);
        close(
                switch (known) {
                    case NONE -> LeaveReason.SERVER_CLOSED;
                    case TIMEOUT -> LeaveReason.TIMED_OUT;
                    default -> new LeaveReason(Code.KICKED, known.text());
                });
    }

    /** A packet begins. */
    void onPacket() {
        sender = self;
    }

    /**
     * Handles a message.
     *
     * @param encoded the message with its code
     */
    void onMessage(
            Direction direction,
            SauerbratenCodec codec,
            SauerbratenMessage message,
            Bytes encoded) {
        if (message instanceof Pos pos) {
            onPosition(direction, pos, encoded);
        } else if (direction == Direction.C2S) {
            onSent(message);
        } else {
            onReceived(codec, message);
        }
    }

    private Body body(int cn) {
        return bodies.computeIfAbsent(cn, number -> new Body(number, connection.player(number)));
    }

    private Body ownBody(int cn) {
        Body body = body(cn);
        if (!body.player.isOwn()) {
            body.player = connection.own(cn);
        }
        return body;
    }

    private void setSelf(int cn) {
        self = cn;
        sender = cn;
        bodies.put(cn, new Body(cn, connection.own(cn)));
    }

    private void onPosition(Direction direction, Pos pos, Bytes encoded) {
        boolean sent = direction == Direction.C2S;
        if (sent && self < 0 && pos.cn() < FIRST_BOT) {
            // The beginning of the connection was not captured.
            setSelf(pos.cn());
            welcomed = true;
        }
        if (sent && !welcomed) {
            return;
        }
        Body body = sent ? ownBody(pos.cn()) : body(pos.cn());
        if (!sent && body.player.isOwn() || !body.isOf(pos)) {
            return;
        }
        Movement movement = motion.toCanonical(pos);
        NativeMovement form = new NativeMovement.Stored(SauerbratenCodec.MOVEMENT_FORM, encoded);
        if (body.teleported) {
            body.teleported = false;
            connection.teleport(body.player, movement, form);
        } else {
            connection.move(body.player, movement, form);
        }
    }

    /** Handles a message of the client. */
    private void onSent(SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.Connect m -> name = CubeText.chat(m.name());
            case RelayMessage.FromAi m -> sender = m.cn() < 0 ? self : m.cn();
            case MovementMessage.Teleport m when m.cn() >= 0 -> ownBody(m.cn()).teleported = true;
            default -> {
                if (sender >= 0 && welcomed) {
                    onSentBy(body(sender), message);
                }
            }
        }
    }

    private void onSentBy(Body body, SauerbratenMessage message) {
        switch (message) {
            case LifeMessage.ClientSpawn m -> onSpawn(body, m.lifeseq());
            case RosterMessage.SwitchName m ->
                    connection.name(body.player, CubeText.chat(m.name()));
            case ChatMessage.Text m -> connection.say(body.player, CubeText.chat(m.text()));
            case ActionMessage.Taunt _ -> connection.act(body.player, PlayerAction.TAUNT);
            case ActionMessage.Shoot _ -> connection.act(body.player, PlayerAction.ATTACK);
            default -> {}
        }
    }

    /** Handles a message of the server. */
    private void onReceived(SauerbratenCodec codec, SauerbratenMessage message) {
        switch (message) {
            case RelayMessage.Client m -> {
                Body body = body(m.cn());
                codec.messages(m).forEach(inner -> onRelayed(body, inner));
            }
            case SessionMessage.ServInfo m -> setSelf(m.cn());
            case SessionMessage.Welcome _ -> {
                welcomed = true;
                if (self >= 0) {
                    connection.name(body(self).player, name);
                }
            }
            case RosterMessage.InitClient m -> onName(m.cn(), m.name());
            case BotMessage.InitAi m -> onName(m.cn(), m.name());
            case RosterMessage.CDis m -> {
                connection.leave(body(m.cn()).player, LeaveReason.LEFT);
                bodies.remove(m.cn());
            }
            case RosterMessage.Spectator m when m.val() -> onDeath(m.cn());
            case LifeMessage.Died m -> onDeath(m.victim());
            case LifeMessage.ForceDeath m -> onDeath(m.cn());
            case LifeMessage.Resume m -> m.players().forEach(this::resume);
            case MovementMessage.Teleport m -> body(m.cn()).teleported = true;
            case ActionMessage.ShotFx m -> connection.act(body(m.cn()).player, PlayerAction.ATTACK);
            case MatchMessage.MapChange m -> changeMap(m.map());
            case EditMessage.SendMap m -> motion = motion(m.file());
            default -> {}
        }
    }

    private void onRelayed(Body body, SauerbratenMessage message) {
        switch (message) {
            case LifeMessage.Spawn m -> onSpawn(body, m.state().lifeseq());
            case RosterMessage.SwitchName m -> onName(body.cn, m.name());
            case ChatMessage.Text m -> {
                if (!body.player.isOwn()) {
                    connection.chat(body.player, CubeText.chat(m.text()));
                }
            }
            case ActionMessage.Taunt _ -> {
                if (!body.player.isOwn()) {
                    connection.act(body.player, PlayerAction.TAUNT);
                }
            }
            default -> {}
        }
    }

    private void onName(int cn, String given) {
        connection.name(body(cn).player, CubeText.chat(given));
    }

    private void resume(LifeMessage.Score score) {
        if (score.state() == ALIVE || score.state() == EDITING) {
            onSpawn(body(score.cn()), score.body().lifeseq());
        } else {
            onDeath(score.cn());
        }
    }

    private void onSpawn(Body body, int lifeseq) {
        connection.despawn(body.player);
        body.lifeseq = lifeseq;
        body.teleported = false;
    }

    private void onDeath(int cn) {
        Body body = body(cn);
        connection.despawn(body.player);
        body.lifeseq = DEAD;
    }

    private void changeMap(String map) {
        bodies.values().forEach(body -> onDeath(body.cn));
        motion = SauerbratenMotion.CENTERED;
        connection.changeLevel(map, motion.bounds(MAX_SIDE_UNITS));
    }

    /** The conversion of a map's coordinates, which depends on its size. */
    private static SauerbratenMotion motion(Bytes file) {
        try {
            return SauerbratenMotion.of(Ogz.read(file).worldsize());
        } catch (MalformedPacketException e) {
            return SauerbratenMotion.CENTERED;
        }
    }
}
