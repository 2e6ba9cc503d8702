package dev.wishdir.app;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code load}: measures how any server of a game relays movement. */
@Command(
        name = "load",
        sortOptions = false,
        description = "Measure how a server relays movement: latency, loss, rates.")
final class LoadCommand implements Callable<Integer> {
    private static final Gson GSON =
            new GsonBuilder()
                    .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
                    .disableHtmlEscaping()
                    .create();

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

    private final Interrupt interrupt;

    @Spec private CommandSpec spec;

    @Mixin private final Target target = new Target();

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "How many (default ${DEFAULT-VALUE}).",
            defaultValue = "16")
    private int clients;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long to measure, after all have joined (default ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description =
                    "How long to walk before the measuring, so that a server has its code compiled"
                            + " (default ${DEFAULT-VALUE}).",
            defaultValue = "2")
    private int warmUp;

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    LoadCommand(Interrupt interrupt) {
        this.interrupt = interrupt;
    }

    @Override
    public Integer call() throws Failure {
        if (clients < 2 || clients > 4000 || seconds < 1 || warmUp < 0) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--clients must be from 2 to 4000, --seconds at least 1 and --warm-up at"
                            + " least 0");
        }
        InetSocketAddress server = target.resolve();
        Load load =
                new Load(
                        target.game(),
                        server,
                        target.password(),
                        target.options(),
                        new SecureRandom());
        interrupt.listen();
        try (NettyLoop loop = new NettyLoop("load")) {
            DutyCycle control = loop.cycle();
            String missing = join(load, control, loop::cycle);
            interrupt.await(warmUp, TimeUnit.SECONDS);
            onLoop(control, () -> load.measure(control.now()));
            for (int second = 1;
                    second <= seconds && !interrupt.await(1, TimeUnit.SECONDS);
                    second++) {
                progress("measuring, second " + second + " of " + seconds);
            }
            Load.Result result = onLoop(control, () -> load.result(control.now()));
            onLoop(control, load::close);
            // The farewells are acknowledged within a round trip; who does not get it is gone
            // anyway.
            interrupt.await(300, TimeUnit.MILLISECONDS);
            print(result);
            if (!missing.isEmpty()) {
                throw new Failure(missing);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /**
     * Brings the clients in, as many as the server takes.
     *
     * @return which are missing and why, empty for none
     * @throws Failure if there are fewer than two, of whom nothing can be measured
     */
    private String join(Load load, DutyCycle control, Supplier<DutyCycle> cycles) throws Failure {
        int started = 0;
        int joined = 0;
        List<String> problems = List.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_LIMIT_SECONDS);
        while (joined < clients) {
            if (problems.isEmpty()) {
                int room = Math.max(0, JOIN_AT_ONCE - (started - joined));
                int batch = Math.min(room, clients - started);
                onLoop(control, () -> add(load, batch, cycles));
                started += batch;
            }
            int before = joined;
            joined = onLoop(control, load::joined);
            problems = onLoop(control, () -> List.copyOf(load.problems()));
            if (joined > before) {
                end = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_LIMIT_SECONDS);
            }
            progress("joining, " + joined + " of " + clients);
            boolean late = System.nanoTime() > end;
            boolean settled = !problems.isEmpty() && joined + problems.size() >= started;
            boolean interrupted = interrupt.await(20, TimeUnit.MILLISECONDS);
            if (settled || late || interrupted) {
                String why =
                        problems.isEmpty() && late
                                ? ": nobody for " + JOIN_LIMIT_SECONDS + " s"
                                : reasons(problems);
                String missing = "only " + joined + " of " + clients + " clients joined" + why;
                if (joined < 2 || interrupted) {
                    onLoop(control, load::close);
                    throw new Failure(missing);
                }
                return missing;
            }
        }
        return "";
    }

    /** What the server said, each once with its number, and what may be done about it. */
    static String reasons(List<String> problems) {
        Map<String, Long> counts =
                problems.stream()
                        .collect(
                                Collectors.groupingBy(
                                        problem -> problem,
                                        LinkedHashMap::new,
                                        Collectors.counting()));
        StringBuilder text = new StringBuilder();
        counts.forEach((problem, count) ->
                text.append(text.isEmpty() ? ": " : "; ")
                        .append(count > 1 ? count + " times " : "")
                        .append(problem));
        boolean byAddress =
                counts.keySet().stream()
                        .anyMatch(problem -> problem.toLowerCase(Locale.ROOT).contains("address"));
        return byAddress
                ? text
                        + " (--from 127.0.1.0/24 sends from several addresses; a server of ours"
                        + " lifts the limit with --trust ADDRESS)"
                : text.toString();
    }

    private void add(Load load, int count, Supplier<DutyCycle> cycles) {
        try {
            for (int k = 0; k < count; k++) {
                load.add(cycles, target.from());
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static void onLoop(DutyCycle control, Runnable work) throws Failure {
        onLoop(
                control,
                () -> {
                    work.run();
                    return true;
                });
    }

    private static <T> T onLoop(DutyCycle control, Supplier<T> work) throws Failure {
        CompletableFuture<T> done = new CompletableFuture<>();
        control.execute(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            throw new Failure("the load generator failed: " + e.getCause(), e);
        }
    }

    private void progress(String text) {
        if (TerminalMap.isTerminal()) {
            spec.commandLine().getErr().print("\r\u001B[K" + text);
            spec.commandLine().getErr().flush();
        }
    }

    private void print(Load.Result result) {
        progress("");
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(GSON.toJson(result));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%s %s: %d clients for %.1f s%n",
                    result.game(),
                    result.server(),
                    result.joined(),
                    result.seconds());
            out.printf(
                    Locale.ROOT,
                    "relay latency  mean %.2f ms  p50 %.2f ms  p95 %.2f ms  p99 %.2f ms  max %.2f"
                            + " ms; of the mean %.0f %% is waiting for the server's turn%n",
                    result.latency().mean(),
                    result.latency().p50(),
                    result.latency().p95(),
                    result.latency().p99(),
                    result.latency().max(),
                    100 * result.latency().waiting());
            out.printf(
                    Locale.ROOT,
                    "relayed        %d of the movements of others, %.1f a second of each; %d were"
                            + " superseded by a newer one, %.2f %% never came%n",
                    result.relayed(),
                    result.updates(),
                    result.superseded(),
                    100 * result.loss());
            out.printf(
                    Locale.ROOT,
                    "traffic        in %.0f packets/s %.0f KiB/s, out %.0f packets/s %.0f KiB/s%n",
                    result.packetsIn(),
                    result.bytesIn() / 1024,
                    result.packetsOut(),
                    result.bytesOut() / 1024);
            out.printf(
                    Locale.ROOT,
                    "a client       is shown %.1f others and sent %.1f packets/s %.1f KiB/s; %d"
                            + " times somebody flickered%n",
                    result.shown(),
                    result.viewerPackets(),
                    result.viewerBytes() / 1024,
                    result.flickers());
            out.printf(
                    Locale.ROOT,
                    "generator      %.1f movements/s a client, p99 late by %.1f ms%s%n",
                    result.rate(),
                    result.slip(),
                    result.held()
                            ? ""
                            : ": IT COULD NOT HOLD ITS RATE, the figures above are not the"
                                    + " server's");
            result.problems().stream()
                    .distinct()
                    .forEach(problem -> out.println("problem        " + problem));
        }
        out.flush();
    }
}
