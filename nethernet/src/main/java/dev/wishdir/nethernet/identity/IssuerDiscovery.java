package dev.wishdir.nethernet.identity;

import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLContext;

/**
 * Keys of an issuer that is found as Bedrock servers find it: a discovery document names the
 * service, its OpenID configuration the issuer and the address of the keys.
 *
 * <p>It sends no credentials and no cookies, follows no redirect, and asks only hosts of the
 * service's domain, over HTTPS. Where one of the first two documents can't be had, the known
 * address takes its place; one that names another issuer or domain ends the fetch.
 */
public final class IssuerDiscovery implements IssuerKeySource {
    /**
     * Location of an issuer.
     *
     * @param document address of the discovery document
     * @param fallback address of the service if there is no such document
     * @param domain which all hosts belong to; their port is that of {@code document}
     */
    public record Location(URI document, URI fallback, String domain) {
        /** Mojang's. The version in the path makes no difference. */
        public static final Location MOJANG =
                new Location(
                        URI.create(
                                "https://client.discovery.minecraft-services.net/api/v1.0/discovery"
                                        + "/MinecraftPE/builds/1.0.0.0"),
                        URI.create("https://authorization.franchise.minecraft-services.net"),
                        "minecraft-services.net");
    }

    /** Maximum size of a document. */
    static final int MAX_DOCUMENT_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerDiscovery.class);
    private static final int MAX_DEPTH = 16;
    private static final String WELL_KNOWN = "/.well-known/";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(4);

    private static final Schedule SCHEDULE =
            new Schedule(TimeUnit.MINUTES.toNanos(30), TimeUnit.MINUTES.toNanos(1), Long.MAX_VALUE);

    private final Location location;
    private final IdentityIssuer issuer;
    private final Optional<IssuerKeyStore> store;
    private final Optional<SSLContext> tls;
    private final Duration timeout;

    /**
     * Prepares discovery; nothing is asked before {@link #fetch}.
     *
     * @param issuer the only one that is accepted
     * @param store keeps the keys for the next run; empty for none
     * @param tls which certificates are trusted; empty for those that Java trusts
     */
    public IssuerDiscovery(
            Location location,
            IdentityIssuer issuer,
            Optional<IssuerKeyStore> store,
            Optional<SSLContext> tls) {
        this(location, issuer, store, tls, REQUEST_TIMEOUT);
    }

    /**
     * Prepares discovery with another time-out.
     *
     * @param timeout of a request; all three together may take as long as a login waits
     */
    IssuerDiscovery(
            Location location,
            IdentityIssuer issuer,
            Optional<IssuerKeyStore> store,
            Optional<SSLContext> tls,
            Duration timeout) {
        this.location = location;
        this.issuer = issuer;
        this.store = store;
        this.tls = tls;
        this.timeout = timeout;
    }

    @Override
    public Schedule schedule() {
        return SCHEDULE;
    }

    @Override
    public Optional<StoredKeys> stored() {
        return store.flatMap(it -> it.read(issuer));
    }

    @Override
    public Optional<IdentityIssuer> fetch() throws IOException {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER);
        tls.ifPresent(builder::sslContext);
        HttpClient client = builder.build();
        try {
            Exchange exchange =
                    new Exchange(client, System.nanoTime() + IssuerKeyCache.MAX_WAIT_NANOS);
            URI keys = exchange.keys(exchange.service());
            IdentityIssuer found = issuer.withSet(exchange.get(keys), keys.toString());
            store.ifPresent(it -> it.write(found));
            return Optional.of(found);
        } finally {
            client.shutdownNow();
        }
    }

    /** A document can't be had, so that another address may be tried. */
    private static final class UnavailableException extends IOException {
        private static final long serialVersionUID = 1;

        UnavailableException(String message) {
            super(message);
        }
    }

    /** One fetch. */
    private final class Exchange {
        private final HttpClient client;
        private final long deadline;

        /**
         * @param deadline on the JVM's clock, nanoseconds
         */
        Exchange(HttpClient client, long deadline) {
            this.client = client;
            this.deadline = deadline;
        }

        /** The address of the service. */
        URI service() throws IOException {
            Map<String, Object> document;
            try {
                document = object(location.document);
            } catch (UnavailableException e) {
                LOG.info("issuer discovery failed, the known address is used: {}", e.getMessage());
                return location.fallback;
            }
            Object found = document;
            for (String name : List.of("result", "serviceEnvironments", "auth", "prod")) {
                found = found instanceof Map<?, ?> map ? map.get(name) : null;
            }
            String text = found instanceof Map<?, ?> map ? text(map.get("serviceUri")) : "";
            return text.isEmpty() ? location.fallback : permitted(text, location.document);
        }

        /** The address of the keys. */
        URI keys(URI service) throws IOException {
            String base = service.toString().replaceAll("/+$", "") + WELL_KNOWN;
            URI known = URI.create(base + "keys");
            URI address = URI.create(base + "openid-configuration");
            Map<String, Object> configuration;
            try {
                configuration = object(address);
            } catch (UnavailableException e) {
                LOG.info("issuer configuration failed, the known path is used: {}", e.getMessage());
                return known;
            }
            String name = text(configuration.get("issuer"));
            if (!withSlash(name).equals(withSlash(issuer.name()))) {
                throw new IOException(address + " is the configuration of another issuer");
            }
            if (configuration.get("id_token_signing_alg_values_supported") instanceof List<?> all
                    && !all.contains(CompactJws.RS256)) {
                throw new IOException(address + " does not list " + CompactJws.RS256);
            }
            String keys = text(configuration.get("jwks_uri"));
            return keys.isEmpty() ? known : permitted(keys, address);
        }

        private static String withSlash(String text) {
            return text.endsWith("/") ? text : text + "/";
        }

        private static String text(@Nullable Object value) {
            return value instanceof String text ? text : "";
        }

        /** An address that a document names. */
        private URI permitted(String text, URI document) throws IOException {
            try {
                URI uri = URI.create(text);
                String host = String.valueOf(uri.getHost());
                boolean isOfDomain =
                        host.equals(location.domain) || host.endsWith("." + location.domain);
                if (isOfDomain
                        && "https".equals(uri.getScheme())
                        && uri.getUserInfo() == null
                        && port(uri) == port(location.document)) {
                    return uri;
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(document + " names a malformed address", e);
            }
            throw new IOException(document + " names an address outside " + location.domain);
        }

        private static int port(URI uri) {
            return uri.getPort() < 0 ? 443 : uri.getPort();
        }

        private Map<String, Object> object(URI address) throws IOException {
            String text = get(address);
            try {
                return CompactJws.json(text, MAX_DEPTH);
            } catch (IdentityRejectedException e) {
                throw new UnavailableException(address + " is not a JSON object");
            }
        }

        String get(URI address) throws IOException {
            long nanos = Math.min(timeout.toNanos(), deadline - System.nanoTime());
            if (nanos <= 0) {
                throw new UnavailableException(address + ": no time left to ask");
            }
            HttpRequest request =
                    HttpRequest.newBuilder(address)
                            .header("Accept", "application/json")
                            .GET()
                            .build();
            CompletableFuture<HttpResponse<byte[]>> answer =
                    client.sendAsync(
                            request,
                            BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_DOCUMENT_BYTES));
            try {
                HttpResponse<byte[]> response = answer.get(nanos, TimeUnit.NANOSECONDS);
                if (response.statusCode() != 200) {
                    throw new UnavailableException(
                            address + " answered with HTTP status " + response.statusCode());
                }
                return new String(response.body(), StandardCharsets.UTF_8);
            } catch (TimeoutException e) {
                answer.cancel(true);
                throw new UnavailableException(
                        address
                                + " gave no whole answer within "
                                + TimeUnit.NANOSECONDS.toMillis(nanos)
                                + " ms");
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new UnavailableException(address + ": " + ExceptionMessage.of(cause));
            } catch (InterruptedException e) {
                answer.cancel(true);
                Thread.currentThread().interrupt();
                throw new IOException(address + ": interrupted", e);
            }
        }
    }
}
