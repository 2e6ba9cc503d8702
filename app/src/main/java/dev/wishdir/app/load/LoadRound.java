package dev.wishdir.app.load;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.JoinLimits;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.machine.Machine;
import dev.wishdir.app.machine.ProcessCpu;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.app.terminal.Progress;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.wire.AddressText;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One turn of a load: clients join a server, walk, are measured, and leave. */
public final class LoadRound {
    private static final long DISCONNECT_MILLIS = 300;

    /** After this many refusals in succession, no further client tries to join. */
    private static final int MAX_REFUSALS = 8;

    /**
     * The parameters of a turn.
     *
     * @param clients that measure
     * @param fighters clients besides them that fight
     * @param skill of the fighters
     * @param warmUp seconds of walking before the measurement
     * @param seconds duration of the measurement
     * @param links the links of the clients, with their faults
     */
    record Plan(
            int clients, int fighters, int skill, int warmUp, int seconds, LinkEmulation links) {
        int all() {
            return clients + fighters;
        }
    }

    /**
     * An interval, and the CPU time of both processes in it, in percent of a core.
     *
     * @param serverCpu empty if the server's process is not visible
     */
    record Sample(LoadResult.Interval interval, OptionalDouble serverCpu, OptionalDouble ownCpu) {}

    /**
     * The result of a turn.
     *
     * @param process the server's process; empty if it is not visible
     * @param latency latencies in nanoseconds
     * @param samples one per second
     * @param shares the figures of each client
     * @param failures clients that could not join or were lost, and other failures, one line each
     */
    record Measured(
            LoadResult result,
            Optional<Machine.Owner> process,
            Histogram latency,
            List<Sample> samples,
            List<LoadResult.Share> shares,
            List<String> failures) {

        /** The server's CPU time, in percent of a core; empty if its process is not visible. */
        OptionalDouble serverCpu() {
            return samples.stream().flatMapToDouble(it -> it.serverCpu().stream()).average();
        }

        /** The generator's own CPU time, in percent of a core. */
        OptionalDouble ownCpu() {
            return samples.stream().flatMapToDouble(it -> it.ownCpu().stream()).average();
        }
    }

    private final TargetOptions target;
    private final InetSocketAddress server;
    private final Plan plan;
    private final ShutdownSignal shutdown;
    private final Progress progress;
    private final String label;
    private final LoadGenerator generator;
    private final Optional<Machine.Owner> process;
    private final List<String> failures = new ArrayList<>();

    /**
     * @param label the start of the progress line
     */
    LoadRound(
            TargetOptions target,
            InetSocketAddress server,
            Plan plan,
            ShutdownSignal shutdown,
            Progress progress,
            String label) {
        this.target = target;
        this.server = server;
        this.plan = plan;
        this.shutdown = shutdown;
        this.progress = progress;
        this.label = label.isEmpty() ? "" : label + "  ";
        generator =
                new LoadGenerator(
                        target.game(),
                        server,
                        target.password(),
                        target.options(),
                        plan.links(),
                        new SecureRandom());
        process = ProcessCpu.listening(new ThisMachine(), server);
    }

    /**
     * Runs the turn; a shutdown signal ends it early.
     *
     * @throws CommandFailedException if fewer than two clients joined, so that there is nothing to
     *     measure
     */
    Measured run() throws CommandFailedException {
        try (NettyLoop loop = new NettyLoop("load", generator::onError, _ -> {})) {
            DutyCycle control = loop.cycle();
            try {
                join(control, loop::cycle);
                warmUp(control);
                return measure(control);
            } finally {
                onLoop(control, generator::close);
                // Disconnects are acknowledged within a round trip.
                shutdown.await(
                        DISCONNECT_MILLIS
                                + TimeUnit.NANOSECONDS.toMillis(plan.links.maxUpDelayNanos()),
                        TimeUnit.MILLISECONDS);
                progress.close();
            }
        }
    }

    /** Joins the clients, as many as the server accepts. */
    private void join(DutyCycle control, Supplier<DutyCycle> cycles) throws CommandFailedException {
        int started = 0;
        int joined = 0;
        int refused = 0;
        int consecutiveRefusals = 0;
        long end = joinDeadline();
        String shown = "";
        while (joined < plan.all()) {
            boolean tried = joined > 0 ? consecutiveRefusals >= MAX_REFUSALS : refused > 0;
            int room = tried ? 0 : JoinLimits.MAX_JOINING - (started - joined - refused);
            int batch = Math.clamp(room, 0, plan.all() - started);
            int first = started;
            onLoop(control, () -> add(first, batch, cycles));
            started += batch;
            int before = joined;
            joined = onLoop(control, generator::present);
            List<String> problems = problems(control);
            consecutiveRefusals =
                    joined > before ? 0 : consecutiveRefusals + problems.size() - refused;
            refused = problems.size();
            if (joined > before) {
                end = joinDeadline();
            }
            String text = "joining " + joined + " of " + plan.all();
            if (!text.equals(shown)) {
                progress.show(label + Progress.bar(joined / (double) plan.all()) + " " + text);
                shown = text;
            }
            boolean late = System.nanoTime() - end > 0;
            boolean settled = joined + refused >= started && (tried || started == plan.all());
            boolean interrupted = shutdown.await(20, TimeUnit.MILLISECONDS);
            if (settled && refused > 0 || late || interrupted) {
                reportMissing(started, joined, problems, late);
                if (onLoop(control, generator::joined) < 2 || interrupted) {
                    throw new CommandFailedException(String.join("; ", failures));
                }
                return;
            }
        }
    }

