package dev.wishdir.cluster.message;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.cluster.agreement.BanAgreement;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BucketEvent;
import dev.wishdir.cluster.bus.MemoryBroker.Conditions;
import dev.wishdir.cluster.bus.MemoryBroker.MemoryBus;
import dev.wishdir.cluster.v1.Ban;
import dev.wishdir.wire.TestEffort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;

/** Bans on all nodes, also on those that are away, in virtual time. */
@Tag("slow")
class NodeBanTest {
    private final TestCluster cluster = new TestCluster(1);
    private final Server a = cluster.start();
    private final Server b = cluster.start();

    static NodeBan ban(String target) {
        return new NodeBan(target, "", "cheats", "op", 0);
    }

    private static NodeBan ban(int number) {
        return ban("10.0." + number / 256 + "." + number % 256);
    }

    private static void assertBans(Server server, NodeBan... bans) {
        assertThat(server.bans.values()).containsExactlyInAnyOrder(bans);
    }

    @Test
    void bansAndUnbansOnAllNodesAtOnce() {
        cluster.run(SECOND);
        a.ban(ban(1));
        b.ban(ban(2));
        cluster.run(10 * MILLI);
        assertBans(a, ban(1), ban(2));
        assertBans(b, ban(1), ban(2));
        b.unban(ban(1));
        cluster.run(10 * MILLI);
        assertBans(a, ban(2));
        assertThat(a.changes).isEqualTo(2);
        assertThat(b.changes).isEqualTo(1);
        cluster.run(15 * SECOND);
        assertThat(a.changes).isEqualTo(2);
        assertThat(b.changes).isEqualTo(1);
    }

    @Test
    void nodeThatStartsLaterGetsWhatIsInForce() {
        cluster.run(SECOND);
        a.ban(ban(1));
        a.ban(ban(2));
        a.unban(ban(2));
        cluster.run(SECOND);
        a.kill();
        b.kill();
        Server late = cluster.start();
        cluster.run(SECOND);
        assertBans(late, ban(1));
    }

    @Test
    void nodeThatWasAwayGetsWhatItMissed() {
        cluster.run(SECOND);
        a.ban(ban(1));
        cluster.run(SECOND);
        b.bus.disconnect();
        a.ban(ban(2));
        a.unban(ban(1));
        b.ban(ban(3));
        cluster.run(10 * SECOND);
        assertBans(b, ban(1), ban(3));
        b.bus.reconnect();
        cluster.run(3 * SECOND);
        assertBans(a, ban(2), ban(3));
        assertBans(b, ban(2), ban(3));
    }

    @Test
    void bansOfOwnFileReachTheOthersUnlessTheyWereRemoved() {
        cluster.run(SECOND);
        a.ban(ban(1));
        a.ban(ban(2));
        cluster.run(SECOND);
        a.unban(ban(2));
        cluster.run(SECOND);
        Server returned = cluster.startWithBans(ban(1), ban(2), ban(3));
        cluster.run(5 * SECOND);
        for (Server server : cluster.servers) {
            assertBans(server, ban(1), ban(3));
        }
        assertThat(returned.changes).isOne();
    }

    @Test
    void lastChangeOfABanCounts() {
        cluster.run(SECOND);
        a.ban(ban(1));
        cluster.run(SECOND);
        NodeBan longer = new NodeBan(ban(1).target(), "", "again", "other", 2_000_000_000);
        b.ban(longer);
        cluster.run(10 * MILLI);
        assertBans(a, longer);
        NodeBan inOneGame = new NodeBan(ban(1).target(), "quake3", "", "other", 0);
        b.ban(inOneGame);
        cluster.run(10 * MILLI);
        assertBans(a, longer, inOneGame);
        cluster.run(15 * SECOND);
        assertBans(a, longer, inOneGame);
        assertBans(b, longer, inOneGame);
    }

    @Test
    void nodesAgreeAfterChangesAtTheSameTime() {
        for (int seed = 0; seed < TestEffort.times(50); seed++) {
            Random random = new Random(seed);
            TestCluster crowd = new TestCluster(seed);
            Server first = crowd.start();
            Server second = crowd.start();
            crowd.broker.conditions(new Conditions(0.2, 0.1, 30 * MILLI, 60 * MILLI));
            crowd.run(SECOND);
            for (int i = 0; i < 20; i++) {
                Server server = random.nextBoolean() ? first : second;
                if (random.nextBoolean()) {
                    server.ban(new NodeBan("10.0.0.1", "", "reason " + i, "op", 0));
                } else {
                    server.unban(ban("10.0.0.1"));
                }
                crowd.broker.setBucketAvailable(random.nextInt(4) > 0);
                crowd.run(random.nextInt(4) * 5L * MILLI);
            }
            crowd.broker.setBucketAvailable(true);
            crowd.run(15 * SECOND);
            assertThat(first.bans).as("seed %d", seed).isEqualTo(second.bans);
        }
    }

