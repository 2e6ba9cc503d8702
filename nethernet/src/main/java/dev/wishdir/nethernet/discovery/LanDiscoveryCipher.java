package dev.wishdir.nethernet.discovery;

import dev.wishdir.wire.MalformedPacketException;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Encryption of the datagrams of LAN discovery, with a key that is public. */
final class LanDiscoveryCipher {
    static final int HASH = 32;
    private static final int BLOCK = 16;
    static final int MAX_BYTES = 16 << 10;

    /** The SHA-256 of {@code efbeadde00000000}. */
    private static final byte[] KEY =
            HexFormat.of()
                    .parseHex("eed4c37861936c6ebb91ab9d195c1b489de46362d3bb8e30d8aab08bf217e6f3");

    private LanDiscoveryCipher() {}

    static byte[] seal(byte[] plain) {
        try {
            byte[] text = cipher(Cipher.ENCRYPT_MODE).doFinal(plain);
            byte[] datagram = Arrays.copyOf(hash(plain), HASH + text.length);
            System.arraycopy(text, 0, datagram, HASH, text.length);
            return datagram;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES", e);
        }
    }

    static byte[] open(byte[] datagram) {
        int length = datagram.length - HASH;
        if (length < BLOCK || length % BLOCK != 0 || length > MAX_BYTES) {
            throw new MalformedPacketException(0, "datagram", "has no whole blocks");
        }
        byte[] plain;
        try {
            plain = cipher(Cipher.DECRYPT_MODE).doFinal(datagram, HASH, length);
        } catch (GeneralSecurityException e) {
            throw new MalformedPacketException(HASH, "text", "is of another key");
        }
        if (!MessageDigest.isEqual(hash(plain), Arrays.copyOf(datagram, HASH))) {
            throw new MalformedPacketException(0, "hash", "is wrong");
        }
        return plain;
    }

    private static Cipher cipher(int mode) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
        cipher.init(mode, new SecretKeySpec(KEY, "AES"));
        return cipher;
    }

    private static byte[] hash(byte[] plain) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            return mac.doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", e);
        }
    }
}
