package dev.wishdir.nethernet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** How discovery hides its datagrams from those who do not know how. */
final class LanDiscoveryCipher {
    static final int HASH = 32;
    private static final int BLOCK = 16;
    private static final int MAX_BYTES = 16 << 10;
    private static final byte[] KEY =
            IdentityKey.sha256(HexFormat.of().parseHex("efbeadde00000000"));
    private static final int REQUEST = 0;
    private static final int RESPONSE = 1;
    private static final int SIGNAL = 2;

    private LanDiscoveryCipher() {}

    static byte[] plain(LanMessage message) {
        Writer w = new Writer(MAX_BYTES);
        w.u16le("length", 0);
        int type =
                switch (message) {
                    case LanMessage.Request _ -> REQUEST;
                    case LanMessage.Response _ -> RESPONSE;
                    case LanMessage.Signal _ -> SIGNAL;
                };
        w.u16le("type", type);
        w.i64le("sender", message.sender());
        w.i64le("reserved", 0);
        switch (message) {
            case LanMessage.Request _ -> {}
            case LanMessage.Response m -> text(w, m.advertisement().hex());
            case LanMessage.Signal m -> {
                w.i64le("recipient", m.recipient());
                text(w, m.text());
            }
        }
        byte[] plain = w.toByteArray();
        plain[0] = (byte) plain.length;
        plain[1] = (byte) (plain.length >> 8);
        return plain;
    }

    private static void text(Writer w, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        w.i32le("text length", bytes.length);
        w.append(bytes, 0, bytes.length);
    }

    static LanMessage message(Reader r) {
        r.u16le("length", 0);
        int type = r.u16le("type", 0);
        long sender = r.i64le("sender", 0);
        r.i64le("reserved", 0);
        return switch (type) {
            case REQUEST -> new LanMessage.Request(sender);
            case RESPONSE -> {
                String hex = text(r);
                try {
                    yield new LanMessage.Response(sender, Bytes.ofHex(hex));
                } catch (IllegalArgumentException e) {
                    throw new MalformedPacketException(r.position(), "advertisement", "is no hex");
                }
            }
            case SIGNAL -> {
                long recipient = r.i64le("recipient", 0);
                yield new LanMessage.Signal(sender, recipient, text(r));
            }
            default -> throw new MalformedPacketException(2, "type", "is " + type);
        };
    }

    private static String text(Reader r) {
        int length = r.bounded("text length", r.i32le("text length", 0), MAX_BYTES);
        byte[] bytes = r.bytes("text", Bytes.EMPTY, length).toArray();
        String text = new String(bytes, StandardCharsets.UTF_8);
        r.annotate(text);
        return text;
    }

    static byte[] seal(byte[] plain) {
        try {
            byte[] text = cipher(Cipher.ENCRYPT_MODE).doFinal(plain);
            return DtlsKeys.join(hash(plain), text);
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
