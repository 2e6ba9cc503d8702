package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.LoginRejectedException;
import dev.wishdir.bedrock.protocol.TransportDemultiplexer.Kind;
import dev.wishdir.bedrock.protocol.TrustPolicy;
import dev.wishdir.nethernet.identity.IdentityIssuer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The operator's settings of this game.
 *
 * @param algorithm compression of batches
 * @param encrypts whether sessions are encrypted where their transport does not do it
 * @param authority the side that decides where players are, a constant of {@link StartGame}
 * @param trust the trusted signers of identities
 * @param transports the transports that clients may use
 * @param nethernet the settings of NetherNet
 */
record BedrockOptions(
        Algorithm algorithm,
        boolean encrypts,
        int authority,
        TrustPolicy trust,
        Set<Kind> transports,
        NetherNetOptions nethernet) {
    /**
     * Reads options by their names.
     *
     * @param open whether other machines can connect, so that by default logins need a proof
     * @throws IllegalArgumentException if an option's value is wrong
     */
    static BedrockOptions of(Map<String, String> options, boolean open) {
        TrustPolicy trust =
                new TrustPolicy(
                        isOn(options, "auth", open) ? rootKey(options) : "", issuer(options));
        return new BedrockOptions(
                switch (options.getOrDefault("compression", "deflate")) {
                    case "deflate" -> Algorithm.DEFLATE;
                    case "snappy" -> Algorithm.SNAPPY;
                    case "none" -> Algorithm.NONE;
                    default ->
                            throw new InvalidOptionException(
                                    "compression", "deflate, snappy or none");
                },
                isOn(options, "encryption", true),
                switch (options.getOrDefault("authority", "server")) {
                    case "server" -> StartGame.SERVER_AUTHORITY;
                    case "client" -> StartGame.CLIENT_AUTHORITY;
                    default -> throw new InvalidOptionException("authority", "server or client");
                },
                trust,
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
        String key = options.getOrDefault("auth-key", LoginKeys.MOJANG_KEY);
        try {
            LoginKeys.key(key);
        } catch (LoginRejectedException e) {
            throw new InvalidOptionException("auth-key", "a public key of secp384r1 in base 64");
        }
        return key;
    }

    private static IdentityIssuer issuer(Map<String, String> options) {
        String file = options.get("auth-issuer");
        try {
            return file == null
                    ? IdentityIssuer.MOJANG
                    : IdentityIssuer.MOJANG.withKeysOf(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("--bedrock-auth-issuer: " + e.getMessage(), e);
        }
    }

    private static boolean isOn(Map<String, String> options, String name, boolean otherwise) {
        return switch (options.getOrDefault(name, otherwise ? "on" : "off")) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new InvalidOptionException(name, "on or off");
        };
    }
}
