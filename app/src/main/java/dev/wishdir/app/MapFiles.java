package dev.wishdir.app;

import dev.wishdir.game.HttpDownloads;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;

import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The files of the levels on the web port, and where clients reach it. */
final class MapFiles implements Page {
    private static final String PATH = "/files";

    /** The bytes of a file, which all who fetch it share, however slowly they do. */
    private static final class Reading extends InputStream {
        private final Bytes file;
        private int at;

        Reading(Bytes file) {
            this.file = file;
        }

        @Override
        public int read() {
            return at == file.length() ? -1 : file.get(at++) & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = Math.min(length, file.length() - at);
            if (count == 0 && length > 0) {
                return -1;
            }
            file.slice(at, count).copyTo(into, offset);
            at += count;
            return count;
        }
    }

    private final HttpDownloads httpDownloads;

    MapFiles(HttpDownloads httpDownloads) {
        this.httpDownloads = httpDownloads;
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.get(PATH + "/{game}/<path>", this::answer);
    }

    private void answer(Context context) {
        Bytes file =
                httpDownloads
                        .file(
                                context.pathParam("game"),
                                context.pathParam("path"),
                                WebHosts.literal(context.req().getRemoteAddr()))
                        .orElseThrow(() -> new NotFoundResponse("no level has such a file"));
        // Clients show how far they are by the length, which is of the file as it is.
        context.disableCompression();
        context.res().setContentLength(file.length());
        context.contentType("application/octet-stream").result(new Reading(file));
    }

    /**
     * Has the clients of a server told of the files.
     *
     * @param url what the operator says of where they are, {@code off} for nowhere, empty for where
     *     clients reach the web server
     */
    static void tell(HttpDownloads httpDownloads, WebServer server, String url) {
        if (!url.equals("off")) {
            httpDownloads.open(url.isEmpty() ? at(server.bound(), server::port) : at(url));
        }
    }

    /**
     * The URL for each client, by which address of this machine it is reached.
     *
     * @param bound where the web server listens
     * @param port its port, when it is open
     */
    static HttpDownloads.Shelf at(InetAddress bound, IntSupplier port) {
        return client -> {
            Optional<InetAddress> source = towards(client);
            // Packets to an address of this machine leave from the same: a client on the same host.
            boolean here = source.equals(Optional.of(client));
            return (bound.isAnyLocalAddress() ? source : Optional.of(bound))
                    .filter(local -> here || reaches(client, local))
                    .map(local -> "http://" + host(local) + ":" + port.getAsInt() + PATH);
        };
    }

    /** The URL that the operator gives, for all. */
    static HttpDownloads.Shelf at(String url) {
        String base = (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + PATH;
        return _ -> Optional.of(base);
    }

    /** The address of this machine from which packets to a client leave. */
    private static Optional<InetAddress> towards(InetAddress client) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(client, 9);
            InetAddress local = socket.getLocalAddress();
            return local.isAnyLocalAddress() ? Optional.empty() : Optional.of(local);
        } catch (SocketException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** Not from outside where this machine is behind a router that only passes the games' ports. */
    static boolean reaches(InetAddress client, InetAddress local) {
        return local.isLoopbackAddress() == client.isLoopbackAddress()
                && !local.isLinkLocalAddress()
                && (!isPrivate(local) || isPrivate(client));
    }

    private static boolean isPrivate(InetAddress address) {
        boolean unique =
                address instanceof Inet6Address && (address.getAddress()[0] & 0xFE) == 0xFC;
        return unique || address.isSiteLocalAddress() || address.isLoopbackAddress();
    }

    private static String host(InetAddress address) {
        String literal = AddressText.of(address);
        return address instanceof Inet6Address ? "[" + literal + "]" : literal;
    }
}
