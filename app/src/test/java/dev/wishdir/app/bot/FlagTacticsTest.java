package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The goals of one bot, by what its client shows. */
class FlagTacticsTest {
    private static final long SECOND = 1_000_000_000;
    private static final BlockArena FLAT = ArenaCatalog.FLAT;
    private static final Vec3 HOME = new Vec3(-10, 0, 0);
    private static final Vec3 OTHER_HOME = new Vec3(10, 0, 0);
    private static final Vec3 HERE = new Vec3(0, 2, 0);
    private static final long SELF = 10;
    private static final long NOBODY = -1;

    private final FakeClient client = new FakeClient();
    private final FlagTactics tactics = new FlagTactics(new Roles());
    private Optional<NavigationGraph> paths = Optional.empty();
    private long now;
    private int role;

    /** A generator that draws the role that the test says. */
    private final class Roles implements RandomGenerator {
        private final Random random = new Random(1);

        @Override
        public long nextLong() {
            return random.nextLong();
        }

        @Override
        public int nextInt(int bound) {
            return bound == 8 ? 3 * role : random.nextInt(bound);
        }
    }

    /** A client that sees what the test says. */
    private static final class FakeClient implements Client {
        final List<RemotePlayer> others = new ArrayList<>();
        final Map<Long, String> teams = new HashMap<>(Map.of(SELF, "red"));
        RemoteFlag own = flag("red", State.HOME, HOME, NOBODY);
        RemoteFlag other = flag("blue", State.HOME, OTHER_HOME, NOBODY);
        boolean hasFlags = true;
        int shots;

        static RemoteFlag flag(String team, State state, Vec3 place, long carrier) {
            return new RemoteFlag(
                    team,
                    state,
                    Optional.of(team.equals("red") ? HOME : OTHER_HOME),
                    Optional.of(place),
                    carrier);
        }

        void add(long id, String team, Vec3 place) {
            others.add(new RemotePlayer(id, "p" + id, Movement.at(place, 0)));
            teams.put(id, team);
        }

        @Override
        public List<RemoteFlag> flags() {
            return hasFlags ? List.of(other, own) : List.of();
        }

        @Override
        public boolean joined() {
            return true;
        }

        @Override
        public long id() {
            return SELF;
        }

        @Override
        public Movement movement() {
            return Movement.at(HERE, 0);
        }

        @Override
        public Collection<RemotePlayer> others() {
            return others;
        }

        @Override
        public Map<Long, String> teams() {
            return teams;
        }

        @Override
        public OptionalDouble health() {
            return OptionalDouble.of(100);
        }

        @Override
        public List<BotWeapon> weapons() {
            return List.of(BotWeapon.instant("bow", 10, 1, 50, 0));
        }

        @Override
        public boolean shoot(Vec3 at) {
            shots++;
            return true;
        }

        @Override
        public void say(String text) {}

        @Override
        public void close() {}
    }

    /** Gives it a team mate far away, and a role. */
    private void play(int role) {
        client.add(1, "red", new Vec3(0, 20, 0));
        this.role = role;
    }

    private Optional<Vec3> goal() {
        now += SECOND;
        return tactics.find(now, client, HERE, paths).map(FlagTactics.Goal::place);
    }

    @Test
    void hasNoGoalWithoutFlags() {
        play(1);
        client.hasFlags = false;
        assertThat(goal()).isEmpty();
        client.hasFlags = true;
        client.teams.remove(SELF);
        assertThat(goal()).isEmpty();
    }

    @Test
    void attacksAndDefendsAlone() {
        Vec3 thief = new Vec3(3, 3, 0);
        assertThat(goal()).contains(OTHER_HOME);
        client.own = FakeClient.flag("red", State.CARRIED, thief, 77);
        assertThat(goal()).contains(thief);
    }

