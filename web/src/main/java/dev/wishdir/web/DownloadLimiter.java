package dev.wishdir.web;

import dev.wishdir.wire.Bytes;

import io.javalin.http.Context;
import io.javalin.http.ServiceUnavailableResponse;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limit on the downloads that are written or sent at once, in total and for each address (IPv6:
 * /64): each takes a temporary file until its browser has read it, however slowly. Thread-safe.
 */
public final class DownloadLimiter {
    static final int MAX_DOWNLOADS = 8;
    static final int MAX_DOWNLOADS_PER_ADDRESS = 2;

    /** Writes the content of a download. */
    @FunctionalInterface
    public interface Content {
        void write(Path file) throws IOException;
    }

    private final Map<Bytes, Integer> byAddress = new HashMap<>();
    private int downloads;

    /**
     * Writes a download to a temporary file and sends it.
     *
     * @param name of the file, for the browser; letters, digits, dots, hyphens and underscores
     * @throws ServiceUnavailableResponse if the address or all together have too many
     */
    public void send(Context context, String name, String contentType, Content content)
            throws IOException {
        Optional<InetAddress> address = ClientAddress.of(context);
        enter(address);
        try {
            Path folder = Files.createTempDirectory("wishdir-download");
            Path file = folder.resolve("download");
            try {
                content.write(file);
                context.header("Content-Disposition", "attachment; filename=\"" + name + "\"");
                new RangedFile(file, contentType).answer(context);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } finally {
            leave(address);
        }
    }

    /**
     * Counts a download until {@link #leave}.
     *
     * @throws ServiceUnavailableResponse if the address or all together have too many
     */
    synchronized void enter(Optional<InetAddress> address) {
        Optional<Bytes> prefix = address.map(WebHosts::prefix);
        int own = prefix.map(it -> byAddress.getOrDefault(it, 0)).orElse(0);
        if (own == MAX_DOWNLOADS_PER_ADDRESS || downloads == MAX_DOWNLOADS) {
            throw new ServiceUnavailableResponse(
                    own == MAX_DOWNLOADS_PER_ADDRESS
                            ? own + " downloads are being sent to your address: try again later"
                            : downloads + " downloads are being sent: try again later");
        }
        prefix.ifPresent(it -> byAddress.put(it, own + 1));
        downloads++;
    }

    /** Ends a download that {@link #enter} has counted. */
    synchronized void leave(Optional<InetAddress> address) {
        address.map(WebHosts::prefix)
                .ifPresent(it ->
                        byAddress.computeIfPresent(it, (_, own) -> own == 1 ? null : own - 1));
        downloads--;
    }
}
