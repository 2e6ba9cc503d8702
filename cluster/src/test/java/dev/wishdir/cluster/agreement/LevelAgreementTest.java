package dev.wishdir.cluster.agreement;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/** One level for all nodes. */
@Tag("slow")
class LevelAgreementTest {
    private static PlayedLevel level(long count, int node, String name) {
        return PlayedLevel.newBuilder().setCount(count).setNode(node).setName(name).build();
    }

    @Test
    void nodesAgreeWhoseOperatorsChangedTheLevelAtOnce() {
        for (int seed = 0; seed < TestEffort.times(100); seed++) {
            Random random = new Random(seed);
            TestCluster cluster = new TestCluster(seed);
            Server a = cluster.start();
            Server b = cluster.start();
            cluster.run(1500 * MILLI);
            a.changeLevel(TestCluster.LEVELS.get(random.nextInt(3)));
            cluster.run(random.nextInt(3) * 5L * MILLI);
            b.changeLevel(TestCluster.LEVELS.get(random.nextInt(3)));
            cluster.run(500 * MILLI);
            assertThat(a.level).isEqualTo(b.level);
            assertThat(a.node.level()).isEqualTo(b.node.level()).isEqualTo(a.level);
        }
    }

    @Test
    void nodesAgreeWhoseOperatorsAnnounceLevelsAtOnce() {
        for (int seed = 0; seed < TestEffort.times(50); seed++) {
            Random random = new Random(seed);
            TestCluster cluster = new TestCluster(seed);
            Server a = cluster.start();
            Server b = cluster.start();
            cluster.run(1500 * MILLI);
            a.busy = random.nextBoolean();
            b.busy = random.nextBoolean();
            a.announceLevel(TestCluster.LEVELS.get(random.nextInt(3)));
            cluster.run(random.nextInt(3) * 5L * MILLI);
            b.announceLevel(TestCluster.LEVELS.get(random.nextInt(3)));
            cluster.run(random.nextInt(200) * MILLI);
            a.busy = false;
            b.busy = false;
            cluster.run(500 * MILLI);
            assertThat(a.level).isEqualTo(b.level);
            assertThat(a.node.level()).isEqualTo(b.node.level()).isEqualTo(a.level);
        }
    }

    /** Three nodes, of which the last one prepares until it is made ready. */
    private static final class Wait {
        final TestCluster cluster = new TestCluster(6);
        final Server a = cluster.start();
        final Server b = cluster.start();
        final Server slow = cluster.start();

        Wait() {
            cluster.run(2 * SECOND);
            slow.busy = true;
            a.announceLevel("hall");
        }

        private List<NodeEvent> late() {
            return a.events.stream().filter(NodeEvent.NodeLate.class::isInstance).toList();
        }
    }

    @Test
    void nodesChangeTogetherOnceTheLastHasTheLevelReady() {
        Wait wait = new Wait();
        wait.cluster.run(5 * SECOND);
        assertThat(wait.a.level).isEqualTo("flat");
        assertThat(wait.b.nextLevels).containsExactly("hall");
        assertThat(wait.a.node.announceLevel("hall"))
                .extracting(NodeStatus::number)
                .containsExactly(wait.slow.node.number());
        wait.slow.busy = false;
        wait.cluster.run(50 * MILLI);
        for (Server server : wait.cluster.servers) {
            assertThat(server.level).isEqualTo("hall");
            assertThat(server.startedAt - wait.a.startedAt).isBetween(0L, 10 * MILLI);
        }
        assertThat(wait.late()).isEmpty();
    }

    @Test
    void nodeThatPreparesForTooLongIsNotWaitedForAgain() {
        Wait wait = new Wait();
        wait.cluster.run(LevelAgreement.MAX_PREPARE_NANOS - SECOND);
        assertThat(wait.a.level).isEqualTo("flat");
        wait.cluster.run(SECOND + 50 * MILLI);
        assertThat(wait.a.level).isEqualTo("hall");
        assertThat(wait.b.level).isEqualTo("hall");
        assertThat(wait.slow.level).isEqualTo("flat");
        assertThat(wait.late())
                .containsExactly(new NodeEvent.NodeLate(wait.slow.node.number(), "hall"));
        wait.a.announceLevel("tower");
        wait.cluster.run(200 * MILLI);
        assertThat(wait.a.level).isEqualTo("tower");
        wait.slow.busy = false;
        wait.cluster.run(200 * MILLI);
        assertThat(wait.slow.level).isEqualTo("tower");
        wait.slow.busy = true;
        wait.a.announceLevel("hall");
        wait.cluster.run(SECOND);
        assertThat(wait.a.level).as("it plays along again, so it is waited for").isEqualTo("tower");
    }

