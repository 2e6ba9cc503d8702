package dev.wishdir.bedrock.server.join;

import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.bedrock.protocol.transport.TransportDemultiplexer.Kind;
import dev.wishdir.game.Game;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IssuerDiscovery;
import dev.wishdir.nethernet.identity.IssuerKeyFile;
import dev.wishdir.nethernet.identity.IssuerKeySource;
import dev.wishdir.nethernet.identity.IssuerKeyStore;
import dev.wishdir.wire.ExceptionMessage;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The operator's settings of this game.
 *
 * @param algorithm compression of batches
 * @param encrypts whether sessions are encrypted where their transport does not do it
 * @param authority the side that decides where players are, a constant of {@link StartGame}
 * @param trust the trusted signers of identities
 * @param issuerKeys the source of further keys of the trusted issuer; empty for none
 * @param transports the transports that clients may use
 * @param nethernet the settings of NetherNet
 */
public record BedrockOptions(
        Algorithm algorithm,
        boolean encrypts,
        int authority,
        TrustPolicy trust,
        Optional<IssuerKeySource> issuerKeys,
        Set<Kind> transports,
        NetherNetOptions nethernet) {
    private static final String KEY = "auth-key";
    private static final String OFF = "off";
    private static final String CACHE_FILE = "bedrock-issuer-keys.json";

    /**
     * Reads options by their names.
     *
     * @param open whether other machines can connect, so that by default logins need a proof
     * @param seconds the time, seconds since 1970
     * @throws IllegalArgumentException if an option's value is wrong
     */
    public static BedrockOptions of(
            Map<String, String> options, boolean open, LongSupplier seconds) {
        boolean isProofNeeded = Game.Option.isOn(options, "auth", open);
        String chosen = options.getOrDefault("auth-issuer", "");
        Optional<IssuerKeyFile> file = keyFile(chosen);
        TrustPolicy trust =
                new TrustPolicy(
                        isProofNeeded ? rootKey(options) : "",
                        file.map(IssuerKeyFile::issuer).orElse(IdentityIssuer.MOJANG));
        return new BedrockOptions(
                switch (options.getOrDefault("compression", "deflate")) {
                    case "deflate" -> Algorithm.DEFLATE;
                    case "snappy" -> Algorithm.SNAPPY;
                    case "none" -> Algorithm.NONE;
                    default ->
                            throw new InvalidOptionException(
                                    "compression", "deflate, snappy or none");
                },
                Game.Option.isOn(options, "encryption", true),
                switch (options.getOrDefault("authority", "server")) {
                    case "server" -> StartGame.SERVER_AUTHORITY;
                    case "client" -> StartGame.CLIENT_AUTHORITY;
                    default -> throw new InvalidOptionException("authority", "server or client");
                },
                trust,
                file.isPresent()
                        ? Optional.of(file.get())
                        : isProofNeeded && !options.containsKey(KEY) && !chosen.equals(OFF)
                                ? Optional.of(discovery(options, seconds))
                                : Optional.empty(),
                switch (options.getOrDefault("transport", "both")) {
                    case "both" -> Set.of(Kind.RAKNET, Kind.NETHERNET);
                    case "raknet" -> Set.of(Kind.RAKNET);
                    case "nethernet" -> Set.of(Kind.NETHERNET);
                    default ->
                            throw new InvalidOptionException(
                                    "transport", "both, raknet or nethernet");
                },
                NetherNetOptions.of(options, trust.isProofNeeded()));
    }

    private static String rootKey(Map<String, String> options) {
        String key = options.getOrDefault(KEY, LoginKeys.MOJANG_KEY);
        try {
            LoginKeys.key(key);
        } catch (LoginRejectedException e) {
            throw new InvalidOptionException(KEY, "a public key of secp384r1 in base 64");
        }
        return key;
    }

    /** The operator's file of keys; empty if there is none. */
    private static Optional<IssuerKeyFile> keyFile(String chosen) {
        try {
            return chosen.isEmpty() || chosen.equals(OFF)
                    ? Optional.empty()
                    : Optional.of(new IssuerKeyFile(Path.of(chosen), IdentityIssuer.MOJANG));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("option auth-issuer: " + ExceptionMessage.of(e), e);
        }
    }

    private static IssuerKeySource discovery(Map<String, String> options, LongSupplier seconds) {
        String file = options.getOrDefault("auth-cache", "");
        Path path;
        try {
            path = file.isEmpty() ? cacheFolder().resolve(CACHE_FILE) : Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("option auth-cache: " + e.getMessage(), e);
        }
        IssuerKeyStore store = new IssuerKeyStore(path, seconds);
        boolean isOff = file.equals(OFF);
        if (!file.isEmpty() && !isOff) {
            try {
                store.check();
            } catch (IOException e) {
                throw new IllegalArgumentException("option auth-cache: " + e.getMessage(), e);
            }
        }
        return new IssuerDiscovery(
                IssuerDiscovery.Location.MOJANG,
                IdentityIssuer.MOJANG,
                isOff ? Optional.empty() : Optional.of(store),
                Optional.empty());
    }

    /** The user's folder for files that a program can make again (XDG Base Directory). */
    private static Path cacheFolder() {
        String set = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), "");
        return set.startsWith("/")
                ? Path.of(set, "wishdir")
                : Path.of(System.getProperty("user.home", ""), ".cache", "wishdir");
    }
}
