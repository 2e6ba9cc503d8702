package dev.wishdir.nethernet.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.wishdir.net.Certificate;

import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The keys of an issuer on this machine, with a certificate of its own. */
@Tag("slow")
class IssuerDiscoveryTest {
    private static final String DISCOVERY = "/discovery";
    private static final String CONFIGURATION = "/service/.well-known/openid-configuration";
    private static final String KEYS = "/service/.well-known/keys";
    private static final String OTHER_KEYS = "/other/keys";
    private static final long NOW = 1_800_000_000L;

    @TempDir private static Path folder;
    private static Certificate certificate;
    private static RsaJsonWebKey key;

    private final Map<String, String> documents = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpsServer server;
    private String base;

    @BeforeAll
    static void createCertificate() throws Exception {
        certificate = Certificate.in(folder);
        key = RsaJwkGenerator.generateJwk(2048);
        key.setKeyId("0F".repeat(20));
    }

    @BeforeEach
    void serve() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
        base = "https://localhost:" + server.getAddress().getPort();
        documents.put(
                DISCOVERY,
                "{'result':{'serviceEnvironments':{'auth':{'prod':{'serviceUri':'BASE/service',"
                        + "'playfabTitleId':'20CA2'}},'other':{}}}}");
        documents.put(
                CONFIGURATION,
                "{'issuer':'"
                        + IdentityIssuer.MOJANG.name()
                        + "','jwks_uri':'BASE/service/.well-known/keys',"
                        + "'id_token_signing_alg_values_supported':['RS256']}");
        documents.put(KEYS, set(key));
    }

    @AfterEach
    void close() {
        ended.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** As Mojang's: a thumbprint in hex, which a strict parser refuses, and keys of other uses. */
    private static String set(RsaJsonWebKey... keys) {
        StringBuilder text = new StringBuilder("{'keys':[{'kty':'OKP','kid':'x'}");
        for (RsaJsonWebKey each : keys) {
            Map<String, Object> members = each.toParams(OutputControlLevel.PUBLIC_ONLY);
            members.put("use", "sig");
            members.put("x5t", each.getKeyId());
            text.append(',').append(JsonUtil.toJson(members));
            members.put("use", "enc");
            members.put("kid", "for encryption");
            text.append(',').append(JsonUtil.toJson(members));
        }
        return text.append("]}").toString();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        String text = documents.getOrDefault(path, "404");
        int status = 200;
        if (text.equals("slow")) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (text.startsWith("302 ")) {
            exchange.getResponseHeaders().add("Location", text.substring(4).replace("BASE", base));
            status = 302;
        } else if (text.matches("[0-9]{3}")) {
            status = Integer.parseInt(text);
        }
        byte[] body =
                (text.equals("huge") ? " ".repeat(IssuerDiscovery.MAX_DOCUMENT_BYTES + 1) : text)
                        .replace("'", "\"")
                        .replace("BASE", base)
                        .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private IssuerDiscovery discovery(Optional<IssuerKeyStore> store) {
        return new IssuerDiscovery(
                new IssuerDiscovery.Location(
                        URI.create(base + DISCOVERY), URI.create(base + "/service"), "localhost"),
                IdentityIssuer.MOJANG,
                store,
                Optional.of(certificate.client()),
                // Others get the time that a busy machine needs.
                documents.containsValue("slow") ? Duration.ofMillis(800) : Duration.ofMinutes(1));
    }

    private IdentityIssuer fetch() throws IOException {
        return discovery(Optional.empty()).fetch().orElseThrow();
    }

    @Test
    void findsKeysOfIssuer() throws IOException {
        assertThat(fetch().keys()).containsOnly(Map.entry(key.getKeyId(), key.getRsaPublicKey()));
        assertThat(asked).containsExactly(DISCOVERY, CONFIGURATION, KEYS);
    }

    @Test
    void takesAddressOfKeysFromConfiguration() throws IOException {
        documents.computeIfPresent(
                CONFIGURATION, (_, text) -> text.replace("/service/.well-known/keys", OTHER_KEYS));
        documents.put(OTHER_KEYS, documents.get(KEYS));
        documents.remove(KEYS);
        assertThat(fetch().hasKey(key.getKeyId())).isTrue();
        assertThat(asked).containsExactly(DISCOVERY, CONFIGURATION, OTHER_KEYS);
    }

    /** One dead service does not shut out all players. */
    @ParameterizedTest
    @CsvSource({
        "500, good",
        "404, good",
        "slow, good",
        "huge, good",
        "302 BASE/else, good",
        "{, good",
        "good, 500",
        "good, slow",
        "good, huge",
        "good, []",
        "500, 500"
    })
    void usesKnownAddressWhenDocumentIsMissing(String first, String second) throws IOException {
        if (!first.equals("good")) {
            documents.put(DISCOVERY, first);
        }
        if (!second.equals("good")) {
            documents.put(CONFIGURATION, second);
        }
        assertThat(fetch().hasKey(key.getKeyId())).isTrue();
        assertThat(asked).containsExactly(DISCOVERY, CONFIGURATION, KEYS);
    }

    @ParameterizedTest
    @DisplayName("E29 an issuer that is slow, huge, broken, or sends elsewhere: no keys")
    @CsvSource({
        "500, answered with HTTP status 500",
        "slow, gave no whole answer",
        "huge, keys: ",
        "302 BASE/other/keys, status 302",
        "'{''keys'':[]}', no key for RS256",
        "[[[[[[[[[[[[, holds no keys",
        "'', holds no keys"
    })
    void reportsKeysThatAreMissing(String document, String reason) {
        documents.put(KEYS, document);
        assertThatThrownBy(this::fetch)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
    }

    @Test
    @DisplayName("E29 keys that nest deeply end neither the thread nor the login")
    void survivesDeepDocuments() {
        for (String each : List.of(DISCOVERY, CONFIGURATION, KEYS)) {
            documents.put(each, "{'keys':" + "[".repeat(500_000));
        }
        assertThatThrownBy(this::fetch).hasMessageContaining("holds no keys");
    }

    @ParameterizedTest
    @DisplayName(
            "E29 an issuer that names another issuer, host, port, scheme or user is not followed")
    @CsvSource({
        "discovery, BASE/service, https://issuer.example/service, outside localhost",
        "discovery, BASE/service, https://localhost.example/service, outside localhost",
        "discovery, BASE/service, https://localhost:1/service, outside localhost",
        "discovery, BASE/service, http://localhost/service, outside localhost",
        "discovery, BASE/service, file:///etc/passwd, outside localhost",
        "discovery, BASE/service, 'https://a b/', malformed",
        "configuration, BASE/service, https://issuer.example, outside localhost",
        "configuration, https://authorization, https://another, another issuer",
        "configuration, RS256, HS256, does not list RS256"
    })
    void refusesForeignAddress(String document, String from, String to, String reason) {
        documents.computeIfPresent(
                document.equals("discovery") ? DISCOVERY : CONFIGURATION,
                (_, text) -> text.replace(from, to));
        assertThatThrownBy(this::fetch)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
        assertThat(asked).doesNotContain(KEYS);
    }

    @Test
    void refusesUnknownCertificate() {
        IssuerDiscovery discovery =
                new IssuerDiscovery(
                        new IssuerDiscovery.Location(
                                URI.create(base + DISCOVERY), URI.create(base), "localhost"),
                        IdentityIssuer.MOJANG,
                        Optional.empty(),
                        Optional.empty());
        assertThatThrownBy(discovery::fetch).hasMessageContaining("certification path");
        assertThat(asked).isEmpty();
    }

    @Test
    void storesKeysForNextRun(@TempDir Path home) throws IOException, JoseException {
        Path file = home.resolve("cache").resolve("keys.json");
        IssuerDiscovery discovery = discovery(Optional.of(new IssuerKeyStore(file, () -> NOW)));
        assertThat(discovery.stored()).isEmpty();
        IdentityIssuer fetched = discovery.fetch().orElseThrow();
        assertThat(discovery.stored()).contains(new IssuerKeySource.StoredKeys(fetched, true));
        IssuerKeyStore later = new IssuerKeyStore(file, () -> NOW + 40 * 86_400);
        assertThat(later.read(IdentityIssuer.MOJANG))
                .contains(new IssuerKeySource.StoredKeys(fetched, false));
        RsaJsonWebKey next = RsaJwkGenerator.generateJwk(2048);
        next.setKeyId("next");
        documents.put(KEYS, set(next));
        IdentityIssuer second = discovery.fetch().orElseThrow();
        assertThat(second.keys()).containsOnlyKeys("next");
        assertThat(discovery.stored().orElseThrow().issuer()).isEqualTo(second);
        assertThat(home.resolve("cache")).isDirectoryContaining("glob:**/keys.json");
        IdentityIssuer stranger = new IdentityIssuer("https://another/", Map.of());
        assertThat(later.read(stranger)).isEmpty();
        for (String broken : List.of("", "{", "[[[[[[[[[[[[[", "{\"keys\":[]}")) {
            Files.writeString(file, broken);
            assertThat(discovery.stored()).as(broken).isEmpty();
        }
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(discovery.stored()).isEmpty();
        assertThat(discovery.fetch()).contains(second);
    }

    @Test
    @DisplayName("R22: a file of stored keys that is a link stays one, with its owner and mode")
    void storesKeysInFileOfLink(@TempDir Path home) throws IOException {
        Path real = Files.createDirectory(home.resolve("real")).resolve("keys.json");
        Files.writeString(real, "{}");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(home.resolve("keys.json"), real);
        discovery(Optional.of(new IssuerKeyStore(link, () -> NOW))).fetch();
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(real)).contains("fetched");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r--r--");
    }

    @Test
    void rereadsChangedFile(@TempDir Path home) throws IOException, JoseException {
        Path file = Files.writeString(home.resolve("keys.json"), set(key).replace('\'', '"'));
        IssuerKeyFile source = new IssuerKeyFile(file, IdentityIssuer.MOJANG);
        assertThat(source.fetch()).isEmpty();
        RsaJsonWebKey next = RsaJwkGenerator.generateJwk(2048);
        next.setKeyId("next");
        Files.writeString(file, set(key, next).replace('\'', '"'));
        assertThat(source.fetch().orElseThrow().keys()).containsOnlyKeys(key.getKeyId(), "next");
        assertThat(source.issuer().keys()).containsOnlyKeys(key.getKeyId(), "next");
        Files.delete(file);
        assertThatThrownBy(source::fetch).isInstanceOf(IOException.class);
    }
}
