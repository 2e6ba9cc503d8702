package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.combat.Ammo;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.MuzzleFlash;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.server.Quake2Endpoint;
import dev.wishdir.quake2.server.RawClient;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Clients that shoot as no client of the game can. */
class Quake2ShotAbuseTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MODEL_RAIL = 33;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<ArenaEvent> events = new ArrayList<>();
    private @Nullable Quake2Endpoint endpoint;

    @BeforeEach
    void serve() throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
        arena.addListener(events::add);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .addressLimits(
                                        new AddressLimits(
                                                8,
                                                List.of(AddressRange.parse("127.0.0.1")),
                                                new AmplificationLimiter(
                                                        1 << 20, 1 << 20, 1 << 20, 1),
                                                1))
                                .counters(new Counters())
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        10,
                        Loadout.BLASTER);
    }

    private RawClient join(int port, String name) throws IOException {
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return RawClient.open(network, local, requireNonNull(endpoint).address(), port).join(name);
    }

    private static UserCmd command(int buttons, int msec) {
        return new UserCmd(Triple.ZERO, 0, 0, 0, buttons, 0, msec, 128);
    }

    private static long flashes(RawClient client) {
        return client.heard(MuzzleFlash.class).size();
    }

    /** Sends commands that press and release the trigger by turns. */
    private static void tap(RawClient client, int commands, int msec) {
        for (int i = 0; i < commands; i++) {
            client.move(command(i & 1, msec));
        }
    }

    @Test
    @DisplayName("J1 J2 a gun fires no faster and no earlier because its client says so")
    void firesAtTheRateOfTheGun() throws IOException {
        RawClient eve = join(30001, "eve");
        tap(eve, 2500, 2);
        long passed = 2500 * 2_000_000L;
        // Five frames of the game's ten a second between two shots of a blaster.
        assertThat(flashes(eve)).isBetween(1L, passed / (SECOND / 2) + 1);
        long before = flashes(eve);
        tap(eve, 250, 255);
        assertThat(flashes(eve) - before)
                .as("however much time the commands claim")
                .isLessThanOrEqualTo(2);
    }

    @Test
    @DisplayName("J3 weapons that the player does not have stay away")
    void refusesWeaponsThatAreNotOwned() throws IOException {
        RawClient eve = join(30001, "eve");
        for (String weapon :
                List.of("Railgun", "BFG10K", "rocket launcher", "", "\"", "x".repeat(400))) {
            eve.command("use " + weapon);
        }
        eve.command("weapnext");
        eve.command("weapprev");
        eve.command("weaplast");
        eve.command("give all");
        tap(eve, 1000, 2);
        assertThat(eve.snapshot.player().gunIndex()).isLessThan(MODEL_RAIL);
        assertThat(eve.heard(MuzzleFlash.class)).isNotEmpty().allMatch(it -> it.flash() == 0);
        assertThat(eve.heard(Print.class))
                .extracting(Print::text)
                .contains("unknown item: " + "x".repeat(40) + "\n");
        assertThat(eve.wasSentAway()).isFalse();
    }

    /** Takes a weapon up, with ammunition for many shots. */
    private ClientPlayer arm(RawClient client, Weapon weapon) {
        ClientPlayer player =
                requireNonNull(endpoint).sessions().stream()
                        .filter(session -> session.player().slot() == client.slot())
                        .findFirst()
                        .orElseThrow()
                        .player();
        player.gun().inventory().give(weapon);
        weapon.ammo().ifPresent(kind -> player.gun().inventory().set(kind, kind.max()));
        client.command("use " + weapon.title());
        network.run(3 * SECOND);
        assertThat(player.gun().weapon()).isEqualTo(weapon);
        return player;
    }

    /** Presses and releases the trigger by turns each 20 ms. */
    private void tapFor(RawClient client, int millis) {
        for (int i = 0; i < millis / 20; i++) {
            client.move(command(i & 1, 20));
            network.run(18_000_000);
        }
    }

    private static int shots(ClientPlayer player, Ammo kind, int use) {
        return (kind.max() - player.gun().inventory().count(kind)) / use;
    }

    @Test
    @DisplayName("J1 J2 a BFG shoots every 2.5 s, a hand grenade is thrown every 2.2 s")
    void firesAtTheRateOfTheSlowWeapons() throws IOException {
        RawClient eve = join(30001, "eve");
        ClientPlayer player = arm(eve, Weapon.BFG);
        tapFor(eve, 7500);
        assertThat(shots(player, Ammo.CELLS, 50)).isEqualTo(3);
        arm(eve, Weapon.HAND_GRENADE);
        tapFor(eve, 6600);
        // At a press the trigger is held, so that some explode in the hand.
        assertThat(shots(player, Ammo.GRENADES, 1)).isBetween(1, 3);
        eve.move(command(0, 2));
        network.run(6 * SECOND);
        assertThat(arena.match().missiles()).isEmpty();
    }

    /** How a player loses a hand grenade that it holds. */
    enum Loss {
        DEATH,
        LEAVE,
        TEAM_CHANGE,
        WATCH,
        ROUND
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    @DisplayName(
            "J10 J22 a hand grenade that is held explodes for no dead player, and in no other life")
    void losesTheHandGrenadeThatIsHeld(Loss loss) throws IOException {
        if (loss == Loss.TEAM_CHANGE) {
            arena.setMatchRules(MatchRules.of(MatchMode.TEAM));
        }
        RawClient eve = join(30001, "eve");
        ClientPlayer player = arm(eve, Weapon.HAND_GRENADE);
        eve.move(command(UserCmd.ATTACK, 2));
        network.run(2 * SECOND);
        assertThat(player.gun().loopSound()).as("it is held").isNotEmpty();
        assertThat(eve.snapshot.entity(eve.slot() + 1).orElseThrow().sound()).isPositive();
        events.clear();
        switch (loss) {
            case DEATH -> eve.command("kill");
            case LEAVE -> eve.command("disconnect");
            case TEAM_CHANGE -> eve.command("team " + (isRed(player) ? "blue" : "red"));
            case WATCH ->
                    eve.say(new ClientMessage.UserInfo(ClientText.of("\\name\\eve\\spectator\\1")));
            case ROUND -> arena.match().begin(network.now());
        }
        for (int i = 0; i < 50; i++) {
            network.run(SECOND / 10);
            assertThat(arena.match().missiles()).isEmpty();
        }
        assertThat(events).noneMatch(ArenaEvent.Hit.class::isInstance);
        assertThat(events)
                .filteredOn(ArenaEvent.Died.class::isInstance)
                .hasSize(loss == Loss.DEATH ? 1 : 0);
        if (loss != Loss.LEAVE) {
            assertThat(eve.snapshot.entity(eve.slot() + 1).map(EntityState::sound).orElse(0))
                    .isZero();
        }
    }

    private static boolean isRed(ClientPlayer player) {
        return player.team().filter(Team.RED::equals).isPresent();
    }

    @Test
    @DisplayName("J10 a BFG that winds up in the hands of a player that dies shoots nothing")
    void bfgOfTheDeadDoesNotShoot() throws IOException {
        RawClient eve = join(30001, "eve");
        arm(eve, Weapon.BFG);
        eve.move(command(UserCmd.ATTACK, 2));
        network.run(SECOND / 2);
        assertThat(flashes(eve)).isOne();
        eve.command("kill");
        network.run(2 * SECOND);
        assertThat(arena.match().missiles()).isEmpty();
        assertThat(events).noneMatch(ArenaEvent.Hit.class::isInstance);
    }

    @Test
    @DisplayName("J10 a dead player shoots nothing, and waits for a second")
    void deadPlayersDoNotShoot() throws IOException {
        RawClient eve = join(30001, "eve");
        tap(eve, 600, 2);
        eve.command("kill");
        network.run(SECOND / 5);
        assertThat(eve.snapshot.player().pmType()).isEqualTo(PlayerState.DEAD);
        long before = flashes(eve);
        tap(eve, 300, 2);
        assertThat(flashes(eve)).isEqualTo(before);
        assertThat(eve.snapshot.player().pmType()).isEqualTo(PlayerState.DEAD);
        for (int i = 0; i < 400; i++) {
            eve.move(command(UserCmd.ATTACK, 2));
        }
        assertThat(eve.snapshot.player().pmType())
                .as("a held trigger does not end a death")
                .isEqualTo(PlayerState.DEAD);
        tap(eve, 100, 2);
        assertThat(eve.snapshot.player().pmType()).isEqualTo(PlayerState.NORMAL);
    }

    @Test
    @DisplayName("J10 a spectator shoots nothing")
    void spectatorsDoNotShoot() throws IOException {
        RawClient eve = join(30001, "eve");
        eve.say(new ClientMessage.UserInfo(ClientText.of("\\name\\eve\\spectator\\1")));
        network.run(SECOND);
        tap(eve, 600, 2);
        assertThat(flashes(eve)).isZero();
        assertThat(events).noneMatch(ArenaEvent.OfFight.class::isInstance);
    }

    @Test
    @DisplayName("J19 a pause of the match stops hits")
    void pausedShotsHitNobody() throws IOException {
        RawClient eve = join(30001, "eve");
        tap(eve, 500, 2);
        arena.match().setPaused(network.now(), true);
        for (int i = 0; i < 300; i++) {
            // At its own feet.
            eve.move(new UserCmd(new Triple(16000, 0, 0), 0, 0, 0, i & 1, 0, 2, 128));
        }
        assertThat(events).noneMatch(ArenaEvent.Hit.class::isInstance);
        assertThat(eve.wasSentAway()).isFalse();
    }
}