    @Test
    void attacksFlagWhereverItIs() {
        play(1);
        assertThat(goal()).contains(OTHER_HOME);
        Vec3 dropped = new Vec3(4, 4, 0);
        client.other = FakeClient.flag("blue", State.DROPPED, dropped, NOBODY);
        assertThat(goal()).contains(dropped);
        client.other = FakeClient.flag("blue", State.CARRIED, dropped, 1);
        assertThat(goal()).as("with a team mate that has it").contains(dropped);
    }

    @Test
    void carriesFlagHomeWithoutFights() {
        play(1);
        client.other = FakeClient.flag("blue", State.CARRIED, HERE, SELF);
        now += SECOND;
        assertThat(tactics.find(now, client, HERE, paths))
                .contains(new FlagTactics.Goal(HOME, 0, true));
    }

    @Test
    void waitsAsideWhileOwnFlagIsAway() {
        play(1);
        paths = Optional.of(ArenaPaths.of(FLAT));
        client.other = FakeClient.flag("blue", State.CARRIED, HERE, SELF);
        client.own = FakeClient.flag("red", State.CARRIED, OTHER_HOME, 77);
        Vec3 aside = goal().orElseThrow();
        assertThat(aside.distance(HOME)).isBetween(0.0, 12.0);
        assertThat(goal()).as("and stays there").contains(aside);
        client.own = FakeClient.flag("red", State.HOME, HOME, NOBODY);
        assertThat(goal()).contains(HOME);
    }

    @Test
    void returnsOwnFlagIfItIsTheNearest() {
        play(1);
        Vec3 dropped = new Vec3(2, 4, 0);
        client.own = FakeClient.flag("red", State.DROPPED, dropped, NOBODY);
        assertThat(goal()).contains(dropped);
        client.add(50, "red", dropped);
        assertThat(goal()).contains(OTHER_HOME);
    }

    @Test
    void huntsCarrierOfOwnFlag() {
        play(2);
        Vec3 carrier = new Vec3(3, 3, 0);
        client.own = FakeClient.flag("red", State.CARRIED, carrier, 77);
        assertThat(goal()).contains(carrier);
        client.own =
                new RemoteFlag("red", State.CARRIED, Optional.of(HOME), Optional.empty(), NOBODY);
        assertThat(goal()).as("goes where the carrier brings it").contains(OTHER_HOME);
    }

    @Test
    void defendsItsHome() {
        play(0);
        paths = Optional.of(ArenaPaths.of(FLAT));
        for (int i = 0; i < 20; i++) {
            assertThat(goal().orElseThrow().minus(HOME).horizontal()).isLessThan(17);
        }
    }

    @Test
    void chasesCarrierForAWhile() {
        play(0);
        Vec3 carrier = new Vec3(3, 3, 0);
        client.own = FakeClient.flag("red", State.CARRIED, carrier, 77);
        for (int i = 0; i < 8; i++) {
            assertThat(goal()).contains(carrier);
        }
        assertThat(goal()).as("returns after 8 s").contains(HOME);
    }

    /** A sprint ends where a player looks aside to shoot. */
    @Test
    void doesNotShootWhileItSprintsWithFlag() {
        client.add(50, "blue", new Vec3(0, 6, 0));
        client.other = FakeClient.flag("blue", State.CARRIED, HERE, SELF);
        BotController still = (_, _) -> PlayerInput.look(0, 0);
        BotFight fight =
                new BotFight(() -> client, () -> paths, still, BotFight.MAX_SKILL, new Random(1));
        Stance sprint = Stance.STANDING.with(Flag.SPRINTING, true);
        assertThat(shots(fight, Stance.STANDING)).as("a game without a sprint").isPositive();
        assertThat(shots(fight, sprint)).isZero();
        client.other = FakeClient.flag("blue", State.HOME, OTHER_HOME, NOBODY);
        assertThat(shots(fight, sprint)).as("without the flag").isPositive();
    }

    private int shots(BotFight fight, Stance stance) {
        int before = client.shots;
        for (int i = 0; i < 40; i++) {
            now += SECOND / 20;
            fight.steer(now, new Movement(HERE, 0, 0, Vec3.ZERO, stance));
        }
        return client.shots - before;
    }
}
