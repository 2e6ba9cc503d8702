package dev.wishdir.motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A body's posture and contacts: a set of {@link Flag}s.
 *
 * @param bits one bit per flag, at the flag's ordinal
 */
public record Stance(int bits) {
    /** One property of a stance. */
    public enum Flag {
        ON_GROUND,
        CROUCHED,
        JUMPING,
        IN_WATER,
        FLYING,
        SPRINTING;

        /** The flag's name in event lines: {@code on-ground}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Upright in the air. */
    public static final Stance NONE = new Stance(0);

    /** Upright on the ground. */
    public static final Stance STANDING = NONE.with(Flag.ON_GROUND);

    private static final Flag[] FLAGS = Flag.values();

    public boolean has(Flag flag) {
        return (bits >> flag.ordinal() & 1) != 0;
    }

    public boolean onGround() {
        return has(Flag.ON_GROUND);
    }

    public boolean crouched() {
        return has(Flag.CROUCHED);
    }

    public Stance with(Flag flag) {
        return new Stance(bits | 1 << flag.ordinal());
    }

    /** This stance with a flag set or cleared. */
    public Stance with(Flag flag, boolean present) {
        return present ? with(flag) : new Stance(bits & ~(1 << flag.ordinal()));
    }

    /** The labels of the set flags, in the order of {@link Flag}. */
    public List<String> labels() {
        List<String> labels = new ArrayList<>();
        for (Flag flag : FLAGS) {
            if (has(flag)) {
                labels.add(flag.label());
            }
        }
        return labels;
    }
}
