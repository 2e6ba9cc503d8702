package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.message.ServerMessage;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

class GamestateSenderTest {
    private static final long MILLI = ClientPeer.MILLI;

    private final ClientPeer peer = new ClientPeer();
    private final FragmentSender fragments = new FragmentSender(peer.transport);
    private final SnapshotPacer snapshots = new SnapshotPacer(peer.transport, fragments);
    private final GamestateSender gamestates =
            new GamestateSender(peer.transport, fragments, snapshots);
    private long now = ClientPeer.SECOND;

    /** A gamestate of several fragments. */
    private static ServerMessage.Gamestate gamestate(int lastCommand) {
        SortedMap<Integer, String> strings = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            strings.put(i, "%050d".formatted(i * 7_654_321L));
        }
        return new ServerMessage.Gamestate(lastCommand, strings, List.of(), 0, 5);
    }

    private void send() {
        gamestates.send(now, gamestate(gamestates.lastCommand()), Map.of());
    }

    private void sendFragments() {
        while (peer.transport.hasPendingFragments()) {
            now += fragments.interval();
            gamestates.sendFragment(now);
        }
    }

    @Test
    void sendsFragmentsAtIntervals() {
        send();
        assertThat(peer.transport.hasPendingFragments()).isTrue();
        assertThat(peer.datagrams).hasSize(1);
        gamestates.sendFragment(now + 14 * MILLI);
        assertThat(peer.datagrams).hasSize(1);
        gamestates.sendFragment(now + 15 * MILLI);
        assertThat(peer.datagrams).hasSize(2);
    }

    @Test
    void delaysSnapshotBehindLastFragment() {
        send();
        sendFragments();
        assertThat(snapshots.due(now, 1_000, 125)).isEqualTo(now + 50 * MILLI);
    }

    @Test
    void isAcknowledgedByItsOwnMessage() {
        assertThat(gamestates.isAcknowledged()).isFalse();
        send();
        sendFragments();
        assertThat(gamestates.isAcknowledged()).isFalse();
        peer.acknowledge();
        assertThat(peer.messages.getLast().ops().getFirst())
                .isInstanceOf(ServerMessage.Gamestate.class);
        assertThat(gamestates.isAcknowledged()).isTrue();
        gamestates.reset(now, 0);
        assertThat(gamestates.isAcknowledged()).as("in the next level").isFalse();
    }

    @Test
    void followsAtMostOnceASecond() {
        gamestates.setPending(true);
        assertThat(gamestates.isDue(now)).isTrue();
        long sent = now;
        send();
        sendFragments();
        assertThat(gamestates.isDue(sent + 2 * ClientPeer.SECOND)).as("none pending").isFalse();
        gamestates.setPending(true);
        assertThat(gamestates.isDue(sent + ClientPeer.SECOND - 1)).isFalse();
        assertThat(gamestates.isDue(sent + ClientPeer.SECOND)).isTrue();
        gamestates.reset(now, 0);
        assertThat(gamestates.isDue(now)).as("at a new level").isTrue();
    }

    /** A gamestate that skips commands leaves both ends with different keys. */
    @Test
    void waitsUntilItHasRoomForAllCommands() {
        peer.sendOps();
        peer.acknowledge();
        List<String> commands =
                IntStream.range(0, 40).mapToObj("print \"%0150d\""::formatted).toList();
        commands.forEach(peer.transport::command);
        gamestates.setPending(true);
        assertThat(gamestates.isDue(now)).isFalse();
        peer.sendOps();
        sendFragments();
        peer.acknowledge();
        assertThat(gamestates.isDue(now)).as("half of the commands are left").isFalse();
        peer.sendOps();
        sendFragments();
        assertThat(gamestates.isDue(now)).as("not acknowledged").isFalse();
        peer.acknowledge();
        assertThat(gamestates.isDue(now)).isTrue();
        send();
        sendFragments();
        peer.acknowledge();
        assertThat(gamestates.isAcknowledged()).isTrue();
        assertThat(
                        peer.messages.stream()
                                .flatMap(message -> message.ops().stream())
                                .filter(ServerMessage.ServerCommand.class::isInstance)
                                .map(op -> ((ServerMessage.ServerCommand) op).text()))
                .containsExactlyElementsOf(commands);
    }

    @Test
    void slowsFragmentsDownIfGamestateWasLost() {
        send();
        sendFragments();
        assertThat(gamestates.request(1)).as("in flight").isFalse();
        assertThat(fragments.interval()).isEqualTo(15 * MILLI);
        assertThat(gamestates.request(2)).isTrue();
        assertThat(fragments.interval()).isEqualTo(30 * MILLI);
        assertThat(gamestates.request(3)).isTrue();
        assertThat(fragments.interval()).as("once for each gamestate").isEqualTo(30 * MILLI);
        for (int i = 0; i < 9; i++) {
            fragments.slowDown();
        }
        assertThat(fragments.interval()).isEqualTo(240 * MILLI);
    }
}
