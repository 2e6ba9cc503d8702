package dev.wishdir.nethernet.identity;

import org.jose4j.keys.EllipticCurves;
import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Public keys over the curve P-384, as identities name them. */
final class P384 {
    private static final int FIELD_BYTES = 48;
    private static final int MAX_KEY_CHARS = 400;
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    private P384() {}

    /** Decodes the key in a claim: a JWK, or a SubjectPublicKeyInfo in Base64. */
    static ECPublicKey key(@Nullable Object claim) throws IdentityRejectedException {
        try {
            ECPublicKey key = null;
            if (claim instanceof Map<?, ?> jwk
                    && "P-384".equals(jwk.get("crv"))
                    && "EC".equals(jwk.get("kty"))
                    && jwk.get("x") instanceof String x
                    && jwk.get("y") instanceof String y) {
                key = of(CompactJws.base64(x), CompactJws.base64(y));
            } else if (claim instanceof String spki
                    && spki.length() <= MAX_KEY_CHARS
                    && KeyFactory.getInstance("EC")
                                    .generatePublic(
                                            new X509EncodedKeySpec(
                                                    Base64.getDecoder().decode(spki)))
                            instanceof ECPublicKey ec) {
                key = ec;
            }
            if (key != null && isOnCurve(key)) {
                return key;
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IdentityRejectedException("cpk is not a public key");
        }
        throw new IdentityRejectedException("cpk is not a key of P-384");
    }

    /** Encodes a key as a JWK, with the order of names in the guide. */
    static Map<String, Object> jwk(ECPublicKey key) {
        Map<String, Object> jwk = new LinkedHashMap<>();
        jwk.put("crv", "P-384");
        jwk.put("kty", "EC");
        jwk.put("x", URL.encodeToString(coordinate(key.getW().getAffineX().toByteArray())));
        jwk.put("y", URL.encodeToString(coordinate(key.getW().getAffineY().toByteArray())));
        return jwk;
    }

    private static byte[] coordinate(byte[] number) {
        byte[] fixed = new byte[48];
        int length = Math.min(number.length, fixed.length);
        System.arraycopy(number, number.length - length, fixed, fixed.length - length, length);
        return fixed;
    }

    /** The key of a point given by its coordinates. */
    static ECPublicKey of(byte[] x, byte[] y) throws GeneralSecurityException {
        if (x.length != FIELD_BYTES || y.length != FIELD_BYTES) {
            throw new GeneralSecurityException("not of P-384");
        }
        ECPoint point = new ECPoint(new BigInteger(1, x), new BigInteger(1, y));
        return (ECPublicKey)
                KeyFactory.getInstance("EC")
                        .generatePublic(new ECPublicKeySpec(point, EllipticCurves.P384));
    }

    static boolean isOnCurve(ECPublicKey key) {
        ECPoint point = key.getW();
        if (!key.getParams().getCurve().equals(EllipticCurves.P384.getCurve())
                || !key.getParams().getGenerator().equals(EllipticCurves.P384.getGenerator())
                || point.equals(ECPoint.POINT_INFINITY)) {
            return false;
        }
        BigInteger p = ((ECFieldFp) EllipticCurves.P384.getCurve().getField()).getP();
        BigInteger x = point.getAffineX();
        BigInteger y = point.getAffineY();
        BigInteger right =
                x.pow(3)
                        .add(EllipticCurves.P384.getCurve().getA().multiply(x))
                        .add(EllipticCurves.P384.getCurve().getB());
        return x.signum() >= 0
                && x.compareTo(p) < 0
                && y.signum() >= 0
                && y.compareTo(p) < 0
                && y.multiply(y).subtract(right).mod(p).signum() == 0;
    }
}
