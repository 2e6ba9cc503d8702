package dev.wishdir.arena.flag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/**
 * What the original servers answered, as their captures show, and what the law answers to the same:
 * as one of them, or as its own rule says.
 */
class OriginalAnswersTest {
    private static final Vec3 MIDDLE = new Vec3(0, 20, 0);

    private final FlagMatch match = new FlagMatch();
    private final ArenaPlayer red = match.join("red");
    private final ArenaPlayer blue = match.join("blue");
    private final ArenaPlayer mate = match.join("mate");

    enum Case {
        TOUCH_ENEMY_FLAG,
        TOUCH_DROPPED_ENEMY_FLAG,
        TOUCH_CARRIED_FLAG,
        TOUCH_OWN_FLAG_AT_HOME,
        TOUCH_OWN_DROPPED_FLAG,
        TOUCH_OWN_DROPPED_FLAG_CARRYING,
        BRING_FLAG_HOME,
        BRING_FLAG_OWN_AWAY,
        TOUCH_DEAD,
        CLAIM_OLD_VERSION,
        CLAIM_FROM_AFAR,
        TAKE_AND_SCORE_AT_ONCE,
        KILLED_BY_ENEMY,
        KILL_ONESELF,
        CHANGE_TEAM,
        WATCH,
        LEAVE,
        DROP_BY_KEY,
        TAKE_AFTER_THIRD_DROP,
        NOBODY_FOR_15_S,
        NOBODY_FOR_25_S,
    }

    /** The rule by which the law differs from both originals; {@code -} where it does not. */
    @ParameterizedTest
    @CsvSource({
        "TOUCH_ENEMY_FLAG,                taken,    taken,    taken,    -",
        "TOUCH_DROPPED_ENEMY_FLAG,        taken,    taken,    taken,    -",
        "TOUCH_CARRIED_FLAG,              none,     none,     none,     -",
        "TOUCH_OWN_FLAG_AT_HOME,          none,     none,     none,     -",
        "TOUCH_OWN_DROPPED_FLAG,          returned, returned, returned, -",
        "TOUCH_OWN_DROPPED_FLAG_CARRYING, returned, returned, returned, -",
        "BRING_FLAG_HOME,                 captured, captured, captured, -",
        "BRING_FLAG_OWN_AWAY,             none,     none,     none,     -",
        "TOUCH_DEAD,                      none,     none,     none,     -",
        "CLAIM_OLD_VERSION,               none,     none,     none,     -",
        "CLAIM_FROM_AFAR,                 taken,    none,     none,     -",
        "TAKE_AND_SCORE_AT_ONCE,          captured, captured, none,     250 ms between both",
        "KILLED_BY_ENEMY,                 dropped,  dropped,  dropped,  -",
        "KILL_ONESELF,                    dropped,  reset,    dropped,  -",
        "CHANGE_TEAM,                     dropped,  reset,    dropped,  -",
        "WATCH,                           dropped,  reset,    dropped,  -",
        "LEAVE,                           dropped,  reset,    dropped,  -",
        "DROP_BY_KEY,                     dropped,  none,     dropped,  -",
        "TAKE_AFTER_THIRD_DROP,           taken,    none,     none,     -",
        "NOBODY_FOR_15_S,                 reset,    none,     none,     -",
        "NOBODY_FOR_25_S,                 reset,    none,     reset,    -",
    })
    void answersAsOriginals(
            Case what, String sauerbraten, String openArena, String law, String rule) {
        match.pass(6);
        assertThat(answer(what)).isEqualTo(law);
        assertThat(List.of(sauerbraten, openArena).contains(law)).isEqualTo(rule.equals("-"));
    }

    /** The last change of a flag by a deed; {@code none} if it had no effect. */
    private String answer(Case what) {
        prepare(what);
        int before = match.changes.size();
        act(what);
        List<String> after = match.changes.subList(before, match.changes.size());
        return after.isEmpty() ? "none" : after.getLast().split(" ")[1];
    }

