package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of a client by the tokens of its login: docs/protocols/bedrock.md#login-tokens.
 *
 * @param name that the client requests; not yet clean or unique
 * @param uuid proved by Xbox if {@code authenticated}, else only claimed
 * @param xuid proved if {@code authenticated}, else empty
 * @param key the public key, for the agreement on the session's key
 * @param data that the client sent about itself: skin, device, language
 */
public record LoginIdentity(
        String name,
        UUID uuid,
        String xuid,
        boolean authenticated,
        ECPublicKey key,
        Map<String, Object> data) {
    private static final int MAX_IDENTITY_BYTES = 64 << 10;
    private static final int GUEST = 1;
    private static final int SELF_SIGNED = 2;

    /**
     * Reads and checks the tokens of a login.
     *
     * @param trust the trusted signers
     * @param seconds the time, seconds since 1970
     * @throws LoginRejectedException if any part of them is not valid
     */
    public static LoginIdentity verify(Login login, TrustPolicy trust, long seconds)
            throws LoginRejectedException {
        String identity;
        String data;
        try {
            Reader r = new Reader(login.tokens());
            identity = text(r, MAX_IDENTITY_BYTES);
            data = text(r, r.remaining());
        } catch (MalformedPacketException e) {
            throw new LoginRejectedException("the tokens are cut short or too long");
        }
        Map<String, Object> envelope = Json.parse(identity);
        if (envelope.get("AuthenticationType") instanceof Number type && type.intValue() == GUEST) {
            throw new LoginRejectedException(
                    "guests of a shared screen have no identity of their own");
        }
        boolean tokens = BedrockCodec.nearest(login.protocol()).has(ProtocolChange.LOGIN_TOKEN);
        List<String> chain = chain(envelope);
        if (tokens && envelope.get("Token") instanceof String token && !token.isEmpty()) {
            return of(LoginToken.verify(token, chain, trust, seconds), data);
        }
        return of(LoginChain.verify(chain, trust.root(), seconds), data);
    }

    /**
     * The identity of verified claims, with the client's data, which their key must have signed.
     */
    private static LoginIdentity of(LoginClaims claims, String data) throws LoginRejectedException {
        Map<String, Object> client = Json.parse(LoginKeys.verified(data, claims.key()));
        return new LoginIdentity(
                claims.name(),
                claims.uuid(),
                claims.xuid(),
                claims.authenticated(),
                claims.key(),
                client);
    }

    private static String text(Reader r, int most) {
        int length = r.bounded("length", r.i32le("length", 0), most);
        return new String(r.bytes("token", Bytes.EMPTY, length).toArray(), StandardCharsets.UTF_8);
    }

    /** The chain of an older version, or of a newer one, which wraps it in a text. */
    static List<String> chain(Map<String, Object> envelope) throws LoginRejectedException {
        Map<String, Object> holder =
                envelope.containsKey("chain")
                                || !(envelope.get("Certificate") instanceof String wrapped)
                                || wrapped.isEmpty()
                        ? envelope
                        : Json.parse(wrapped);
        @Nullable Object chain = holder.get("chain");
        if (chain == null && envelope.get("Token") instanceof String) {
            return List.of();
        }
        if (!(chain instanceof List<?> tokens) || tokens.size() > 3) {
            throw new LoginRejectedException("the chain is not a list of at most 3 tokens");
        }
        for (Object token : tokens) {
            if (!(token instanceof String)) {
                throw new LoginRejectedException(
                        "the chain contains something that is not a token");
            }
        }
        return tokens.stream().map(String.class::cast).filter(each -> !each.isEmpty()).toList();
    }

    /**
     * Creates the login of a client that signs its own identity, in the form of its version.
     *
     * @param data of the client about itself
     * @param seconds the time, seconds since 1970
     */
    public static Login selfSigned(
            int protocol,
            LoginKeys keys,
            String name,
            UUID uuid,
            Map<String, Object> data,
            long seconds) {
        BedrockCodec codec = BedrockCodec.nearest(protocol);
        String identity =
                codec.has(ProtocolChange.LOGIN_TOKEN)
                        ? envelope(
                                SELF_SIGNED,
                                List.of(""),
                                LoginToken.selfSigned(keys, name, uuid, seconds))
                        : selfSigned(codec, LoginChain.selfSigned(keys, name, uuid, seconds));
        return login(protocol, identity, keys.sign(JsonUtil.toJson(data)));
    }

    private static String selfSigned(BedrockCodec codec, String token) {
        return codec.has(ProtocolChange.LOGIN_ENVELOPE)
                ? envelope(SELF_SIGNED, List.of(token), "")
                : chain(List.of(token));
    }

    static String chain(List<String> tokens) {
        return JsonUtil.toJson(Map.of("chain", tokens));
    }

    /** The identity of newer versions. */
    static String envelope(int type, List<String> chain, String token) {
        Map<String, Object> envelope = new LinkedHashMap<>();
        envelope.put("AuthenticationType", type);
        envelope.put("Certificate", chain(chain));
        envelope.put("Token", token);
        return JsonUtil.toJson(envelope);
    }

    /** Creates a login from tokens. */
    static Login login(int protocol, String identity, String data) {
        Writer w = new Writer(Login.MAX_LOGIN_BYTES);
        for (String text : List.of(identity, data)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            w.i32le("length", bytes.length);
            w.append(bytes, 0, bytes.length);
        }
        return new Login(protocol, w.toBytes());
    }

    /**
     * Checks that the login belongs to the client that has connected.
     *
     * @param proved the key that the connection proved
     * @throws LoginRejectedException if the login names another key: then it is a recording of
     *     another client's login
     */
    public void requireKey(ECPublicKey proved) throws LoginRejectedException {
        if (!proved.getW().equals(key.getW())) {
            throw new LoginRejectedException("it is of another key than the connection's");
        }
    }

    /** A text among the client's data, or a default. */
    String text(String claim, String otherwise) {
        @Nullable Object value = data.get(claim);
        return value instanceof String text ? text : otherwise;
    }

    /** A number among the client's data, or -1. */
    int number(String claim) {
        @Nullable Object value = data.get(claim);
        return value instanceof Number number ? number.intValue() : -1;
    }
}
