package dev.wishdir.nethernet.dtls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.random.RandomGenerator;

/**
 * A self-signed certificate over P-256 with its private key. Peers check only its key and its hash,
 * so its name identifies nothing.
 */
public final class DtlsCertificate {
    private static final int MAX_BYTES = 4096;
    private static final byte[] ECDSA_WITH_SHA256 = {
        0x30, 0x0A, 0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2
    };
    private static final byte[] COMMON_NAME = {6, 3, 0x55, 4, 3};

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 2;
    private static final int BIT_STRING = 3;
    private static final int UTF8 = 12;
    private static final int UTC_TIME = 23;

    private final PrivateKey key;
    private final byte[] der;

    private DtlsCertificate(PrivateKey key, byte[] der) {
        this.key = key;
        this.der = der;
    }

    /** A new certificate, valid until 2049. */
    public static DtlsCertificate generate(RandomGenerator random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] serial = new byte[9];
            random.nextBytes(serial);
            serial[0] = 1;
            byte[] name =
                    der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text(UTF8, "NetherNet"))));
            byte[] body =
                    der(
                            SEQUENCE,
                            der(0xA0, der(INTEGER, new byte[] {2})),
                            der(INTEGER, serial),
                            ECDSA_WITH_SHA256,
                            name,
                            der(
                                    SEQUENCE,
                                    text(UTC_TIME, "200101000000Z"),
                                    text(UTC_TIME, "491231235959Z")),
                            name,
                            keys.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(body);
            byte[] signed = signature.sign();
            return new DtlsCertificate(
                    keys.getPrivate(),
                    der(
                            SEQUENCE,
                            body,
                            ECDSA_WITH_SHA256,
                            der(BIT_STRING, new byte[] {0}, signed)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no secp256r1", e);
        }
    }

    private static byte[] text(int tag, String text) {
        return der(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            whole.write(0x82);
            whole.write(length >> 8);
        } else if (length >= 0x80) {
            whole.write(0x81);
        }
        whole.write(length);
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    /**
     * The key of a peer's certificate.
     *
     * @throws GeneralSecurityException if its key is not over an elliptic curve
     */
    static ECPublicKey key(byte[] der) throws GeneralSecurityException {
        if (der.length <= MAX_BYTES
                && CertificateFactory.getInstance("X.509")
                                .generateCertificate(new ByteArrayInputStream(der))
                                .getPublicKey()
                        instanceof ECPublicKey key) {
            return key;
        }
        throw new GeneralSecurityException("the certificate has no key of an elliptic curve");
    }

    PrivateKey key() {
        return key;
    }

    byte[] der() {
        return der.clone();
    }

    byte[] hash() {
        return DtlsKeys.sha256(der);
    }
}
