package dev.wishdir.app;

import com.google.gson.Gson;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.http.staticfiles.Location;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;

import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.websocket.api.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.TypeConversionException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The live map: a page, and a WebSocket that carries who is where at most ten times a second. It
 * only shows; all that a page may say is that it has seen a picture, and then it gets the next: one
 * that reads slowly misses pictures, and one that says nothing for {@link #IDLE_MILLIS} is dropped.
 * At most {@link #MOST_SOCKETS} look at once, at most {@link #MOST_OF_ADDRESS} of them from one
 * address. Requests for other hosts than {@link WebHosts} are not answered.
 */
final class WebMap implements AutoCloseable {
    /** The TCP port of the demo's map. */
    static final int PORT = 8260;

    static final int MOST_SOCKETS = 64;

    /** Of one IPv4 address or one /64. */
    static final int MOST_OF_ADDRESS = 8;

    static final long IDLE_MILLIS = 10_000;
    private static final long PERIOD_MILLIS = 100;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int IPV6_PREFIX = 8;
    private static final String SEEN = "seen";
    private static final Logger LOG = LoggerFactory.getLogger(WebMap.class);
    private static final Gson GSON = new Gson();

    private final InetSocketAddress address;
    private final Roster roster;
    private final WebHosts hosts;
    private final LongSupplier nanos;
    private final Javalin javalin;
    private final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("web-map").factory());

    /** One browser; at most one picture is on its way to it. */
    private static final class Watcher {
        final WsContext socket;
        final Bytes prefix;
        volatile boolean written = true;
        volatile boolean seen = true;
        long sentAt;

        Watcher(WsContext socket, Bytes prefix) {
            this.socket = socket;
            this.prefix = prefix;
        }
    }

    private WebMap(InetSocketAddress address, WebHosts hosts, Roster roster, LongSupplier nanos) {
        this.address = address;
        this.hosts = hosts;
        this.roster = roster;
        this.nanos = nanos;
        javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.staticFiles.add("/web", Location.CLASSPATH);
                    config.staticFiles.enableWebjars();
                    // Javalin makes a session for every socket, which nobody would ever end.
                    config.jetty.modifyServletContextHandler(handler -> {
                        SessionHandler sessions = handler.getSessionHandler();
                        NullSessionCache none = new NullSessionCache(sessions);
                        none.setSessionDataStore(new NullSessionDataStore());
                        sessions.setSessionCache(none);
                        sessions.setUsingCookies(false);
                    });
                    config.jetty.modifyWebSocketServletFactory(factory -> {
                        factory.setMaxTextMessageSize(LONGEST_MESSAGE);
                        factory.setMaxBinaryMessageSize(LONGEST_MESSAGE);
                        factory.setMaxFrameSize(LONGEST_MESSAGE);
                    });
                    config.routes.before(this::protect);
                    config.routes.wsBeforeUpgrade("/live", this::admit);
                    config.routes.ws("/live", this::follow);
                });
    }

    /**
     * Opens the page.
     *
     * @param where an address as typed, or {@code off}
     * @param names further names that it is asked for by
     * @return null if it is off
     * @throws Failure if the address is unknown or can't be bound
     */
    static @Nullable WebMap start(String where, List<String> names, Roster roster) throws Failure {
        if (where.equals("off")) {
            return null;
        }
        try {
            Address typed = Address.parse(where);
            List<String> served = new ArrayList<>(names);
            if (!typed.host().isEmpty()) {
                served.add(typed.host());
            }
            return start(typed.resolve(PORT), new WebHosts(served), roster, System::nanoTime);
        } catch (TypeConversionException e) {
            throw new Failure("--web: " + e.getMessage(), e);
        }
    }

    /**
     * Opens the page.
     *
     * @throws Failure if the address can't be bound
     */
    static WebMap start(
            InetSocketAddress address, WebHosts hosts, Roster roster, LongSupplier nanos)
            throws Failure {
        WebMap map = new WebMap(address, hosts, roster, nanos);
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
                map::turn, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
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

    private void protect(Context context) {
        context.header(
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
                        + " connect-src 'self' ws: wss:");
        context.header("X-Content-Type-Options", "nosniff");
        context.header("X-Frame-Options", "DENY");
        context.header("Referrer-Policy", "no-referrer");
        refuseOtherHosts(context);
    }

    private void refuseOtherHosts(Context context) {
        if (!hosts.serves(
                context.header("Host"),
                context.header("Origin"),
                literal(context.req().getLocalAddr()))) {
            throw new ForbiddenResponse("this map is not served under that name: see --web-host");
        }
    }

    private void admit(Context context) {
        refuseOtherHosts(context);
        if (isFull(prefix(literal(context.req().getRemoteAddr())))) {
            throw new ServiceUnavailableResponse("too many watch");
        }
    }

    /** An address as the servlet writes it, an IPv6 one in brackets. */
    private static InetAddress literal(String address) {
        return InetAddress.ofLiteral(Address.parse(address).host());
    }

    private static Bytes prefix(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Bytes.copyOf(bytes, 0, Math.min(bytes.length, IPV6_PREFIX));
    }

    private boolean isFull(Bytes prefix) {
        return watchers.size() >= MOST_SOCKETS
                || watchers.values().stream().filter(w -> w.prefix.equals(prefix)).count()
                        >= MOST_OF_ADDRESS;
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
        if (watcher == null || watcher.seen || !message.equals(SEEN)) {
            context.closeSession(1008, "this socket only shows");
        } else {
            watcher.seen = true;
        }
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
        String picture = GSON.toJson(picture());
        long now = nanos.getAsLong();
        for (Watcher watcher : watchers.values()) {
            if (watcher.written && watcher.seen) {
                send(watcher, picture, now);
            } else if (now - watcher.sentAt > TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS)) {
                watchers.values().remove(watcher);
                watcher.socket.session.disconnect();
            }
        }
    }

    private static void send(Watcher watcher, String picture, long now) {
        watcher.written = false;
        watcher.seen = false;
        watcher.sentAt = now;
        watcher.socket.session.sendText(
                picture,
                Callback.from(
                        () -> watcher.written = true,
                        failure -> watcher.socket.session.disconnect()));
    }

    private Map<String, Object> picture() {
        Map<String, Object> picture = new LinkedHashMap<>();
        Bounds bounds = roster.bounds();
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
