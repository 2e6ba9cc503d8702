package dev.wishdir.app;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Observer;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Game;
import dev.wishdir.game.Serving;
import dev.wishdir.net.Budget;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.world.BoxArena;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/** The arena with the endpoints of the games that are played in it, on one loop. */
final class Server implements AutoCloseable {
    /**
     * One game to serve.
     *
     * @param orAnyPort whether any free port will do where the address is taken
     * @param options the game's own settings
     */
    record Part(
            Game game, InetSocketAddress address, boolean orAnyPort, Map<String, String> options) {}

    /** What all games of a server share. */
    record Settings(
            String name, String map, int maxPlayers, String password, String adminPassword) {}

    private final NettyLoop loop = new NettyLoop("arena");
    private final DutyCycle cycle = loop.cycle();
    private final Counters counters = new Counters();
    private final Arena arena;
    private final Map<Game, Endpoint> endpoints = new LinkedHashMap<>();

    private Server(Settings settings) {
        arena = new Arena(BoxArena.BOUNDS, settings.maxPlayers());
    }

    /**
     * Opens the ports.
     *
     * @throws Failure if one can't be opened; none stays open then
     */
    static Server start(Settings settings, List<Part> parts, List<Observer> observers)
            throws Failure {
        Server server = new Server(settings);
        try {
            SecureRandom random = new SecureRandom();
            Budget budget = Budget.standard(random.nextLong());
            server.onLoop(() -> {
                observers.forEach(server.arena::observe);
                server.cycle.add(server.arena::advance);
                return null;
            });
            for (Part part : parts) {
                server.endpoints.put(
                        part.game(),
                        server.onLoop(() -> server.open(settings, part, budget, random)));
            }
            return server;
        } catch (Failure e) {
            server.close();
            throw e;
        }
    }

    private Endpoint open(Settings settings, Part part, Budget budget, RandomGenerator random)
            throws IOException {
        try {
            return part.game().serve(serving(settings, part, part.address(), budget, random));
        } catch (IOException e) {
            if (!part.orAnyPort()) {
                throw e;
            }
            InetSocketAddress any = new InetSocketAddress(part.address().getAddress(), 0);
            return part.game().serve(serving(settings, part, any, budget, random));
        }
    }

    private Serving serving(
            Settings settings,
            Part part,
            InetSocketAddress address,
            Budget budget,
            RandomGenerator random) {
        return new Serving(
                cycle,
                address,
                arena,
                settings.name(),
                settings.map(),
                settings.maxPlayers(),
                settings.password(),
                settings.adminPassword(),
                part.options(),
                budget,
                counters,
                random);
    }

    /** Where each game listens. */
    Map<Game, InetSocketAddress> addresses() {
        Map<Game, InetSocketAddress> addresses = new LinkedHashMap<>();
        endpoints.forEach((game, endpoint) -> addresses.put(game, endpoint.address()));
        return addresses;
    }

    Counters counters() {
        return counters;
    }

    /** Work on the arena's thread that may fail with a message for the operator. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** Does work on the arena's thread and waits for it. */
    <T extends @Nullable Object> T onLoop(Work<T> work) throws Failure {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(work.run());
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException
                    || e.getCause() instanceof IllegalArgumentException) {
                throw new Failure(String.valueOf(e.getCause().getMessage()), e);
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new Failure("the server's loop does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", e);
        }
    }

    /** Sends everyone away and closes the ports. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        cycle.execute(() -> {
            endpoints.values().forEach(endpoint -> endpoint.close("server is shutting down"));
            closed.complete(null);
        });
        closed.completeOnTimeout(null, 5, TimeUnit.SECONDS).join();
        cycle.close();
        loop.close();
    }
}
