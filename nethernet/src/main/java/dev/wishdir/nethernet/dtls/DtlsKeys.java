package dev.wishdir.nethernet.dtls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Keys of one association and their use: TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 (RFC 5289). */
final class DtlsKeys {
    static final int X25519 = 29;
    static final int P256 = 23;

    /** Additional length of an encrypted record, bytes: nonce and tag. */
    static final int OVERHEAD = 8 + 16;

    private static final int KEY = 16;
    private static final int SALT = 4;
    private static final int TAG_BITS = 128;
    private static final int SECRET = 48;
    private static final int FINISHED = 12;
    private static final byte[] X25519_PREFIX = HexFormat.of().parseHex("302a300506032b656e032100");
    private static final byte[] P256_PREFIX =
            HexFormat.of().parseHex("3059301306072a8648ce3d020106082a8648ce3d030107034200");

    /** One side's ephemeral keys of a key exchange. */
    record Exchange(int group, KeyPair keys) {
        static Exchange of(int group) {
            try {
                KeyPairGenerator generator =
                        KeyPairGenerator.getInstance(group == X25519 ? "X25519" : "EC");
                generator.initialize(
                        group == X25519
                                ? NamedParameterSpec.X25519
                                : new ECGenParameterSpec("secp256r1"));
                return new Exchange(group, generator.generateKeyPair());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no group " + group, e);
            }
        }

        byte[] point() {
            byte[] encoded = keys.getPublic().getEncoded();
            int prefix = prefix(group).length;
            return Arrays.copyOfRange(encoded, prefix, encoded.length);
        }

        byte[] agree(byte[] point) throws GeneralSecurityException {
            byte[] prefix = prefix(group);
            byte[] encoded = Arrays.copyOf(prefix, prefix.length + point.length);
            System.arraycopy(point, 0, encoded, prefix.length, point.length);
            if (point.length != (group == X25519 ? 32 : 65)) {
                throw new GeneralSecurityException("the point has " + point.length + " bytes");
            }
            PublicKey other =
                    KeyFactory.getInstance(group == X25519 ? "X25519" : "EC")
                            .generatePublic(new X509EncodedKeySpec(encoded));
            KeyAgreement agreement = KeyAgreement.getInstance(group == X25519 ? "X25519" : "ECDH");
            agreement.init(keys.getPrivate());
            agreement.doPhase(other, true);
            return agreement.generateSecret();
        }

        private static byte[] prefix(int group) {
            return group == X25519 ? X25519_PREFIX : P256_PREFIX;
        }
    }

    /** The keys of one direction. */
    private static final class Direction {
        private final SecretKey key;
        private final byte[] salt;
        private final Cipher cipher;

        Direction(ByteBuffer keys, ByteBuffer salts) throws GeneralSecurityException {
            byte[] raw = new byte[KEY];
            keys.get(raw);
            key = new SecretKeySpec(raw, "AES");
            salt = new byte[SALT];
            salts.get(salt);
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        }

        private void begin(int mode, byte[] nonce, int at, byte[] header)
                throws GeneralSecurityException {
            byte[] iv = Arrays.copyOf(salt, SALT + 8);
            System.arraycopy(nonce, at, iv, SALT, 8);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
            cipher.updateAAD(header);
        }
    }

    private final byte[] master;
    private final Direction in;
    private final Direction out;

    /**
     * @param sessionHash hash of all messages up to the client's key exchange, for the extended
     *     master secret (RFC 7627)
     */
    DtlsKeys(
            boolean client,
            byte[] premaster,
            byte[] sessionHash,
            byte[] clientRandom,
            byte[] serverRandom)
            throws GeneralSecurityException {
        master = prf(premaster, "extended master secret", sessionHash, SECRET);
        byte[] block =
                prf(master, "key expansion", join(serverRandom, clientRandom), 2 * KEY + 2 * SALT);
        ByteBuffer keys = ByteBuffer.wrap(block, 0, 2 * KEY).slice();
        ByteBuffer salts = ByteBuffer.wrap(block, 2 * KEY, 2 * SALT).slice();
        Direction ofClient = new Direction(keys, salts);
        Direction ofServer = new Direction(keys, salts);
        in = client ? ofServer : ofClient;
        out = client ? ofClient : ofServer;
    }

    /** The content of a Finished. */
    byte[] finished(boolean ofClient, byte[] transcriptHash) throws GeneralSecurityException {
        String label = ofClient ? "client finished" : "server finished";
        return prf(master, label, transcriptHash, FINISHED);
    }

    /**
     * Encrypts a record.
     *
     * @param number epoch and sequence number
     * @param target receives nonce, ciphertext and tag from {@code at} on
     */
    void seal(long number, int type, byte[] plain, int offset, int length, byte[] target, int at)
            throws GeneralSecurityException {
        ByteBuffer.wrap(target).putLong(at, number);
        out.begin(Cipher.ENCRYPT_MODE, target, at, header(number, type, length));
        out.cipher.doFinal(plain, offset, length, target, at + 8);
    }

    /**
     * Decrypts a record.
     *
     * @throws GeneralSecurityException if it is not the peer's
     */
    byte[] open(long number, int type, byte[] record, int offset, int length)
            throws GeneralSecurityException {
        if (length < OVERHEAD) {
            throw new GeneralSecurityException("the record is too short");
        }
        in.begin(Cipher.DECRYPT_MODE, record, offset, header(number, type, length - OVERHEAD));
        return in.cipher.doFinal(record, offset + 8, length - 8);
    }

    private static byte[] header(long number, int type, int length) {
        return ByteBuffer.allocate(13)
                .putLong(number)
                .put((byte) type)
                .putShort((short) Dtls.VERSION)
                .putShort((short) length)
                .array();
    }

    private static byte[] prf(byte[] secret, String label, byte[] seed, int length)
            throws GeneralSecurityException {
        byte[] labelled = join(label.getBytes(StandardCharsets.US_ASCII), seed);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        byte[] result = new byte[length];
        byte[] a = labelled;
        for (int at = 0; at < length; ) {
            a = mac.doFinal(a);
            mac.update(a);
            byte[] part = mac.doFinal(labelled);
            int count = Math.min(part.length, length - at);
            System.arraycopy(part, 0, result, at, count);
            at += count;
        }
        return result;
    }

    /** Whether two secrets are equal, in constant time. */
    static boolean isEqual(byte[] a, byte[] b) {
        return MessageDigest.isEqual(a, b);
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer whole = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            whole.put(part);
        }
        return whole.array();
    }
}