    @Test
    void lostLeaderOfTheBucketDelaysNoBanOfConnectedNodes() {
        Participant bob = b.join("quake2", "bob");
        cluster.run(3 * SECOND);
        cluster.broker.setBucketAvailable(false);
        cluster.run(3 * SECOND);
        a.ban(ban(1));
        assertBans(a, ban(1));
        cluster.run(10 * MILLI);
        assertBans(b, ban(1));
        Server late = cluster.start();
        cluster.run(7 * SECOND);
        assertBans(late);
        assertThat(a.events)
                .containsSubsequence(
                        new NodeEvent.BucketAvailable(),
                        new NodeEvent.BucketUnavailable("switched off"));
        cluster.broker.setBucketAvailable(true);
        cluster.run(5 * SECOND);
        assertBans(late, ban(1));
        assertThat(a.events.getLast()).isEqualTo(new NodeEvent.BucketAvailable());
        // The players saw nothing of it.
        assertThat(bob.player.isHere()).isTrue();
        assertThat(bob.events).noneMatch(ArenaEvent.Left.class::isInstance);
        assertThat(a.events)
                .noneMatch(NodeEvent.NodeSilent.class::isInstance)
                .noneMatch(NodeEvent.NodeLeft.class::isInstance);
    }

    @Test
    void withoutBucketBansGoToConnectedNodesAndTheCauseIsReportedOnce() {
        TestCluster plain = new TestCluster(2);
        plain.broker.setBucketAvailable(false);
        Server first = plain.start();
        Server second = plain.start();
        plain.run(20 * SECOND);
        first.ban(ban(1));
        plain.run(10 * MILLI);
        assertBans(second, ban(1));
        assertThat(first.events)
                .filteredOn(NodeEvent.BucketUnavailable.class::isInstance)
                .containsExactly(new NodeEvent.BucketUnavailable("switched off"));
        assertThat(first.events).noneMatch(NodeEvent.BucketAvailable.class::isInstance);
    }

    @Test
    void bucketThatWasLostIsFilledAgain() {
        cluster.run(SECOND);
        a.ban(ban(1));
        b.ban(ban(2));
        cluster.run(SECOND);
        cluster.broker.clearBucket();
        cluster.run(5 * SECOND);
        assertBans(a, ban(1), ban(2));
        Server late = cluster.start();
        cluster.run(SECOND);
        assertBans(late, ban(1), ban(2));
    }

    @Test
    void banWhoseNodeDiedBeforeItWasStoredIsStoredByAnother() {
        cluster.run(3 * SECOND);
        cluster.broker.setBucketAvailable(false);
        cluster.run(3 * SECOND);
        a.ban(ban(1));
        cluster.run(10 * MILLI);
        a.kill();
        cluster.broker.setBucketAvailable(true);
        cluster.run(15 * SECOND);
        b.kill();
        Server late = cluster.start();
        cluster.run(SECOND);
        assertBans(late, ban(1));
    }

    @Test
    void changesOfNodeThatRestartsWhileTheBusIsAwayReachTheOthers() {
        cluster.run(SECOND);
        a.ban(ban(1));
        a.ban(ban(2));
        a.ban(ban(3));
        cluster.run(SECOND);
        a.unban(ban(2));
        cluster.run(3 * SECOND);
        assertThat(a.unshared).as("it is stored").isEmpty();
        a.bus.disconnect();
        NodeBan longer = new NodeBan(ban(3).target(), "", "again", "op", 0);
        a.unban(ban(1));
        a.ban(ban(2));
        a.ban(longer);
        cluster.run(SECOND);
        Server restarted = cluster.restart(a);
        restarted.bus.disconnect();
        cluster.run(SECOND);
        restarted = cluster.restart(restarted);
        cluster.run(3 * SECOND);
        assertBans(restarted, ban(2), longer);
        assertBans(b, ban(2), longer);
        assertThat(restarted.changes).isZero();
        assertThat(restarted.unshared).isEmpty();
        Server late = cluster.start();
        cluster.run(3 * SECOND);
        assertBans(late, ban(2), longer);
    }

