package dev.wishdir.cluster;

import static dev.wishdir.cluster.TestCluster.MILLI;
import static dev.wishdir.cluster.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.TestCluster.Server;
import dev.wishdir.cluster.v1.PlayedLevel;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** One level for all nodes. */
class LevelAgreementTest {
    private static PlayedLevel level(long count, int node, String name) {
        return PlayedLevel.newBuilder().setCount(count).setNode(node).setName(name).build();
    }

    @Test
    void nodesAgreeWhoseOperatorsChangedTheLevelAtOnce() {
        for (int seed = 0; seed < 1000; seed++) {
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
