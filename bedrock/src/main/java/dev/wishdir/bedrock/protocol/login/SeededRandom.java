package dev.wishdir.bedrock.protocol.login;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * Random bytes for keys and signatures, derived from a seed of another source. Each is a hash of
 * the 32 bytes of seed and a counter: as secret as the seed, and reproducible. Thread-safe.
 */
final class SeededRandom extends SecureRandom {
    private static final long serialVersionUID = 1;
    private static final int SEED = 32;

    private final byte[] seed = new byte[SEED];
    private long counter;

    SeededRandom(RandomGenerator source) {
        source.nextBytes(seed);
    }

    @Override
    public synchronized void nextBytes(byte[] bytes) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (int at = 0; at < bytes.length; ) {
                sha.update(seed);
                sha.update(ByteBuffer.allocate(Long.BYTES).putLong(counter++).flip());
                byte[] block = sha.digest();
                int length = Math.min(block.length, bytes.length - at);
                System.arraycopy(block, 0, bytes, at, length);
                at += length;
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
