package dev.wishdir.app.analysis;

import dev.wishdir.arena.validation.MovementLimits;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A limit of movement with another value.
 *
 * @param game whose limit it is; empty for every game
 */
record ChangedLimit(String game, Limit limit, double value) {
    /** A limit that can be changed. */
    enum Limit {
        /** Highest average speed over the ground, m/s. */
        SPEED {
            @Override
            MovementLimits apply(MovementLimits old, double value) {
                return new MovementLimits(
                        old.body(),
                        old.core(),
                        old.sunk(),
                        value,
                        old.slack(),
                        old.rise(),
                        old.hang());
            }
        },
        /** Allowance of the rule distance, metres. */
        DISTANCE {
            @Override
            MovementLimits apply(MovementLimits old, double value) {
                return new MovementLimits(
                        old.body(),
                        old.core(),
                        old.sunk(),
                        old.speed(),
                        value,
                        old.rise(),
                        old.hang());
            }
        },
        /** Height of a jump, metres. */
        JUMP_HEIGHT {
            @Override
            MovementLimits apply(MovementLimits old, double value) {
                return new MovementLimits(
                        old.body(),
                        old.core(),
                        old.sunk(),
                        old.speed(),
                        old.slack(),
                        value,
                        old.hang());
            }
        },
        /** Time that a jump rises or falls slowly, seconds. */
        AIR_TIME {
            @Override
            MovementLimits apply(MovementLimits old, double value) {
                return new MovementLimits(
                        old.body(),
                        old.core(),
                        old.sunk(),
                        old.speed(),
                        old.slack(),
                        old.rise(),
                        value);
            }
        };

        abstract MovementLimits apply(MovementLimits old, double value);

        /** The name, which is that of the rule where there is one: {@code jump-height}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Parses {@code [GAME.]RULE=VALUE}. */
    static final class Converter implements ITypeConverter<ChangedLimit> {
        @Override
        public ChangedLimit convert(String text) {
            String[] parts = text.split("=", 2);
            String name = parts[0].substring(parts[0].indexOf('.') + 1);
            String game = parts[0].substring(0, Math.max(0, parts[0].indexOf('.')));
            if (parts.length < 2 || !parts[1].matches("\\d{1,6}(\\.\\d+)?")) {
                throw new TypeConversionException(
                        "'" + text + "' is not RULE=VALUE, such as distance=1.5");
            }
            Limit limit =
                    Arrays.stream(Limit.values())
                            .filter(each -> each.toString().equals(name))
                            .findFirst()
                            .orElseThrow(() ->
                                    new TypeConversionException(
                                            "'"
                                                    + name
                                                    + "' has no value to change; these have: "
                                                    + Arrays.stream(Limit.values())
                                                            .map(Limit::toString)
                                                            .collect(Collectors.joining(", "))));
            return new ChangedLimit(game, limit, Double.parseDouble(parts[1]));
        }
    }

    boolean concerns(String anyGame) {
        return game.isEmpty() || game.equals(anyGame);
    }
}
