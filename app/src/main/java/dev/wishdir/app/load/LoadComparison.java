package dev.wishdir.app.load;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The comparison of two servers that were measured in turns, the same number of each. */
record LoadComparison(LoadSide first, LoadSide second) {
    /**
     * One figure of both servers.
     *
     * @param ratio the first server's figure divided by the second's, over all turns; empty if
     *     either is unknown or the second's is 0
     * @param min the smallest ratio of two consecutive turns
     * @param max the largest of these ratios
     */
    record Row(
            LoadFigure figure,
            OptionalDouble first,
            OptionalDouble second,
            OptionalDouble ratio,
            OptionalDouble min,
            OptionalDouble max) {}

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
        OptionalDouble numerator = figure.of(first);
        OptionalDouble denominator = figure.of(second);
        return numerator.isPresent() && denominator.isPresent() && denominator.getAsDouble() > 0
                ? OptionalDouble.of(numerator.getAsDouble() / denominator.getAsDouble())
                : OptionalDouble.empty();
    }
}
