package dev.wishdir.web;

import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.PortException;

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
 * HTTP and WebSocket for browsers and whoever else asks. Requests for other hosts than those of its
 * {@link WebHosts}, and of pages of others, are not answered, whatever is asked for.
 */
public final class WebServer implements AutoCloseable {
    /** The TCP port where none is named. */
    public static final int PORT = 8260;

    /** The longest message that a browser may send, bytes. */
    static final int MAX_MESSAGE_BYTES = 1024;

    /** The largest head of a request, bytes. */
    private static final int MAX_HEADER_BYTES = 8 << 10;

    private static final int MAX_THREADS = 32;

    private final InetSocketAddress address;
    private final WebHosts hosts;
    private final List<Page> pages;
    private final Javalin javalin;
    private final WebConnections connections = new WebConnections();

    private WebServer(InetSocketAddress address, WebHosts hosts, List<Page> pages) {
        this.address = address;
        this.hosts = hosts;
        this.pages = List.copyOf(pages);
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
                    // Javalin makes a session for every socket, which nobody would ever end.
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
                    config.routes.wsBeforeUpgrade(this::refuseOtherHosts);
                    this.pages.forEach(page -> page.add(config.routes));
                });
    }

    /**
     * Opens the pages.
     *
     * @param address where, port 0 for any
     * @param pages what is shown beside the files of this module; closed with the server
     * @throws PortException if the address can't be bound
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

    /** The system's reason, which Javalin and Jetty wrap in texts of their own. */
    private static Throwable bindFailure(Throwable failure) {
        for (Throwable it = failure; it != null; it = it.getCause()) {
            if (it instanceof BindException) {
                return it;
            }
        }
        return failure;
    }

    /** Virtual threads answer, so that a peer that does not read keeps no other from an answer. */
    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
        threads.setName("web");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("web-"));
        return threads;
    }

    /** The memory that its connections hold, to be counted with all other. */
    public MemoryConsumer connections() {
        return connections;
    }

    /** What to type into a browser of this machine. */
    public String url() {
        String host =
                address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Where it listens. */
    public InetAddress bound() {
        return address.getAddress();
    }

    /** The TCP port. */
    public int port() {
        return javalin.port();
    }

    private void protect(Context context) {
        refuseWhoAsksTooOften(context);
        context.header(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                        + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                        + " frame-ancestors 'none'");
        context.header("X-Content-Type-Options", "nosniff");
        context.header("X-Frame-Options", "DENY");
        context.header("Referrer-Policy", "no-referrer");
        refuseOtherHosts(context);
    }

    private static void refuseWhoAsksTooOften(Context context) {
        if (context.attribute(WebConnector.REFUSED) != null) {
            throw new TooManyRequestsResponse("too often from your address");
        }
    }

    private void refuseOtherHosts(Context context) {
        if (!hosts.serves(
                context.header("Host"),
                context.header("Origin"),
                WebHosts.literal(context.req().getLocalAddr()))) {
            throw new ForbiddenResponse(
                    "this map is not served under that name: see --web-allowed-host");
        }
    }

    @Override
    public void close() {
        pages.forEach(Page::close);
        javalin.stop();
    }
}
