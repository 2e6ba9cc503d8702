package dev.wishdir.cluster.remote;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

/** Names that are unique in the whole arena. */
@Tag("slow")
class NameAgreementTest {
    private static Set<String> names(Server server) {
        return server.arena.players().stream().map(Player::name).collect(Collectors.toSet());
    }

    @Test
    void lowerNodeKeepsNameThatBothTookAtOnce() {
        for (int seed = 0; seed < TestEffort.times(50); seed++) {
            TestCluster cluster = new TestCluster(seed);
            Server a = cluster.start();
            Server b = cluster.start();
            Server c = cluster.start();
            cluster.run(SECOND);
            Participant atA = a.join("quake3", "anna");
            Participant atB = b.join("quake3", "anna");
            cluster.run(200 * MILLI);
            boolean aIsLower = a.node.number() < b.node.number();
            assertThat((aIsLower ? atA : atB).player.name()).isEqualTo("anna");
            assertThat((aIsLower ? atB : atA).player.name()).isEqualTo("anna(2)");
            assertThat(a.view()).isEqualTo(b.view()).isEqualTo(c.view());
        }
    }

    @Test
    void viewersSeeOneRenamingOfOnePlayer() {
        TestCluster cluster = new TestCluster(5);
        Server a = cluster.start();
        Server b = cluster.start();
        Participant viewer = cluster.start().join("quake3", "viewer");
        cluster.run(SECOND);
        a.join("quake3", "anna");
        b.join("quake3", "anna");
        cluster.run(5 * SECOND);
        assertThat(viewer.events).filteredOn(ArenaEvent.Renamed.class::isInstance).hasSize(1);
    }

    @Test
    void findsNamesThatLookAlike() {
        TestCluster cluster = new TestCluster(3);
        Server a = cluster.start();
        Server b = cluster.start();
        cluster.run(SECOND);
        a.join("quake3", "IIII");
        b.join("quake3", "llll");
        cluster.run(SECOND);
        assertThat(names(a)).hasSize(2).isEqualTo(names(b));
        assertThat(a.view()).isEqualTo(b.view());
    }

    @Test
    void twoHalvesWithTheSameNamesAgree() {
        TestCluster cluster = new TestCluster(4);
        Server a = cluster.start();
        Server b = cluster.start();
        a.bus.moveTo(1);
        for (int i = 0; i < 40; i++) {
            a.join("quake3", "unnamed");
            b.join("quake2", "unnamed");
        }
        cluster.run(2 * SECOND);
        a.bus.moveTo(0);
        cluster.run(10 * SECOND);
        assertThat(names(a)).hasSize(80).isEqualTo(names(b));
        assertThat(a.view()).isEqualTo(b.view());
    }
}
