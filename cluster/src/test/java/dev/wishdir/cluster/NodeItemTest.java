package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.TakenItem;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.message.MessageEncoder;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** What a player of one node takes is gone on all nodes, and returns on all at the same time. */
@Tag("slow")
public class NodeItemTest {
    private static final ItemReach REACH = ItemReach.ofBoxes(1, 1.75, 0.94, 0.94);
    private static final PlacedItem HEALTH = item(ItemKind.HEALTH, 5, 5_000);
    private static final PlacedItem ROCKET = item(ItemKind.WEAPON_ROCKET, 12, 20_000);
    private static final MatchRules RULES =
            MatchRules.of(MatchMode.FFA)
                    .withTimes(Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofSeconds(1));

    /** A batch waits for as long, and the turn of the other node. */
    private static final long SOON = 15 * MILLI;

    private final TestCluster cluster = new TestCluster(1);
    private final Map<Server, List<String>> events = new HashMap<>();
    private Server a;
    private Server b;
    private Server c;
    private Participant anna;
    private Participant bob;
    private Participant carl;

    private static PlacedItem item(ItemKind kind, double x, int returnMillis) {
        return new PlacedItem(kind, new Vec3(x, 0, 0), Duration.ofMillis(returnMillis), "");
    }

    public static Server start(TestCluster cluster, MatchRules rules) {
        Server server = cluster.start();
        server.arena.setLevel(server.arena.level().withItems(List.of(HEALTH, ROCKET)));
        server.arena.setMatchRules(rules);
        return server;
    }

