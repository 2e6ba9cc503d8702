package dev.wishdir.arena.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The law of capture the flag. */
class FlagsTest {
    private static final Vec3 RED_HOME = FlagMatch.RED_HOME;
    private static final Vec3 BLUE_HOME = FlagMatch.BLUE_HOME;
    private static final Vec3 MIDDLE = new Vec3(0, 20, 0);
    private static final Vec3 ASIDE = new Vec3(0, -20, 0);
    private static final MatchRules RULES = MatchRules.of(MatchMode.CTF);

    /** The room with a wall across x = 19, between the blue flag and players west of it. */
    private static final CollisionSpace WALLED =
            (from, to, width, height) -> {
                double room = CollisionSpace.within(FlagMatch.ROOM).free(from, to, width, height);
                boolean isCrossed = (from.x() - 19) * (to.x() - 19) < 0;
                return isCrossed ? Math.min(room, (19 - from.x()) / (to.x() - from.x())) : room;
            };

    private FlagMatch match = new FlagMatch();
    private ArenaPlayer anna = match.join("anna");
    private ArenaPlayer bob = match.join("bob");

    private void play(MatchRules rules, CollisionSpace space) {
        match = new FlagMatch(rules, space);
        anna = match.join("anna");
        bob = match.join("bob");
    }

    private void play(FlagRules flags) {
        play(RULES.withFlags(flags), CollisionSpace.within(FlagMatch.ROOM));
    }

    /** Red takes the blue flag and walks away with it. */
    private void takeBlue() {
        match.go(anna, BLUE_HOME);
        match.go(anna, ASIDE);
        assertThat(match.flag(Team.BLUE).carrier()).contains(anna.id());
    }

    private List<ArenaEvent.FlagChanged> events() {
        return match.events.stream()
                .filter(ArenaEvent.FlagChanged.class::isInstance)
                .map(ArenaEvent.FlagChanged.class::cast)
                .toList();
    }

    private List<ViolationRule> violations() {
        return match.events.stream()
                .filter(ArenaEvent.MovementViolation.class::isInstance)
                .map(event -> ((ArenaEvent.MovementViolation) event).rule())
                .toList();
    }

    @Test
    void scoresCapturesForTeamAndPointsForPlayers() {
        takeBlue();
        match.go(anna, RED_HOME);
        assertThat(match.changes)
                .containsExactly("blue taken touch anna", "blue captured touch anna");
        assertThat(match.captures(Team.RED)).isEqualTo(1);
        assertThat(match.captures(Team.BLUE)).isZero();
        assertThat(match.points(anna)).isEqualTo(5);
        assertThat(match.arena.match().captures(anna.id())).isEqualTo(1);
        assertThat(events())
                .extracting(ArenaEvent.FlagChanged::version)
                .as("both flags change at a capture")
                .containsExactly(1, 2);
        assertThat(match.flag(Team.RED).version()).isEqualTo(1);
        assertThat(events().getLast().carried()).isEqualTo(Duration.ofSeconds(2));
        assertThat(events().getLast().place()).isEqualTo(BLUE_HOME);
        match.kill(anna, bob);
        assertThat(match.points(anna)).isEqualTo(6);
        assertThat(match.captures(Team.RED)).as("kills are not captures").isEqualTo(1);
    }

    @Test
    @DisplayName("flags of a replayed recording are shown in a match without flags, and not played")
    void leavesMirroredFlagsToTheirRecording() {
        play(MatchRules.of(MatchMode.TEAM), CollisionSpace.within(FlagMatch.ROOM));
        Flags flags = match.arena.match().flags();
        FlagStatus red = new FlagStatus(Team.RED, RED_HOME, new FlagState.Home(), 0);
        FlagStatus blue =
                new FlagStatus(Team.BLUE, BLUE_HOME, new FlagState.Carried(anna.id(), 0), 1);
        flags.mirror(List.of(red, blue));
        match.go(bob, RED_HOME);
        match.kill(bob, anna);
        assertThat(match.points(bob)).as("no carrier of the match died").isEqualTo(1);
        match.pass(70);
        match.arena.match().begin(match.now);
        assertThat(match.changes).isEmpty();
        assertThat(flags.status()).containsExactly(red, blue);
        assertThat(flags.carriedBy(anna.id())).contains(Team.BLUE);
        assertThat(flags.carrier(match.flag(Team.BLUE))).map(Player::name).contains("anna");
        Level level = FlagMatch.level(CollisionSpace.within(FlagMatch.ROOM));
        List<Vec3> places = List.of(RED_HOME.plus(new Vec3(5, 0, 0)), BLUE_HOME);
        assertThat(flags.spawnsOf(Optional.of(Team.RED), level, places)).containsExactly(0, 1);
    }

