package dev.wishdir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Player;
import dev.wishdir.cluster.TestCluster.Participant;
import dev.wishdir.cluster.TestCluster.Server;

/** Any bytes at all, as messages of another node: to each reader, and to a node with players. */
class ClusterFuzzTest {
    private static final int SENDER = 1000;

    private interface Read {
        void read(byte[] data) throws NodeFaultException;
    }

    private static void readOrRefuse(byte[] data, Read read) {
        try {
            read.read(data);
        } catch (NodeFaultException e) {
            assertThat(e.fault()).isNotNull();
        }
    }

    /** N5. */
    @FuzzTest
    void decode(byte[] data) {
        readOrRefuse(data, it -> MessageReader.batch(SENDER, it));
        readOrRefuse(data, it -> MessageReader.event(SENDER, it));
        readOrRefuse(data, it -> MessageReader.roster(SENDER, it));
        readOrRefuse(data, it -> MessageReader.request(SENDER, it));
        readOrRefuse(data, it -> MessageReader.order(SENDER, it));
    }

    /** The first byte of each message is its kind, the second its length. */
    @FuzzTest
    void node(byte[] data) {
        TestCluster cluster = new TestCluster(1);
        Server server = NodeRaceTest.start(cluster, "circuit", NodeRaceTest.rules());
        Participant anna = server.join("quake3", "anna");
        RawNode sender = new RawNode(cluster, SENDER);
        sender.roster.add(RawNode.player(SENDER, 1, "bob").build());
        sender.run(200 * TestCluster.MILLI);
        for (int at = 0; at + 2 <= data.length; ) {
            Subjects.Kind kind =
                    Subjects.Kind.values()[(data[at] & 0xFF) % Subjects.Kind.values().length];
            int length = Math.min(data[at + 1] & 0xFF, data.length - at - 2);
            byte[] message = new byte[length];
            System.arraycopy(data, at + 2, message, 0, length);
            at += 2 + length;
            sender.bus.publish(
                    kind.isToOneNode()
                            ? sender.subjects.toNode(kind, server.node.number(), SENDER)
                            : sender.subjects.toAll(kind, SENDER),
                    message);
            cluster.run(5 * TestCluster.MILLI);
        }
        cluster.run(20 * TestCluster.MILLI);
        ArenaPlayer own = anna.player;
        assertThat(server.arena.players())
                .allMatch(player -> player.movement().isValid())
                .extracting(Player::name)
                .doesNotHaveDuplicates();
        assertThat(own.snapshot().movement()).isEqualTo(anna.movement);
    }
}
