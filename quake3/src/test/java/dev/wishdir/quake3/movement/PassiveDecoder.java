package dev.wishdir.quake3.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.idtech.Obstacle;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.FrameHistory;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Hears what of a client's datagrams arrives at the server, and all that the server sends to it.
 * Moves a body of its own by the commands that arrived and compares it with each snapshot.
 */
public final class PassiveDecoder {
    private static final int LAG = 1_000;
    private static final int AHEAD = 200;
    private static final int PLAYER = 1;

    private final Protocol protocol;
    private final Quake3Map map;
    private Supplier<List<EntityState>> others;
    private final Consumer<PlayerBody> touch;
    private final int serverTimeAtZero;
    private final FrameHistory frames = new FrameHistory();
    private final List<String> commands = new ArrayList<>();
    private Quake3Codec codec;
    private Netchan toServer;
    private Netchan toClient;
    private int lastClientCommand;
    private int serverId;
    private int lastTime;
    private @Nullable PlayerBody body;
    private List<EntityState> shown = List.of();
    private int compared;
    private int executed;
    private int deltas;

    public PassiveDecoder(
            Protocol protocol,
            Quake3Map map,
            int serverTimeAtZero,
            Supplier<List<EntityState>> others) {
        this(protocol, map, serverTimeAtZero, others, _ -> {});
    }

    /**
     * Of a client that is stopped by the players of its newest snapshot.
     *
     * @param touch what the level does to a body after each of its commands
     */
    public PassiveDecoder(
            Protocol protocol, Quake3Map map, int serverTimeAtZero, Consumer<PlayerBody> touch) {
        this(protocol, map, serverTimeAtZero, List::of, touch);
        others = () -> shown;
    }

    /**
     * @param touch what the level does to a body after each of its commands
     */
    public PassiveDecoder(
            Protocol protocol,
            Quake3Map map,
            int serverTimeAtZero,
            Supplier<List<EntityState>> others,
            Consumer<PlayerBody> touch) {
        this.touch = touch;
        this.protocol = protocol;
        codec = new Quake3Codec(protocol, 0);
        toServer = new Netchan(Side.SERVER, protocol.modern(), 0, 0);
        toClient = new Netchan(Side.CLIENT, protocol.modern(), 0, 0);
        this.others = others;
        this.map = map;
        this.serverTimeAtZero = serverTimeAtZero;
    }

    /** The client's commands that have arrived. */
    public List<String> commands() {
        return commands;
    }

    /** How many snapshots of the own body were compared. */
    public int compared() {
        return compared;
    }

    /** How many usercmds were executed. */
    public int executed() {
        return executed;
    }

    /** How many snapshots were against another. */
    public int deltas() {
        return deltas;
    }

