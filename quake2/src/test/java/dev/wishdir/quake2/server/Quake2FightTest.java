package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Headless clients of this game fight on a server, in virtual time. */
@Tag("slow")
class Quake2FightTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** How fast the bolts of this test's hunters fly, metres a second. */
    private static final double BOLT_SPEED = 1000 / 32.0;

    /** A client that shoots at the nearest other player as long as it fights. */
    private static final class Hunter implements ClientListener {
        final Quake2Client client;
        final List<Long> deaths = new ArrayList<>();
        final List<String> lines = new ArrayList<>();
        double damageTaken;
        boolean fights = true;

        /**
         * Whether it aims at where its target will be when a bolt arrives; else it stands, or
         * circles.
         */
        boolean leads = true;

        private final Random random;

        Hunter(SimulatedNetwork network, Quake2Endpoint to, String name, int seed)
                throws IOException {
            random = new Random(seed);
            client =
                    Quake2Client.connect(
                            ClientConfig.builder(network.cycle(), to.address())
                                    .name(name)
                                    .controller((now, self) -> steer(now, self.yaw()))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        private PlayerInput steer(long now, double yaw) {
            client.others().stream()
                    .min(
                            Comparator.comparingDouble(other ->
                                    other.movement()
                                            .position()
                                            .distance(client.movement().position())))
                    .filter(_ -> fights)
                    .ifPresent(other -> {
                        Vec3 place = other.movement().position();
                        double away = leads ? place.distance(client.movement().position()) : 0;
                        client.shoot(
                                place.plus(new Vec3(0, 0, 0.9))
                                        .plus(
                                                other.movement()
                                                        .velocity()
                                                        .times(away / BOLT_SPEED)));
                    });
            if (leads) {
                return PlayerInput.walk(yaw + random.nextDouble(-40, 40), yaw, 0);
            }
            return fights
                    ? PlayerInput.look(yaw, 0)
                    : PlayerInput.walk(now / 1e9 * 90 % 360, yaw, 0);
        }

        @Override
        public void onHit(Client self, long victim, long attacker, double damage, double health) {
            if (victim == self.id()) {
                damageTaken += damage;
            }
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            deaths.add(victim);
        }

        @Override
        public void onChat(Client self, String name, String text) {
            lines.add(text);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final Counters counters = new Counters();
    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<ArenaEvent> events = new ArrayList<>();
    private @Nullable Quake2Endpoint endpoint;

    private void serve(MatchRules rules, Loadout loadout) throws IOException {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .counters(counters)
                                .random(new Random(9))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        Quake2Endpoint.MAX_FRAMES_PER_SECOND,
                        loadout);
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
        Hunter hunter = new Hunter(network, requireNonNull(endpoint), name, seed);
        assertThat(network.runUntil(hunter.client::joined, 10 * SECOND)).isTrue();
        return hunter;
    }

    private PlayerId id(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private Score score(String name) {
        return arena.match().score(id(name));
    }

    private static String teams(Hunter hunter, Hunter... all) {
        return Stream.of(all)
                .map(each -> hunter.client.teams().get(each.client.id()))
                .collect(Collectors.joining(" "));
    }

    @Test
    void teamChatReachesOnlyTheTeam() throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Loadout.BLASTER);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        Hunter eve = hunter("eve", 3);
        network.run(2 * SECOND);
        assertThat(eve.lines).contains("eve is in the red team");
        anna.client.command("say_team \"to the red team\"");
        network.run(SECOND);
        assertThat(anna.lines).contains("to the red team");
        assertThat(eve.lines).contains("to the red team");
        assertThat(bob.lines).doesNotContain("to the red team");
    }

    @Test
    @DisplayName("J22 a client of Quake II that changes its team spawns without a death or a score")
    void changesTeams() throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Loadout.BLASTER);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        anna.fights = false;
        bob.fights = false;
        bob.client.command("team red");
        network.run(SECOND);
        assertThat(bob.lines).contains(TeamRefusal.UNEVEN.notice());
        anna.client.close();
        network.run(SECOND);
        int spawns = events(ArenaEvent.Spawned.class).size();
        for (int i = 0; i < 3; i++) {
            bob.client.command("team r");
            network.run(SECOND);
        }
        assertThat(teams(bob, bob)).isEqualTo("red");
        assertThat(bob.lines).contains("bob is in the red team", TeamRefusal.SAME_TEAM.notice());
        assertThat(bob.client.health()).hasValue(100);
        assertThat(events(ArenaEvent.Spawned.class)).hasSize(spawns + 1);
        assertThat(events(ArenaEvent.Died.class)).isEmpty();
        assertThat(events(ArenaEvent.Scored.class)).isEmpty();
        bob.client.command("team green");
        network.run(SECOND);
        assertThat(bob.lines).contains("team red or team blue");
    }

    @Test
    void eachShotOfTheRailgunKillsInInstagib() throws Exception {
        serve(MatchRules.of(MatchMode.INSTA), Loadout.ALL);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        anna.leads = false;
        bob.leads = false;
        bob.fights = false;
        network.run(100 * SECOND);
        List<ArenaEvent.Hit> hits = events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(5);
        assertThat(events(ArenaEvent.Died.class)).hasSameSizeAs(hits);
        assertThat(hits).allSatisfy(hit -> assertThat(hit.means()).isEqualTo(DamageMeans.RIFLE));
        assertThat(anna.client.state().stats().get(Stats.AMMO)).as("endless").isEqualTo(50);
    }

    @ParameterizedTest
    @EnumSource(Weapon.class)
    void eachWeaponKills(Weapon weapon) throws Exception {
        serve(rounds(0, 10), Loadout.ALL);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        bob.fights = false;
        anna.client.command("use " + weapon.title());
        assertThat(
                        network.runUntil(
                                () ->
                                        events(ArenaEvent.Died.class).stream()
                                                .anyMatch(death ->
                                                        death.means() == weapon.means()
                                                                && death.player()
                                                                        .name()
                                                                        .equals("bob")),
                                60 * SECOND))
                .as("killed by %s", weapon)
                .isTrue();
        assertThat(anna.lines)
                .as("the headless client throws its hand grenades")
                .noneMatch(line -> line.contains(" pain") || line.contains("the pin back in"));
        assertThat(events(ArenaEvent.MovementViolation.class)).isEmpty();
    }

    /** A runner that crosses the line of sight is where its shooter sees it only some time ago. */
    @Test
    void railsHitWhereVictimsWereShown() throws Exception {
        int now = railsOfFarShooter(0);
        int then = railsOfFarShooter(200);
        assertThat(then)
                .as("hits with and without rewind: %d, %d", then, now)
                .isGreaterThan(2 * now);
    }

    /** How many rails of 30 s hit, with a round trip of 160 ms. */
    private static int railsOfFarShooter(int rewindMillis) throws Exception {
        Quake2FightTest fight = new Quake2FightTest();
        fight.serve(rounds(0, 10).withRewind(Duration.ofMillis(rewindMillis)), Loadout.ALL);
        fight.network.conditions(new Conditions(0, 0, 80 * MILLI, 0));
        Hunter anna = fight.hunter("anna", 1);
        Hunter bob = fight.hunter("bob", 2);
        bob.fights = false;
        anna.leads = false;
        bob.leads = false;
        anna.client.command("use Railgun");
        fight.network.run(30 * SECOND);
        return fight.events(ArenaEvent.Hit.class).size();
    }

    @Test
    void deathLiesAndPressOfTheTriggerEndsIt() throws Exception {
        serve(rounds(0, 10), Loadout.BLASTER);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        bob.fights = false;
        anna.fights = false;
        network.run(6 * SECOND);
        bob.client.command("kill");
        assertThat(network.runUntil(() -> bob.client.health().isEmpty(), 2 * SECOND)).isTrue();
        network.run(SECOND / 2);
        assertThat(bob.client.state().pmType()).isEqualTo(PlayerState.DEAD);
        assertThat(bob.client.state().gunIndex()).isZero();
        assertThat(bob.client.state().stats().get(Stats.LAYOUTS)).isEqualTo(1);
        assertThat(anna.client.others()).isEmpty();
        assertThat(anna.deaths).containsExactly(bob.client.id());
        assertThat(anna.lines).contains("bob killed himself.");
        assertThat(score("bob")).isEqualTo(new Score(-1, 1));
        assertThat(network.runUntil(() -> bob.client.health().isPresent(), 2 * SECOND))
                .as("the headless client presses its trigger when dead")
                .isTrue();
        assertThat(bob.client.health()).hasValue(100);
        assertThat(bob.client.state().stats().get(Stats.LAYOUTS)).isZero();
        network.run(SECOND);
        assertThat(anna.client.others()).hasSize(1);
    }

    @Test
    void roundsBeginAndEndOnEachScreen() throws Exception {
        serve(rounds(30, 5), Loadout.BLASTER);
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        Hunter carl = hunter("carl", 3);
        carl.fights = false;
        carl.client.userInfo("\\name\\carl\\spectator\\1");
        network.run(29 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        network.run(3 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        int hits = events(ArenaEvent.Hit.class).size();
        assertThat(hits).isPositive();
        assertThat(anna.client.state().pmType()).isEqualTo(PlayerState.FREEZE);
        assertThat(anna.client.state().stats().get(Stats.LAYOUTS)).isEqualTo(1);
        assertThat(carl.client.state().stats().get(Stats.LAYOUTS)).as("who watches").isEqualTo(1);
        assertThat(anna.client.frags()).hasSize(3);
        Vec3 place = anna.client.movement().position();
        network.run(2 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSize(hits);
        assertThat(anna.client.movement().position()).as("nobody moves").isEqualTo(place);
        network.run(6 * SECOND);
        assertThat(events(ArenaEvent.RoundStarted.class)).hasSize(2);
        assertThat(events(ArenaEvent.RoundEnded.class)).hasSize(1);
        assertThat(carl.client.state().stats().get(Stats.LAYOUTS)).isZero();
        network.run(10 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSizeGreaterThan(hits);
        assertThat(bob.client.state().stats().get(Stats.FRAGS))
                .as("scores are of this round")
                .isEqualTo(score("bob").frags());
    }

    @Test
    void rocketsPushTheirOwner() throws Exception {
        serve(rounds(0, 10), Loadout.ALL);
        Hunter anna = hunter("anna", 1);
        anna.client.command("use Rocket Launcher");
        network.run(3 * SECOND);
        Vec3 feet = anna.client.movement().position();
        double[] highest = {feet.z()};
        for (int i = 0; i < 60; i++) {
            anna.client.shoot(anna.client.movement().position().plus(new Vec3(0.01, 0, -1)));
            network.run(50 * MILLI);
            highest[0] = Math.max(highest[0], anna.client.movement().position().z());
        }
        assertThat(highest[0] - feet.z()).as("metres up").isGreaterThan(1.5);
        assertThat(events(ArenaEvent.Hit.class))
                .isNotEmpty()
                .allMatch(hit -> hit.means() == DamageMeans.ROCKET);
        assertThat(anna.damageTaken).isPositive();
    }

    @Test
    void withoutAMatchShotsHurtNobody() throws Exception {
        serve(MatchRules.NONE, Loadout.BLASTER);
        Hunter anna = hunter("anna", 1);
        hunter("bob", 2);
        network.run(30 * SECOND);
        assertThat(events(ArenaEvent.ActionPerformed.class)).isNotEmpty();
        assertThat(events(ArenaEvent.OfFight.class)).isEmpty();
        assertThat(anna.client.health()).hasValue(100);
        assertThat(anna.client.state().gunIndex()).isZero();
    }
}
