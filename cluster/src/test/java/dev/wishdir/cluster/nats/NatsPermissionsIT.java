package dev.wishdir.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.bus.Subjects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Users of NATS with the permissions of docs/cluster.md, each of which may only be one node. */
class NatsPermissionsIT {
    private static final Pattern USER = Pattern.compile("\\{ user: node7,.*?} }", Pattern.DOTALL);
    private static final String PASSWORD = "SECRET";
    private static final int DONE = 1_000;

    private final Subjects subjects = new Subjects("arena");

    @TempDir private Path folder = Path.of("");

    /** A configuration with the users of nodes 7 and 8, as the page has that of node 7. */
    private Path configuration() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "cluster.md"));
        Matcher user = USER.matcher(page);
        assertThat(user.find()).isTrue();
        String seven = user.group();
        String eight = seven.replace("node7", "node8").replace(".7", ".8");
        return Files.writeString(
                folder.resolve("nats.conf"),
                "authorization { users = [\n" + seven + "\n" + eight + "\n] }\n");
    }

    private static NatsPeer node(NatsServer server, int number) throws Exception {
        NatsPeer peer =
                new NatsPeer(
                        new NatsSettings(
                                List.of(server.address()),
                                "node" + number,
                                PASSWORD,
                                Optional.empty(),
                                NatsSettings.Tls.DEFAULT));
        peer.awaitConnected(1);
        return peer;
    }

    /** The subject of a message from a node. */
    private String subject(Subjects.Kind kind, int to, int from) {
        return kind.isToOneNode() ? subjects.toNode(kind, to, from) : subjects.toAll(kind, from);
    }

    @Test
    void confinesNodeToItsOwnSubjects() throws Exception {
        try (NatsServer server = NatsServer.start("-c", configuration().toString());
                NatsPeer seven = node(server, 7);
                NatsPeer eight = node(server, 8)) {
            for (Subjects.Kind kind : Subjects.Kind.values()) {
                eight.bus.subscribe(
                        kind.isToOneNode() ? subjects.forNode(kind, 8) : subjects.fromAll(kind));
                seven.publishUntilReceived(eight, subject(kind, 8, 7), kind.ordinal());
                // In the name of another, and what is sent to another.
                seven.bus.publish(subject(kind, 8, 9), NatsPeer.bytes(-1));
                seven.bus.subscribe(subjects.forNode(kind, 8));
                eight.bus.publish(subjects.toNode(kind, 8, 8), NatsPeer.bytes(-1));
            }
            seven.publishUntilReceived(eight, subject(Subjects.Kind.MOVE, 0, 7), DONE);
            assertThat(eight.numbers()).doesNotContain(-1);
            seven.bus.subscribe(subjects.fromAll(Subjects.Kind.MOVE));
            eight.publishUntilReceived(seven, subject(Subjects.Kind.MOVE, 0, 8), DONE);
            assertThat(seven.numbers()).doesNotContain(-1);
            seven.bus.subscribe(subjects.forNode(Subjects.Kind.ANSWER, 7));
            NatsServer.await(
                    "the report that node 9 is not there",
                    NatsPeer.LIMIT,
                    () -> {
                        seven.bus.publish(
                                subjects.toNode(Subjects.Kind.ASK, 9, 7),
                                subjects.toNode(Subjects.Kind.ANSWER, 7, 9),
                                NatsPeer.bytes(DONE));
                        return !seven.all(BusEvent.NoResponders.class).isEmpty();
                    });
        }
    }
}
