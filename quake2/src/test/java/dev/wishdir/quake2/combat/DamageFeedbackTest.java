package dev.wishdir.quake2.combat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class DamageFeedbackTest {
    private static final ViewAxes EAST = ViewAxes.of(0, 0);

    /** As in captures: full in the frame of the shot, gone after five. */
    @Test
    void kickOfAShotFadesFromItsFrameOn() {
        DamageFeedback feedback = new DamageFeedback();
        feedback.onKick(-40, 5);
        List<Double> pitches = new ArrayList<>(List.of(feedback.pitch()));
        List<Double> rolls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            assertThat(feedback.endFrame(100, EAST)).isFalse();
            pitches.add(feedback.pitch());
            rolls.add(feedback.roll());
        }
        assertThat(pitches).containsExactly(-40.0, -40.0, -32.0, -24.0, -16.0, -8.0, -0.0);
        assertThat(rolls).containsExactly(5.0, 4.0, 3.0, 2.0, 1.0, 0.0);
    }
}
