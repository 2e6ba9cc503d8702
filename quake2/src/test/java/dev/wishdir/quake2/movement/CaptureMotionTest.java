package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.Captures;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Snapshots;
import dev.wishdir.wire.Datagram;
import dev.wishdir.wire.Reader;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.PlaneWorld;
import dev.wishdir.world.Vec3f;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/**
 * Real clients on real servers: what they sent, run through our movement among the bodies and boxes
 * that they were shown, against the states that the servers came to.
 */
class CaptureMotionTest {
    private static final int NO_PREDICTION = 31;

    /** How a client's way came out on one map: frames that are equal, of those compared. */
    private static final class Way {
        int equal;
        int compared;

        @Override
        public String toString() {
            return equal + "/" + compared;
        }
    }

    /** A move that came to the server's port, and how many packets are missing before it. */
    private record Waiting(int sequence, int dropped, Move move) {}

    /** One client's connection as its server sees it. */
    private static final class Connection {
        final List<Way> ways = new ArrayList<>();
        final Queue<Waiting> waiting = new ArrayDeque<>();
        int incoming;
        Snapshots snapshots = new Snapshots();
        PlaneWorld map = Captures.world("q2box1.bsp");
        Pmove pmove = new Pmove(map, 0);
        PlayerState state = PlayerState.ZERO;
        UserCmd last = UserCmd.ZERO;
        int slot;
        boolean shown;
        boolean placed;
        boolean commanded;

        void restart(ServerMessage.ServerData data) {
            snapshots = new Snapshots();
            slot = data.playerNum();
            last = UserCmd.ZERO;
            shown = false;
            commanded = false;
            waiting.clear();
            ways.add(new Way());
        }

        void map(String path) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            map = Captures.world(name);
            pmove = new Pmove(map, 0);
        }

        /** The server has taken in all packets up to a number. */
        void run(int acknowledged) {
            while (!waiting.isEmpty() && waiting.element().sequence() <= acknowledged) {
                Waiting next = waiting.remove();
                move(next.move(), next.dropped());
            }
        }

        private void move(Move move, int dropped) {
            if (dropped < 20) {
                for (int i = dropped; i > 2; i--) {
                    run(last);
                }
                if (dropped > 1) {
                    run(move.oldest().cmd());
                }
                if (dropped > 0) {
                    run(move.previous().cmd());
                }
            }
            run(move.newest().cmd());
            last = move.newest().cmd();
        }

        private void run(UserCmd cmd) {
            if (shown) {
                state = pmove.run(state, cmd, placed);
                placed = false;
                commanded = true;
            }
        }

        void frame(Frame frame) {
            Snapshots.Snapshot snapshot = snapshots.apply(frame);
            assertThat(snapshot.usable()).isTrue();
            PlayerState is = snapshot.player();
            if (commanded) {
                Way way = ways.getLast();
                way.compared++;
                boolean equal = movement(state).equals(movement(is));
                way.equal += equal ? 1 : 0;
                // The game itself put it there, where its next command is the first.
                placed |= !equal;
            }
            placed |= !shown;
            shown = true;
            commanded = false;
            state = withGravity(is);
            List<Obstacle> boxes = new ArrayList<>();
            for (Snapshots.Numbered entity : snapshot.entities()) {
                int solid = entity.state().solid();
                if (solid != 0 && solid != NO_PREDICTION && entity.number() != slot + 1) {
                    boxes.add(box(entity.state()));
                }
            }
            pmove = new Pmove(map.with(boxes), 0);
        }

        private static Obstacle box(EntityState entity) {
            int wide = 8 * (entity.solid() & 31);
            int down = 8 * (entity.solid() >> 5 & 31);
            int up = 8 * (entity.solid() >> 10 & 63) - 32;
            Triple at = entity.origin();
            return PmoveTest.box(
                    new Vec3f(at.x() / 8f, at.y() / 8f, at.z() / 8f),
                    new Vec3f(-wide, -wide, -down),
                    new Vec3f(wide, wide, up));
        }

        /** The first frame tells no gravity; these servers never changed it. */
        private static PlayerState withGravity(PlayerState s) {
            return new PlayerState(
                    s.pmType(),
                    s.origin(),
                    s.velocity(),
                    s.pmTime(),
                    s.pmFlags(),
                    800,
                    s.deltaAngles(),
                    s.viewOffset(),
                    s.viewAngles(),
                    Triple.ZERO,
                    0,
                    0,
                    Triple.ZERO,
                    Triple.ZERO,
                    Blend.NONE,
                    0,
                    0,
                    Stats.ZERO);
        }

        private static String movement(PlayerState s) {
            return s.origin() + ", " + s.velocity() + ", " + s.pmFlags() + ", " + s.pmTime();
        }
    }

    /** Where not all are equal, the game itself moved the player: its death and its new body. */
    @ParameterizedTest
    @CsvSource({
        "02-yq2server-yq2client, 197/199",
        "03-yq2server-two-clients, 92/92 116/116",
        "05-q2proserver-q2proclient, 132/134",
        "06-q2proserver-yq2client, 59/59",
        "07-mapchange-kick-shutdown, 44/44 45/45 39/39",
        "08-download, 66/66",
        "09-longrun-sequences, 177/177"
    })
    void everyComparableFrameComesOutBitForBit(String capture, String expected) {
        Map<Integer, Connection> connections = new TreeMap<>();
        List<Connection> ended = new ArrayList<>();
        for (Datagram datagram : Captures.datagrams(capture)) {
            byte[] packet = datagram.payload().toArray();
            boolean fromClient = Captures.isServer(datagram.destination().getPort());
            int port = fromClient ? datagram.source().getPort() : datagram.destination().getPort();
            if (OutOfBand.is(packet)) {
                if (OutOfBand.of(packet).orElseThrow().name().equals("client_connect")) {
                    Connection before = connections.put(port, new Connection());
                    if (before != null) {
                        ended.add(before);
                    }
                }
                continue;
            }
            Connection connection = connections.computeIfAbsent(port, _ -> new Connection());
            Reader r = new Reader(packet);
            if (fromClient) {
                fromClient(connection, r);
            } else {
                fromServer(connection, r);
            }
        }
        ended.addAll(connections.values());
        assertThat(ended.stream().flatMap(connection -> connection.ways.stream()))
                .filteredOn(way -> way.compared > 0)
                .extracting(Way::toString)
                .containsExactlyInAnyOrder(expected.split(" "));
    }

    private static void fromClient(Connection connection, Reader r) {
        int sequence = NetchanHeader.wire(r, NetchanHeader.FROM_CLIENT).sequence();
        if (sequence <= connection.incoming) {
            return;
        }
        int dropped = sequence - connection.incoming - 1;
        connection.incoming = sequence;
        while (r.remaining() > 0) {
            if (Quake2Codec.readClient(r) instanceof Move move) {
                connection.waiting.add(new Waiting(sequence, dropped, move));
            }
        }
    }

    private static void fromServer(Connection connection, Reader r) {
        connection.run(NetchanHeader.wire(r, NetchanHeader.FROM_SERVER).ack());
        while (r.remaining() > 0) {
            switch (Quake2Codec.readServer(r)) {
                case ServerMessage.ServerData data -> connection.restart(data);
                case ServerMessage.ConfigString string when string.index() == 33 ->
                        connection.map(string.text());
                case ServerMessage.SpawnBaseline baseline ->
                        connection.snapshots.baseline(baseline.entity());
                case Frame frame -> connection.frame(frame);
                default -> {}
            }
        }
    }
}
