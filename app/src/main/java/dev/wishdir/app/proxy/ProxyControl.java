package dev.wishdir.app.proxy;

import dev.wishdir.app.command.Fault;
import dev.wishdir.app.command.Faults;
import dev.wishdir.game.proxy.Proxy;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.web.explore.LiveControl;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The faults and counts of a proxy, for its page. Thread-safe: it asks the proxy's thread. */
final class ProxyControl implements LiveControl {
    private static final int TIMEOUT_SECONDS = 5;

    private static final List<FaultRange> FAULTS =
            Arrays.stream(Fault.values())
                    .map(it -> new FaultRange(it.label(), it.max(), it.unit()))
                    .toList();

    private final DutyCycle cycle;
    private final Faults faults;
    private final LinkEmulation links;
    private final Proxy proxy;
    private final TrafficWatch watch;

    ProxyControl(
            DutyCycle cycle, Faults faults, LinkEmulation links, Proxy proxy, TrafficWatch watch) {
        this.cycle = cycle;
        this.faults = faults;
        this.links = links;
        this.proxy = proxy;
        this.watch = watch;
    }

    @Override
    public State state() {
        return onLoop(() -> {});
    }

    @Override
    public State change(String line) {
        return onLoop(() -> {
            faults.change(line);
            links.conditions(faults.up(), faults.down());
        });
    }

    /** Does something on the proxy's thread, and returns the state after it. */
    private State onLoop(Runnable first) {
        CompletableFuture<State> done = new CompletableFuture<>();
        try {
            cycle.execute(() -> {
                try {
                    first.run();
                    done.complete(current());
                } catch (RuntimeException | Error e) {
                    done.completeExceptionally(e);
                }
            });
            return done.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the proxy has ended", e);
        } catch (CompletionException e) {
            throw e.getCause() instanceof IllegalArgumentException wrong
                    ? new IllegalArgumentException(wrong.getMessage(), wrong)
                    : new IllegalStateException("the proxy does not answer", e);
        }
    }

    private State current() {
        return new State(
                FAULTS,
                values(true),
                values(false),
                links.upCounters(),
                links.downCounters(),
                proxy.clients(),
                watch.missed());
    }

    private Map<String, Double> values(boolean toServer) {
        Map<String, Double> values = new LinkedHashMap<>();
        faults.values(toServer).forEach((fault, value) -> values.put(fault.label(), value));
        return values;
    }
}
