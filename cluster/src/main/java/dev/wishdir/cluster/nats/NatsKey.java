package dev.wishdir.cluster.nats;

import io.nats.client.AuthHandler;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An NKey of a NATS user, with or without its JWT: signs what the server asks for, with the Ed25519
 * of Java.
 *
 * <p>Sources: docs.nats.io, "NKeys"; the seed is base32 of two prefix bytes, 32 bytes and a CRC-16.
 */
final class NatsKey implements AuthHandler {
    private static final Pattern SEED = Pattern.compile("\\bS[A-Z2-7]{57}\\b");
    private static final Pattern JWT =
            Pattern.compile(
                    "-{3,}BEGIN NATS USER JWT-{3,}\\s+(\\S+)\\s+-{3,}END NATS USER JWT-{3,}");
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int SEED_PREFIX = 18 << 3;
    private static final int USER_PREFIX = 20 << 3;
    private static final int KEY_BYTES = 32;

    private final PrivateKey key;
    private final String id;
    private final String jwt;

    private NatsKey(PrivateKey key, String id, String jwt) {
        this.key = key;
        this.id = id;
        this.jwt = jwt;
    }

    /**
     * Reads a file with a seed, or with credentials: a JWT and a seed.
     *
     * @throws IOException if it cannot be read, or has no seed of a user
     */
    static NatsKey read(Path file) throws IOException {
        String text = NatsTls.read(file);
        Matcher jwt = JWT.matcher(text);
        String token = jwt.find() ? jwt.group(1) : "";
        Matcher seed = SEED.matcher(token.isEmpty() ? text : text.substring(jwt.end()));
        if (!seed.find()) {
            throw new IOException(
                    file + " has no NKey seed: 58 characters that begin with SU, as nk makes them");
        }
        try {
            return of(seed.group(), token);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException(file + " has no usable NKey seed: " + e.getMessage(), e);
        }
    }

    private static NatsKey of(String seed, String jwt) throws GeneralSecurityException {
        byte[] raw = decode(seed);
        int kind = (raw[0] & 7) << 5 | (raw[1] & 0xF8) >> 3;
        if ((raw[0] & 0xF8) != SEED_PREFIX || kind != USER_PREFIX) {
            throw new IllegalArgumentException("it is not the seed of a user");
        }
        int crc = raw[raw.length - 2] & 0xFF | (raw[raw.length - 1] & 0xFF) << 8;
        if (crc != crc16(raw, raw.length - 2)) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        byte[] secret = Arrays.copyOfRange(raw, 2, 2 + KEY_BYTES);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        // Java makes a key pair of 32 random bytes, which are the seed; it has no other way from a
        // private key to its public one.
        generator.initialize(NamedParameterSpec.ED25519, new FixedRandom(secret));
        KeyPair pair = generator.generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] id = new byte[1 + KEY_BYTES + 2];
        id[0] = (byte) USER_PREFIX;
        System.arraycopy(encoded, encoded.length - KEY_BYTES, id, 1, KEY_BYTES);
        int check = crc16(id, 1 + KEY_BYTES);
        id[id.length - 2] = (byte) check;
        id[id.length - 1] = (byte) (check >> 8);
        return new NatsKey(pair.getPrivate(), encode(id), jwt);
    }

    /** Gives the same bytes once. */
    private static final class FixedRandom extends SecureRandom {
        @java.io.Serial private static final long serialVersionUID = 1;

        private final byte[] bytes;

        FixedRandom(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void nextBytes(byte[] target) {
            if (target.length != bytes.length) {
                throw new IllegalStateException(
                        "Ed25519 took " + target.length + " random bytes instead of 32");
            }
            System.arraycopy(bytes, 0, target, 0, target.length);
        }
    }

    private static byte[] decode(String text) {
        byte[] bytes = new byte[text.length() * 5 / 8];
        int buffer = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            buffer = buffer << 5 | ALPHABET.indexOf(text.charAt(i));
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes[at++] = (byte) (buffer >> bits);
            }
        }
        return bytes;
    }

    private static String encode(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte b : bytes) {
            buffer = buffer << 8 | b & 0xFF;
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(ALPHABET.charAt(buffer >> bits & 31));
            }
        }
        if (bits > 0) {
            text.append(ALPHABET.charAt(buffer << 5 - bits & 31));
        }
        return text.toString();
    }

    /** CRC-16/XMODEM. */
    private static int crc16(byte[] bytes, int length) {
        int crc = 0;
        for (int i = 0; i < length; i++) {
            crc ^= (bytes[i] & 0xFF) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
            }
            crc &= 0xFFFF;
        }
        return crc;
    }

    @Override
    public byte[] sign(byte[] nonce) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(nonce);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with Ed25519", e);
        }
    }

    /** The public key, unless the JWT has it. */
    @Override
    public char @Nullable [] getID() {
        return jwt.isEmpty() ? id.toCharArray() : null;
    }

    @Override
    public char @Nullable [] getJWT() {
        return jwt.isEmpty() ? null : jwt.toCharArray();
    }

    /** The public key. */
    @Override
    public String toString() {
        return id;
    }
}
