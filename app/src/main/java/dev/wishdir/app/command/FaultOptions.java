package dev.wishdir.app.command;

import dev.wishdir.net.simulation.LinkEmulation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;

/** The options that set faults of the links between clients and a server. */
public final class FaultOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--delay",
            paramLabel = "MS",
            description = "Delay datagrams in each direction by this number of milliseconds.")
    private @Nullable Double delay;

    @Option(
            names = "--jitter",
            paramLabel = "MS",
            description =
                    "Delay each datagram by a random further time up to this. The order is kept.")
    private @Nullable Double jitter;

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            description = "Lose this share of the datagrams in each direction.")
    private @Nullable Double loss;

    @Option(
            names = "--duplicate",
            paramLabel = "PERCENT",
            description = "Deliver this share of the datagrams twice.")
    private @Nullable Double duplicate;

    @Option(
            names = "--reorder",
            paramLabel = "PERCENT",
            description =
                    "Deliver this share of the datagrams without the delay, so that they overtake"
                            + " others.")
    private @Nullable Double reorder;

    @Option(
            names = "--rate",
            paramLabel = "KB/S",
            description =
                    "Limit each direction of each client to this many kilobytes a second; what"
                            + " would wait longer than 0.5 s is lost.")
    private @Nullable Double rate;

    @Option(
            names = "--up",
            paramLabel = "FAULT=VALUE",
            split = ",",
            description =
                    "Faults of the direction to the server only, such as loss=5,delay=40. Can be"
                            + " repeated.")
    private Map<Fault, Double> up = Map.of();

    @Option(
            names = "--down",
            paramLabel = "FAULT=VALUE",
            split = ",",
            description = "Faults of the direction to the clients only. Can be repeated.")
    private Map<Fault, Double> down = Map.of();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Seed of the random faults: the same one repeats them. Default: a random one.")
    private @Nullable Long seed;

    /**
     * The faults that the options set.
     *
     * @throws CommandLine.ParameterException if a value is out of range
     */
    public Faults faults() {
        Map<Fault, Double> both = new EnumMap<>(Fault.class);
        put(both, Fault.DELAY, delay);
        put(both, Fault.JITTER, jitter);
        put(both, Fault.LOSS, loss);
        put(both, Fault.DUPLICATE, duplicate);
        put(both, Fault.REORDER, reorder);
        put(both, Fault.RATE, rate);
        Faults faults = new Faults();
        try {
            faults.set(true, merged(both, up));
            faults.set(false, merged(both, down));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), String.valueOf(e.getMessage()));
        }
        return faults;
    }

    private static void put(Map<Fault, Double> values, Fault fault, @Nullable Double value) {
        if (value != null) {
            values.put(fault, value);
        }
    }

    private static Map<Fault, Double> merged(
            Map<Fault, Double> both, Map<Fault, Double> direction) {
        Map<Fault, Double> merged = new EnumMap<>(Fault.class);
        merged.putAll(both);
        merged.putAll(direction);
        return merged;
    }

    /** Links with the faults of the options. */
    public LinkEmulation links() {
        Faults faults = faults();
        long drawn = seed == null ? new SecureRandom().nextInt(1_000_000) : seed;
        return new LinkEmulation(faults.up(), faults.down(), drawn);
    }
}
