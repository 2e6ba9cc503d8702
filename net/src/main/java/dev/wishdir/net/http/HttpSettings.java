package dev.wishdir.net.http;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.PrefixLimits;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Limits of an HTTP port, which takes one small request a connection. Connections that have not
 * sent a complete request and connections that wait for their response are counted separately, with
 * the same limits. Where a limit is reached the oldest connection is closed.
 *
 * @param maxConnections maximum open at once
 * @param prefixLimits maximum open at once by address prefix
 * @param headTimeoutNanos time-out of a request's head, nanoseconds after the connection is
 *     accepted
 * @param requestTimeoutNanos time-out of the complete request, nanoseconds after the connection is
 *     accepted
 * @param responseTimeoutNanos time-out of the response after that, nanoseconds
 * @param maxBodyBytes maximum length of a request's body, bytes
 * @param trustedProxies trusted proxies, whose {@code X-Forwarded-For} names the client
 * @param tls certificate with which the same port also accepts TLS; null to close TLS connections
 *     at once
 */
public record HttpSettings(
        int maxConnections,
        PrefixLimits prefixLimits,
        long headTimeoutNanos,
        long requestTimeoutNanos,
        long responseTimeoutNanos,
        int maxBodyBytes,
        List<AddressRange> trustedProxies,
        @Nullable Tls tls) {
    /** Maximum length of a request's head, bytes. */
    public static final int MAX_HEAD_BYTES = 8 << 10;

    /** Maximum length of one line of the head, bytes. */
    public static final int MAX_LINE_BYTES = 2 << 10;

    /** Maximum number of header lines. */
    public static final int MAX_HEADER_LINES = 100;

    /**
     * Certificate and key, as PEM files.
     *
     * @param certificate the chain, the server's own first
     * @param key PKCS#8, not encrypted
     */
    public record Tls(Path certificate, Path key) {
        public Tls {
            Objects.requireNonNull(certificate, "certificate");
            Objects.requireNonNull(key, "key");
        }
    }

    public HttpSettings {
        Requirements.positive("maxConnections", maxConnections);
        Objects.requireNonNull(prefixLimits, "prefixLimits");
        Requirements.positive("headTimeoutNanos", headTimeoutNanos);
        Requirements.positive("requestTimeoutNanos", requestTimeoutNanos);
        Requirements.positive("responseTimeoutNanos", responseTimeoutNanos);
        Requirements.notNegative("maxBodyBytes", maxBodyBytes);
        trustedProxies = List.copyOf(Objects.requireNonNull(trustedProxies, "trustedProxies"));
    }

    /**
     * 256 connections, 8 an address, 32 a /24 or /56, 64 a /48, 3 s for the head, 5 s for the
     * request, 7 s for the response, 16 KiB of body.
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
