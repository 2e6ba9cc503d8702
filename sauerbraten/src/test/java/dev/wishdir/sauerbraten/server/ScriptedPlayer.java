package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetNode;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenNode;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A client that says just what a test wants, and keeps all that it hears. */
public final class ScriptedPlayer {
    final EnetNode node;
    public final EnetPeer peer;
    public final List<SauerbratenMessage> heard = new ArrayList<>();

    /** What came inside {@code N_CLIENT}, as "cn message". */
    public final List<String> relayed = new ArrayList<>();

    /** The entities that it was sent. */
    final List<EditMessage.EditEnt> edits = new ArrayList<>();

    public final List<Bytes> positions = new ArrayList<>();
    public int cn = -1;
    public int sessionid;
    public int lifeseq = -1;

    public ScriptedPlayer(SimulatedNetwork network, int number, InetSocketAddress server) {
        this(SauerbratenNode.client(network, number), server);
    }

    public ScriptedPlayer(EnetNode node, InetSocketAddress server) {
        this.node = node;
        node.onReceived = (_, _) -> take();
        peer = node.host.connect(server, 0);
        node.wake();
    }

    private void take() {
        EnetNode.Message message = node.received.removeLast();
        if (message.channel() == 0) {
            positions.add(message.payload());
        }
        for (SauerbratenMessage heardNow :
                SauerbratenCodec.V260.readPacket(
                        Direction.S2C, message.channel(), new Reader(message.payload()))) {
            heard.add(heardNow);
            switch (heardNow) {
                case SessionMessage.ServInfo info -> {
                    cn = info.cn();
                    sessionid = info.sessionid();
                }
                case LifeMessage.SpawnState spawn -> lifeseq = spawn.state().lifeseq();
                case RelayMessage.Client client ->
                        SauerbratenCodec.V260
                                .messages(client)
                                .forEach(inner -> {
                                    relayed.add(client.cn() + " " + inner);
                                    if (inner instanceof EditMessage.EditEnt entity) {
                                        edits.add(entity);
                                    }
                                });
                default -> {}
            }
        }
    }

    /** Lets time pass until the server has said who this is. */
    ScriptedPlayer greeted() {
        node.network.runUntil(() -> cn >= 0, EnetNode.SECOND);
        return this;
    }

    /** Joins and spawns. */
    public ScriptedPlayer join(String name) {
        greeted();
        say(new SessionMessage.Connect(name, 0, "", "", ""));
        pass(100);
        return spawn();
    }

    ScriptedPlayer spawn() {
        say(new LifeMessage.ClientSpawn(lifeseq, 6));
        pass(100);
        return this;
    }

    /** Reports the map that it has fetched, and spawns in it as the server orders. */
    ScriptedPlayer load(int crc) {
        String map = heard(MatchMessage.MapChange.class).getLast().map();
        say(new MatchMessage.MapCrc(map, crc));
        pass(100);
        return spawn();
    }

    public void say(SauerbratenMessage... messages) {
        raw(1, SauerbratenCodec.V260.packet(messages), true);
    }

    public void raw(int channel, Bytes payload, boolean reliable) {
        peer.send(channel, payload, reliable);
        node.wake();
    }

    /** A position of a number in a life, on the channel of positions. */
    public Bytes move(int whose, int life, int x) {
        return move(whose, life, x, 8192);
    }

    private Bytes move(int whose, int life, int x, int z) {
        Pos pos =
                Pos.of(
                        whose,
                        4 | (life & 1) << 3,
                        x,
                        8192,
                        z,
                        Pos.LEVEL,
                        90,
                        0,
                        Pos.LEVEL,
                        0,
                        0,
                        false);
        Bytes bytes = SauerbratenCodec.V260.packet(pos);
        raw(0, bytes, false);
        return bytes;
    }

    /** Its own position in its present life. */
    public Bytes move(int x) {
        return move(cn, lifeseq, x);
    }

    /** Reports a position above the ground. */
    void hover(int x, double metres) {
        move(cn, lifeseq, x, 8192 + (int) Math.round(8 * 16 * metres));
    }

    void pass(int millis) {
        node.network.run(millis * EnetNode.MILLI);
    }

    public <M extends SauerbratenMessage> List<M> heard(Class<M> type) {
        return heard.stream().filter(type::isInstance).map(type::cast).toList();
    }

    public boolean isGone() {
        return !node.ended.isEmpty();
    }

    /** The reason with which the server ended the connection. */
    public long farewell() {
        node.network.runUntil(this::isGone, 10 * EnetNode.SECOND);
        return node.ended.getFirst().data();
    }
}
