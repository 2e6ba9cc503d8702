package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.server.session.TestServer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Headless clients of this game fight on a server, in virtual time. */
@Tag("slow")
class Quake3FightTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ADDRESS = TestServer.ADDRESS;

    /** A client that shoots at the nearest other player. */
    private static final class Hunter implements ClientListener {
        final Quake3Client client;
        final List<String> deaths = new ArrayList<>();
        final List<String> lines = new ArrayList<>();
        boolean fights = true;
        private final Random random;

        Hunter(SimulatedNetwork network, String name, int seed) throws IOException {
            random = new Random(seed);
            client =
                    Quake3Client.connect(
                            ClientConfig.builder(network.cycle(), ADDRESS)
                                    .name(name)
                                    .controller((_, self) -> steer(self))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        private PlayerInput steer(Movement self) {
            Vec3 middle = new Vec3(0, 0, 0.8);
            Optional<Vec3> nearest =
                    client.others().stream()
                            .map(other -> other.movement().position())
                            .min(Comparator.comparingDouble(self.position()::distance));
            if (fights && nearest.isPresent()) {
                client.shoot(nearest.get().plus(middle));
                Vec3 way = nearest.get().minus(self.position());
                double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
                return PlayerInput.walk(way.length() > 4 ? yaw : yaw + 90, Angles.wrap360(yaw), 0);
            }
            return PlayerInput.look(self.yaw(), 0);
        }

        @Override
        public void onChat(Client self, String name, String text) {
            lines.add(text);
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            deaths.add(victim + " by " + killer);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<ArenaEvent> events = new ArrayList<>();

    private void serve(MatchRules rules, Map<String, String> options) throws IOException {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, ADDRESS, arena)
                        .maxPlayers(16)
                        .options(options)
                        .addressLimits(
                                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1))
                        .random(new Random(9))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                List.of());
    }

    private static MatchRules rounds(int seconds, int intermission) {
        return MatchRules.of(MatchMode.FFA)
                .withTimes(
                        Duration.ofSeconds(seconds),
                        Duration.ZERO,
                        Duration.ofSeconds(intermission));
    }

    private <E> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private Hunter hunter(String name, int seed) throws IOException {
        return new Hunter(network, name, seed);
    }

    private ArenaPlayer player(String name) {
        PlayerId id =
                arena.players().stream()
                        .filter(it -> it.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .id();
        return arena.player(id).orElseThrow();
    }

    @Test
    void livesBeginWith125AndTheGamesWeapons() throws Exception {
        serve(rounds(600, 10), Map.of());
        Hunter anna = hunter("anna", 1);
        network.run(SECOND);
        assertThat(anna.client.health().orElseThrow()).isBetween(124.0, 125.0);
        assertThat(anna.client.player().get(PlayerField.WEAPON)).isEqualTo(2);
        assertThat(anna.client.player().get(PlayerArray.AMMO, 2)).isEqualTo(100);
        assertThat(anna.client.player().get(PlayerArray.AMMO, 1)).isEqualTo(-1);
        assertThat(anna.client.player().get(PlayerArray.STATS, 3)).isEqualTo(1 << 1 | 1 << 2);
        network.run(30 * SECOND);
        assertThat(anna.client.health().orElseThrow()).isEqualTo(100);
        assertThat(player("anna").combatant().vitals().health()).isEqualTo(100);
    }

    private static String teams(Hunter hunter, Hunter... all) {
        return Stream.of(all)
                .map(each -> hunter.client.teams().get(each.client.id()))
                .collect(Collectors.joining(" "));
    }

    @Test
    @DisplayName(
            "J22 a client of Quake III that changes its team spawns without a death or a score")
    void changesTeams() throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Map.of());
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        anna.fights = false;
        bob.fights = false;
        network.run(2 * SECOND);
        bob.client.command("team red");
        network.run(SECOND);
        assertThat(teams(anna, anna, bob)).isEqualTo("red blue");
        assertThat(bob.lines).contains(TeamRefusal.UNEVEN.notice());
        anna.client.close();
        network.run(SECOND);
        int spawns = events(ArenaEvent.Spawned.class).size();
        for (int i = 0; i < 3; i++) {
            bob.client.command("team red");
            network.run(SECOND);
        }
        assertThat(teams(bob, bob)).isEqualTo("red");
        assertThat(bob.lines).contains("You are in the red team.", TeamRefusal.SAME_TEAM.notice());
        assertThat(bob.client.player().get(PlayerArray.PERSISTANT, 3)).isEqualTo(1);
        assertThat(bob.client.health()).isPresent();
        assertThat(events(ArenaEvent.Spawned.class)).hasSize(spawns + 1);
        assertThat(events(ArenaEvent.Died.class)).isEmpty();
        assertThat(events(ArenaEvent.Scored.class)).isEmpty();
        bob.client.command("team s");
        network.run(SECOND);
        assertThat(teams(bob, bob)).isEqualTo("null");
        bob.client.command("team red");
        network.run(SECOND);
        assertThat(teams(bob, bob)).isEqualTo("red");
        assertThat(bob.client.health()).isPresent();
    }

    @Test
    void teamChatReachesOnlyTheTeam() throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Map.of());
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        Hunter eve = hunter("eve", 3);
        network.run(2 * SECOND);
        anna.client.command("say_team to the red team");
        network.run(SECOND);
        assertThat(anna.lines).contains("to the red team");
        assertThat(eve.lines).contains("to the red team");
        assertThat(bob.lines).doesNotContain("to the red team");
    }

    @Test
    void eachShotOfTheRailgunKillsInInstagib() throws Exception {
        serve(MatchRules.of(MatchMode.INSTA), Map.of(Quake3Endpoint.WEAPONS, "all"));
        Hunter anna = hunter("anna", 1);
        hunter("bob", 2);
        network.run(60 * SECOND);
        assertThat(anna.client.player().get(PlayerField.WEAPON)).isIn(0, 7);
        // As on an original server: of a negative number, clients warn that it is low.
        assertThat(anna.client.player().get(PlayerArray.AMMO, 7)).as("endless").isEqualTo(999);
        assertThat(anna.client.player().get(PlayerArray.STATS, 3)).isIn(0, 1 << 7);
        List<ArenaEvent.Hit> hits = events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(5);
        assertThat(events(ArenaEvent.Died.class)).hasSameSizeAs(hits);
        assertThat(hits).allSatisfy(hit -> assertThat(hit.means()).isEqualTo(DamageMeans.RIFLE));
    }

    @Test
    void theSilentTriggerDoesNotFireAndShotsSpendRounds() throws Exception {
        serve(rounds(600, 10), Map.of());
        Hunter anna = hunter("anna", 1);
        anna.fights = false;
        network.run(SECOND);
        int rounds = anna.client.player().get(PlayerArray.AMMO, 2);
        network.run(SECOND);
        assertThat(anna.client.player().get(PlayerArray.AMMO, 2)).isEqualTo(rounds);
        anna.client.shoot(new Vec3(0, 0, 0));
        network.run(SECOND);
        assertThat(anna.client.player().get(PlayerArray.AMMO, 2)).isEqualTo(rounds - 1);
    }

    @Test
    void roundsBeginAndEndOnEachScreen() throws Exception {
        serve(rounds(30, 5), Map.of());
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        network.run(29 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        network.run(3 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        int hits = events(ArenaEvent.Hit.class).size();
        assertThat(hits).isPositive();
        assertThat(anna.client.player().get(PlayerField.PM_TYPE)).as("intermission").isEqualTo(5);
        Vec3 place = anna.client.movement().position();
        network.run(2 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSize(hits);
        assertThat(anna.client.movement().position()).as("nobody moves").isEqualTo(place);
        network.run(6 * SECOND);
        assertThat(events(ArenaEvent.RoundStarted.class)).hasSize(2);
        assertThat(anna.client.player().get(PlayerField.PM_TYPE)).isIn(0, 3);
        network.run(15 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSizeGreaterThan(hits);
        assertThat(bob.client.frags().values())
                .as("scores are of this round")
                .allSatisfy(frags -> assertThat(frags).isBetween(-9, 9));
    }

    @Test
    void withoutAMatchShotsHurtNobody() throws Exception {
        serve(MatchRules.NONE, Map.of());
        Hunter anna = hunter("anna", 1);
        hunter("bob", 2);
        network.run(20 * SECOND);
        assertThat(events(ArenaEvent.ActionPerformed.class)).isNotEmpty();
        assertThat(events(ArenaEvent.OfFight.class)).isEmpty();
        assertThat(anna.client.health()).hasValue(125);
    }

    @Test
    @DisplayName("J19 shots of Quake III while the match is paused hit no player")
    void hitsNobodyDuringAPause() throws Exception {
        serve(rounds(600, 10), Map.of());
        hunter("anna", 1);
        hunter("bob", 2);
        network.run(10 * SECOND);
        arena.match().setPaused(network.cycle().now(), true);
        int hits = events(ArenaEvent.Hit.class).size();
        assertThat(hits).isPositive();
        network.run(5 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSize(hits);
        arena.match().setPaused(network.cycle().now(), false);
        network.run(10 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSizeGreaterThan(hits);
    }

    /** A player of another game: each kills the other once, and both accounts agree. */
    @Test
    void killsAndIsKilledByAForeignPlayer() throws Exception {
        serve(rounds(600, 10), Map.of());
        Hunter anna = hunter("anna", 1);
        anna.fights = false;
        network.run(2 * SECOND);
        long now = network.cycle().now();
        ArenaPlayer guest = arena.join(now, "sauerbraten", "guest", new NoOpViewer());
        guest.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        guest.spawn(now, Movement.at(anna.client.movement().position().plus(new Vec3(3, 0, 0)), 0));
        network.run(SECOND / 2);
        assertThat(
                        guest.combatant()
                                .hit(
                                        network.cycle().now(),
                                        player("anna").id(),
                                        DamageMeans.ROCKET,
                                        200,
                                        new Vec3(0, 0, 5),
                                        anna.client.movement().position()))
                .isTrue();
        network.run(SECOND / 2);
        assertThat(anna.deaths).hasSize(1);
        assertThat(anna.client.health()).isEmpty();
        anna.fights = true;
        for (int i = 0; i < 200 && anna.deaths.size() < 2; i++) {
            guest.recordActivity(network.cycle().now());
            guest.move(
                    network.cycle().now(),
                    Movement.at(
                            player("anna").snapshot().movement().position().plus(new Vec3(3, 0, 0)),
                            0),
                    NativeMovement.Stored.NONE);
            network.run(SECOND / 10);
        }
        assertThat(anna.deaths).hasSize(2);
        assertThat(guest.combatant().isAlive()).isFalse();
        assertThat(guest.combatant().score()).isEqualTo(new Score(1, 1));
        assertThat(player("anna").combatant().score()).isEqualTo(new Score(1, 1));
        network.run(SECOND / 2);
        assertThat(anna.client.others()).as("its corpse is not a player").isEmpty();
        network.run(5 * SECOND);
        assertThat(anna.client.frags()).containsEntry(anna.client.id(), 1);
    }
}
