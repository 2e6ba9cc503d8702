package dev.wishdir.bedrock.protocol;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.security.DigestException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One direction of a session encrypted with its session key: AES-256 in counter mode with one key
 * stream for all batches, and a checksum of counter, batch and key after each. See
 * docs/protocols/bedrock.md#encryption.
 */
final class Encryption {
    /** The bytes of the checksum. */
    static final int TRAILER = 8;

    private static final int FIRST_BUFFER = 1 << 10;

    /** A buffer that had to grow past this is not kept. */
    private static final int KEPT = 64 << 10;

    private static final byte[] EMPTY = {};

    private final Cipher cipher;
    private final MessageDigest digest;
    private final byte[] key;
    private final byte[] counterBytes = new byte[8];
    private final byte[] sum = new byte[32];
    private byte[] clear = EMPTY;
    private long counter;

    private Encryption(byte[] key, int mode) {
        this.key = key;
        try {
            byte[] block = Arrays.copyOf(key, 16);
            Arrays.fill(block, 12, 15, (byte) 0);
            block[15] = 2;
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(block));
            digest = MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES in counter mode", e);
        }
    }

    /** The sending direction. */
    static Encryption sending(byte[] key) {
        return new Encryption(key, Cipher.ENCRYPT_MODE);
    }

    /** The receiving direction. */
    static Encryption receiving(byte[] key) {
        return new Encryption(key, Cipher.DECRYPT_MODE);
    }

    /**
     * The key of a session: the hash of the server's salt and the secret that both sides share.
     *
     * @throws InvalidKeyException if the other side's key is not on our curve
     */
    static SessionKey key(PrivateKey own, PublicKey other, byte[] salt) throws InvalidKeyException {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
            agreement.init(own);
            agreement.doPhase(other, true);
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(salt);
            byte[] secret = agreement.generateSecret();
            return new SessionKey(Bytes.wrap(secret), Bytes.wrap(sha.digest(secret)));
        } catch (InvalidKeyException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no ECDH", e);
        }
    }

    /** The checksum of the next batch, in {@link #sum}. */
    private void sum(byte[] data, int length) {
        for (int i = 0; i < 8; i++) {
            counterBytes[i] = (byte) (counter >>> 8 * i);
        }
        counter++;
        digest.update(counterBytes);
        digest.update(data, 0, length);
        digest.update(key);
        try {
            digest.digest(sum, 0, sum.length);
        } catch (DigestException e) {
            throw new IllegalStateException("a checksum fits its array", e);
        }
    }

    /**
     * An encrypted batch with its checksum.
     *
     * @param batch has room for {@link #TRAILER} bytes more behind
     */
    byte[] encrypt(byte[] batch, int length) {
        sum(batch, length);
        System.arraycopy(sum, 0, batch, length, TRAILER);
        byte[] encrypted = new byte[length + TRAILER];
        run(batch, encrypted, encrypted.length);
        return encrypted;
    }

    /**
     * Decrypts a batch.
     *
     * @return the length of {@link #decrypted}
     * @throws MalformedPacketException if the checksum is wrong: the session has to end, since the
     *     key stream no longer fits
     */
    int decrypt(byte[] batch) {
        if (batch.length <= TRAILER) {
            throw new MalformedPacketException(0, "batch", "is shorter than its checksum");
        }
        if (clear.length < batch.length) {
            clear = new byte[Math.max(FIRST_BUFFER, batch.length)];
        }
        run(batch, clear, batch.length);
        int length = batch.length - TRAILER;
        sum(clear, length);
        if (!Arrays.equals(sum, 0, TRAILER, clear, length, batch.length)) {
            throw new MalformedPacketException(length, "checksum", "is wrong");
        }
        return length;
    }

    /** What {@link #decrypt} made of a batch, from the beginning; valid until it is called. */
    byte[] decrypted() {
        return clear;
    }

    /** Frees the buffer that a large batch left behind. */
    void shrink() {
        clear = clear.length > KEPT ? EMPTY : clear;
    }

    /** The cipher copies what it is to change in its place, so that would take more memory. */
    private void run(byte[] from, byte[] to, int length) {
        try {
            cipher.update(from, 0, length, to, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException("counter mode keeps lengths", e);
        }
    }
}