    @Test
    void silentNodeIsNotWaitedFor() {
        Wait wait = new Wait();
        wait.cluster.run(SECOND);
        wait.slow.paused = true;
        wait.cluster.run(1900 * MILLI);
        assertThat(wait.a.level).as("it may only be slow").isEqualTo("flat");
        wait.cluster.run(200 * MILLI);
        assertThat(wait.a.level).isEqualTo("hall");
        assertThat(wait.b.level).isEqualTo("hall");
        assertThat(wait.late()).isEmpty();
    }

    @Test
    void killedNodeIsNotWaitedFor() {
        Wait wait = new Wait();
        wait.cluster.run(SECOND);
        wait.slow.kill();
        wait.cluster.run(600 * MILLI);
        assertThat(wait.a.level).isEqualTo("hall");
        assertThat(wait.b.level).isEqualTo("hall");
    }

    @Test
    void nodeWithoutBusWaitsForNone() {
        Wait wait = new Wait();
        wait.cluster.run(SECOND);
        wait.a.bus.disconnect();
        wait.cluster.run(50 * MILLI);
        assertThat(wait.a.level).isEqualTo("hall");
        assertThat(wait.b.level).isEqualTo("flat");
        wait.a.bus.reconnect();
        wait.cluster.run(SECOND);
        assertThat(wait.b.level).isEqualTo("hall");
    }

    @Test
    void nodeThatDoesNotHaveTheLevelIsNotWaitedFor() {
        TestCluster cluster = new TestCluster(7);
        Server a = cluster.start();
        Server b = cluster.start();
        cluster.run(2 * SECOND);
        b.busy = true;
        a.announceLevel("cave");
        cluster.run(50 * MILLI);
        assertThat(a.level).isEqualTo("cave");
        assertThat(b.level).isEqualTo("flat");
    }

    @Test
    void levelThatOthersPlayStartsAgainWithoutWait() {
        TestCluster cluster = new TestCluster(8);
        Server a = cluster.start();
        Server b = cluster.start();
        cluster.run(2 * SECOND);
        assertThat(a.node.announceLevel("flat")).isEmpty();
        a.changeLevel("flat");
        cluster.run(10 * MILLI);
        assertThat(b.startedAt - a.startedAt).isBetween(0L, 10 * MILLI);
        assertThat(b.startedAt).isPositive();
    }

    @Test
    void halfWithMoreChangesWinsAfterSplit() {
        TestCluster cluster = new TestCluster(5);
        Server a = cluster.start();
        Server b = cluster.start();
        cluster.run(2 * SECOND);
        a.bus.moveTo(1);
        a.changeLevel("tower");
        b.changeLevel("tower");
        b.changeLevel("hall");
        cluster.run(5 * SECOND);
        a.bus.moveTo(0);
        cluster.run(SECOND);
        assertThat(a.level).isEqualTo("hall");
        assertThat(b.level).isEqualTo("hall");
    }

    @Test
    void believesNoCountFarAboveItsOwn() {
        LevelAgreement levels = new LevelAgreement("flat");
        levels.choose(7);
        assertThat(levels.offer(0, level(LevelAgreement.MAX_STEP + 2, 9, "hall"))).isFalse();
        assertThat(levels.offer(0, level(LevelAgreement.MAX_STEP + 1, 9, "hall"))).isTrue();
        levels.change(7, "tower");
        assertThat(levels.played().getCount()).isEqualTo(LevelAgreement.MAX_STEP + 2);
    }

    @Test
    void changesAtLimitedRate() {
        LevelAgreement levels = new LevelAgreement("flat");
        int changes = 0;
        for (int i = 1; i <= 100; i++) {
            changes += levels.offer(0, level(i, 9, "level" + i)) ? 1 : 0;
        }
        assertThat(changes).isEqualTo(5);
        assertThat(levels.offer(10 * SECOND, level(101, 9, "last"))).isTrue();
    }

    @Test
    void levelThatIsNotWantedAnyMoreCountsForNothing() {
        LevelAgreement levels = new LevelAgreement("flat");
        levels.choose(7);
        assertThat(levels.offer(0, level(2, 9, "tower"))).isTrue();
        assertThat(levels.offer(0, level(3, 9, "hall"))).isTrue();
        levels.start("tower");
        assertThat(levels.played()).isEqualTo(level(0, 0, "tower"));
        assertThat(levels.offer(0, level(3, 9, "hall"))).isTrue();
        levels.start("hall");
        assertThat(levels.played()).isEqualTo(level(3, 9, "hall"));
    }

    @Test
    void levelThatIsPlayedStartsAgainWhereAnOperatorChoosesIt() {
        LevelAgreement levels = new LevelAgreement("flat");
        assertThat(levels.offer(0, level(3, 9, "flat"))).as("it joins").isFalse();
        assertThat(levels.offer(0, level(3, 10, "flat"))).as("two at once").isFalse();
        assertThat(levels.offer(0, level(4, 9, "flat"))).isTrue();
        levels.start("flat");
        assertThat(levels.played()).isEqualTo(level(4, 9, "flat"));
        assertThat(levels.offer(0, level(4, 9, "flat"))).isFalse();
    }
}