    @Test
    void givesPointsForKilledCarrierAndReturnedFlag() {
        takeBlue();
        match.kill(bob, anna);
        assertThat(match.points(bob)).isEqualTo(3);
        assertThat(events().getLast().place()).isEqualTo(ASIDE);
        match.go(bob, ASIDE);
        assertThat(match.changes).endsWith("blue dropped death anna", "blue returned touch bob");
        assertThat(match.points(bob)).isEqualTo(4);
        match.live(anna);
        takeBlue();
        anna.combatant().die(match.now);
        assertThat(match.points(anna)).isEqualTo(-1);
        assertThat(match.changes).endsWith("blue dropped death anna");
    }

    @Test
    void letsPlayerWaitAfterDeath() {
        match.kill(bob, anna);
        assertThat(anna.combatant().respawnWait(match.now)).isEqualTo(3 * FlagMatch.SECOND);
        anna.despawn(match.now);
        match.pass(2);
        assertThat(anna.combatant().respawnWait(match.now)).isEqualTo(FlagMatch.SECOND);
        match.pass(1);
        assertThat(anna.combatant().respawnWait(match.now)).isZero();
        match.live(anna);
        anna.combatant().die(match.now);
        match.arena.match().begin(match.now);
        assertThat(anna.combatant().respawnWait(match.now)).as("a round begins").isZero();

        play(MatchRules.of(MatchMode.TEAM), CollisionSpace.within(FlagMatch.ROOM));
        match.kill(bob, anna);
        assertThat(anna.combatant().respawnWait(match.now)).isZero();
    }

    @Test
    void takesBasesOfLevelsThatGamesPlay() {
        Level own = new Level("own", FlagMatch.ROOM);
        match.arena.setLevel(match.now, "quake3", own);
        assertThat(match.arena.match().flags().all()).as("no game plays the shared one").isEmpty();
        FlagBases bases =
                new FlagBases(
                        new FlagBases.Base(ASIDE, List.of()),
                        new FlagBases.Base(MIDDLE, List.of()));
        match.arena.setLevel(match.now, "sauerbraten", own.withBases(Optional.of(bases)));
        assertThat(match.flag(Team.RED).home()).isEqualTo(ASIDE);
        match.arena.setLevel(match.now, "bedrock", match.arena.level());
        assertThat(match.flag(Team.RED).home()).isEqualTo(RED_HOME);
    }

    @Test
    void notifiesOfDropAfterDeathAndBeforeLeave() {
        takeBlue();
        match.kill(bob, anna);
        match.live(anna);
        match.go(anna, ASIDE);
        anna.leave(match.now, LeaveReason.LEFT);
        List<Class<?>> order = new ArrayList<>();
        match.events.forEach(event -> {
            if (event instanceof ArenaEvent.Died
                    || event instanceof ArenaEvent.Left
                    || event
                                    instanceof
                                    ArenaEvent.FlagChanged(_, _, FlagChange change, _, _, _, _, _)
                            && change == FlagChange.DROPPED) {
                order.add(event.getClass());
            }
        });
        assertThat(order)
                .containsExactly(
                        ArenaEvent.Died.class,
                        ArenaEvent.FlagChanged.class,
                        ArenaEvent.FlagChanged.class,
                        ArenaEvent.Left.class);
    }