    private static long joinDeadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(JoinLimits.TIMEOUT_SECONDS);
    }

    private void reportMissing(int started, int joined, List<String> problems, boolean late) {
        if (late && joined == 0 && problems.isEmpty()) {
            failures.add(
                    "no client joined within "
                            + JoinLimits.TIMEOUT_SECONDS
                            + " s: check that a server of "
                            + target.game().name()
                            + " runs at "
                            + AddressText.of(server));
            return;
        }
        int untried = plan.all() - started;
        int waiting = started - joined - problems.size();
        failures.add(
                "only "
                        + joined
                        + " of "
                        + plan.all()
                        + " clients joined"
                        + JoinLimits.reasons(target.game(), problems)
                        + (late && waiting > 0
                                ? "; "
                                        + waiting
                                        + " got no answer within "
                                        + JoinLimits.TIMEOUT_SECONDS
                                        + " s"
                                : "")
                        + (untried > 0 ? "; " + untried + " were not tried" : ""));
    }

    private void warmUp(DutyCycle control) throws CommandFailedException {
        progress.show(label + "warming up for " + plan.warmUp() + " s");
        if (shutdown.await(plan.warmUp(), TimeUnit.SECONDS)) {
            throw new CommandFailedException("stopped before the measurement");
        }
        int left = onLoop(control, generator::joined);
        if (left < 2) {
            throw new CommandFailedException(
                    "only "
                            + left
                            + " of "
                            + plan.clients()
                            + " clients were still connected when the measurement began"
                            + JoinLimits.reasons(target.game(), problems(control)));
        }
    }

    private Measured measure(DutyCycle control) throws CommandFailedException {
        List<Sample> samples = new ArrayList<>();
        int before = problems(control).size();
        int began = onLoop(control, generator::joined);
        Optional<ProcessCpu> serverCpu = process.flatMap(owner -> ProcessCpu.of(owner.pid()));
        ProcessCpu ownCpu = ProcessCpu.own();
        onLoop(control, () -> generator.measure(control.now()));
        int joined;
        boolean interrupted;
        do {
            interrupted = shutdown.await(1, TimeUnit.SECONDS);
            LoadResult.Interval interval =
                    onLoop(control, () -> generator.endInterval(control.now()));
            samples.add(
                    new Sample(
                            interval,
                            serverCpu.map(ProcessCpu::percent).orElseGet(OptionalDouble::empty),
                            ownCpu.percent()));
            joined = interval.joined();
            showProgress(samples.size(), interval);
        } while (samples.size() < plan.seconds() && joined > 1 && !interrupted);
        LoadResult result = onLoop(control, () -> generator.result(control.now()));
        List<String> errors = onLoop(control, () -> List.copyOf(generator.errors()));
        if (!errors.isEmpty()) {
            failures.add(errors.size() + " times " + errors.getFirst());
        }
        List<String> lost = problems(control).subList(before, problems(control).size());
        if (!lost.isEmpty()) {
            failures.add(
                    lost.size()
                            + " of "
                            + began
                            + " clients were disconnected during the measurement"
                            + JoinLimits.reasons(target.game(), lost));
        }
        checkSilence(samples, result);
        return new Measured(
                result,
                process,
                onLoop(control, generator::latency),
                List.copyOf(samples),
                onLoop(control, () -> generator.shares(control.now())),
                List.copyOf(failures));
    }

    private void showProgress(int second, LoadResult.Interval interval) {
        progress.show(
                String.format(
                        Locale.ROOT,
                        "%s%s second %d of %d  %d clients  p50 %.1f ms  p99 %.1f ms  %.0f"
                                + " relayed/s",
                        label,
                        Progress.bar(second / (double) plan.seconds()),
                        second,
                        plan.seconds(),
                        interval.joined(),
                        interval.latency().p50(),
                        interval.latency().p99(),
                        interval.relayed() / interval.seconds()));
    }

    /** Records that a server stopped sending: clients notice it only after their time-out. */
    private void checkSilence(List<Sample> samples, LoadResult result) {
        int lastHeard = samples.size();
        while (lastHeard > 0 && samples.get(lastHeard - 1).interval().datagrams() == 0) {
            lastHeard--;
        }
        if (lastHeard + 1 < samples.size()) {
            failures.add(
                    "the server sent nothing after second " + lastHeard + " of " + plan.seconds());
        } else if (result.relayed() == 0) {
            failures.add("no client saw another move");
        }
    }

    private List<String> problems(DutyCycle control) throws CommandFailedException {
        return onLoop(control, () -> List.copyOf(generator.problems()));
    }

    private void add(int first, int count, Supplier<DutyCycle> cycles) {
        try {
            for (int k = first; k < first + count; k++) {
                if (k < plan.clients()) {
                    generator.add(cycles, target.from());
                } else {
                    generator.addFighter(cycles, target.from(), plan.skill());
                }
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static void onLoop(DutyCycle control, Runnable work) throws CommandFailedException {
        onLoop(
                control,
                () -> {
                    work.run();
                    return true;
                });
    }

    private static <T> T onLoop(DutyCycle control, Supplier<T> work) throws CommandFailedException {
        CompletableFuture<T> done = new CompletableFuture<>();
        control.execute(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            throw new CommandFailedException("the load generator failed: " + e.getCause(), e);
        }
    }
}
