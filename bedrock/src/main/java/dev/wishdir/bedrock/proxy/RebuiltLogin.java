package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A client's login, signed again with the proxy's key, as no other key can agree on a session's
 * key: name, UUID, skin and device are the client's. An Xbox account is lost by that; name and UUID
 * may be those of the operator's account instead.
 *
 * @param typed the proxy's address as the player typed it, empty if the client does not say
 * @param handshake the key agreement with the client
 * @param login for the server
 */
record RebuiltLogin(String typed, EncryptionHandshake handshake, Login login) {
    /** The field of the client's data with the address that the player typed. */
    private static final String ADDRESS = "ServerAddress";

    /**
     * Verifies a client's login and signs it again. Takes milliseconds.
     *
     * @param proven the key that the login must name; null for any
     * @param keys of the proxy
     * @param account of the login for the server; empty for the client's name and the proxy's key
     * @param salt of the session with the client; empty for no encryption
     * @param seconds the time, seconds since 1970
     * @throws LoginRejectedException if it is not valid
     */
    static RebuiltLogin of(
            Login login,
            @Nullable ECPublicKey proven,
            LoginKeys keys,
            Optional<LoginAccount> account,
            Bytes salt,
            InetSocketAddress server,
            long seconds)
            throws LoginRejectedException {
        LoginIdentity identity = LoginIdentity.verify(login, TrustPolicy.ANYBODY, seconds);
        if (proven != null) {
            identity.requireKey(proven);
        }
        EncryptionHandshake handshake =
                salt.length() == 0
                        ? EncryptionHandshake.CLEAR
                        : EncryptionHandshake.offer(keys, identity.key(), salt);
        Map<String, Object> data = new LinkedHashMap<>(identity.data());
        Object typed = data.put(ADDRESS, AddressText.of(server));
        return new RebuiltLogin(
                typed instanceof String text ? text : "",
                handshake,
                account.isPresent()
                        ? account.get().login(login.protocol(), data, seconds)
                        : LoginIdentity.selfSigned(
                                login.protocol(),
                                keys,
                                identity.name(),
                                identity.uuid(),
                                data,
                                seconds));
    }

    /** The part that is needed after the login was sent. */
    RebuiltLogin sent() {
        return new RebuiltLogin(typed, EncryptionHandshake.CLEAR, Login.BLANK);
    }
}