    @Test
    void capturesOnlyWithOwnFlagAtHomeUnlessRulesSayOtherwise() {
        takeBlue();
        match.go(bob, RED_HOME);
        match.go(bob, MIDDLE);
        match.go(anna, RED_HOME);
        assertThat(match.captures(Team.RED)).isZero();
        match.kill(anna, bob);
        match.pass(21);
        assertThat(match.changes)
                .as("the carrier stands there as its flag comes home")
                .endsWith("red reset time", "blue captured touch anna");

        play(new FlagRules(Duration.ofSeconds(20), false));
        takeBlue();
        match.go(bob, RED_HOME);
        match.go(bob, MIDDLE);
        match.go(anna, RED_HOME);
        assertThat(match.changes).endsWith("red taken touch bob", "blue captured touch anna");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "10, 10", "20, 20", "120, 120"})
    void bringsDroppedFlagHomeAfterTime(int seconds, double lies) {
        play(new FlagRules(Duration.ofSeconds(seconds), true));
        takeBlue();
        match.kill(bob, anna);
        if (seconds == 0) {
            assertThat(match.changes).endsWith("blue reset death anna");
            return;
        }
        match.pass(lies - 0.5);
        assertThat(match.flag(Team.BLUE).state()).isInstanceOf(FlagState.Dropped.class);
        match.pass(0.5);
        assertThat(match.changes).endsWith("blue reset time");
        assertThat(match.flag(Team.BLUE).isHome()).isTrue();
    }

    @Test
    void refusesReturnTimesOutOfRange() {
        for (Duration time : List.of(Duration.ofMillis(-1), Duration.ofSeconds(121))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new FlagRules(time, true))
                    .withMessageContaining("must be 0 to 120 s, is");
        }
    }

    enum End {
        DESPAWN,
        RESPAWN,
        SILENCE,
        IDLE,
    }

    @ParameterizedTest
    @EnumSource(End.class)
    @DisplayName("L8 a carrier that edits, vanishes or stands still loses the flag")
    void dropsFlagOfCarrierWithoutBody(End end) {
        takeBlue();
        switch (end) {
            case DESPAWN -> anna.despawn(match.now);
            case RESPAWN -> anna.spawn(match.now, Movement.at(MIDDLE, 0));
            case SILENCE -> {
                for (int i = 0; i < 12; i++) {
                    match.now += FlagMatch.SECOND / 2;
                    bob.recordActivity(match.now);
                    match.arena.advance(match.now);
                    assertThat(i >= 8 || match.flag(Team.BLUE).carrier().isPresent()).isTrue();
                }
            }
            case IDLE -> {
                match.pass(59);
                assertThat(match.flag(Team.BLUE).carrier()).contains(anna.id());
                match.pass(1);
                match.move(anna, ASIDE);
            }
        }
        assertThat(match.changes)
                .endsWith("blue dropped " + (end == End.IDLE ? "idle" : "leave") + " anna");
        assertThat(events().getLast().place()).isEqualTo(ASIDE);
    }

    @Test
    void walkingCarrierIsNotIdle() {
        takeBlue();
        for (int i = 0; i < 100; i++) {
            match.go(anna, ASIDE.plus(new Vec3(i % 10, 0, 0)));
        }
        assertThat(match.flag(Team.BLUE).carrier()).contains(anna.id());
    }

    @ParameterizedTest
    @CsvSource({
        "1.5,  0,    0,     true",
        "1.51, 0,    0,     false",
        "1,    1,    0,     true",
        "1.1,  1.1,  0,     false",
        "0,    0,    0.5,   true",
        "0,    0,    0.51,  false",
        "1.5,  0,    0.5,   true",
    })
    void touchesWithinReach(double x, double y, double z, boolean taken) {
        match.go(anna, BLUE_HOME.plus(new Vec3(x, y, z)));
        assertThat(match.changes.isEmpty()).isEqualTo(!taken);
    }

    @Test
    void touchesFlagAboveItsFeetUpToBodyHeight() {
        match = new FlagMatch(RULES, CollisionSpace.OPEN);
        anna = match.join("anna");
        match.arena.setLevel(
                FlagMatch.level(CollisionSpace.OPEN)
                        .withBases(
                                Optional.of(
                                        new FlagBases(
                                                new FlagBases.Base(RED_HOME, List.of()),
                                                new FlagBases.Base(
                                                        new Vec3(20, 0, 5), List.of())))));
        match.go(anna, new Vec3(20, 0, 3.24));
        assertThat(match.changes).isEmpty();
        match.go(anna, new Vec3(20, 0, 3.25));
        assertThat(match.changes).containsExactly("blue taken touch anna");
    }

    @Test
    void touchesNothingThroughWall() {
        play(RULES, WALLED);
        match.go(anna, BLUE_HOME.minus(new Vec3(1.2, 0, 0)));
        assertThat(match.changes).isEmpty();
        match.go(anna, BLUE_HOME.minus(new Vec3(0.8, 0, 0)));
        assertThat(match.changes).containsExactly("blue taken touch anna");
    }

    @Test
    @DisplayName("L5 no player juggles a flag: 2 s, three times")
    void limitsDropsByKey() {
        match.go(anna, BLUE_HOME);
        assertThat(anna.combatant().dropFlag(match.now)).isTrue();
        assertThat(anna.combatant().dropFlag(match.now)).isFalse();
        assertThat(match.changes).endsWith("blue dropped key anna");
        assertThat(events().getLast().place()).isEqualTo(BLUE_HOME.plus(new Vec3(1, 0, 0)));
        match.pass(1.75);
        assertThat(match.changes).endsWith("blue dropped key anna");
        match.pass(0.25);
        assertThat(match.changes).as("stands in it").endsWith("blue taken touch anna");
        for (int i = 0; i < 2; i++) {
            anna.combatant().dropFlag(match.now);
            match.pass(3);
            match.move(anna, place(match.flag(Team.BLUE)));
        }
        assertThat(match.changes).as("its third drop").endsWith("blue dropped key anna");
        ArenaPlayer eve = match.join("eve");
        match.go(eve, place(match.flag(Team.BLUE)));
        assertThat(match.changes).endsWith("blue taken touch eve");
        eve.combatant().dropFlag(match.now);
        match.move(anna, place(match.flag(Team.BLUE)));
        assertThat(match.changes).as("another carried it since").endsWith("blue taken touch anna");
    }

    private Vec3 place(Flag flag) {
        return match.arena.match().flags().place(flag);
    }

    @Test
    void throwsFlagNoFartherThanToWall() {
        play(RULES, WALLED);
        match.go(anna, BLUE_HOME);
        match.go(anna, new Vec3(18.5, 0, 0));
        anna.combatant().dropFlag(match.now);
        assertThat(events().getLast().place()).isEqualTo(new Vec3(18.5, 0, 0));
    }

    @Test
    @DisplayName("L6 a flag over the void or outside comes home at once")
    void bringsFlagHomeWhereNoGroundIs() {
        CollisionSpace pit =
                (from, to, width, height) ->
                        from.y() > 10
                                ? 1
                                : CollisionSpace.within(FlagMatch.ROOM)
                                        .free(from, to, width, height);
        play(RULES, pit);
        match.go(anna, BLUE_HOME);
        match.go(anna, MIDDLE);
        match.kill(bob, anna);
        assertThat(match.changes).endsWith("blue reset void anna");
        match.live(anna);
        match.go(anna, BLUE_HOME);
        match.go(anna, ASIDE.plus(new Vec3(0, 0, 20)));
        match.kill(bob, anna);
        assertThat(match.changes).endsWith("blue dropped death anna");
        assertThat(events().getLast().place()).as("the ground below").isEqualTo(ASIDE);
    }

    @Test
    void bringsFlagHomeFromLava() {
        CollisionSpace room = CollisionSpace.within(FlagMatch.ROOM);
        CollisionSpace pool =
                new CollisionSpace() {
                    @Override
                    public double free(Vec3 from, Vec3 to, double width, double height) {
                        return room.free(from, to, width, height);
                    }

                    @Override
                    public boolean isDeadly(Vec3 at) {
                        return at.y() < -10 && at.z() < 0.5;
                    }
                };
        play(RULES, pool);
        takeBlue();
        match.kill(bob, anna);
        assertThat(match.changes).endsWith("blue reset void anna");
        match.live(anna);
        match.go(anna, BLUE_HOME);
        match.go(anna, ASIDE.plus(new Vec3(0, 0, 20)));
        anna.combatant().dropFlag(match.now);
        assertThat(match.changes).as("it falls into it").endsWith("blue reset void anna");
    }

    @Test
    void endsRoundAtCaptureLimitWithAllFlagsAtHome() {
        play(RULES.withScoreLimit(2), CollisionSpace.within(FlagMatch.ROOM));
        match.go(bob, RED_HOME);
        match.go(bob, MIDDLE);
        match.kill(anna, bob);
        match.live(bob);
        match.go(anna, MIDDLE);
        for (int i = 0; i < 2; i++) {
            takeBlue();
            if (i == 1) {
                match.go(bob, MIDDLE);
            }
            match.go(anna, RED_HOME);
        }
        ArenaEvent.RoundEnded end =
                (ArenaEvent.RoundEnded)
                        match.events.stream()
                                .filter(ArenaEvent.RoundEnded.class::isInstance)
                                .findFirst()
                                .orElseThrow();
        assertThat(end.reason()).isEqualTo(RoundEndReason.SCORE_LIMIT);
        assertThat(end.team()).contains(Team.RED);
        assertThat(match.events)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement(_, String text)
                                && text.equals("The red team wins with 2 captures."));
        int changes = match.changes.size();
        match.go(anna, BLUE_HOME);
        assertThat(match.changes).as("intermission").hasSize(changes);
        match.pass(11);
        assertThat(match.captures(Team.RED)).isZero();
        assertThat(match.arena.match().captures(anna.id())).isZero();
        assertThat(match.arena.match().flags().all()).allMatch(Flag::isHome);
    }

    @Test
    void bringsCarriedFlagHomeAsRoundEndsAndTiesAtTimeLimit() {
        play(
                RULES.withTimes(Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(10)),
                CollisionSpace.within(FlagMatch.ROOM));
        takeBlue();
        int version = match.flag(Team.BLUE).version();
        match.pass(30);
        assertThat(match.events)
                .anyMatch(event ->
                        event instanceof ArenaEvent.RoundEnded end
                                && end.reason() == RoundEndReason.TIME_LIMIT
                                && end.team().isEmpty());
        assertThat(match.flag(Team.BLUE).isHome()).isTrue();
        assertThat(match.flag(Team.BLUE).version()).isGreaterThan(version);
    }

    @Test
    void standsStillWhilePaused() {
        takeBlue();
        match.kill(bob, anna);
        match.pass(15);
        match.arena.match().setPaused(match.now, true);
        match.pass(100);
        match.go(bob, ASIDE);
        assertThat(match.changes).endsWith("blue dropped death anna");
        match.go(bob, MIDDLE);
        match.arena.match().setPaused(match.now, false);
        match.pass(4.5);
        assertThat(match.changes).endsWith("blue dropped death anna");
        match.pass(0.5);
        assertThat(match.changes).endsWith("blue reset time");
    }

    @Test
    void countsNothingInWarmUp() {
        play(
                RULES.withTimes(
                        Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(10)),
                CollisionSpace.within(FlagMatch.ROOM));
        takeBlue();
        match.go(anna, RED_HOME);
        assertThat(match.changes).endsWith("blue captured touch anna");
        assertThat(match.captures(Team.RED)).isZero();
        assertThat(match.points(anna)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = MatchMode.class,
            names = {"FFA", "TEAM", "INSTA", "NONE", "RACE"})
    void otherModesHaveNoFlags(MatchMode mode) {
        play(MatchRules.of(mode), CollisionSpace.within(FlagMatch.ROOM));
        assertThat(match.arena.match().flags().all()).isEmpty();
        match.go(anna, BLUE_HOME);
        match.go(anna, RED_HOME);
        assertThat(anna.combatant().dropFlag(match.now)).isFalse();
        assertThat(anna.combatant().claimFlag(match.now, Team.BLUE, 0, 2, CollisionSpace.OPEN))
                .isEqualTo(FlagClaim.DEAD);
        assertThat(match.changes).isEmpty();
    }

    @Test
    void bringsFlagsToBasesOfOtherLevel() {
        takeBlue();
        Vec3 other = new Vec3(30, 0, 0);
        match.arena.setLevel(
                FlagMatch.level(CollisionSpace.within(FlagMatch.ROOM))
                        .withBases(
                                Optional.of(
                                        new FlagBases(
                                                FlagMatch.BASES.red(),
                                                new FlagBases.Base(other, List.of())))));
        assertThat(match.flag(Team.BLUE).isHome()).isTrue();
        match.go(anna, other);
        assertThat(match.changes).endsWith("blue taken touch anna");
        match.arena.setLevel(FlagMatch.level(CollisionSpace.OPEN).withBases(Optional.empty()));
        assertThat(match.arena.match().flags().all()).isEmpty();
    }

    @Test
    void operatorBringsFlagHome() {
        assertThat(match.arena.match().flags().returnHome(match.now, Team.BLUE)).isFalse();
        takeBlue();
        assertThat(match.arena.match().flags().returnHome(match.now, Team.BLUE)).isTrue();
        assertThat(match.changes).endsWith("blue reset operator");
    }

    private FlagClaim claim(ArenaPlayer player, Team flag, int version) {
        return player.combatant()
                .claimFlag(match.now, flag, version, 2, CollisionSpace.within(FlagMatch.ROOM));
    }

    @Test
    void answersClaimsByPlaceStateAndVersion() {
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.DISTANCE);
        assertThat(claim(anna, Team.BLUE, 1)).isEqualTo(FlagClaim.VERSION);
        assertThat(claim(anna, Team.RED, 0)).isEqualTo(FlagClaim.STATE);
        match.kill(bob, anna);
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.DEAD);
        match.live(anna);
        match.go(anna, BLUE_HOME);
        assertThat(claim(bob, Team.BLUE, 1)).isEqualTo(FlagClaim.STATE);
        anna.spawn(match.now, Movement.at(RED_HOME, 0));
        match.go(bob, BLUE_HOME);
        assertThat(match.changes).endsWith("blue dropped leave anna", "blue returned touch bob");
    }

    @Test
    void acceptsClaimOfPlayerThatStandsThere() {
        // Its body appears in the flag's reach, and has not moved.
        anna.spawn(match.now, Movement.at(BLUE_HOME, 0));
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.ACCEPTED);
        assertThat(match.changes).containsExactly("blue taken touch anna");
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("L1 a flag claimed from afar or through a wall is not taken, and reported")
    void reportsClaimsFromAfar() {
        play(RULES, WALLED);
        match.go(anna, BLUE_HOME.minus(new Vec3(2.5, 0, 0)));
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.DISTANCE);
        assertThat(violations()).as("a client asks a little early").isEmpty();
        match.go(anna, BLUE_HOME.minus(new Vec3(1.2, 0, 0)));
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.WALL);
        match.go(anna, MIDDLE);
        match.pass(20);
        assertThat(claim(anna, Team.BLUE, 0)).isEqualTo(FlagClaim.DISTANCE);
        assertThat(violations()).containsExactly(ViolationRule.FLAG_DISTANCE);
        assertThat(match.changes).isEmpty();
    }

    @Test
    @DisplayName("L2 a flag is not captured within 250 ms of its take")
    void capturesNotAtOnce() {
        match.go(anna, BLUE_HOME);
        match.move(anna, RED_HOME);
        assertThat(match.captures(Team.RED)).isZero();
        match.now += 249_999_999;
        match.move(anna, RED_HOME);
        assertThat(match.captures(Team.RED)).isZero();
        match.now += 1;
        match.arena.advance(match.now);
        assertThat(match.captures(Team.RED)).isEqualTo(1);
    }

    @Test
    @DisplayName("L3 claims of wrong versions at a high rate are ignored and reported")
    void limitsClaims() {
        Map<FlagClaim, Integer> answers = new EnumMap<>(FlagClaim.class);
        for (int i = 0; i < 2_000; i++) {
            match.now += FlagMatch.SECOND / 100;
            answers.merge(claim(anna, Team.BLUE, 1 + i), 1, Integer::sum);
        }
        assertThat(answers.keySet()).containsOnly(FlagClaim.VERSION, FlagClaim.RATE);
        assertThat(answers.getOrDefault(FlagClaim.VERSION, 0)).isBetween(400, 420);
        assertThat(violations()).isNotEmpty().containsOnly(ViolationRule.FLAG_CLAIMS);
        assertThat(match.changes).isEmpty();
    }

    @Test
    @DisplayName("L7 a carrier with three violations of movement loses the flag")
    void bringsFlagOfCheaterHome() {
        takeBlue();
        for (int i = 0; i < 2; i++) {
            anna.reportViolation(match.now, ViolationRule.DISTANCE, 30, 10, 1);
        }
        match.go(anna, MIDDLE);
        anna.teleport(match.now, Movement.at(ASIDE, 0));
        assertThat(match.flag(Team.BLUE).carrier()).contains(anna.id());
        anna.reportViolation(match.now, ViolationRule.DISTANCE, 30, 10, 1);
        assertThat(match.changes).endsWith("blue reset violation anna");
        takeBlue();
        anna.reportViolation(match.now, ViolationRule.DISTANCE, 30, 10, 1);
        assertThat(match.flag(Team.BLUE).carrier()).contains(anna.id());
    }

    @Test
    @DisplayName("L9 a change of team never carries a flag to the other side")
    void dropsFlagAtChangeOfTeam() {
        match.join("eve");
        takeBlue();
        assertThat(anna.combatant().changeTeam(match.now, Team.BLUE)).isEmpty();
        assertThat(match.changes).endsWith("blue dropped team anna");
        match.live(anna);
        match.go(anna, RED_HOME);
        assertThat(match.captures(Team.RED) + match.captures(Team.BLUE)).isZero();
        assertThat(match.changes).endsWith("red taken touch anna");
    }

    @Test
    @DisplayName("L10 a flag handed to its team again and again is reported")
    void reportsHandovers() {
        for (int i = 0; i < 3; i++) {
            assertThat(violations()).isEmpty();
            match.go(anna, BLUE_HOME);
            match.go(anna, ASIDE);
            match.go(bob, ASIDE.minus(new Vec3(1, 0, 0)));
            anna.combatant().dropFlag(match.now);
            match.move(bob, ASIDE);
            assertThat(match.changes).endsWith("blue returned touch bob");
            match.go(bob, MIDDLE);
        }
        assertThat(violations()).containsExactly(ViolationRule.FLAG_HANDOVER);
    }

    private static final class Line implements Viewer {
        final List<ArenaEvent> seen = new ArrayList<>();
        boolean congested;

        @Override
        public boolean isCongested() {
            return congested;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            seen.add(event);
        }

        @Override
        public void onMovement(List<Player> movers) {}

        List<FlagChange> flags() {
            return seen.stream()
                    .filter(ArenaEvent.FlagChanged.class::isInstance)
                    .map(event -> ((ArenaEvent.FlagChanged) event).change())
                    .toList();
        }
    }

    @Test
    void notifiesCongestedViewerOfNewestChangeOnly() {
        Line line = new Line();
        ArenaPlayer eve = match.arena.join(match.now, "quake2", "eve", line);
        match.go(anna, BLUE_HOME);
        assertThat(line.flags()).containsExactly(FlagChange.TAKEN);
        line.congested = true;
        match.go(anna, ASIDE);
        match.kill(bob, anna);
        match.go(bob, ASIDE);
        assertThat(line.flags()).containsExactly(FlagChange.TAKEN);
        line.congested = false;
        eve.recordActivity(match.now);
        match.pass(1);
        assertThat(line.flags()).containsExactly(FlagChange.TAKEN, FlagChange.RETURNED);
        line.congested = true;
        match.live(anna);
        match.go(anna, BLUE_HOME);
        match.arena.match().begin(match.now);
        line.congested = false;
        match.pass(1);
        assertThat(line.flags()).as("a round began").endsWith(FlagChange.RETURNED);
    }

    @Test
    void teamsAppearInTheirHalfAwayFromFlags() {
        List<Vec3> places =
                List.of(
                        BLUE_HOME.plus(new Vec3(2, 0, 0)),
                        BLUE_HOME.plus(new Vec3(0, 5, 0)),
                        RED_HOME.plus(new Vec3(0, 5, 0)),
                        RED_HOME.plus(new Vec3(0, -5, 0)));
        for (int i = 0; i < 10; i++) {
            assertThat(anna.chooseSpawnPoint(match.now, places)).isIn(2, 3);
            assertThat(bob.chooseSpawnPoint(match.now, places)).isEqualTo(1);
        }
        assertThat(anna.chooseSpawnPoint(match.now, List.of(BLUE_HOME))).isZero();
    }

    @Test
    void teamsAppearAtSpawnPointsOfTheirs() {
        List<Vec3> places =
                List.of(new Vec3(-10, 0, 0), new Vec3(-12, 5, 0), new Vec3(10, 0, 0), MIDDLE);
        FlagBases bases =
                new FlagBases(
                        new FlagBases.Base(RED_HOME, List.of(Movement.at(MIDDLE, 0))),
                        new FlagBases.Base(BLUE_HOME, List.of()));
        match.arena.setLevel(
                FlagMatch.level(CollisionSpace.within(FlagMatch.ROOM))
                        .withBases(Optional.of(bases)));
        for (int i = 0; i < 10; i++) {
            assertThat(anna.chooseSpawnPoint(match.now, places)).isEqualTo(3);
            assertThat(bob.chooseSpawnPoint(match.now, places)).isEqualTo(2);
        }
    }

    /** Whatever happens: each flag has one place, and each change a higher version. */
    @Test
    void keepsFlagsWholeInRandomPlay() {
        Random random = new Random(11);
        List<ArenaPlayer> players = new ArrayList<>(List.of(anna, bob));
        for (int i = 0; i < 6; i++) {
            players.add(match.join("player" + i));
        }
        List<Vec3> places = List.of(RED_HOME, BLUE_HOME, MIDDLE, ASIDE);
        for (int i = 0; i < 20_000; i++) {
            ArenaPlayer player = players.get(random.nextInt(players.size()));
            switch (random.nextInt(12)) {
                case 0 -> match.kill(players.get(random.nextInt(players.size())), player);
                case 1 -> player.combatant().dropFlag(match.now);
                case 2 ->
                        player.combatant()
                                .changeTeam(match.now, random.nextBoolean() ? Team.RED : Team.BLUE);
                case 3 -> player.combatant().setWatching(match.now, random.nextBoolean());
                case 4 -> match.pass(random.nextDouble(3));
                default -> {
                    if (!player.combatant().isAlive() && !player.combatant().isWatching()) {
                        match.live(player);
                    }
                    player.move(
                            match.now,
                            Movement.at(places.get(random.nextInt(4)), 0),
                            NativeMovement.Stored.NONE);
                }
            }
            holdsLaw();
        }
        for (FlagChange change : FlagChange.values()) {
            assertThat(
                            change == FlagChange.RESET
                                    || events().stream()
                                            .anyMatch(event -> event.change() == change))
                    .as("%s", change)
                    .isTrue();
        }
        Map<Team, Integer> last = new EnumMap<>(Team.class);
        for (ArenaEvent.FlagChanged event : events()) {
            Integer before = last.put(event.flag(), event.version());
            assertThat(event.version()).isGreaterThan(before == null ? 0 : before);
        }
    }

    private void holdsLaw() {
        List<PlayerId> carriers = new ArrayList<>();
        for (Flag flag : match.arena.match().flags().all()) {
            flag.carrier()
                    .ifPresent(id -> {
                        carriers.add(id);
                        ArenaPlayer carrier = match.arena.player(id).orElseThrow();
                        assertThat(carrier.combatant().isAlive()).isTrue();
                        assertThat(carrier.combatant().team()).contains(flag.team().other());
                    });
        }
        assertThat(carriers).doesNotHaveDuplicates();
    }
}
