package dev.wishdir.nethernet.ice;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A binding message of STUN (RFC 8489) as ICE uses it.
 *
 * @param type {@link #REQUEST}, {@link #SUCCESS} or another
 * @param transaction the 12 bytes that an answer repeats
 * @param username {@code receiver's fragment:sender's fragment}; empty if there is none
 * @param role the sender's role in ICE
 * @param nominates whether it has USE-CANDIDATE
 * @param mapped XOR-MAPPED-ADDRESS
 * @param integrityAt offset of MESSAGE-INTEGRITY in the datagram; -1 if there is none
 */
public record Stun(
        int type,
        Bytes transaction,
        String username,
        Role role,
        boolean nominates,
        @Nullable InetSocketAddress mapped,
        int integrityAt) {
    /** Whether an agent selects the pair of addresses. */
    public enum Role {
        NONE,
        CONTROLLING,
        CONTROLLED
    }

    public static final int REQUEST = 0x0001;
    public static final int INDICATION = 0x0011;
    public static final int SUCCESS = 0x0101;
    public static final int ERROR = 0x0111;
    static final int TRANSACTION = 12;

    private static final int COOKIE = 0x2112A442;
    private static final int HEADER = 20;
    private static final int MAX_BYTES = 1500;
    private static final int MAX_USERNAME_BYTES = 513;
    private static final int USERNAME = 0x0006;
    private static final int MESSAGE_INTEGRITY = 0x0008;
    private static final int ERROR_CODE = 0x0009;
    private static final int XOR_MAPPED_ADDRESS = 0x0020;
    private static final int PRIORITY = 0x0024;
    private static final int USE_CANDIDATE = 0x0025;
    private static final int FINGERPRINT = 0x8028;
    private static final int NETWORK_COST = 0xC057;
    private static final int ICE_CONTROLLED = 0x8029;
    private static final int ICE_CONTROLLING = 0x802A;
    private static final int FINGERPRINT_XOR = 0x5354554E;
    private static final int HASH = 20;
    private static final int PEER_REFLEXIVE_PRIORITY = 110 << 24 | 65_535 << 8 | 255;

    /** Whether a datagram is STUN's, by its first byte, its cookie and its length. */
    public static boolean isStun(byte[] data) {
        return isStun(Bytes.wrap(data));
    }

    /** Whether a datagram is STUN's, by its first byte, its cookie and its length. */
    public static boolean isStun(Bytes data) {
        return data.length() >= HEADER
                && (data.get(0) & 0xFC) == 0
                && data.get(4) == 0x21
                && data.get(5) == 0x12
                && data.get(6) == (byte) 0xA4
                && data.get(7) == 0x42
                && ((data.get(2) & 0xFF) << 8 | data.get(3) & 0xFF) == data.length() - HEADER
                && data.length() % 4 == 0;
    }

    /**
     * Reads a datagram.
     *
     * @throws MalformedPacketException if it is not a STUN message
     */
    public static Stun read(byte[] data) {
        if (!isStun(data) || data.length > MAX_BYTES) {
            throw new MalformedPacketException(0, "header", "is not STUN's");
        }
        return walk(new Reader(data));
    }

    /** Walks a datagram for which {@link #isStun} is true. */
    public static Stun walk(Reader r) {
        int type = r.u16be("type", 0);
        r.u16be("length", 0);
        r.i32be("cookie", 0);
        Bytes transaction = r.bytes("transaction", Bytes.EMPTY, TRANSACTION);
        String username = "";
        Role role = Role.NONE;
        boolean nominates = false;
        InetSocketAddress mapped = null;
        int integrityAt = -1;
        while (r.remaining() > 0) {
            int at = r.position();
            int attribute = r.u16be("attribute", 0);
            if (r.tracing()) {
                r.annotate(name(attribute));
            }
            int length = r.u16be("attribute length", 0);
            int mark = r.pushLimit("attribute", length);
            if (integrityAt < 0) {
                switch (attribute) {
                    case USERNAME -> {
                        r.bounded("username length", length, MAX_USERNAME_BYTES);
                        byte[] name = r.bytes("username", Bytes.EMPTY, length).toArray();
                        username = new String(name, StandardCharsets.UTF_8);
                        r.annotate(username);
                    }
                    case USE_CANDIDATE -> nominates = true;
                    case ICE_CONTROLLING -> role = Role.CONTROLLING;
                    case ICE_CONTROLLED -> role = Role.CONTROLLED;
                    case XOR_MAPPED_ADDRESS -> mapped = address(r, transaction);
                    case MESSAGE_INTEGRITY -> {
                        r.bytes("message integrity", Bytes.EMPTY, HASH);
                        integrityAt = at;
                    }
                    default -> {}
                }
            }
            if (r.remaining() > 0) {
                r.rest("value", Bytes.EMPTY, MAX_BYTES);
            }
            r.popLimit(mark);
            if ((length & 3) != 0) {
                r.bytes("padding", Bytes.EMPTY, -length & 3);
            }
        }
        return new Stun(type, transaction, username, role, nominates, mapped, integrityAt);
    }

    private static String name(int attribute) {
        return switch (attribute) {
            case USERNAME -> "USERNAME";
            case MESSAGE_INTEGRITY -> "MESSAGE-INTEGRITY";
            case ERROR_CODE -> "ERROR-CODE";
            case XOR_MAPPED_ADDRESS -> "XOR-MAPPED-ADDRESS";
            case PRIORITY -> "PRIORITY";
            case USE_CANDIDATE -> "USE-CANDIDATE";
            case FINGERPRINT -> "FINGERPRINT";
            case ICE_CONTROLLED -> "ICE-CONTROLLED";
            case ICE_CONTROLLING -> "ICE-CONTROLLING";
            case NETWORK_COST -> "GOOG-NETWORK-INFO";
            default -> "0x" + Integer.toHexString(attribute);
        };
    }

    /** Whether the datagram of this message is signed with a password. */
    boolean isSigned(byte[] data, String password) {
        if (integrityAt < 0) {
            return false;
        }
        byte[] signed = Arrays.copyOf(data, integrityAt);
        setLength(signed, integrityAt + 4 + HASH - HEADER);
        int at = integrityAt + 4;
        return MessageDigest.isEqual(
                hash(signed, password), Arrays.copyOfRange(data, at, at + HASH));
    }

    /** The answer to a request of an address. */
    static byte[] success(Bytes transaction, InetSocketAddress from, String password) {
        Writer w = begin(SUCCESS, transaction);
        address(w, transaction, from);
        return sign(w, password);
    }

    /**
     * A controlling agent's request, which nominates its pair.
     *
     * @param username {@code their fragment:our fragment}
     */
    public static byte[] request(
            Bytes transaction, String username, long tieBreaker, String password) {
        Writer w = begin(REQUEST, transaction);
        byte[] name = username.getBytes(StandardCharsets.UTF_8);
        attribute(w, USERNAME, name.length);
        w.bytes("username", Bytes.wrap(name), name.length);
        w.bytes("padding", Bytes.wrap(new byte[-name.length & 3]), -name.length & 3);
        attribute(w, PRIORITY, 4);
        w.i32be("priority", PEER_REFLEXIVE_PRIORITY);
        attribute(w, ICE_CONTROLLING, 8);
        w.i64be("tie-breaker", tieBreaker);
        attribute(w, USE_CANDIDATE, 0);
        return sign(w, password);
    }

    private static Writer begin(int type, Bytes transaction) {
        Writer w = new Writer(MAX_BYTES);
        w.u16be("type", type);
        w.u16be("length", 0);
        w.i32be("cookie", COOKIE);
        w.bytes("transaction", transaction, TRANSACTION);
        return w;
    }

    private static void attribute(Writer w, int type, int length) {
        w.u16be("attribute", type);
        w.u16be("attribute length", length);
    }

    private static byte[] sign(Writer w, String password) {
        byte[] signed = w.toByteArray();
        setLength(signed, signed.length + 4 + HASH - HEADER);
        attribute(w, MESSAGE_INTEGRITY, HASH);
        w.bytes("message integrity", Bytes.wrap(hash(signed, password)), HASH);
        byte[] checked = w.toByteArray();
        setLength(checked, checked.length + 8 - HEADER);
        CRC32 crc = new CRC32();
        crc.update(checked);
        attribute(w, FINGERPRINT, 4);
        w.i32be("fingerprint", (int) crc.getValue() ^ FINGERPRINT_XOR);
        byte[] whole = w.toByteArray();
        setLength(whole, whole.length - HEADER);
        return whole;
    }

    private static void setLength(byte[] message, int length) {
        message[2] = (byte) (length >> 8);
        message[3] = (byte) length;
    }

    private static byte[] hash(byte[] message, String password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(password.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA1", e);
        }
    }

    private static void address(Writer w, Bytes transaction, InetSocketAddress address) {
        byte[] ip = address.getAddress().getAddress();
        attribute(w, XOR_MAPPED_ADDRESS, 4 + ip.length);
        w.u8("reserved", 0);
        w.u8("family", ip.length == 4 ? 1 : 2);
        w.u16be("port", address.getPort() ^ COOKIE >>> 16);
        w.bytes("address", Bytes.wrap(mask(ip, transaction)), ip.length);
    }

    private static InetSocketAddress address(Reader r, Bytes transaction) {
        r.u8("reserved", 0);
        int family = r.u8("family", 0);
        int port = r.u16be("port", 0) ^ COOKIE >>> 16;
        byte[] ip = r.bytes("address", Bytes.EMPTY, family == 2 ? 16 : 4).toArray();
        try {
            InetAddress address = InetAddress.getByAddress(mask(ip, transaction));
            if (r.tracing()) {
                r.annotate(address.getHostAddress() + " port " + port);
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] mask(byte[] ip, Bytes transaction) {
        byte[] masked = ip.clone();
        for (int i = 0; i < masked.length; i++) {
            masked[i] ^= i < 4 ? (byte) (COOKIE >>> 24 - 8 * i) : transaction.get(i - 4);
        }
        return masked;
    }
}
