package dev.wishdir.bedrock.protocol.login;

import org.jose4j.jca.ProviderContext;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * A key pair that signs tokens, and the checks of other keys and tokens. Only ES384 over secp384r1.
 * Thread-safe.
 */
public final class LoginKeys {
    /** The key with which Mojang certifies Xbox identities. */
    public static final String MOJANG_KEY =
            "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAECRXueJeTDqNRRgJi/vlRufByu/2G0i2Ebt6YMar5QX/R0DIIyrJMcUpruK"
                + "4QveTfJSTp3Shlq4Gk34cD/4GUWwkv0DVuzeuB+tXija7HBxii03NHDbPAD0AKnLr2wdAp";

    private static final String HEADER_KEY = "x5u";

    private static final int MAX_KEY_CHARS = 400;
    private static final AlgorithmConstraints ES384 =
            new AlgorithmConstraints(
                    ConstraintType.PERMIT, AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384);

    private final KeyPair pair;
    private final ProviderContext signing = new ProviderContext();

    private LoginKeys(KeyPair pair, SecureRandom random) {
        this.pair = pair;
        signing.setSecureRandom(random);
    }

    /**
     * Generates a key pair.
     *
     * @param source of the pair and of all signatures; a secure one if the keys protect anything
     */
    public static LoginKeys generate(RandomGenerator source) {
        try {
            SecureRandom random = new SeededRandom(source);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(EllipticCurves.P384, random);
            return new LoginKeys(generator.generateKeyPair(), random);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no secp384r1", e);
        }
    }

    /**
     * A key pair that exists.
     *
     * @param random of signatures
     * @throws LoginRejectedException if the keys do not belong together
     */
    static LoginKeys of(PrivateKey secret, ECPublicKey known, RandomGenerator random)
            throws LoginRejectedException {
        LoginKeys keys = new LoginKeys(new KeyPair(known, secret), new SeededRandom(random));
        try {
            verified(keys.sign("{}"), known);
        } catch (LoginRejectedException | IllegalStateException e) {
            throw new LoginRejectedException("the private key is not that of the tokens");
        }
        return keys;
    }

    /**
     * Parses a private key in PKCS #8.
     *
     * @param text PEM or base 64
     * @throws LoginRejectedException if it is not one of an elliptic curve
     */
    static PrivateKey secret(String text) throws LoginRejectedException {
        String base64 = text.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        try {
            byte[] der = Base64.getDecoder().decode(base64);
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new LoginRejectedException("the private key is not an EC key in PKCS #8");
        }
    }

    /** The public key in the form of tokens. */
    String text() {
        return text(pair.getPublic());
    }

    static String text(PublicKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    public KeyPair pair() {
        return pair;
    }

    /** The private key, for the agreement on a session's key. */
    PrivateKey secret() {
        return pair.getPrivate();
    }

    /**
     * Parses a public key, a point of secp384r1.
     *
     * @throws LoginRejectedException if it is not one
     */
    public static ECPublicKey key(@Nullable Object text) throws LoginRejectedException {
        if (!(text instanceof String base64) || base64.length() > MAX_KEY_CHARS) {
            throw new LoginRejectedException("a token does not contain a key");
        }
        try {
            byte[] der = Base64.getDecoder().decode(base64);
            PublicKey key =
                    KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
            if (key instanceof ECPublicKey ec && isOnCurve(ec)) {
                return ec;
            }
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new LoginRejectedException("a token does not contain a valid EC public key");
        }
        throw new LoginRejectedException("a token contains a key of another curve, not secp384r1");
    }

    private static boolean isOnCurve(ECPublicKey key) {
        ECParameterSpec curve = EllipticCurves.P384;
        ECParameterSpec given = key.getParams();
        ECPoint point = key.getW();
        if (!given.getCurve().equals(curve.getCurve())
                || !given.getGenerator().equals(curve.getGenerator())
                || !given.getOrder().equals(curve.getOrder())
                || point.equals(ECPoint.POINT_INFINITY)) {
            return false;
        }
        BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger x = point.getAffineX();
        BigInteger y = point.getAffineY();
        BigInteger right =
                x.pow(3).add(curve.getCurve().getA().multiply(x)).add(curve.getCurve().getB());
        return x.signum() >= 0
                && x.compareTo(p) < 0
                && y.signum() >= 0
                && y.compareTo(p) < 0
                && y.multiply(y).subtract(right).mod(p).signum() == 0;
    }

    /** Signs a token, whose header names the public key. */
    String sign(String payload) {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384);
        token.setHeader(HEADER_KEY, text());
        token.setKey(pair.getPrivate());
        token.setProviderContext(signing);
        token.setPayload(payload);
        try {
            return token.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException("our own key does not sign", e);
        }
    }

    /** The key in a token's header. */
    static ECPublicKey headerKey(String token) throws LoginRejectedException {
        JsonWebSignature parsed = parsed(token);
        try {
            return key(parsed.getHeader(HEADER_KEY));
        } catch (ClassCastException e) {
            throw new LoginRejectedException("a token contains a key that is not a text");
        }
    }

    /** The payload of a token; checks that a key signed it. */
    static String verified(String token, ECPublicKey key) throws LoginRejectedException {
        JsonWebSignature parsed = parsed(token);
        parsed.setAlgorithmConstraints(ES384);
        parsed.setKey(key);
        try {
            if (!AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384.equals(
                    parsed.getHeader("alg"))) {
                throw new LoginRejectedException("a token is not signed with ES384");
            }
            if (parsed.verifySignature()) {
                return parsed.getPayload();
            }
        } catch (JoseException | RuntimeException e) {
            throw new LoginRejectedException("a token's signature can't be checked");
        }
        throw new LoginRejectedException("a token's signature is wrong");
    }

    /** Whether a token's header names a key: its own client signed it. */
    static boolean isSelfSigned(String token) throws LoginRejectedException {
        return parsed(token).getHeaders().getObjectHeaderValue(HEADER_KEY) != null;
    }

    /** The payload of a token whose signature the server can't check: it proves nothing. */
    static String unverified(String token) throws LoginRejectedException {
        try {
            return parsed(token).getUnverifiedPayload();
        } catch (RuntimeException e) {
            throw new LoginRejectedException("a token is not a valid JSON Web Signature");
        }
    }

    private static JsonWebSignature parsed(String token) throws LoginRejectedException {
        try {
            JsonWebSignature parsed = new JsonWebSignature();
            parsed.setCompactSerialization(token);
            return parsed;
        } catch (JoseException | RuntimeException e) {
            throw new LoginRejectedException("a token is not a valid JSON Web Signature");
        }
    }
}
