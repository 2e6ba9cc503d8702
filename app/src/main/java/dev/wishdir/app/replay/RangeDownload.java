package dev.wishdir.app.replay;

import dev.wishdir.wire.ExceptionMessage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

/**
 * A local copy of a file that grows on a web server, fetched in ranges (RFC 9110, 14). It sends no
 * credentials and no cookies, follows no redirect, and needs at most {@link #MAX_RANGE_BYTES} of
 * memory. An outage is waited out; an answer that cannot be right ends the download.
 */
final class RangeDownload implements AutoCloseable {
    /** Maximum size of the file. */
    static final long MAX_FILE_BYTES = 1L << 30;

    /** Maximum size of one answer. */
    static final int MAX_RANGE_BYTES = 1 << 20;

    /** Minimum interval between requests, unless there is more than one range to fetch. */
    static final long MIN_INTERVAL_NANOS = 1_000_000_000;

    /** Maximum interval between requests during an outage. */
    private static final long MAX_INTERVAL_NANOS = 30_000_000_000L;

    private static final String PART = ".part";
    private static final Pattern CONTENT_RANGE =
            Pattern.compile("bytes (\\d{1,15})-(\\d{1,15})/(\\d{1,15})");
    private static final Pattern UNSATISFIED_RANGE = Pattern.compile("bytes \\*/(\\d{1,15})");
    private static final Logger LOG = LoggerFactory.getLogger(RangeDownload.class);

    private final HttpClient client;
    private final LongSupplier clock;
    private final long maxFileBytes;
    private final Duration timeout;
    private final Path file;
    private final FileChannel copy;
    private URI uri;
    private long position;
    private long interval = MIN_INTERVAL_NANOS;
    private long next = Long.MIN_VALUE;

    /**
     * Limits of a download.
     *
     * @param maxFileBytes size of the file
     * @param timeout of one answer, its body included
     */
    record Limits(long maxFileBytes, Duration timeout) {
        static final Limits DEFAULT = new Limits(MAX_FILE_BYTES, Duration.ofSeconds(20));
    }

