package dev.wishdir.arena.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Claims of a body that runs at most 20 m/s. */
class PlaceClaimsTest {
    private static final long MILLI = 1_000_000;
    private static final double SPEED = 20;

    private final PlaceClaims claims = new PlaceClaims();
    private final List<ShotViolation> refuted = new ArrayList<>();
    private final List<Long> carriedOut = new ArrayList<>();
    private long now = 5_000 * MILLI;

    @BeforeEach
    void stand() {
        claims.begin(now, Vec3.ZERO);
        for (int i = 0; i < 60; i++) {
            move(33, 0);
        }
    }

    private void move(long millis, double x) {
        now += millis * MILLI;
        claims.onMoved(now, new Vec3(x, 0, 0), SPEED, now + 7);
        claims.advance(now, now + 7);
    }

    private void act(double x) {
        claims.add(now, new Vec3(x, 0, 0), SPEED, (wrong, _) -> refuted.add(wrong))
                .whenProven(now, carriedOut::add);
    }

    private void actFar(long millis, double x) {
        now += millis * MILLI;
        claims.addStep(now, new Vec3(x, 0, 0), SPEED, now, (wrong, _) -> refuted.add(wrong))
                .whenProven(now, carriedOut::add);
    }

    @Test
    void carriesOutAtOnceWhatARunnerDoes() {
        for (int i = 1; i <= 30; i++) {
            move(33, i * 0.55);
            act(i * 0.55 + 1);
        }
        assertThat(carriedOut).hasSize(30);
    }

    @Test
    void carriesOutWhatABodyDidThatStays() {
        actFar(600, 11);
        assertThat(carriedOut).isEmpty();
        for (int i = 1; i <= 16; i++) {
            move(33, 11 + i * 0.4);
        }
        assertThat(carriedOut).as("in the server's time").hasSize(1).allMatch(at -> at % 10 == 7);
        assertThat(refuted).isEmpty();
    }

    @Test
    @DisplayName("J25 a claim far from a body that is back sooner than it can run is refuted")
    void refutesWhatABodyCannotHaveLeft() {
        actFar(600, 11);
        move(33, 0);
        assertThat(carriedOut).isEmpty();
        assertThat(refuted)
                .singleElement()
                .satisfies(wrong -> {
                    assertThat(wrong.rule()).isEqualTo(ViolationRule.SHOT_ORIGIN);
                    assertThat(wrong.measured()).isEqualTo(11);
                    assertThat(wrong.allowed()).isLessThan(4);
                });
        for (int i = 0; i < 30; i++) {
            move(33, 0);
        }
        act(0);
        assertThat(carriedOut).hasSize(1);
    }

    @Test
    @DisplayName("J25 small steps in one moment, there and back, are one leap")
    void refutesManySmallSteps() {
        for (int i = 1; i <= 5; i++) {
            move(0, i * 2.5);
        }
        act(12.5);
        for (int i = 4; i >= 0; i--) {
            move(0, i * 2.5);
        }
        assertThat(refuted).hasSize(1);
        assertThat(carriedOut).isEmpty();
    }

    @Test
    void believesPositionsThatASilenceHeldUp() {
        now += 900 * MILLI;
        for (int i = 1; i <= 27; i++) {
            move(0, i * 0.55);
            if (i == 14) {
                act(i * 0.55);
            }
        }
        for (int i = 28; i <= 60; i++) {
            move(33, i * 0.55);
        }
        assertThat(refuted).isEmpty();
        assertThat(carriedOut).hasSize(1);
    }

    @Test
    void dropsWhatWaitsWhenALifeBegins() {
        actFar(600, 11);
        claims.begin(now, Vec3.ZERO);
        for (int i = 0; i < 30; i++) {
            move(33, 0);
        }
        assertThat(carriedOut).isEmpty();
        assertThat(refuted).isEmpty();
    }
}
