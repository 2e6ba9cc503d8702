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
 * Encryption of one direction of a session with its session key:
 * docs/protocols/bedrock.md#encryption. AES-256 in counter mode, one key stream for all batches;
 * after each batch a checksum of counter, batch and key.
 */
public final class Encryption {
    /** Size of the checksum, bytes. */
    static final int CHECKSUM_BYTES = 8;

    private static final int INITIAL_BUFFER_BYTES = 1 << 10;

    /** Maximum size of a buffer that is reused, bytes. */
    private static final int MAX_REUSED_BYTES = 64 << 10;

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
     * Derives the key of a session: the hash of the server's salt and the shared secret.
     *
     * @throws InvalidKeyException if the other side's key is not on our curve
     */
    public static SessionKey key(PrivateKey own, PublicKey other, byte[] salt)
            throws InvalidKeyException {
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

    /** Computes the checksum of the next batch into {@link #sum}. */
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
     * Encrypts a batch and its checksum.
     *
     * @param batch has space for {@link #CHECKSUM_BYTES} more bytes
     */
    byte[] encrypt(byte[] batch, int length) {
        sum(batch, length);
        System.arraycopy(sum, 0, batch, length, CHECKSUM_BYTES);
        byte[] encrypted = new byte[length + CHECKSUM_BYTES];
        run(batch, encrypted, encrypted.length);
        return encrypted;
    }

    /**
     * Decrypts a batch.
     *
     * @return the length of {@link #decrypted}
     * @throws MalformedPacketException if the checksum is wrong: the session must end, as the key
     *     stream is out of step
     */
    int decrypt(byte[] batch) {
        if (batch.length <= CHECKSUM_BYTES) {
            throw new MalformedPacketException(0, "batch", "is shorter than its checksum");
        }
        if (clear.length < batch.length) {
            clear = new byte[Math.max(INITIAL_BUFFER_BYTES, batch.length)];
        }
        run(batch, clear, batch.length);
        int length = batch.length - CHECKSUM_BYTES;
        sum(clear, length);
        if (!Arrays.equals(sum, 0, CHECKSUM_BYTES, clear, length, batch.length)) {
            throw new MalformedPacketException(length, "checksum", "is wrong");
        }
        return length;
    }

    /** The output of {@link #decrypt}, from index 0; valid until the next call. */
    byte[] decrypted() {
        return clear;
    }

    /** Frees the buffer if it has grown for a large batch. */
    void shrink() {
        clear = clear.length > MAX_REUSED_BYTES ? EMPTY : clear;
    }

    /** Not in place: the cipher would copy its input then, which takes more memory. */
    private void run(byte[] from, byte[] to, int length) {
        try {
            cipher.update(from, 0, length, to, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException("counter mode keeps lengths", e);
        }
    }
}
