package dev.wishdir.app.serve.file;

import dev.wishdir.game.level.HttpDownloads;
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

/** The web page of downloadable map files, and the URL by which each client reaches it. */
public final class MapFiles implements Page {
    private static final String PATH = "/files";

    /** A stream over the bytes of a file, which all downloads share. */
    private static final class BytesInputStream extends InputStream {
        private final Bytes file;
        private int at;

        BytesInputStream(Bytes file) {
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

    public MapFiles(HttpDownloads httpDownloads) {
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
                        .orElseThrow(() -> new NotFoundResponse("no current map has this file"));
        // Clients show their progress by the length, which is that of the uncompressed file.
        context.disableCompression();
        context.res().setContentLength(file.length());
        context.contentType("application/octet-stream").result(new BytesInputStream(file));
    }

    /**
     * Announces the download URL to the clients of a server.
     *
     * @param url the operator's URL; {@code off} for none; empty for the address of this machine
     *     that each client uses
     */
    public static void publish(HttpDownloads httpDownloads, WebServer server, String url) {
        if (!url.equals("off")) {
            httpDownloads.setUrlProvider(
                    url.isEmpty() ? at(server.localAddress(), server::port) : at(url));
        }
    }

    /**
     * URLs with the address of this machine that the client uses.
     *
     * @param address the address of the web server
     * @param port its port, when it is open
     */
    static HttpDownloads.UrlProvider at(InetAddress address, IntSupplier port) {
        return client -> {
            Optional<InetAddress> source = localAddressFor(client);
            // Packets to an address of this machine have it as source too: the client is on this
            // host.
            boolean here = source.equals(Optional.of(client));
            return (address.isAnyLocalAddress() ? source : Optional.of(address))
                    .filter(local -> here || isReachable(client, local))
                    .map(local -> "http://" + host(local) + ":" + port.getAsInt() + PATH);
        };
    }

    /** The operator's URL, for all clients. */
    static HttpDownloads.UrlProvider at(String url) {
        String base = (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + PATH;
        return _ -> Optional.of(base);
    }

    /** The source address of this machine for packets to a client. */
    private static Optional<InetAddress> localAddressFor(InetAddress client) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(client, 9);
            InetAddress local = socket.getLocalAddress();
            return local.isAnyLocalAddress() ? Optional.empty() : Optional.of(local);
        } catch (SocketException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * Whether a client can reach an address of this machine. Public clients cannot reach a private
     * one, as a router in front of it may forward only the games' ports.
     */
    static boolean isReachable(InetAddress client, InetAddress local) {
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
