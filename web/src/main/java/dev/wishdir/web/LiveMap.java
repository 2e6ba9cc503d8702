package dev.wishdir.web;

import com.google.gson.JsonObject;

import dev.wishdir.motion.Bounds;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.StockMap;
import dev.wishdir.world.blocks.Surface;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;

import org.eclipse.jetty.websocket.api.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The live map: a page, and a WebSocket that carries what has changed of who is where ({@code
 * Told}), at most 20 times a second. It only shows; all that a page may say is that it has seen a
 * picture, or wants all anew, and then it gets the next: one that reads slowly misses pictures, and
 * one that says nothing for {@code IDLE_TIMEOUT_MILLIS} is dropped. At most {@code MAX_SOCKETS}
 * look at once, at most {@code MAX_SOCKETS_PER_ADDRESS} of them from one address.
 */
public final class LiveMap implements Page {
    static final int MAX_SOCKETS = 64;

    /** Of one IPv4 address or one /64. */
    static final int MAX_SOCKETS_PER_ADDRESS = 8;

    static final long IDLE_TIMEOUT_MILLIS = 10_000;
    private static final long PERIOD_MILLIS = 50;
    private static final int IPV6_PREFIX = 8;
    private static final String SEEN = "seen";
    private static final String ALL = "all";
    private static final Logger LOG = LoggerFactory.getLogger(LiveMap.class);

    private final LivePlayers livePlayers;
    private final Map<String, BlockArena> arenas = new LinkedHashMap<>();
    private final Function<String, Optional<StockMap>> stock;

    /** By the level's name; empty where nothing is known but the name. */
    private final Map<String, Optional<Scene>> scenes = new ConcurrentHashMap<>();

    private final LongSupplier nanos;
    private final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("web-map").factory());

    /** One browser; at most one picture is on its way to it. */
    private static final class Watcher {
        final WsContext socket;
        final Bytes prefix;
        final LiveDeltaEncoder encoder = new LiveDeltaEncoder();
        volatile boolean forgets;
        volatile boolean written = true;
        volatile boolean seen = true;
        long sentAt;

        Watcher(WsContext socket, Bytes prefix) {
            this.socket = socket;
            this.prefix = prefix;
        }
    }

    /**
     * A map of whom the roster knows.
     *
     * @param arenas that may be played, of which the first is at first
     * @param stock the map of a game by its name, where there is such; asked by any thread about a
     *     level that is played and no arena. Of one that it has not the bounds are drawn alone
     */
    public LiveMap(
            LivePlayers livePlayers,
            List<BlockArena> arenas,
            Function<String, Optional<StockMap>> stock) {
        this(livePlayers, arenas, stock, System::nanoTime);
    }

    /**
     * @param nanos the arena's clock
     */
    LiveMap(
            LivePlayers livePlayers,
            List<BlockArena> arenas,
            Function<String, Optional<StockMap>> stock,
            LongSupplier nanos) {
        this.livePlayers = livePlayers;
        this.stock = stock;
        arenas.forEach(arena -> this.arenas.put(arena.name(), arena));
        this.nanos = nanos;
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.wsBeforeUpgrade("/live", this::admit);
        routes.ws("/live", this::follow);
        routes.get("/scene/{name}", this::mesh);
        clock.scheduleAtFixedRate(this::turn, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void mesh(Context context) {
        String name = context.pathParam("name");
        if (!arenas.containsKey(name) && !livePlayers.levels().contains(name)) {
            throw new NotFoundResponse("there is no such arena");
        }
        scenes.computeIfAbsent(name, this::made)
                .orElseThrow(() -> new NotFoundResponse("nobody knows how it looks"))
                .answer(context);
    }

    private Optional<Scene> made(String name) {
        BlockArena arena = arenas.get(name);
        return arena != null
                ? Optional.of(new Scene(Mesh.of(arena)))
                : stock.apply(name).map(map -> new Scene(Mesh.of(Surface.of(map))));
    }

    private void admit(Context context) {
        if (isFull(prefix(WebHosts.literal(context.req().getRemoteAddr())))) {
            throw new ServiceUnavailableResponse("too many watch");
        }
    }

    private static Bytes prefix(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Bytes.copyOf(bytes, 0, Math.min(bytes.length, IPV6_PREFIX));
    }

    private boolean isFull(Bytes prefix) {
        return watchers.size() >= MAX_SOCKETS
                || watchers.values().stream().filter(w -> w.prefix.equals(prefix)).count()
                        >= MAX_SOCKETS_PER_ADDRESS;
    }

    private void follow(WsConfig socket) {
        socket.onConnect(this::enter);
        socket.onClose(context -> watchers.remove(context.sessionId()));
        socket.onError(context -> watchers.remove(context.sessionId()));
        socket.onMessage(context -> hear(context, context.message()));
        socket.onBinaryMessage(context -> hear(context, ""));
    }

    /** Many may have been told at once that there is a place. */
    private synchronized void enter(WsContext context) {
        Bytes prefix =
                prefix(((InetSocketAddress) context.session.getRemoteSocketAddress()).getAddress());
        if (isFull(prefix)) {
            context.closeSession(1013, "too many watch");
            return;
        }
        context.session.setIdleTimeout(Duration.ZERO);
        watchers.put(context.sessionId(), new Watcher(context, prefix));
    }

    private void hear(WsContext context, String message) {
        Watcher watcher = watchers.get(context.sessionId());
        if (watcher == null || watcher.seen || !isMessage(message)) {
            context.closeSession(1008, "this socket only shows");
        } else {
            watcher.forgets = message.equals(ALL);
            watcher.seen = true;
        }
    }

    private static boolean isMessage(String message) {
        return message.equals(SEEN) || message.equals(ALL);
    }

    private void turn() {
        try {
            publish();
        } catch (RuntimeException e) {
            LOG.warn("the live map missed a picture", e);
        }
    }

    private void publish() {
        if (watchers.isEmpty()) {
            return;
        }
        JsonObject played = played();
        long now = nanos.getAsLong();
        for (Watcher watcher : watchers.values()) {
            if (watcher.written && watcher.seen) {
                if (watcher.forgets) {
                    watcher.encoder.forget();
                }
                send(watcher, watcher.encoder.picture(now, livePlayers, played), now);
            } else if (now - watcher.sentAt > TimeUnit.MILLISECONDS.toNanos(IDLE_TIMEOUT_MILLIS)) {
                watchers.values().remove(watcher);
                watcher.socket.session.disconnect();
            }
        }
    }

    private static void send(Watcher watcher, byte[] picture, long now) {
        watcher.written = false;
        watcher.seen = false;
        watcher.sentAt = now;
        watcher.socket.session.sendBinary(
                ByteBuffer.wrap(picture),
                Callback.from(
                        () -> watcher.written = true,
                        failure -> watcher.socket.session.disconnect()));
    }

    /** The arena of blocks that somebody plays or else a game's map, and where everybody may be. */
    private JsonObject played() {
        Bounds bounds = livePlayers.bounds();
        Set<String> names = livePlayers.levels();
        return arenas.values().stream()
                .filter(arena -> names.isEmpty() || names.contains(arena.name()))
                .findFirst()
                .map(arena -> LiveDeltaEncoder.level(arena.name(), arena.title(), bounds))
                .orElseGet(() -> {
                    List<String> maps = names.stream().sorted().toList();
                    String first = maps.isEmpty() ? "" : maps.getFirst();
                    return LiveDeltaEncoder.level(first, String.join(", ", maps), bounds);
                });
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