    private Server start(MatchRules rules) {
        Server server = start(cluster, rules);
        List<String> seen = events.computeIfAbsent(server, _ -> new ArrayList<>());
        server.arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.ItemTaken e ->
                        seen.add(e.player().name() + " takes " + e.item().kind());
                case ArenaEvent.ItemVanished e -> seen.add(e.item().kind() + " vanishes");
                case ArenaEvent.ItemReturned e -> seen.add(e.item().kind() + " returns");
                default -> {}
            }
        });
        return server;
    }

    @BeforeEach
    void join() {
        a = start(RULES);
        b = start(RULES);
        c = start(RULES);
        anna = a.join("quake3", "anna");
        bob = b.join("sauerbraten", "bob");
        carl = c.join("quake2", "carl");
        cluster.run(3 * SECOND);
        begin(cluster, List.of(anna, bob, carl));
    }

    /** All live, a few steps from the items. */
    private static void begin(TestCluster cluster, List<Participant> players) {
        for (Participant player : players) {
            player.live();
            player.server.move(player, HEALTH.place().x(), 0);
        }
        cluster.run(SECOND);
    }

    /** A player walks onto an item, and takes it if it is there. */
    private static void take(Participant player, PlacedItem item) {
        player.server.move(player, item.place().x(), 0);
        player.player.combatant().takeItems(player.server.now(), item.place(), REACH, _ -> true);
    }

    private static Item health(Server server) {
        return server.arena.match().items().of("quake2").getFirst();
    }

    private static Item rocket(Server server) {
        return server.arena.match().items().of("quake2").get(1);
    }

    private static boolean isThere(Server server) {
        return health(server).isPresent();
    }

    private void assertThere(boolean there) {
        for (Server server : cluster.servers) {
            assertThat(isThere(server)).isEqualTo(there);
        }
    }

    @Test
    void takenItemIsGoneOnAllNodesAndReturnsOnAll() {
        take(anna, HEALTH);
        cluster.run(SOON);
        assertThere(false);
        take(bob, HEALTH);
        take(carl, HEALTH);
        cluster.run(5 * SECOND - SOON - 5 * MILLI);
        assertThere(false);
        cluster.run(SOON);
        assertThere(true);
        take(carl, HEALTH);
        cluster.run(SOON);
        assertThere(false);
        for (Server server : List.of(a, b, c)) {
            assertThat(events.get(server))
                    .containsExactly("anna takes health", "health returns", "carl takes health");
            assertThat(server.node.faults()).isEmpty();
        }
    }

    @Test
    void bothPlayersThatTakeItAtOnceHaveItAndItReturnsForTheFirst() {
        take(anna, HEALTH);
        cluster.broker.advance(2 * MILLI);
        take(bob, HEALTH);
        cluster.run(SECOND);
        assertThat(events.get(a)).containsExactly("anna takes health");
        assertThat(events.get(b)).containsExactly("bob takes health");
        assertThat(events.get(c)).hasSize(1);
        cluster.run(4 * SECOND - 10 * MILLI);
        assertThere(false);
        cluster.run(25 * MILLI);
        assertThere(true);
        cluster.run(SECOND);
        assertThere(true);
    }

    @Test
    void newRoundBringsAllItemsBackOnAllNodes() {
        take(anna, ROCKET);
        cluster.run(100 * MILLI);
        b.arena.match().begin(b.now());
        cluster.run(2 * SECOND);
        for (Server server : cluster.servers) {
            assertThat(server.arena.match().items().of("quake2")).allMatch(Item::isPresent);
            assertThat(events.get(server)).containsExactly("anna takes weapon-rocket");
        }
    }

    @Test
    void otherLevelHasItsOwnItems() {
        take(anna, HEALTH);
        cluster.run(SOON);
        a.arena.setLevel(new Level("tower", a.arena.bounds()).withItems(List.of(HEALTH)));
        a.changeLevel("tower");
        b.busy = true;
        cluster.run(2 * SECOND);
        anna.live();
        take(anna, HEALTH);
        cluster.run(SOON);
        assertThat(isThere(a)).isFalse();
        // It still plays the level before.
        assertThat(events.get(b)).containsExactly("anna takes health");
        assertThat(b.node.faults()).isEmpty();
    }

    @Test
    void lateNodeKnowsWhatIsGone() {
        take(anna, ROCKET);
        cluster.run(3 * SECOND);
        Server late = start(RULES);
        late.join("bedrock", "late");
        cluster.run(3 * SECOND);
        List<Item> items = late.arena.match().items().of("bedrock");
        assertThat(items.get(1).isPresent()).isFalse();
        assertThat(events.get(late)).containsExactly("anna takes weapon-rocket");
        cluster.run(14 * SECOND + 20 * MILLI);
        assertThat(items.get(1).isPresent()).isTrue();
        assertThat(late.node.faults()).isEmpty();
    }

    /** Its taker left, or its node ended, before the late node joined. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateNodeKnowsWhatPlayersTookThatHaveLeft(boolean isKilled) {
        take(anna, ROCKET);
        cluster.run(SECOND);
        if (isKilled) {
            a.kill();
            cluster.servers.remove(a);
        } else {
            a.leave(anna);
        }
        cluster.run(SECOND);
        assertThat(b.arena.players()).extracting(Player::name).doesNotContain("anna");
        Server late = start(RULES);
        late.join("bedrock", "late");
        cluster.run(3 * SECOND);
        assertThat(events.get(late)).containsExactly("weapon-rocket vanishes");
        cluster.run(15 * SECOND - 30 * MILLI);
        for (Server server : cluster.servers) {
            assertThat(rocket(server).isPresent()).isFalse();
        }
        cluster.run(60 * MILLI);
        for (Server server : cluster.servers) {
            assertThat(rocket(server).isPresent()).isTrue();
            assertThat(server.node.faults()).isEmpty();
        }
        cluster.run(SECOND);
        assertThat(events.get(late)).hasSize(2).endsWith("weapon-rocket returns");
    }

    @Test
    void itemOfPlayerThatLeavesAtOnceIsGoneOnAllNodes() {
        take(anna, HEALTH);
        a.leave(anna);
        cluster.run(100 * MILLI);
        assertThere(false);
        cluster.run(5 * SECOND);
        assertThere(true);
        assertThat(events.get(c)).containsExactly("health vanishes", "health returns");
    }

    @Test
    void itemOfPlayerThatLeftInSplitIsGoneOnAllNodesAfterIt() {
        a.bus.moveTo(1);
        // The match of this half goes on without anna.
        a.join("quake3", "dora");
        cluster.run(SECOND);
        take(anna, ROCKET);
        cluster.run(SECOND);
        a.leave(anna);
        cluster.run(SECOND);
        a.bus.moveTo(0);
        cluster.run(2 * SECOND);
        assertThat(rocket(b).isPresent()).isFalse();
        assertThat(rocket(c).isPresent()).isFalse();
    }

    @Test
    void itemOfKilledNodeReturnsInTime() {
        take(anna, HEALTH);
        cluster.run(50 * MILLI);
        a.kill();
        cluster.servers.remove(a);
        cluster.run(4900 * MILLI);
        assertThere(false);
        cluster.run(70 * MILLI);
        assertThere(true);
    }

    @Test
    void lostRepeatedAndReorderedReportsAgree() {
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, 0, 0));
        take(anna, HEALTH);
        cluster.run(20 * MILLI);
        cluster.broker.conditions(new MemoryBroker.Conditions(0, 0.5, 30 * MILLI, 60 * MILLI));
        cluster.run(400 * MILLI);
        assertThere(false);
        for (Server server : List.of(a, b, c)) {
            assertThat(events.get(server)).containsExactly("anna takes health");
        }
    }

    @Test
    void splitAndHealAgree() {
        b.bus.moveTo(1);
        cluster.run(SECOND);
        take(anna, ROCKET);
        cluster.run(5 * SECOND);
        take(bob, ROCKET);
        cluster.run(3 * SECOND);
        b.bus.moveTo(0);
        cluster.run(2 * SECOND);
        // As after the taking of anna.
        cluster.run(10 * SECOND - 150 * MILLI);
        assertThat(b.arena.match().items().of("quake2").get(1).isPresent()).isFalse();
        cluster.run(300 * MILLI);
        for (Server server : cluster.servers) {
            assertThat(server.arena.match().items().of("quake2").get(1).isPresent()).isTrue();
        }
    }

    @Test
    void itemTakenInSplitIsGoneOnAllNodesAfterIt() {
        b.bus.moveTo(1);
        cluster.run(SECOND);
        take(anna, HEALTH);
        cluster.run(3 * SECOND);
        take(bob, HEALTH);
        cluster.run(3 * SECOND);
        assertThat(isThere(a)).isTrue();
        b.bus.moveTo(0);
        cluster.run(SECOND);
        assertThere(false);
        cluster.run(SECOND + 50 * MILLI);
        assertThere(true);
    }

    @Test
    void nodeWithoutItemsIgnoresThem() {
        Server none = start(RULES.withoutItems());
        none.join("quake2", "dora");
        cluster.run(2 * SECOND);
        take(anna, HEALTH);
        cluster.run(100 * MILLI);
        assertThat(events.get(none)).isEmpty();
        assertThat(none.node.faults()).isEmpty();
    }

    private TakenItem.Builder lie(PlacedItem item) {
        return TakenItem.newBuilder()
                .setPlayer(1)
                .setItem(MessageEncoder.item(item.equals(ROCKET) ? 1 : 0, item))
                .setLeftMs((int) item.returnTime().toMillis());
    }

    private void send(RawNode liar, List<TakenItem> items) {
        PlayedRound.Builder round =
                PlayedRound.newBuilder().setRound(1).setStage("playing").addAllItems(items);
        liar.sendRound(round, 20 * MILLI);
    }

    @Test
    @DisplayName("N14: items of unknown players and numbers, of other kinds, from afar, for ever")
    void refusesItemsThatItsPlayersCannotHaveTaken() {
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        // Its player is too far from the weapon, and near the health.
        List<TakenItem.Builder> impossible =
                List.of(
                        lie(ROCKET),
                        lie(HEALTH).setLeftMs(5_001),
                        lie(HEALTH).setLeftMs(Integer.MAX_VALUE));
        impossible.forEach(each -> send(liar, List.of(each.build())));
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_ITEM, (long) impossible.size());
        List<TakenItem.Builder> unknown = new ArrayList<>();
        unknown.add(lie(HEALTH).setPlayer(2));
        unknown.add(lie(HEALTH).setPlayer(-1));
        unknown.add(lie(HEALTH).setLeftMs(0));
        unknown.add(lie(HEALTH).setLeftMs(-1));
        for (int number : new int[] {1, 2, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            TakenItem.Builder other = lie(HEALTH);
            other.getItemBuilder().setNumber(number);
            unknown.add(other);
        }
        TakenItem.Builder kind = lie(HEALTH);
        kind.getItemBuilder().setKind("crown");
        TakenItem.Builder place = lie(HEALTH);
        place.getItemBuilder().getPlaceBuilder().setX(Float.NaN);
        unknown.add(kind);
        unknown.add(place);
        unknown.add(lie(item(ItemKind.HEALTH, 6, 5_000)));
        unknown.forEach(each -> send(liar, List.of(each.build())));
        assertThat(events.get(a)).isEmpty();
        assertThere(true);
        assertThat(a.node.faults())
                .containsOnlyKeys(NodeFault.INVALID_ITEM)
                .containsEntry(NodeFault.INVALID_ITEM, (long) impossible.size());
        assertThat(a.reported()).hasSize(1);
        // As many as no level has.
        send(liar, Collections.nCopies(3_000, lie(HEALTH).build()));
        assertThat(events.get(a)).isEmpty();
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_ROUND, 1L);
        send(liar, List.of(lie(HEALTH).build()));
        assertThat(events.get(a)).as("an honest taking").containsExactly("liar takes health");
    }

    @Test
    @DisplayName("N14: a player that takes an item again as soon as another node allows it")
    void takesItemAgainWhenItReturnsOnly() {
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        for (int i = 0; i < 600; i++) {
            send(liar, List.of(lie(HEALTH).build()));
        }
        // 12 s: each 4.5 s at most.
        assertThat(Collections.frequency(events.get(a), "liar takes health")).isBetween(2, 3);
        liar.bus.close();
        cluster.run(6 * SECOND);
        assertThere(true);
        take(bob, HEALTH);
        cluster.run(SOON);
        assertThere(false);
    }

    @Test
    @DisplayName("N14: items without end that players took which have left")
    void limitsItemsOfPlayersThatHaveLeft() {
        List<PlacedItem> items =
                IntStream.range(0, 40).mapToObj(i -> item(ItemKind.HEALTH, i, 120_000)).toList();
        a.arena.setLevel(a.arena.level().withItems(items));
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        List<TakenItem> taken = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            taken.add(
                    TakenItem.newBuilder()
                            .setItem(MessageEncoder.item(i, items.get(i)))
                            .setLeftMs(100_000)
                            .build());
        }
        send(liar, List.of(taken.getFirst().toBuilder().setPlayer(7).build()));
        assertThat(events.get(a)).isEmpty();
        send(liar, taken);
        send(liar, taken);
        assertThat(events.get(a)).containsOnly("health vanishes").hasSize(32);
        liar.run(20 * SECOND);
        send(liar, taken);
        assertThat(events.get(a)).hasSize(34);
        send(liar, List.of(taken.getLast().toBuilder().setLeftMs(120_001).build()));
        assertThat(a.node.faults()).containsOnlyKeys(NodeFault.INVALID_ITEM);
    }

    /** Players take what they can, under loss and splits; then all nodes agree. */
    @Test
    void agreeAfterLossAndSplits() {
        for (long seed : TestEffort.seeds(1, 2).toArray()) {
            disturb(seed);
        }
    }

    private static void disturb(long seed) {
        TestCluster cluster = new TestCluster(seed);
        Random random = new Random(seed);
        List<Participant> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(start(cluster, RULES).join("quake3", "p" + i));
        }
        cluster.run(3 * SECOND);
        begin(cluster, all);
        int taken = 0;
        for (int step = 0; step < 150; step++) {
            Participant player = all.get(random.nextInt(3));
            boolean wasThere = isThere(player.server);
            take(player, random.nextBoolean() ? HEALTH : ROCKET);
            taken += wasThere && !isThere(player.server) ? 1 : 0;
            int kind = random.nextInt(8);
            if (kind < TestCluster.DISTURBANCES) {
                cluster.disturb(kind, player.server);
            }
            cluster.run(random.nextInt(900) * MILLI);
        }
        cluster.heal();
        cluster.run(3 * SECOND);
        assertThat(taken).as("seed %d", seed).isGreaterThan(8);
        // No item is about to return on one of them only.
        for (int i = 0; i < 2 && !agree(cluster); i++) {
            cluster.run(600 * MILLI);
        }
        assertThat(agree(cluster)).as("seed %d", seed).isTrue();
        assertThat(cluster.servers)
                .allSatisfy(it ->
                        assertThat(it.node.faults())
                                .doesNotContainKeys(NodeFault.INVALID_ITEM, NodeFault.MALFORMED));
    }

    private static boolean agree(TestCluster cluster) {
        return cluster.servers.stream()
                        .map(server ->
                                server.arena.match().items().of("quake3").stream()
                                        .map(Item::isPresent)
                                        .toList())
                        .distinct()
                        .count()
                == 1;
    }
}
