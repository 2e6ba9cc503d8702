package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.protocol.BedrockCodec;

import org.jose4j.json.JsonUtil;

import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * An account that another program has signed in: the tokens that certify a key, and the private key
 * that belongs to it.
 */
public final class LoginAccount {
    private static final int ANSWERED_TOKENS = 2;
    private static final int WITH_ACCOUNT = 0;

    private final List<String> chain;
    private final String token;
    private final LoginKeys keys;

    private LoginAccount(List<String> chain, String token, LoginKeys keys) {
        this.chain = chain;
        this.token = token;
        this.keys = keys;
    }

    /**
     * Reads an account: a JSON object of {@code chain}, the two tokens that the service answers or
     * the three of a login; {@code token}, that of newer versions; and {@code key}, the private key
     * in PKCS #8, as PEM or base 64. One of chain and token may be missing.
     *
     * @param random of later signatures; cryptographically secure except in tests
     * @throws LoginRejectedException if it is malformed, or the key is not the certified one.
     *     Whether a server trusts the tokens is not checked
     */
    public static LoginAccount parse(String json, RandomGenerator random)
            throws LoginRejectedException {
        Map<String, Object> file = Json.parse(json);
        List<String> chain = file.containsKey("chain") ? LoginIdentity.chain(file) : List.of();
        String token = file.get("token") instanceof String text ? text : "";
        if (!LoginChain.isCertified(chain) && chain.size() != ANSWERED_TOKENS && !chain.isEmpty()
                || chain.isEmpty() && token.isEmpty()) {
            throw new LoginRejectedException("it has neither a chain of 2 or 3 tokens nor a token");
        }
        if (!(file.get("key") instanceof String key)) {
            throw new LoginRejectedException("it has no key");
        }
        ECPublicKey certified =
                chain.isEmpty() ? LoginToken.key(token) : LoginChain.key(chain.getLast());
        if (!token.isEmpty() && !LoginToken.key(token).equals(certified)) {
            throw new LoginRejectedException("chain and token certify different keys");
        }
        PrivateKey secret = LoginKeys.secret(key);
        return new LoginAccount(chain, token, LoginKeys.of(secret, certified, random));
    }

    /** The certified key pair. */
    public LoginKeys keys() {
        return keys;
    }

    /**
     * The account's login, in the form of a version.
     *
     * @param data of the client about itself
     * @param seconds the time, seconds since 1970
     * @throws LoginRejectedException if the account lacks the tokens of this version
     */
    public Login login(int protocol, Map<String, Object> data, long seconds)
            throws LoginRejectedException {
        BedrockCodec codec = BedrockCodec.nearest(protocol);
        if (chain.isEmpty() && !codec.has(ProtocolChange.LOGIN_TOKEN)) {
            throw new LoginRejectedException(
                    "the account has only a token, and this version needs a chain");
        }
        List<String> tokens = chain.isEmpty() ? List.of("") : new ArrayList<>(chain);
        if (tokens.size() == ANSWERED_TOKENS) {
            tokens.addFirst(LoginChain.leading(keys, chain.getFirst(), seconds));
        }
        String identity =
                codec.has(ProtocolChange.LOGIN_ENVELOPE)
                        ? LoginIdentity.envelope(
                                WITH_ACCOUNT,
                                tokens,
                                codec.has(ProtocolChange.LOGIN_TOKEN) ? token : "")
                        : LoginIdentity.chain(tokens);
        return LoginIdentity.login(protocol, identity, keys.sign(JsonUtil.toJson(data)));
    }
}