    /**
     * Prepares a download; {@link #fetch} begins it.
     *
     * @param uri checked by {@link #check}
     * @param tls which certificates are trusted; empty for those that Java trusts
     * @param clock nanoseconds of any origin
     * @throws IOException if no temporary file can be created
     */
    RangeDownload(URI uri, Limits limits, Optional<SSLContext> tls, LongSupplier clock)
            throws IOException {
        this.uri = uri;
        this.clock = clock;
        maxFileBytes = limits.maxFileBytes();
        timeout = limits.timeout();
        file = Files.createTempFile("wishdir-follow", ".mcap");
        copy = FileChannel.open(file, StandardOpenOption.WRITE);
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(timeout);
        tls.ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** Whether a text is a URL rather than a file. */
    static boolean isUrl(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("http://") || isHttps(text);
    }

    static boolean isHttps(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("https://");
    }

    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException if it is malformed, or has a user name or a password
     */
    static URI check(String text) {
        URI uri = URI.create(text);
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("the URL has no host: give http://HOST/FILE.mcap");
        }
        if (uri.getUserInfo() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "the URL has a user name, a password or a fragment: give one without");
        }
        return uri;
    }

    /** The copy, as far as it is fetched. */
    Path file() {
        return file;
    }

    /** Host and path, for operators; the query may hold a secret. */
    String title() {
        return uri.getHost() + uri.getPath();
    }

    /**
     * Fetches what is there now.
     *
     * @return whether there was anything new
     * @throws IOException if the server's answers cannot be used
     */
    boolean fetch() throws IOException {
        long now = clock.getAsLong();
        if (next != Long.MIN_VALUE && now - next < 0) {
            return false;
        }
        long before = position;
        try {
            while (fetchRange()) {
                // A full range: there may be more.
            }
            if (interval > MIN_INTERVAL_NANOS) {
                LOG.atInfo().addKeyValue("event", "replay").log("{} answers again", title());
            }
            interval = MIN_INTERVAL_NANOS;
        } catch (UnavailableException e) {
            if (next == Long.MIN_VALUE) {
                throw e;
            }
            if (interval == MIN_INTERVAL_NANOS) {
                LOG.atWarn()
                        .addKeyValue("event", "replay")
                        .log("cannot fetch {}, trying again: {}", title(), e.getMessage());
            }
            interval = Math.min(2 * interval, MAX_INTERVAL_NANOS);
        }
        next = clock.getAsLong() + interval;
        return position > before;
    }

    /** The server cannot be reached, or cannot answer now. */
    private static final class UnavailableException extends IOException {
        private static final long serialVersionUID = 1;

        UnavailableException(String message) {
            super(message);
        }
    }

    /** Fetches one range; returns whether there may be more. */
    private boolean fetchRange() throws IOException {
        HttpResponse<byte[]> response = send();
        int status = response.statusCode();
        if (status == 404 && uri.getPath().endsWith(PART)) {
            // Its writer has completed it, and given it the final name.
            String path = uri.getRawPath();
            String whole = path.substring(0, path.length() - PART.length());
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            uri = uri.resolve(whole + query);
            return true;
        }
        if (status == 416) {
            requireNoLoss(response.headers());
            return false;
        }
        if (status == 429 || status >= 500) {
            throw new UnavailableException("HTTP status " + status);
        }
        if (status != 206) {
            throw new IOException(
                    switch (status) {
                        case 200 ->
                                "the server does not support ranges (HTTP status 200 for a range)";
                        case 301, 302, 303, 307, 308 ->
                                "the server redirects (HTTP status "
                                        + status
                                        + "); give the URL of the file itself";
                        default -> "HTTP status " + status;
                    });
        }
        append(response.headers(), response.body());
        return response.body().length == MAX_RANGE_BYTES;
    }

    private HttpResponse<byte[]> send() throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .timeout(timeout)
                        .header("Range", rangeHeader())
                        .GET()
                        .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_RANGE_BYTES));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new UnavailableException("no whole answer within " + timeout.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new UnavailableException(
                    ExceptionMessage.of(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private String rangeHeader() {
        return "bytes=" + position + "-" + (position + MAX_RANGE_BYTES - 1);
    }

    /** The file may have no more than before, but not less. */
    private void requireNoLoss(HttpHeaders headers) throws IOException {
        Matcher range = UNSATISFIED_RANGE.matcher(header(headers));
        if (range.matches() && Long.parseLong(range.group(1)) < position) {
            throw shorter(Long.parseLong(range.group(1)));
        }
    }

    private IOException shorter(long bytes) {
        return new IOException(
                "the file has "
                        + bytes
                        + " bytes, of which "
                        + position
                        + " were read before: it was replaced");
    }

    private static String header(HttpHeaders headers) {
        return headers.firstValue("Content-Range").orElse("");
    }

    private void append(HttpHeaders headers, byte[] body) throws IOException {
        Matcher range = CONTENT_RANGE.matcher(header(headers));
        Optional<String> coding = headers.firstValue("Content-Encoding");
        if (!range.matches() || coding.isPresent()) {
            throw new IOException("the server's answer does not say which bytes it has");
        }
        long first = Long.parseLong(range.group(1));
        long last = Long.parseLong(range.group(2));
        long total = Long.parseLong(range.group(3));
        if (first != position || last - first + 1 != body.length || total <= last) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "the server sent %d bytes as %d-%d of %d; asked for was %s",
                            body.length,
                            first,
                            last,
                            total,
                            rangeHeader()));
        }
        if (total > maxFileBytes) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "the file has %d MiB; at most %d MiB are copied from a web server: let"
                                    + " the other server begin new files sooner"
                                    + " (--record-file-size)",
                            total >> 20,
                            maxFileBytes >> 20));
        }
        ByteBuffer buffer = ByteBuffer.wrap(body);
        while (buffer.hasRemaining()) {
            copy.write(buffer, position + buffer.position());
        }
        position += body.length;
    }

    /** Ends the connection, and deletes the copy. */
    @Override
    public void close() throws IOException {
        client.shutdownNow();
        copy.close();
        Files.deleteIfExists(file);
    }
}
