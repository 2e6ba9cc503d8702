package dev.wishdir.cluster.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.Roster;
import dev.wishdir.cluster.v1.RosterRequest;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Player;
import dev.wishdir.record.v1.PlayerId;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.record.v1.Vector;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A node that sends what a test makes it send, and answers each request for its roster. */
public final class RawNode {
    private final TestCluster cluster;
    public final MemoryBroker.MemoryBus bus;
    public final Subjects subjects = new Subjects("test");
    final int number;
    public final List<Player> roster = new ArrayList<>();
    long epoch = 99;
    public long event;
    public long batch;
    int major = 1;
    PlayedLevel level = PlayedLevel.newBuilder().setCount(1).setNode(2).setName("flat").build();

    public RawNode(TestCluster cluster, int number) {
        this.cluster = cluster;
        this.number = number;
        bus = cluster.broker.connect();
        bus.subscribe(subjects.forNode(Subjects.Kind.ASK, number));
    }

    /** Node 1000 with one player, which all others know after a time. */
    public static RawNode liar(TestCluster cluster, long nanos) {
        RawNode liar = new RawNode(cluster, 1000);
        liar.roster.add(player(1000, 1, "liar").build());
        liar.run(nanos);
        assertThat(cluster.servers)
                .allSatisfy(it ->
                        assertThat(it.arena.find(new dev.wishdir.arena.event.PlayerId(1000, 1)))
                                .isPresent());
        return liar;
    }

    public Header.Builder header() {
        return Header.newBuilder()
                .setMajor(major)
                .setNode(number)
                .setEpoch(epoch)
                .setEvent(event)
                .setSentNs(cluster.broker.now());
    }

    public static Move.Builder move(int node, int player, float x) {
        return Move.newBuilder()
                .setNode(node)
                .setPlayer(player)
                .setPosition(Vector.newBuilder().setX(x));
    }

    public static Player.Builder player(int node, int player, String name) {
        return Player.newBuilder()
                .setId(PlayerId.newBuilder().setNode(node).setNumber(player))
                .setGame("quake3")
                .setName(name)
                .setSpawned(true)
                .setMove(Move.newBuilder().setPosition(Vector.newBuilder().setX(1)));
    }

    public void sendBatch(Move... moves) {
        sendBatch(
                Batch.newBuilder()
                        .setHeader(header().setBatch(++batch))
                        .setMoves(Moves.newBuilder().addAllMoves(List.of(moves)))
                        .setLevel(level)
                        .build());
    }

    public void sendBatch(Batch message) {
        send(Subjects.Kind.MOVE, message.toByteArray());
    }

    /** Sends a round, and lets time pass. */
    public void sendRound(PlayedRound.Builder round, long nanos) {
        sendBatch(
                Batch.newBuilder()
                        .setHeader(header().setBatch(++batch))
                        .setLevel(level)
                        .setRound(round)
                        .build());
        cluster.run(nanos);
    }

    public void sendEvent(Event.Builder happened) {
        event++;
        sendEvent(NumberedEvent.newBuilder().setHeader(header()).setEvent(happened).build());
    }

    public void sendEvent(NumberedEvent message) {
        send(Subjects.Kind.EVENT, message.toByteArray());
    }

    public Event.Builder of(int player) {
        return Event.newBuilder().setId(PlayerId.newBuilder().setNode(number).setNumber(player));
    }

    void send(Subjects.Kind kind, byte[] data) {
        bus.publish(subjects.toAll(kind, number), data);
    }

    /** Asks another node for its roster. */
    void ask(int other) {
        bus.publish(
                subjects.toNode(Subjects.Kind.ASK, other, number),
                subjects.toNode(Subjects.Kind.ANSWER, number, other),
                RosterRequest.newBuilder().setHeader(header()).build().toByteArray());
    }

    void answer(int other) {
        Roster message =
                Roster.newBuilder()
                        .setHeader(header())
                        .setSnapshot(Snapshot.newBuilder().addAllPlayers(roster))
                        .setLevel(level)
                        .setHost("raw")
                        .build();
        bus.publish(subjects.toNode(Subjects.Kind.ANSWER, other, number), message.toByteArray());
    }

    /** Lets time pass while the node sends heartbeats and answers. */
    public void run(long nanos) {
        for (long end = cluster.broker.now() + nanos; cluster.broker.now() < end; ) {
            sendBatch();
            cluster.run(20 * TestCluster.MILLI);
            for (BusEvent next = bus.poll(); next != null; next = bus.poll()) {
                if (next instanceof BusEvent.Received request) {
                    answer(Objects.requireNonNull(subjects.parse(request.subject())).from());
                }
            }
        }
    }
}
