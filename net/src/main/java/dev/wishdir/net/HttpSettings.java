package dev.wishdir.net;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How a port of HTTP listens: one request a connection, small and quick. Connections that have not
 * sent a whole request are counted apart from those that are answered; the limits hold for each of
 * both. Where a limit is reached the oldest connection is closed.
 *
 * @param connections the most at once
 * @param connectionsOfPrefix the most at once of one prefix of addresses
 * @param header nanoseconds until the head of a request has to be there
 * @param whole nanoseconds until all of it has to be there
 * @param answer nanoseconds that the answer may take after that
 * @param body the most bytes of a request's content
 * @param proxies whose word in {@code X-Forwarded-For} is taken for who asks
 * @param tls with which the same port speaks TLS too; null to close such connections at once
 */
public record HttpSettings(
        int connections,
        PrefixLimits connectionsOfPrefix,
        long header,
        long whole,
        long answer,
        int body,
        List<AddressRange> proxies,
        @Nullable Tls tls) {
    /** The most bytes of a request's head. */
    public static final int HEAD = 8 << 10;

    /** The most bytes of one line of it. */
    public static final int LINE = 2 << 10;

    /** The most lines of it. */
    public static final int LINES = 100;

    /**
     * Files in PEM.
     *
     * @param certificate the chain, the server's own first
     * @param key PKCS#8, not encrypted
     */
    public record Tls(Path certificate, Path key) {}

    public HttpSettings {
        proxies = List.copyOf(proxies);
    }

    /**
     * 256 connections, 8 of an address, 32 of a /24 or /56, 64 of a /48, 3 s for the head, 5 s for
     * the whole, 16 KiB of content.
     */
    public static HttpSettings standard(List<AddressRange> proxies, @Nullable Tls tls) {
        return new HttpSettings(
                256,
                new PrefixLimits(8, 32, 64),
                TimeUnit.SECONDS.toNanos(3),
                TimeUnit.SECONDS.toNanos(5),
                TimeUnit.SECONDS.toNanos(7),
                16 << 10,
                proxies,
                tls);
    }
}