    @Test
    void unbanOfNodeThatRestartsIsKeptUntilTheBucketIsReached() {
        cluster.run(SECOND);
        a.ban(ban(1));
        cluster.run(3 * SECOND);
        cluster.broker.setBucketAvailable(false);
        a.bus.disconnect();
        a.unban(ban(1));
        Server restarted = cluster.restart(a);
        cluster.run(5 * SECOND);
        assertBans(restarted);
        assertThat(restarted.unshared).hasSize(1);
        cluster.broker.setBucketAvailable(true);
        cluster.run(5 * SECOND);
        assertBans(restarted);
        assertBans(b);
        assertThat(restarted.unshared).isEmpty();
    }

    /** A bucket that stores each change at once, before what it delivered is looked at. */
    private static final class FastBucket implements Bucket {
        final Queue<BucketEvent> events = new ArrayDeque<>();
        final List<String> deleted = new ArrayList<>();

        @Override
        public boolean put(String key, byte[] value) {
            return true;
        }

        @Override
        public boolean putIfAbsent(String key, byte[] value) {
            return true;
        }

        @Override
        public boolean delete(String key) {
            return deleted.add(key);
        }

        @Override
        public boolean isPending(String key) {
            return false;
        }

        @Override
        public void reload() {}

        @Override
        public @Nullable BucketEvent poll() {
            return events.poll();
        }
    }

    @Test
    void unbanOfEarlierRunIsNotUndoneByWhatTheBucketHadBefore() {
        FastBucket bucket = new FastBucket();
        bucket.events.add(
                new BucketEvent.Loaded(
                        IntStream.rangeClosed(1, 100)
                                .mapToObj(NodeBanTest::ban)
                                .map(ban ->
                                        new BucketEvent.Entry(
                                                key(ban),
                                                BanAgreement.message(ban).toByteArray(),
                                                1))
                                .toList()));
        List<NodeBan> applied = new ArrayList<>();
        NodeListener server =
                new NodeListener() {
                    @Override
                    public boolean onLevelWanted(long now, String name) {
                        return false;
                    }

                    @Override
                    public List<BanChange> unsharedBans() {
                        return List.of(new BanChange(ban(100).target(), "", 2));
                    }

                    @Override
                    public void onBan(long now, NodeBan ban) {
                        applied.add(ban);
                    }

                    @Override
                    public void onEvent(NodeEvent event) {}
                };
        BanAgreement bans = new BanAgreement(bucket, server);
        for (int turn = 0; turn < 20; turn++) {
            bans.advance(turn, turn * SECOND);
        }
        assertThat(bucket.deleted).containsExactly(key(ban(100)));
        assertThat(applied).hasSize(99).doesNotContain(ban(100));
    }

    private static String key(NodeBan ban) {
        return BanAgreement.key(ban.target(), ban.game());
    }

    @Test
    void newerChangeByOtherNodeReplacesUnsharedOne() {
        cluster.run(SECOND);
        a.ban(ban(1));
        cluster.run(3 * SECOND);
        cluster.broker.setBucketAvailable(false);
        a.bus.disconnect();
        a.unban(ban(1));
        Server restarted = cluster.restart(a);
        cluster.run(SECOND);
        NodeBan newer = new NodeBan(ban(1).target(), "", "again", "other", 0);
        b.ban(newer);
        cluster.run(SECOND);
        assertBans(restarted, newer);
        cluster.broker.setBucketAvailable(true);
        cluster.run(15 * SECOND);
        assertBans(restarted, newer);
        assertBans(b, newer);
        assertThat(restarted.unshared).isEmpty();
        assertThat(b.unshared).isEmpty();
    }

    @Test
    void unsharedChangeDoesNotReplaceNewerOneInTheBucket() {
        cluster.run(SECOND);
        a.ban(ban(1));
        a.ban(ban(2));
        a.ban(ban(3));
        cluster.run(3 * SECOND);
        a.bus.disconnect();
        a.unban(ban(1));
        a.unban(ban(2));
        a.ban(new NodeBan(ban(3).target(), "", "again", "op", 0));
        cluster.run(SECOND);
        NodeBan newer = new NodeBan(ban(1).target(), "", "again", "other", 0);
        b.ban(newer);
        b.unban(ban(3));
        cluster.run(3 * SECOND);
        b.kill();
        Server restarted = cluster.restart(a);
        cluster.run(3 * SECOND);
        assertBans(restarted, newer);
        assertThat(restarted.unshared).isEmpty();
        Server late = cluster.start();
        cluster.run(3 * SECOND);
        assertBans(late, newer);
    }

