package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.client.SauerbratenClient;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Items of an arena at clients of this game, in virtual time. */
class SauerbratenItemTest {
    private static final long SECOND = EnetNode.SECOND;
    private static final Vec3 HEALTH = new Vec3(8, 0, 0);
    private static final Vec3 ARMOUR = new Vec3(-8, 0, 0);
    private static final Vec3 BEYOND = new Vec3(16.5, 0, 0);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<String> events = new ArrayList<>();
    private final List<ViolationRule> violations = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 8);
    private Vec3 target = Vec3.ZERO;

    /** A hall with a wall from x = 14 to 15. */
    private static BlockArena blocks(String more) throws Exception {
        String floor = "#".repeat(60) + "\n";
        String wall = ".".repeat(44) + "#" + ".".repeat(15) + "\n";
        return ArenaText.read(
                "wishdir-arena 1\nname t\nsize 60 4 10\nground 1\nblock # stone\nspawn 0 1 0 0\n"
                        + "spawn -26 0 0 0\nitem health 8 0 0\nitem heavy-armour -8 0 0\n"
                        + "item mega-health 16.5 0 0\n"
                        + more
                        + "layer 0\n"
                        + floor.repeat(4)
                        + "layers 1-9\n"
                        + wall.repeat(4));
    }

    private SauerbratenEndpoint serve(Map<String, String> options) throws Exception {
        return serve(options, "");
    }

    private SauerbratenEndpoint serve(Map<String, String> options, String moreItems)
            throws Exception {
        BlockArena blocks = blocks(moreItems);
        arena = new Arena(Level.of(blocks), 8);
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.ItemTaken taken ->
                        events.add(taken.player().name() + " " + taken.item().kind());
                case ArenaEvent.ItemReturned returned ->
                        events.add(returned.item().kind() + " returns");
                case ArenaEvent.MovementViolation violation -> violations.add(violation.rule());
                default -> {}
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        return SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                        .blocks(blocks)
                        .options(options)
                        .random(new Random(9))
                        .build());
    }

    private PlayerInput steer(Movement self) {
        Vec3 way = target.minus(self.position());
        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
        return way.horizontal() > 0.5
                ? PlayerInput.walk(yaw, self.yaw(), 0)
                : PlayerInput.look(self.yaw(), 0);
    }

    private SauerbratenClient anna(SauerbratenEndpoint endpoint) throws Exception {
        return SauerbratenClient.connect(
                ClientConfig.builder(network.cycle(), endpoint.address())
                        .name("anna")
                        .controller((_, self) -> steer(self))
                        .listener(new ClientListener() {})
                        .random(new Random(2))
                        .build());
    }

    private static void assertSees(SauerbratenClient client, Vec3... places) {
        assertThat(client.items()).hasSize(places.length);
        for (Vec3 place : places) {
            assertThat(client.items()).anyMatch(item -> item.distance(place) < 0.1);
        }
    }

    @Test
    void takesItemsThatVanishAndReturn() throws Exception {
        SauerbratenClient anna = anna(serve(Map.of()));
        network.run(8 * SECOND);
        assertSees(anna, HEALTH, ARMOUR, BEYOND);
        target = HEALTH;
        network.run(4 * SECOND);
        assertThat(events).as("a whole body needs no health").isEmpty();
        assertSees(anna, HEALTH, ARMOUR, BEYOND);

        ArenaPlayer player = arena.player(arena.players().getFirst().id()).orElseThrow();
        target = ARMOUR;
        network.run(6 * SECOND);
        assertThat(events).containsExactly("anna heavy-armour");
        assertThat(player.combatant().vitals()).isEqualTo(new Vitals(100, 200, 0.75));
        assertSees(anna, HEALTH, BEYOND);
        network.run(30 * SECOND);
        assertThat(events).containsExactly("anna heavy-armour", "heavy-armour returns");
        assertSees(anna, HEALTH, ARMOUR, BEYOND);
        assertThat(violations).isEmpty();
    }

    @Test
    void itemThatAnotherGamesPlayerTakesVanishesHere() throws Exception {
        SauerbratenClient anna = anna(serve(Map.of()));
        network.run(8 * SECOND);
        long now = network.now();
        ArenaPlayer guest = arena.join(now, "quake3", "guest", new NoOpViewer());
        guest.combatant().beginLife(now, new Vitals(50, 0, 0), ArmourRule.EXACT);
        guest.spawn(now, Movement.at(HEALTH, 0));
        guest.combatant().takeItems(now, HEALTH, ItemReach.ofBoxes(1, 2, 1, 1), _ -> true);
        network.run(SECOND);
        assertThat(events).containsExactly("guest health");
        assertSees(anna, ARMOUR, BEYOND);
        network.run(20 * SECOND);
        assertSees(anna, HEALTH, ARMOUR, BEYOND);
        arena.match().begin(network.now());
        network.run(5 * SECOND);
        assertSees(anna, HEALTH, ARMOUR, BEYOND);
    }

    /** The server sends the file again that a client asks for twice, as the first was late. */
    @Test
    void clientThatLoadsTheMapAgainIsSentTheItemsAgain() throws Exception {
        ScriptedPlayer anna = fetching(serve(Map.of()));
        int crc = crc(anna);
        anna.load(crc);
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).hasSize(3);
        anna.say(new MatchMessage.MapCrc("wishdir_t", crc));
        anna.pass(100);
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).hasSize(6);
        for (int i = 0; i < 100; i++) {
            anna.say(new MatchMessage.MapCrc("wishdir_t", crc));
        }
        anna.pass(100);
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).hasSizeLessThan(40);
    }

    @Test
    void reportOfAnEarlierFileBeginsNoLifeWhileTheRightOneIsOnItsWay() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of());
        ScriptedPlayer anna = fetching(endpoint);
        int crc = crc(anna);
        int orders = anna.heard(LifeMessage.SpawnState.class).size();
        anna.say(new EditMessage.GetMap(), new MatchMessage.MapCrc("wishdir_t", crc + 1));
        anna.pass(200);
        assertThat(anna.heard(LifeMessage.SpawnState.class)).hasSize(orders);
        assertThat(anna.heard(EditMessage.SendMap.class)).hasSize(2);
        anna.load(crc);
        assertThat(anna.heard(LifeMessage.SpawnState.class)).hasSize(orders + 1);
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).hasSize(3);
    }

    @Test
    void spectatorThatHasLoadedTheMapIsSentTheItems() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of());
        // Without a player the round would begin again, with all items.
        ScriptedPlayer bert = fetching(endpoint, 3, "bert");
        bert.load(crc(bert));
        bert.spawn();
        ScriptedPlayer anna = fetching(endpoint);
        anna.say(new RosterMessage.Spectator(anna.cn, true));
        anna.say(new MatchMessage.MapCrc("wishdir_t", crc(anna)));
        anna.pass(100);
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).hasSize(3);
        anna.say(new RosterMessage.Spectator(anna.cn, false));
        anna.pass(100);
        anna.say(new LifeMessage.TrySpawn());
        anna.pass(100);
        anna.spawn();
        assertThat(anna.heard(ItemMessage.ItemSpawn.class)).as("it has them").hasSize(3);
    }

    /** Else a hurt player would fetch the map, and be whole again. */
    @Test
    void fetchingTheMapEndsALifeInTheMatch() throws Exception {
        ScriptedPlayer anna = fetching(serve(Map.of()));
        int crc = crc(anna);
        anna.load(crc);
        Combatant combatant =
                arena.player(arena.players().getFirst().id()).orElseThrow().combatant();
        assertThat(combatant.score()).as("it joined").isEqualTo(Score.ZERO);
        stand(anna, -7.5);
        combatant.setVitals(new Vitals(10, 0, 0));
        anna.say(new EditMessage.GetMap());
        anna.pass(200);
        anna.load(crc);
        assertThat(combatant.vitals().health()).isEqualTo(100);
        assertThat(combatant.score()).isEqualTo(new Score(-1, 1));
        stand(anna, -7.5);
        anna.say(new EditMessage.GetMap());
        anna.pass(11_000);
        stand(anna, -7.5);
        anna.spawn();
        assertThat(combatant.score()).as("it does not report").isEqualTo(new Score(-2, 2));
    }

    private ScriptedPlayer fetching(SauerbratenEndpoint endpoint) {
        return fetching(endpoint, 2, "anna");
    }

    private ScriptedPlayer fetching(SauerbratenEndpoint endpoint, int host, String name) {
        ScriptedPlayer player = new ScriptedPlayer(network, host, endpoint.address()).join(name);
        player.say(new EditMessage.GetMap());
        player.pass(200);
        // It loses those that came before the file.
        player.heard.removeIf(ItemMessage.class::isInstance);
        return player;
    }

    private static int crc(ScriptedPlayer player) {
        return Ogz.read(player.heard(EditMessage.SendMap.class).getLast().file()).crc();
    }

    private void stand(ScriptedPlayer player, double x) {
        for (int i = 0; i < 30; i++) {
            player.move((int) Math.round((512 + 8 * x) * 16));
            network.run(SECOND / 30);
        }
    }

    @Test
    @DisplayName("J23 claims of items from afar, through walls, of none, twice and without end")
    void refusesClaimsOfItems() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of("mode", "0"));
        ScriptedPlayer mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        ScriptedPlayer victim = new ScriptedPlayer(network, 3, endpoint.address()).join("victim");
        stand(mallory, -7.5);
        for (int index : new int[] {-1, 0, 7, 999, 1_003, 1_000_000, Integer.MAX_VALUE}) {
            mallory.say(new ItemMessage.ItemPickup(index));
        }
        network.run(SECOND / 2);
        assertThat(violations).isEmpty();
        stand(mallory, -7.5);
        mallory.say(new ItemMessage.ItemPickup(1_000));
        network.run(SECOND / 2);
        assertThat(violations).containsExactly(ViolationRule.ITEM_DISTANCE);
        assertThat(events).isEmpty();
        stand(mallory, 13);
        mallory.say(new ItemMessage.ItemPickup(1_002));
        network.run(2 * SECOND);
        assertThat(violations).as("through a wall").hasSize(2);
        assertThat(events).isEmpty();

        stand(victim, -8);
        stand(mallory, -8);
        victim.say(new ItemMessage.ItemPickup(1_001));
        mallory.say(new ItemMessage.ItemPickup(1_001), new ItemMessage.ItemPickup(1_001));
        network.run(SECOND / 2);
        assertThat(events).hasSize(1);
        assertThat(victim.heard(ItemMessage.ItemAcc.class))
                .as("all clients are sent the taker, once")
                .hasSize(1);
        for (int i = 0; i < 400; i++) {
            mallory.say(new ItemMessage.ItemPickup(1_001));
        }
        network.run(5 * SECOND);
        assertThat(events).hasSize(1);
        assertThat(victim.heard(ItemMessage.ItemAcc.class)).hasSize(1);
        assertThat(victim.isGone()).isFalse();
    }

    @Test
    @DisplayName("J25 an item from 12 m beside the body after a silence is not taken")
    void refusesItemsThatABodyCannotComeBackFrom() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of("mode", "0"));
        ScriptedPlayer mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        for (int i = 0; i < 3; i++) {
            stand(mallory, 4);
            network.run(SECOND * 6 / 10);
            mallory.say(new ItemMessage.ItemPickup(1_001));
            network.run(SECOND / 100);
            stand(mallory, 4);
        }
        assertThat(events).isEmpty();
        assertThat(violations).containsOnly(ViolationRule.ITEM_DISTANCE);
        violations.clear();
        network.run(2 * SECOND);
        stand(mallory, 4);
        network.run(SECOND * 6 / 10);
        mallory.say(new ItemMessage.ItemPickup(1_001));
        network.run(SECOND / 100);
        stand(mallory, -8.5);
        assertThat(events).as("it has run there").hasSize(1);
        assertThat(violations).isEmpty();
    }

    /** Claims are sent again when they are lost, positions never. */
    @Test
    @DisplayName("J23 a claim that the network held up gives nothing, and is no violation")
    void knowsClaimsThatTheNetworkHeldUp() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of("mode", "0"));
        ScriptedPlayer mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        ping(mallory, 0);
        claimArmour(mallory, 4, 800);
        assertThat(violations).as("12 m away").isEmpty();
        claimArmour(mallory, 4, 50);
        assertThat(violations).as("in time").containsExactly(ViolationRule.ITEM_DISTANCE);
        network.run(2 * SECOND);
        claimArmour(mallory, 13, 800);
        assertThat(violations).as("21 m away").hasSize(2);
        assertThat(events).isEmpty();
    }

    private void claimArmour(ScriptedPlayer player, double x, int heldUpMillis) {
        stand(player, x);
        player.say(new ItemMessage.ItemPickup(1_001));
        ping(player, heldUpMillis);
        network.run(SECOND / 20);
    }

    private void ping(ScriptedPlayer player, int heldUpMillis) {
        int millis = (int) (network.now() / EnetNode.MILLI);
        player.say(new SessionMessage.Ping(millis - heldUpMillis));
        network.run(SECOND / 20);
    }

    @Test
    void quadDamageIsTakenByThisGamesLawAndShownOfOtherGames() throws Exception {
        SauerbratenEndpoint endpoint = serve(Map.of("mode", "0"), "item quad -8 0 0\n");
        ScriptedPlayer anna = new ScriptedPlayer(network, 2, endpoint.address()).join("anna");
        stand(anna, -8);
        anna.say(new ItemMessage.ItemPickup(1_003));
        network.run(44 * SECOND);
        stand(anna, -8);
        assertThat(events).as("it is there 45 s after the start").doesNotContain("anna quad");
        network.run(SECOND);
        stand(anna, -8);
        anna.say(new ItemMessage.ItemPickup(1_003));
        network.run(SECOND / 2);
        assertThat(events).contains("anna quad");
        assertThat(anna.heard(ItemMessage.ItemAcc.class))
                .contains(new ItemMessage.ItemAcc(1_003, anna.cn));
        Combatant combatant =
                arena.player(arena.players().getFirst().id()).orElseThrow().combatant();
        assertThat(combatant.quadLeft(network.now())).isBetween(19 * SECOND, 20 * SECOND);

        for (int i = 0; i < 23; i++) {
            network.run(3 * SECOND);
            stand(anna, -8);
        }
        assertThat(events).containsOnlyOnce("anna quad").endsWith("quad returns");
        assertThat(anna.heard(ItemMessage.Announce.class))
                .as("before the first quad of the round, and before it returned")
                .containsExactly(new ItemMessage.Announce(18), new ItemMessage.Announce(18));
        ArenaPlayer guest = arena.join(network.now(), "quake3", "guest", new NoOpViewer());
        guest.combatant().beginLife(network.now(), new Vitals(50, 0, 0), ArmourRule.EXACT);
        guest.spawn(network.now(), Movement.at(HEALTH, 0));
        network.run(SECOND / 2);
        guest.combatant()
                .takeItems(network.now(), ARMOUR, ItemReach.ofBoxes(1, 2, 1, 1), _ -> true);
        network.run(SECOND / 2);
        assertThat(events).contains("guest quad");
        ItemMessage.ItemAcc shown = anna.heard(ItemMessage.ItemAcc.class).getLast();
        assertThat(shown.item()).isEqualTo(1_003);
        assertThat(shown.cn()).as("the number of the guest").isNotNegative().isNotEqualTo(anna.cn);

        guest.combatant().setQuad(network.now() + 20 * SECOND);
        ScriptedPlayer bob = new ScriptedPlayer(network, 3, endpoint.address()).join("bob");
        Map<Integer, Integer> quadMillis = new HashMap<>();
        bob.heard(LifeMessage.Resume.class).stream()
                .flatMap(resume -> resume.players().stream())
                .forEach(player -> quadMillis.put(player.cn(), player.quadmillis()));
        assertThat(quadMillis).as("a client that joins later").containsEntry(anna.cn, 0);
        quadMillis.remove(anna.cn);
        assertThat(quadMillis.values())
                .hasSize(1)
                .allSatisfy(millis -> assertThat(millis).isBetween(18_000, 20_000));
    }
}