    /** A datagram of the server leaves. */
    public void sent(byte[] data) {
        if (OutOfBand.is(Bytes.wrap(data))) {
            List<String> words = OutOfBand.read(Bytes.wrap(data)).words();
            if (words.getFirst().equals("connectresponse")) {
                int challenge = Integer.parseInt(words.get(1));
                codec = new Quake3Codec(protocol, challenge);
                toServer = new Netchan(Side.SERVER, protocol.modern(), 0, challenge);
                toClient = new Netchan(Side.CLIENT, protocol.modern(), 0, challenge);
            }
            return;
        }
        byte[] message = toClient.receive(data);
        if (message == null) {
            return;
        }
        ServerMessage read = codec.decodeServer(message, toClient.incoming());
        for (ServerMessage.Op op : read.ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                    frames.gamestate(g);
                    String system = g.configstrings().getOrDefault(Configstrings.SYSTEMINFO, "");
                    serverId = InfoString.parse(system).number("sv_serverid", 0);
                    lastTime = 0;
                }
                case ServerMessage.ServerCommand c ->
                        codec.serverCommands().receive(c.id(), c.text());
                case Snapshot s -> snapshot(s);
                case ServerMessage.Download _, ServerMessage.Voip _, ServerMessage.Nop _ -> {}
            }
        }
    }

    private void snapshot(Snapshot s) {
        Frame frame = frames.add(toClient.incoming(), s);
        assertThat(frame).as("a snapshot against what was sent").isNotNull();
        if (frame == null || (s.flags() & Snapshot.NOT_ACTIVE) != 0) {
            return;
        }
        deltas += s.deltaNum() == 0 ? 0 : 1;
        PlayerState seen = frame.player();
        shown =
                IntStream.range(0, frame.size())
                        .mapToObj(frame::state)
                        .filter(other ->
                                other.get(EntityField.E_TYPE) == PLAYER
                                        && other.get(EntityField.SOLID) != 0)
                        .toList();
        PlayerBody own = body;
        if (own == null) {
            body = body(seen);
            return;
        }
        compared++;
        assertThat(own.commandTime).isEqualTo(seen.get(PlayerField.COMMAND_TIME));
        assertThat(own.origin).as("at %d", own.commandTime).isEqualTo(origin(seen));
        // What travels has no -0.
        assertThat(own.velocity.plus(Vec3f.ZERO))
                .as("at %d", own.commandTime)
                .isEqualTo(velocity(seen));
    }

    /** A datagram of the client has come to the server. */
    public void arrived(long now, byte[] data) {
        byte[] message = OutOfBand.is(Bytes.wrap(data)) ? null : toServer.receive(data);
        if (message == null) {
            return;
        }
        ClientMessage read = codec.decodeClient(message);
        for (ClientMessage.Op op : read.ops()) {
            if (op instanceof ClientMessage.ClientCommand c
                    && codec.clientCommands().receive(c.id(), c.text())) {
                assertThat(c.id()).isEqualTo(++lastClientCommand);
                commands.add(c.text());
            } else if (op instanceof ClientMessage.Move m && read.serverId() == serverId) {
                move(now, m.commands());
            }
        }
    }

    private void move(long now, List<Usercmd> all) {
        int levelTime = serverTimeAtZero + (int) (now / 1_000_000);
        for (Usercmd c : all) {
            if (c.serverTime() <= lastTime) {
                continue;
            }
            lastTime = c.serverTime();
            int time = Math.clamp(c.serverTime(), levelTime - LAG, levelTime + AHEAD);
            PlayerBody own = body;
            if (own != null && time > own.commandTime) {
                executed++;
                List<Obstacle> near =
                        others.get().stream()
                                .filter(other -> !own.meets(other, 0))
                                .map(other -> PlayerBody.obstacle(0, other))
                                .toList();
                own.commandAngles[0] = c.pitch();
                own.commandAngles[1] = c.yaw();
                own.commandAngles[2] = c.roll();
                Pmove.move(own, c.at(time), PmoveSettings.OPENARENA, map.world().with(near));
                touch.accept(own);
            }
        }
    }

    private static Vec3f origin(PlayerState s) {
        return new Vec3f(
                s.real(PlayerField.ORIGIN_0),
                s.real(PlayerField.ORIGIN_1),
                s.real(PlayerField.ORIGIN_2));
    }

    private static Vec3f velocity(PlayerState s) {
        return new Vec3f(
                s.real(PlayerField.VELOCITY_0),
                s.real(PlayerField.VELOCITY_1),
                s.real(PlayerField.VELOCITY_2));
    }

    private static PlayerBody body(PlayerState s) {
        PlayerBody b = new PlayerBody();
        b.commandTime = s.get(PlayerField.COMMAND_TIME);
        b.origin = origin(s);
        b.velocity = velocity(s);
        b.deltaAngles[0] = s.get(PlayerField.DELTA_ANGLES_0);
        b.deltaAngles[1] = s.get(PlayerField.DELTA_ANGLES_1);
        b.deltaAngles[2] = s.get(PlayerField.DELTA_ANGLES_2);
        b.pmType = s.get(PlayerField.PM_TYPE);
        b.pmFlags = s.get(PlayerField.PM_FLAGS);
        b.pmTime = s.get(PlayerField.PM_TIME);
        b.gravity = s.get(PlayerField.GRAVITY);
        b.speed = s.get(PlayerField.SPEED);
        b.groundEntityNum = s.get(PlayerField.GROUND_ENTITY_NUM);
        b.viewheight = s.get(PlayerField.VIEWHEIGHT);
        b.weapon = s.get(PlayerField.WEAPON);
        b.weapons = 1 << b.weapon;
        b.health = s.get(PlayerArray.STATS, 0);
        return b;
    }
}
