package dev.wishdir.app.command;

import dev.wishdir.net.simulation.LinkConditions;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The faults of both directions of links, as the operator sets them. Not thread-safe. */
public final class Faults {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double PERCENT = 100;
    private static final double BYTES_PER_KB = 1000;

    private final Map<Fault, Double> up = new EnumMap<>(Fault.class);
    private final Map<Fault, Double> down = new EnumMap<>(Fault.class);

    /** Of datagrams to the server. */
    public LinkConditions up() {
        return conditions(up);
    }

    /** Of datagrams to the clients. */
    public LinkConditions down() {
        return conditions(down);
    }

    /** The value of each fault towards the server, or towards the clients. */
    public Map<Fault, Double> values(boolean toServer) {
        Map<Fault, Double> values = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            values.put(fault, value(toServer ? up : down, fault));
        }
        return values;
    }

    /** Whether any fault is set. */
    public boolean isAny() {
        return !up().equals(LinkConditions.NONE) || !down().equals(LinkConditions.NONE);
    }

    private static LinkConditions conditions(Map<Fault, Double> values) {
        return new LinkConditions(
                value(values, Fault.LOSS) / PERCENT,
                value(values, Fault.DUPLICATE) / PERCENT,
                value(values, Fault.REORDER) / PERCENT,
                (long) (value(values, Fault.DELAY) * NANOS_PER_MILLI),
                (long) (value(values, Fault.JITTER) * NANOS_PER_MILLI),
                (long) (value(values, Fault.RATE) * BYTES_PER_KB));
    }

    private static double value(Map<Fault, Double> values, Fault fault) {
        return values.getOrDefault(fault, 0.0);
    }

    /**
     * Sets faults of one direction; the others stay.
     *
     * @throws IllegalArgumentException if a value is out of range, or datagrams would overtake
     *     without a delay; nothing is then set
     */
    void set(boolean toServer, Map<Fault, Double> values) {
        Map<Fault, Double> direction = toServer ? up : down;
        Map<Fault, Double> changed = new EnumMap<>(Fault.class);
        changed.putAll(direction);
        values.forEach((fault, value) -> changed.put(fault, fault.check(value)));
        if (value(changed, Fault.REORDER) > 0
                && value(changed, Fault.DELAY) + value(changed, Fault.JITTER) == 0) {
            throw new IllegalArgumentException(
                    "reorder needs delay or jitter: datagrams overtake those that are delayed");
        }
        direction.putAll(changed);
    }

    /**
     * Changes faults by a line: {@code loss=5,delay=40} for both directions, {@code up loss=5},
     * {@code down rate=100}, {@code off}.
     *
     * @throws IllegalArgumentException if the line is none of these; nothing is then changed
     */
    public void change(String line) {
        String[] words = line.strip().toLowerCase(Locale.ROOT).split("\\s+", 2);
        switch (words[0]) {
            case "off" -> {
                up.clear();
                down.clear();
            }
            case "up" -> set(true, parse(words));
            case "down" -> set(false, parse(words));
            default -> {
                Map<Fault, Double> values = parse(new String[] {"", line.strip()});
                Map<Fault, Double> before = new EnumMap<>(Fault.class);
                before.putAll(up);
                set(true, values);
                try {
                    set(false, values);
                } catch (IllegalArgumentException e) {
                    up.clear();
                    up.putAll(before);
                    throw e;
                }
            }
        }
    }

    private static Map<Fault, Double> parse(String[] words) {
        if (words.length < 2) {
            throw new IllegalArgumentException(
                    "no fault after '" + words[0] + "', such as " + words[0] + " loss=5");
        }
        Map<Fault, Double> values = new EnumMap<>(Fault.class);
        for (String part : words[1].split("[,\\s]+")) {
            String[] pair = part.split("=", 2);
            Fault fault =
                    Arrays.stream(Fault.values())
                            .filter(it -> it.label().equalsIgnoreCase(pair[0]))
                            .findFirst()
                            .orElseThrow(() -> unknown(part));
            try {
                values.put(fault, Double.valueOf(pair.length == 2 ? pair[1] : ""));
            } catch (NumberFormatException e) {
                throw unknown(part);
            }
        }
        return values;
    }

    private static IllegalArgumentException unknown(String part) {
        return new IllegalArgumentException(
                "'"
                        + part
                        + "' is not FAULT=NUMBER; faults are "
                        + Arrays.stream(Fault.values())
                                .map(Fault::label)
                                .collect(Collectors.joining(", ")));
    }

    /** The faults in the form of {@link #change}, {@code up loss=5; down off}. */
    @Override
    public String toString() {
        return "up " + text(up) + "; down " + text(down);
    }

    private static String text(Map<Fault, Double> values) {
        String text =
                values.entrySet().stream()
                        .filter(it -> it.getValue() > 0)
                        .map(it -> it.getKey().label() + "=" + number(it.getValue()))
                        .collect(Collectors.joining(","));
        return text.isEmpty() ? "off" : text;
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
