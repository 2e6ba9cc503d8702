package dev.wishdir.app;

import com.google.gson.Gson;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.BoxArena;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.http.staticfiles.Location;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;

import org.eclipse.jetty.websocket.api.Callback;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The live map: a page, and a WebSocket that carries who is where ten times a second. It only
 * shows; nothing that a browser sends changes anything. At most {@link #MOST_SOCKETS} look at once;
 * one that reads too slowly misses pictures, and is dropped after {@link #SLOW_MILLIS}. Only pages
 * of this very server may open the socket.
 */
final class WebMap implements AutoCloseable {
    /** The TCP port of the demo's map. */
    static final int PORT = 8260;

    static final int MOST_SOCKETS = 64;
    private static final long PERIOD_MILLIS = 100;
    private static final long SLOW_MILLIS = 5000;
    private static final int LONGEST_MESSAGE = 1024;
    private static final Gson GSON = new Gson();

    private final InetSocketAddress address;
    private final Roster roster;
    private final Bounds bounds;
    private final Javalin javalin;
    private final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("web-map").factory());

    /** One browser; at most one picture is on its way to it. */
    private static final class Watcher {
        final WsContext socket;
        volatile boolean sending;
        long sentAt;

        Watcher(WsContext socket) {
            this.socket = socket;
        }
    }

    private WebMap(InetSocketAddress address, Roster roster, Bounds bounds) {
        this.address = address;
        this.roster = roster;
        this.bounds = bounds;
        javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.staticFiles.add("/web", Location.CLASSPATH);
                    config.staticFiles.enableWebjars();
                    config.jetty.modifyWebSocketServletFactory(factory -> {
                        factory.setMaxTextMessageSize(LONGEST_MESSAGE);
                        factory.setMaxBinaryMessageSize(LONGEST_MESSAGE);
                        factory.setMaxFrameSize(LONGEST_MESSAGE);
                    });
                    config.routes.before(WebMap::protect);
                    config.routes.wsBeforeUpgrade("/live", this::admit);
                    config.routes.ws("/live", this::follow);
                });
    }

    /**
     * Opens the page on the generated arena.
     *
     * @param where an address as typed, or {@code off}
     * @return null if it is off
     * @throws Failure if the address is unknown or can't be bound
     */
    static @Nullable WebMap start(String where, Roster roster) throws Failure {
        if (where.equals("off")) {
            return null;
        }
        try {
            return start(Address.parse(where).resolve(PORT), roster, BoxArena.BOUNDS);
        } catch (TypeConversionException e) {
            throw new Failure("--web: " + e.getMessage(), e);
        }
    }

    /**
     * Opens the page.
     *
     * @throws Failure if the address can't be bound
     */
    static WebMap start(InetSocketAddress address, Roster roster, Bounds bounds) throws Failure {
        WebMap map = new WebMap(address, roster, bounds);
        try {
            map.javalin.start(address.getHostString(), address.getPort());
        } catch (RuntimeException e) {
            map.close();
            throw new Failure(
                    "cannot open the web map on "
                            + address.getHostString()
                            + ":"
                            + address.getPort()
                            + ": "
                            + e.getMessage(),
                    e);
        }
        map.clock.scheduleAtFixedRate(
                map::publish, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return map;
    }

    String url() {
        String host =
                address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    int port() {
        return javalin.port();
    }

    private static void protect(Context context) {
        context.header(
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
                        + " connect-src 'self' ws: wss:");
        context.header("X-Content-Type-Options", "nosniff");
        context.header("X-Frame-Options", "DENY");
        context.header("Referrer-Policy", "no-referrer");
    }

    /** A page of another site must not read the feed through its visitor's browser. */
    private void admit(Context context) {
        String origin = context.header("Origin");
        if (origin != null && !sameHost(origin, String.valueOf(context.header("Host")))) {
            throw new ForbiddenResponse("pages of other sites may not watch");
        }
        if (watchers.size() >= MOST_SOCKETS) {
            throw new ServiceUnavailableResponse("already " + MOST_SOCKETS + " watch");
        }
    }

    private static boolean sameHost(String origin, String host) {
        try {
            return host.toLowerCase(Locale.ROOT)
                    .equals(String.valueOf(URI.create(origin).getAuthority()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void follow(WsConfig socket) {
        socket.onConnect(context -> {
            context.session.setIdleTimeout(Duration.ofHours(12));
            watchers.put(context.sessionId(), new Watcher(context));
        });
        socket.onClose(context -> watchers.remove(context.sessionId()));
        socket.onError(context -> watchers.remove(context.sessionId()));
        socket.onMessage(context -> context.closeSession(1008, "this socket only shows"));
    }

    private void publish() {
        if (watchers.isEmpty()) {
            return;
        }
        String picture = GSON.toJson(picture());
        long now = System.nanoTime();
        for (Watcher watcher : watchers.values()) {
            if (!watcher.sending) {
                send(watcher, picture, now);
            } else if (now - watcher.sentAt > TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS)) {
                watchers.values().remove(watcher);
                watcher.socket.session.disconnect();
            }
        }
    }

    private static void send(Watcher watcher, String picture, long now) {
        watcher.sending = true;
        watcher.sentAt = now;
        watcher.socket.session.sendText(
                picture,
                Callback.from(
                        () -> watcher.sending = false,
                        failure -> watcher.socket.session.disconnect()));
    }

    private Map<String, Object> picture() {
        Map<String, Object> picture = new LinkedHashMap<>();
        picture.put(
                "bounds",
                List.of(bounds.min().x(), bounds.min().y(), bounds.max().x(), bounds.max().y()));
        picture.put("players", roster.entries().stream().map(WebMap::player).toList());
        return picture;
    }

    private static Map<String, Object> player(Roster.Entry entry) {
        Map<String, Object> player = new LinkedHashMap<>();
        player.put("id", entry.id());
        player.put("game", entry.game());
        player.put("name", entry.name());
        if (entry.spawned()) {
            Vec3 at = entry.movement().position();
            player.put(
                    "position",
                    List.of(centimetres(at.x()), centimetres(at.y()), centimetres(at.z())));
            player.put("yaw", Math.rint(entry.movement().yaw()));
        }
        return player;
    }

    private static double centimetres(double metres) {
        return Math.rint(metres * 100) / 100;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        javalin.stop();
    }
}
