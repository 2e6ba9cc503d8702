package dev.wishdir.app;

import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
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

/** One server under load: clients go in, walk, are measured, and leave. */
final class LoadRound {
    /**
     * Clients that are joining at any moment: an original Quake II server drops those who are told
     * of more newcomers than their reliable message holds.
     */
    static final int JOIN_AT_ONCE = 2;

    /**
     * How long nobody may have joined. An original Quake III server lets ten in at once, from one
     * address, then one a second.
     */
    static final long JOIN_LIMIT_SECONDS = 30;

    /** So many who were refused one after another, and the others need not ask. */
    private static final int IN_VAIN = 8;

    /**
     * What is asked for.
     *
     * @param warmUp seconds of walking before the measuring
     * @param seconds how long to measure
     */
    record Plan(int clients, int warmUp, int seconds) {}

    /**
     * An interval, and what the processes used of a core in it, percent.
     *
     * @param serverCpu empty where the server's process is not seen
     */
    record Sample(LoadResult.Interval interval, OptionalDouble serverCpu, OptionalDouble ownCpu) {}

    /**
     * What came of it.
     *
     * @param process the server's, where it is seen
     * @param latency how long movements were on their way, nanoseconds
     * @param samples one a second
     * @param shares what each client saw
     * @param complaints what was not as it should be, and why, a line each
     */
    record Measured(
            LoadResult result,
            Optional<Machine.Owner> process,
            Histogram latency,
            List<Sample> samples,
            List<LoadResult.Share> shares,
            List<String> complaints) {

        /** The server's share of a core, percent; empty where its process was not seen. */
        OptionalDouble serverCpu() {
            return samples.stream().flatMapToDouble(it -> it.serverCpu().stream()).average();
        }

        /** The load's own share of a core, percent. */
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
    private final List<String> complaints = new ArrayList<>();

    /**
     * @param label what the progress begins with
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
                        new SecureRandom());
        process = ProcessCpu.listening(new ThisMachine(), server);
    }

    /**
     * Does it; an interrupt ends it early.
     *
     * @throws CommandFailedException if there are fewer than two clients, of whom nothing can be
     *     measured
     */
    Measured run() throws CommandFailedException {
        try (NettyLoop loop = new NettyLoop("load", generator::broke, _ -> {})) {
            DutyCycle control = loop.cycle();
            try {
                join(control, loop::cycle);
                warmUp(control);
                return measure(control);
            } finally {
                onLoop(control, generator::close);
                // The farewells are acknowledged within a round trip; who does not get it is gone
                // anyway.
                shutdown.await(300, TimeUnit.MILLISECONDS);
                progress.close();
            }
        }
    }

    /** Brings the clients in, as many as the server takes. */
    private void join(DutyCycle control, Supplier<DutyCycle> cycles) throws CommandFailedException {
        int started = 0;
        int joined = 0;
        int refused = 0;
        int inVain = 0;
        long end = afterLimit();
        String told = "";
        while (joined < plan.clients()) {
            boolean tried = joined > 0 ? inVain >= IN_VAIN : refused > 0;
            int room = tried ? 0 : JOIN_AT_ONCE - (started - joined - refused);
            int batch = Math.clamp(room, 0, plan.clients() - started);
            onLoop(control, () -> add(batch, cycles));
            started += batch;
            int before = joined;
            joined = onLoop(control, generator::joined);
            List<String> problems = problems(control);
            inVain = joined > before ? 0 : inVain + problems.size() - refused;
            refused = problems.size();
            if (joined > before) {
                end = afterLimit();
            }
            String news = "joining " + joined + " of " + plan.clients();
            if (!news.equals(told)) {
                progress.show(label + Progress.bar(joined / (double) plan.clients()) + " " + news);
                told = news;
            }
            boolean late = System.nanoTime() - end > 0;
            boolean settled = joined + refused >= started && (tried || started == plan.clients());
            boolean interrupted = shutdown.await(20, TimeUnit.MILLISECONDS);
            if (settled && refused > 0 || late || interrupted) {
                missing(started, joined, problems, late);
                if (joined < 2 || interrupted) {
                    throw new CommandFailedException(String.join("; ", complaints));
                }
                return;
            }
        }
    }

    private static long afterLimit() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_LIMIT_SECONDS);
    }

    private void missing(int started, int joined, List<String> problems, boolean late) {
        if (late && joined == 0 && problems.isEmpty()) {
            complaints.add(
                    "nobody got in within "
                            + JOIN_LIMIT_SECONDS
                            + " s: does a server of "
                            + target.game().name()
                            + " listen at "
                            + AddressText.of(server)
                            + "?");
            return;
        }
        int untried = plan.clients() - started;
        int waiting = started - joined - problems.size();
        complaints.add(
                "only "
                        + joined
                        + " of "
                        + plan.clients()
                        + " clients joined"
                        + reasons(problems)
                        + (late && waiting > 0
                                ? "; " + waiting + " waited for " + JOIN_LIMIT_SECONDS + " s"
                                : "")
                        + (untried > 0 ? "; " + untried + " were not tried" : ""));
    }

    /** What the server said, each once with its number, and what may be done about it. */
    static String reasons(List<String> problems) {
        if (problems.isEmpty()) {
            return "";
        }
        List<LoadResult.Reason> grouped = LoadResult.Reason.group(problems);
        boolean byAddress =
                problems.stream()
                        .anyMatch(problem -> problem.toLowerCase(Locale.ROOT).contains("address"));
        return ": "
                + String.join(
                        "; ",
                        grouped.stream()
                                .map(each -> each.count() > 1 ? each.toString() : each.reason())
                                .toList())
                + (byAddress
                        ? " (--from 127.0.1.0/24 sends from several addresses; a server of ours"
                                + " lifts the limit with --trust ADDRESS)"
                        : "");
    }

    private void warmUp(DutyCycle control) throws CommandFailedException {
        progress.show(label + "warming up for " + plan.warmUp() + " s");
        if (shutdown.await(plan.warmUp(), TimeUnit.SECONDS)) {
            throw new CommandFailedException("ended before anything was measured");
        }
        int left = onLoop(control, generator::joined);
        if (left < 2) {
            throw new CommandFailedException(
                    "only "
                            + left
                            + " of "
                            + plan.clients()
                            + " clients were still in when the measuring began"
                            + reasons(problems(control)));
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
            LoadResult.Interval interval = onLoop(control, () -> generator.interval(control.now()));
            samples.add(
                    new Sample(
                            interval,
                            serverCpu.map(ProcessCpu::percent).orElseGet(OptionalDouble::empty),
                            ownCpu.percent()));
            joined = interval.joined();
            tell(samples.size(), interval);
        } while (samples.size() < plan.seconds() && joined > 1 && !interrupted);
        LoadResult result = onLoop(control, () -> generator.result(control.now()));
        List<String> errors = onLoop(control, () -> List.copyOf(generator.errors()));
        if (!errors.isEmpty()) {
            complaints.add(errors.size() + " times " + errors.getFirst());
        }
        List<String> lost = problems(control).subList(before, problems(control).size());
        if (!lost.isEmpty()) {
            complaints.add(
                    lost.size()
                            + " of "
                            + began
                            + " clients were lost during the measuring"
                            + reasons(lost));
        }
        silence(samples, result);
        return new Measured(
                result,
                process,
                onLoop(control, generator::latency),
                List.copyOf(samples),
                onLoop(control, () -> generator.shares(control.now())),
                List.copyOf(complaints));
    }

    private void tell(int second, LoadResult.Interval interval) {
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

    /** A server that died is not told of: nothing comes any more, until the clients give up. */
    private void silence(List<Sample> samples, LoadResult result) {
        int heard = samples.size();
        while (heard > 0 && samples.get(heard - 1).interval().datagrams() == 0) {
            heard--;
        }
        if (heard + 1 < samples.size()) {
            complaints.add(
                    "nothing came from the server after second " + heard + " of " + plan.seconds());
        } else if (result.relayed() == 0) {
            complaints.add("no client saw another move");
        }
    }

    private List<String> problems(DutyCycle control) throws CommandFailedException {
        return onLoop(control, () -> List.copyOf(generator.problems()));
    }

    private void add(int count, Supplier<DutyCycle> cycles) {
        try {
            for (int k = 0; k < count; k++) {
                generator.add(cycles, target.from());
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
