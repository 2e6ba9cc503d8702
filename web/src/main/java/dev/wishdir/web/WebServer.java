package dev.wishdir.web;

import dev.wishdir.net.PortException;
import dev.wishdir.net.limit.MemoryConsumer;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.TooManyRequestsResponse;
import io.javalin.http.staticfiles.Location;

import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The HTTP and WebSocket server of the web port. It refuses all requests for other hosts than those
 * of its {@link WebHosts}, and requests from other origins.
 */
public final class WebServer implements AutoCloseable {
    /** The default TCP port. */
    public static final int PORT = 8260;

    /** Maximum length of a WebSocket message from a browser. */
    static final int MAX_MESSAGE_BYTES = 1024;

    /** Maximum length of the head of a request. */
    private static final int MAX_HEADER_BYTES = 8 << 10;

    private static final int MAX_THREADS = 32;

    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none';";

    private static final String REPLAY_PAGE = "/replay.html";

    /** Its zstd is WebAssembly, in a script as a data URL. */
    private static final String REPLAY_SCRIPTS = " script-src 'self' 'wasm-unsafe-eval';";

    /** It plays recordings of any server that allows it. */
    private static final String REPLAY_REQUESTS = " connect-src 'self' data: http: https:;";

    private final InetSocketAddress address;
    private final WebHosts hosts;
    private final List<Page> pages;
    private final Javalin javalin;
    private final WebConnections connections;

    private WebServer(InetSocketAddress address, WebHosts hosts, List<Page> pages) {
        this.address = address;
        this.hosts = hosts;
        this.pages = List.copyOf(pages);
        connections = new WebConnections(hosts::isTrusted);
        javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.threadPool = threads();
                    config.jetty.addConnector((server, http) -> {
                        http.setRequestHeaderSize(MAX_HEADER_BYTES);
                        WebConnector connector = new WebConnector(server, http, connections);
                        connector.setHost(address.getHostString());
                        connector.setPort(address.getPort());
                        return connector;
                    });
                    config.staticFiles.add("/web", Location.CLASSPATH);
                    // Javalin would create a session for each WebSocket and never end it.
                    config.jetty.modifyServletContextHandler(handler -> {
                        SessionHandler sessions = handler.getSessionHandler();
                        NullSessionCache none = new NullSessionCache(sessions);
                        none.setSessionDataStore(new NullSessionDataStore());
                        sessions.setSessionCache(none);
                        sessions.setUsingCookies(false);
                    });
                    config.jetty.modifyWebSocketServletFactory(factory -> {
                        factory.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
                        factory.setMaxBinaryMessageSize(MAX_MESSAGE_BYTES);
                        factory.setMaxFrameSize(MAX_MESSAGE_BYTES);
                    });
                    config.routes.before(this::protect);
                    config.routes.wsBeforeUpgrade(context -> {
                        ClientAddress.set(context, hosts);
                        checkHost(context);
                    });
                    this.pages.forEach(page -> page.add(config.routes));
                });
    }

    /**
     * Starts a server.
     *
     * @param address the local address; port 0 for any port
     * @param pages pages besides the static files of this module; closed with the server
     * @throws PortException if the address cannot be bound
     */
    public static WebServer start(InetSocketAddress address, WebHosts hosts, List<Page> pages)
            throws PortException {
        WebServer server = new WebServer(address, hosts, pages);
        try {
            server.javalin.start();
        } catch (RuntimeException e) {
            server.close();
            throw new PortException(true, address, bindFailure(e));
        }
        return server;
    }

    /** The bind error that Javalin and Jetty wrap; the failure itself if there is none. */
    private static Throwable bindFailure(Throwable failure) {
        for (Throwable it = failure; it != null; it = it.getCause()) {
            if (it instanceof BindException) {
                return it;
            }
        }
        return failure;
    }

    /** A pool with virtual threads for answers, so that a slow peer does not block others. */
    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
        threads.setName("web");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("web-"));
        return threads;
    }

    /** The memory of the connections, for the memory budget. */
    public MemoryConsumer connections() {
        return connections;
    }

    /** The URL for a browser on this machine. */
    public String url() {
        String host =
                address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** The local address. */
    public InetAddress localAddress() {
        return address.getAddress();
    }

    /** The TCP port. */
    public int port() {
        return javalin.port();
    }

    private void protect(Context context) {
        checkRateLimit(context);
        ClientAddress.set(context, hosts);
        boolean isReplay = context.path().equals(REPLAY_PAGE);
        context.header(
                "Content-Security-Policy",
                POLICY
                        + (isReplay ? REPLAY_SCRIPTS : " script-src 'self';")
                        + (isReplay ? REPLAY_REQUESTS : " connect-src 'self';"));
        context.header("X-Content-Type-Options", "nosniff");
        context.header("X-Frame-Options", "DENY");
        context.header("Referrer-Policy", "no-referrer");
        checkHost(context);
    }

    private static void checkRateLimit(Context context) {
        if (context.attribute(WebConnector.REFUSED) != null) {
            throw new TooManyRequestsResponse("too many requests from your address");
        }
    }

    private void checkHost(Context context) {
        if (!hosts.isAllowed(
                context.header("Host"),
                context.header("Origin"),
                WebHosts.literal(context.req().getLocalAddr()))) {
            throw new ForbiddenResponse(
                    "requests for this host name are refused: see --web-allowed-host");
        }
    }

    @Override
    public void close() {
        pages.forEach(Page::close);
        javalin.stop();
    }
}
