package dev.wishdir.web.map;

import com.google.gson.JsonObject;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.Surface;
import dev.wishdir.motion.Bounds;
import dev.wishdir.web.ClientAddress;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebHosts;
import dev.wishdir.wire.Bytes;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;

import org.eclipse.jetty.websocket.api.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * The live map: a page, and a WebSocket with the changes of all players ({@link LiveDeltaEncoder}),
 * at most 20 times a second. A browser acknowledges each message before it gets the next, so that a
 * slow one skips intermediate states; it can also request a full state. A browser that does not
 * acknowledge within {@code IDLE_TIMEOUT_MILLIS} is disconnected. There are at most {@code
 * MAX_SOCKETS} WebSockets, {@code MAX_SOCKETS_PER_ADDRESS} of one address.
 */
public final class LiveMap implements Page {
    static final int MAX_SOCKETS = 64;

    /** Maximum number of one IPv4 address or IPv6 /64. */
    static final int MAX_SOCKETS_PER_ADDRESS = 8;

    static final long IDLE_TIMEOUT_MILLIS = 10_000;
    private static final long PERIOD_MILLIS = 50;
    private static final String ACKNOWLEDGED = "seen";
    private static final String RESET = "all";
    private static final Logger LOG = LoggerFactory.getLogger(LiveMap.class);

    private final LivePlayers livePlayers;
    private final Map<String, BlockArena> arenas = new LinkedHashMap<>();
    private final Function<String, Optional<StockMap>> stock;

    /** A level without a scene is looked up again after this time: its file may be there then. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * A level as far as it is known.
     *
     * @param scene empty if only the name is known
     * @param madeAt on the arena's clock, nanoseconds
     */
    private record KnownScene(Optional<Scene> scene, long madeAt) {}

    /** Scenes of the arenas and of the levels that are played, by the level's name. */
    private final Map<String, KnownScene> scenes = new ConcurrentHashMap<>();

    private final LongSupplier nanos;
    private final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("web-map").factory());

    /** A browser; at most one message to it is unacknowledged. */
    private static final class Watcher {
        final WsContext socket;
        final Optional<Bytes> prefix;
        final LiveDeltaEncoder encoder = new LiveDeltaEncoder();
        volatile boolean needsReset;
        volatile boolean written = true;
        volatile boolean closing;
        volatile boolean acknowledged = true;
        long sentAt;

        Watcher(WsContext socket, Optional<Bytes> prefix) {
            this.socket = socket;
            this.prefix = prefix;
        }
    }

    /**
     * A map of players.
     *
     * @param arenas arenas that can be played; the first is played first
     * @param stock looks up the stock map of a level that is not an arena, on any thread; of an
     *     unknown one, only the bounds are drawn
     * @param nanos the arena's clock, read on any thread: movements have its times
     */
    public LiveMap(
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
        routes.ws("/live", this::configure);
        routes.get("/scene/{name}", this::mesh);
        clock.scheduleAtFixedRate(
                this::publishSafely, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void mesh(Context context) {
        String name = context.pathParam("name");
        Set<String> played = livePlayers.levels();
        scenes.keySet().removeIf(it -> !arenas.containsKey(it) && !played.contains(it));
        if (!arenas.containsKey(name) && !played.contains(name)) {
            throw new NotFoundResponse("there is no arena or current map '" + name + "'");
        }
        long now = nanos.getAsLong();
        scenes.values().removeIf(it -> it.scene.isEmpty() && now - it.madeAt >= RETRY_NANOS);
        scenes.computeIfAbsent(name, it -> new KnownScene(createScene(it), now))
                .scene()
                .orElseThrow(() ->
                        new NotFoundResponse("there is no geometry of the map '" + name + "'"))
                .answer(context);
    }

    private Optional<Scene> createScene(String name) {
        BlockArena arena = arenas.get(name);
        return arena != null
                ? Optional.of(new Scene(Mesh.of(arena)))
                : stock.apply(name).map(map -> new Scene(Mesh.of(Surface.of(map))));
    }

    private void admit(Context context) {
        if (isFull(ClientAddress.of(context).map(WebHosts::prefix))) {
            throw new ServiceUnavailableResponse("the live map has too many viewers");
        }
    }

    private boolean isFull(Optional<Bytes> prefix) {
        return watchers.size() >= MAX_SOCKETS
                || prefix.isPresent()
                        && watchers.values().stream().filter(w -> w.prefix.equals(prefix)).count()
                                >= MAX_SOCKETS_PER_ADDRESS;
    }

    private void configure(WsConfig socket) {
        socket.onConnect(this::onConnect);
        socket.onClose(context -> watchers.remove(context.sessionId()));
        socket.onError(context -> watchers.remove(context.sessionId()));
        socket.onMessage(context -> onMessage(context, context.message()));
        socket.onBinaryMessage(context -> onMessage(context, ""));
    }

    /** Checks the limits again, as several requests may have passed the first check together. */
    private synchronized void onConnect(WsContext context) {
        Optional<Bytes> prefix = ClientAddress.of(context).map(WebHosts::prefix);
        if (isFull(prefix)) {
            context.closeSession(1013, "the live map has too many viewers");
            return;
        }
        context.session.setIdleTimeout(Duration.ZERO);
        watchers.put(context.sessionId(), new Watcher(context, prefix));
    }

    private void onMessage(WsContext context, String message) {
        Watcher watcher = watchers.get(context.sessionId());
        if (watcher == null || watcher.closing) {
            return;
        }
        if (watcher.acknowledged || !isMessage(message)) {
            watcher.closing = true;
            context.closeSession(
                    1008, "unexpected message: this socket accepts acknowledgements only");
        } else {
            watcher.needsReset = message.equals(RESET);
            watcher.acknowledged = true;
        }
    }

    private static boolean isMessage(String message) {
        return message.equals(ACKNOWLEDGED) || message.equals(RESET);
    }

    private void publishSafely() {
        try {
            publish();
        } catch (RuntimeException | Error e) {
            // Thrown on, it would end all further updates without a word.
            LOG.warn("live map skipped an update", e);
        }
    }

    private void publish() {
        if (watchers.isEmpty()) {
            return;
        }
        JsonObject played = currentLevel();
        long now = nanos.getAsLong();
        for (Watcher watcher : watchers.values()) {
            if (watcher.written && watcher.acknowledged && !watcher.closing) {
                if (watcher.needsReset) {
                    watcher.encoder.reset();
                }
                send(watcher, watcher.encoder.encode(now, livePlayers, played), now);
            } else if (now - watcher.sentAt > TimeUnit.MILLISECONDS.toNanos(IDLE_TIMEOUT_MILLIS)) {
                watchers.values().remove(watcher);
                watcher.socket.session.disconnect();
            }
        }
    }

    private static void send(Watcher watcher, byte[] message, long now) {
        watcher.written = false;
        watcher.acknowledged = false;
        watcher.sentAt = now;
        watcher.socket.session.sendBinary(
                ByteBuffer.wrap(message),
                Callback.from(() -> watcher.written = true, failure -> onFailure(watcher)));
    }

    /** A write also fails because the socket is closing: then the browser still gets the reason. */
    private static void onFailure(Watcher watcher) {
        if (!watcher.closing) {
            watcher.socket.session.disconnect();
        }
    }

    /** The arena of blocks that is played, or a game's own map, with the bounds of all players. */
    private JsonObject currentLevel() {
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