    private void prepare(Case what) {
        switch (what) {
            case TOUCH_ENEMY_FLAG, TOUCH_OWN_FLAG_AT_HOME, CLAIM_OLD_VERSION, CLAIM_FROM_AFAR -> {}
            case TOUCH_DEAD -> match.kill(blue, red);
            case TAKE_AND_SCORE_AT_ONCE -> take();
            case TOUCH_DROPPED_ENEMY_FLAG, NOBODY_FOR_15_S, NOBODY_FOR_25_S -> {
                take();
                match.kill(blue, red);
            }
            case TOUCH_OWN_DROPPED_FLAG -> {
                take();
                match.go(red, MIDDLE);
                match.kill(blue, red);
            }
            case TOUCH_OWN_DROPPED_FLAG_CARRYING -> {
                take();
                match.go(red, new Vec3(0, -20, 0));
                match.go(blue, FlagMatch.RED_HOME);
                match.go(blue, MIDDLE);
                match.kill(red, blue);
            }
            case BRING_FLAG_OWN_AWAY -> {
                take();
                match.go(blue, FlagMatch.RED_HOME);
                match.go(blue, MIDDLE);
            }
            case TAKE_AFTER_THIRD_DROP -> {
                take();
                for (int i = 0; i < 3; i++) {
                    assertThat(red.combatant().dropFlag(match.now)).isTrue();
                    if (i < 2) {
                        match.pass(3);
                        match.move(red, FlagMatch.BLUE_HOME);
                    }
                }
                match.pass(3);
            }
            case TOUCH_CARRIED_FLAG,
                    BRING_FLAG_HOME,
                    KILLED_BY_ENEMY,
                    KILL_ONESELF,
                    CHANGE_TEAM,
                    WATCH,
                    LEAVE,
                    DROP_BY_KEY ->
                    take();
        }
    }

    private void take() {
        match.go(red, FlagMatch.BLUE_HOME);
        assertThat(match.changes).endsWith("blue taken touch red");
    }

    private void act(Case what) {
        switch (what) {
            case TOUCH_ENEMY_FLAG, TOUCH_DEAD, TAKE_AFTER_THIRD_DROP ->
                    match.move(red, FlagMatch.BLUE_HOME);
            case TOUCH_DROPPED_ENEMY_FLAG, TOUCH_CARRIED_FLAG ->
                    match.move(mate, FlagMatch.BLUE_HOME);
            case TOUCH_OWN_FLAG_AT_HOME, BRING_FLAG_HOME -> match.go(red, FlagMatch.RED_HOME);
            case TAKE_AND_SCORE_AT_ONCE, BRING_FLAG_OWN_AWAY -> match.move(red, FlagMatch.RED_HOME);
            case TOUCH_OWN_DROPPED_FLAG -> match.move(blue, MIDDLE);
            case TOUCH_OWN_DROPPED_FLAG_CARRYING -> match.move(red, MIDDLE);
            case CLAIM_OLD_VERSION -> {
                int version = match.flag(Team.BLUE).version() - 1;
                red.combatant().claimFlag(match.now, Team.BLUE, version, 2, space());
            }
            case CLAIM_FROM_AFAR -> {
                int version = match.flag(Team.BLUE).version();
                red.combatant().claimFlag(match.now, Team.BLUE, version, 2, space());
            }
            case KILLED_BY_ENEMY -> match.kill(blue, red);
            case KILL_ONESELF -> red.combatant().die(match.now);
            case CHANGE_TEAM ->
                    assertThat(red.combatant().changeTeam(match.now, Team.BLUE)).isEmpty();
            case WATCH -> red.combatant().setWatching(match.now, true);
            case LEAVE -> red.leave(match.now, LeaveReason.LEFT);
            case DROP_BY_KEY -> red.combatant().dropFlag(match.now);
            case NOBODY_FOR_15_S -> match.pass(15);
            case NOBODY_FOR_25_S -> match.pass(25);
        }
    }

    private CollisionSpace space() {
        return match.arena.level().space();
    }
}
