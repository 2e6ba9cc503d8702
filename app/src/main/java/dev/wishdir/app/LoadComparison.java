package dev.wishdir.app;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Two servers that were measured in turns, as many of each. */
record LoadComparison(LoadSide first, LoadSide second) {
    /**
     * One figure of both.
     *
     * @param ratio the first's, of all turns, as a multiple of the second's; empty where either is
     *     not known or the second's is 0
     * @param least the least of the ratios of two turns that followed each other
     * @param most the largest of them
     */
    record Row(
            LoadFigure figure,
            OptionalDouble first,
            OptionalDouble second,
            OptionalDouble ratio,
            OptionalDouble least,
            OptionalDouble most) {}

    List<Row> rows() {
        return Arrays.stream(LoadFigure.values()).map(this::row).toList();
    }

    private Row row(LoadFigure figure) {
        double[] ratios =
                IntStream.range(0, Math.min(first.turns().size(), second.turns().size()))
                        .mapToObj(i -> ratio(figure, first.turn(i), second.turn(i)))
                        .flatMapToDouble(OptionalDouble::stream)
                        .toArray();
        return new Row(
                figure,
                figure.of(first),
                figure.of(second),
                ratio(figure, first, second),
                Arrays.stream(ratios).min(),
                Arrays.stream(ratios).max());
    }

    private static OptionalDouble ratio(LoadFigure figure, LoadSide first, LoadSide second) {
        OptionalDouble above = figure.of(first);
        OptionalDouble below = figure.of(second);
        return above.isPresent() && below.isPresent() && below.getAsDouble() > 0
                ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
                : OptionalDouble.empty();
    }
}