    @Test
    void appliesManyBansInSeveralTurns() {
        NodeBan[] many = IntStream.range(0, 3000).mapToObj(it -> ban(it)).toArray(NodeBan[]::new);
        cluster.startWithBans(many);
        cluster.run(100 * MILLI);
        Server late = cluster.start();
        late.turn();
        cluster.broker.advance(5 * MILLI);
        late.arena.advance(late.now());
        assertThat(late.node.advance(late.now())).isLessThan(late.now() + 5 * MILLI);
        assertThat(late.bans).hasSizeBetween(16, 2000);
        cluster.run(SECOND);
        assertBans(late, many);
    }

    @Test
    @DisplayName(
            "N11: a bucket with values of other keys, malformed and oversized ones, and 25,000"
                    + " bans")
    void takesOnlyValidBansOfTheBucket() {
        Bucket forged = cluster.broker.connect().bucket("");
        Ban valid = BanAgreement.message(ban(1));
        forged.put("ban.other", valid.toByteArray());
        forged.put("level", "hall".getBytes(StandardCharsets.UTF_8));
        forged.put("ban.noise", new byte[] {10, -1, -1});
        forged.put("ban.empty", new byte[0]);
        put(forged, valid.toBuilder().setTarget("x\n10.0.0.0/8 forever").build());
        put(forged, valid.toBuilder().setTarget("").build());
        put(forged, valid.toBuilder().setEndS(-1).build());
        put(forged, valid.toBuilder().setReason("x".repeat(501)).build());
        put(forged, valid.toBuilder().setReason("é".repeat(5000)).build());
        put(forged, valid.toBuilder().setTarget("10.9.9.9").build());
        drain(forged);
        cluster.run(5 * SECOND);
        assertBans(a, ban("10.9.9.9"));
        for (int i = 0; i < 10_000; i++) {
            put(forged, BanAgreement.message(ban("10.1." + i)));
        }
        drain(forged);
        for (int i = 0; i < 15_000; i++) {
            put(forged, BanAgreement.message(ban("10.2." + i)));
        }
        drain(forged);
        cluster.run(30 * SECOND);
        assertThat(a.bans).hasSize(BanAgreement.MAX_BANS);
        assertThat(a.events)
                .filteredOn(NodeEvent.BanRefused.class::isInstance)
                .hasSizeGreaterThanOrEqualTo(5_001)
                .allMatch(event -> event.toString().contains("there are 20000 bans: remove some"));
        // The operator's own ban is in force all the same.
        a.ban(ban(7));
        cluster.run(SECOND);
        assertThat(a.bans).containsValue(ban(7));
    }

    /** A server with a clock, which keeps what it was asked. */
    private static final class Operator implements NodeListener {
        final List<NodeBan> own = new ArrayList<>();
        final List<NodeBan> applied = new ArrayList<>();
        final List<String> removed = new ArrayList<>();
        final List<NodeEvent> events = new ArrayList<>();
        long millis;

        @Override
        public boolean onLevelWanted(long now, String name) {
            return false;
        }

        @Override
        public long clockMillis() {
            return millis;
        }

        @Override
        public List<NodeBan> bans() {
            return own;
        }

        @Override
        public void onBan(long now, NodeBan ban) {
            applied.add(ban);
        }

        @Override
        public void onUnban(long now, String target, String game) {
            removed.add(target);
        }

        @Override
        public void onEvent(NodeEvent event) {
            events.add(event);
        }
    }

    /** A node with a full list of its own on a bus of the cluster's broker. */
    private final class FullNode {
        final Operator operator = new Operator();
        final MemoryBus bus = cluster.broker.connect();
        final BanAgreement bans = new BanAgreement(bus.bucket(""), operator);

        FullNode() {
            for (int i = 0; i < BanAgreement.MAX_BANS; i++) {
                operator.own.add(ban(i));
            }
        }

        boolean advance() {
            return bans.advance(cluster.broker.now(), cluster.broker.now());
        }
    }

    private void advance(FullNode... nodes) {
        for (int turn = 0; turn < 200; turn++) {
            for (FullNode node : nodes) {
                boolean more = true;
                while (more) {
                    more = node.advance();
                }
            }
            cluster.broker.advance(100 * MILLI);
        }
    }

    /** Links go down while a node has still to store the bans of its own full list. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("N20: an unban while the bus is away is not undone by bans that were to be stored")
    void unbanIsNotUndoneByWhatAFullNodeHadToStore(boolean byOther) {
        NodeBan unbanned = ban(7);
        Bucket other = cluster.broker.connect().bucket("");
        for (int i = 0; i < 200; i++) {
            other.put(key(ban(30_000 + i)), BanAgreement.message(ban(30_000 + i)).toByteArray());
        }
        drain(other);
        FullNode first = new FullNode();
        advance(first);
        FullNode second = new FullNode();
        // Its bans wait behind what the bucket has, and the links go down.
        assertThat(second.advance()).isTrue();
        second.bus.disconnect();
        first.bus.disconnect();
        (byOther ? first : second).bans.unban(unbanned.target(), unbanned.game());
        advance(first, second);
        first.bus.reconnect();
        advance(first, second);
        second.bus.reconnect();
        advance(first, second);
        FullNode unbanning = byOther ? first : second;
        FullNode further = byOther ? second : first;
        assertThat(further.operator.removed).containsExactly(unbanned.target());
        assertThat(further.operator.applied).doesNotContain(unbanned);
        assertThat(unbanning.operator.applied).doesNotContain(unbanned);
    }

    @Test
    @DisplayName("N20: a ban that found no room is in force when there is some")
    void appliesRefusedBanWhenThereIsRoom() {
        FullNode node = new FullNode();
        Bucket other = cluster.broker.connect().bucket("");
        put(other, BanAgreement.message(ban(30_000)));
        drain(other);
        advance(node);
        assertThat(node.operator.applied).isEmpty();
        node.bans.unban(ban(7).target(), "");
        for (int i = 0; i < 4; i++) {
            advance(node);
        }
        assertThat(node.operator.applied).containsExactly(ban(30_000));
    }

    private static NodeBan ending(int number, long seconds) {
        NodeBan ban = ban(number);
        return new NodeBan(ban.target(), ban.game(), ban.reason(), ban.author(), seconds);
    }

    private static BucketEvent.Entry entry(NodeBan ban, long millis) {
        return new BucketEvent.Entry(key(ban), BanAgreement.message(ban).toByteArray(), millis);
    }

    @Test
    @DisplayName("N20: ended bans need no room, and leave the bucket when both clocks say so")
    void forgetsEndedBans() {
        FastBucket bucket = new FastBucket();
        Operator operator = new Operator();
        for (int i = 0; i < BanAgreement.MAX_BANS; i++) {
            operator.own.add(ending(i, 100));
        }
        BanAgreement bans = new BanAgreement(bucket, operator);
        operator.millis = 50_000;
        bans.advance(0, 0);
        NodeBan other = ban(60_000);
        bans.onBan(0, 0, other);
        assertThat(operator.applied).isEmpty();
        assertThat(operator.events).hasSize(1);

        operator.millis = 1_000_000_000;
        bans.advance(0, 60 * SECOND);
        bans.onBan(0, 60 * SECOND, other);
        assertThat(operator.applied).containsExactly(other);

        bucket.events.add(new BucketEvent.Loaded(List.of(entry(ending(1, 100), 150_000))));
        bans.advance(0, 61 * SECOND);
        assertThat(bucket.deleted).as("its clock is ahead of the bucket's").isEmpty();
        bucket.events.add(
                new BucketEvent.Loaded(
                        List.of(entry(ending(1, 100), 150_000), entry(ban(2), 1_000_000_000))));
        bans.advance(0, 62 * SECOND);
        assertThat(bucket.deleted).containsExactly(key(ending(1, 100)));
        assertThat(operator.applied).containsExactly(other, ban(2));
        assertThat(operator.events).hasSize(1);
    }

    @Test
    @DisplayName("N20: changes of the bucket are applied as fast as a start needs, then as events")
    void limitsChangesOfBucket() {
        FastBucket bucket = new FastBucket();
        Operator operator = new Operator();
        BanAgreement bans = new BanAgreement(bucket, operator);
        List<BucketEvent.Entry> entries = new ArrayList<>();
        for (int i = 0; i < BanAgreement.MAX_BANS; i++) {
            entries.add(entry(ban(i), 1));
        }
        bucket.events.add(new BucketEvent.Loaded(entries));
        long nanos = 0;
        while (bans.advance(0, nanos)) {
            nanos += 2 * MILLI;
        }
        assertThat(nanos).as("time of a start").isLessThan(SECOND);
        assertThat(operator.applied).hasSize(BanAgreement.MAX_BANS);

        for (int i = 0; i < 1_000; i++) {
            bucket.events.add(new BucketEvent.Changed(entry(ending(i, i + 1_000), 2)));
        }
        for (int turn = 0; turn < 10; turn++) {
            nanos += 100 * MILLI;
            bans.advance(0, nanos);
        }
        assertThat(operator.applied.size() - BanAgreement.MAX_BANS).isBetween(90, 200);
    }

    private static void put(Bucket bucket, Ban ban) {
        bucket.put(BanAgreement.key(ban.getTarget(), ban.getGame()), ban.toByteArray());
    }

    /** Writes what waits. */
    private static void drain(Bucket bucket) {
        BucketEvent event;
        do {
            event = bucket.poll();
        } while (event != null);
    }
}
