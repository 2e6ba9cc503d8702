package dev.wishdir.nethernet.sdp;

import dev.wishdir.nethernet.ice.IceCredentials;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * An offer or answer: the one data-channel section of an SDP (RFC 8866, 8839, 8841).
 *
 * <p>Lines that NetherNet does not need are ignored; no host name in it is resolved.
 *
 * @param session number of the session in the o line
 * @param ice user fragment and password
 * @param lite whether the writer only answers connectivity checks
 * @param fingerprints of the certificates, in order and byte for byte, at least one of sha-256
 * @param setup the writer's role in DTLS
 * @param mid the section's name
 * @param maxMessageSize maximum length of a message that the writer accepts, bytes; 0 for any
 * @param candidates the writer's UDP addresses
 * @param identity the text of {@code a=identity}; null if there is none
 */
public record Sdp(
        long session,
        IceCredentials ice,
        boolean lite,
        List<Fingerprint> fingerprints,
        Setup setup,
        String mid,
        int maxMessageSize,
        List<InetSocketAddress> candidates,
        @Nullable String identity) {
    /** Maximum length of an SDP, bytes. */
    static final int MAX_BYTES = 16 << 10;

    private static final int MAX_LINES = 200;
    private static final int MAX_CANDIDATES = 32;
    private static final int MAX_LINE_CHARS = 512;
    private static final int MAX_IDENTITY_CHARS = 12 << 10;
    private static final int SHA_256 = 32;
    private static final int DEFAULT_MESSAGE = 65_536;
    private static final String IDENTITY = "a=identity:";

    /** The writer's role in DTLS. */
    public enum Setup {
        ACTPASS,
        ACTIVE,
        PASSIVE;

        private static Setup of(String text, int at) {
            return switch (text) {
                case "actpass" -> ACTPASS;
                case "active" -> ACTIVE;
                case "passive" -> PASSIVE;
                default -> throw new MalformedPacketException(at, "setup", "is not known");
            };
        }

        private String text() {
            return switch (this) {
                case ACTPASS -> "actpass";
                case ACTIVE -> "active";
                case PASSIVE -> "passive";
            };
        }
    }

    /** The hash of a certificate in an {@code a=fingerprint} line. */
    public record Fingerprint(String algorithm, String digest) {
        private static final HexFormat HEX = HexFormat.ofDelimiter(":").withUpperCase();

        public static Fingerprint sha256(byte[] hash) {
            return new Fingerprint("sha-256", HEX.formatHex(hash));
        }

        private byte[] hash(int at) {
            try {
                byte[] hash = HEX.parseHex(digest);
                if (hash.length == SHA_256) {
                    return hash;
                }
            } catch (IllegalArgumentException e) {
                // Reported below.
            }
            throw new MalformedPacketException(at, "fingerprint", "is not 32 bytes");
        }
    }

    public Sdp {
        fingerprints = List.copyOf(fingerprints);
        candidates = List.copyOf(candidates);
    }

    /** SHA-256 of the certificate that the writer will present. */
    public byte[] certificateHash() {
        for (Fingerprint fingerprint : fingerprints) {
            if (fingerprint.algorithm.equals("sha-256")) {
                return fingerprint.hash(0);
            }
        }
        throw new IllegalStateException("it was read or made with one");
    }

    /** A copy with another identity. */
    public Sdp with(@Nullable String newIdentity) {
        return new Sdp(
                session,
                ice,
                lite,
                fingerprints,
                setup,
                mid,
                maxMessageSize,
                candidates,
                newIdentity);
    }

    /**
     * A partly read description. It has at most one value of each attribute, but several
     * fingerprints and candidates.
     */
    private static final class Draft {
        @Nullable String fragment;
        @Nullable String password;
        @Nullable Setup setup;
        @Nullable String identity;
        @Nullable Integer maxMessageSize;
        String mid = "0";
        boolean lite;
        boolean media;
        long session;
        final List<Fingerprint> fingerprints = new ArrayList<>();
        final List<InetSocketAddress> candidates = new ArrayList<>();
        int candidateLines;

        private void line(String line, int at) {
            int colon = line.indexOf(':');
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            switch (colon < 0 ? line : line.substring(0, colon)) {
                case "a=ice-ufrag" -> fragment = once("ice-ufrag", fragment, value, at);
                case "a=ice-pwd" -> password = once("ice-pwd", password, value, at);
                case "a=ice-lite" -> lite = true;
                case "a=setup" -> setup = once("setup", setup, Setup.of(value, at), at);
                case "a=mid" -> mid = plain("mid", value, at);
                case "a=identity" -> {
                    if (media) {
                        throw new MalformedPacketException(at, "identity", "is not the session's");
                    }
                    identity = once("identity", identity, value, at);
                }
                case "a=max-message-size" ->
                        maxMessageSize =
                                once(
                                        "max-message-size",
                                        maxMessageSize,
                                        (int) number("max-message-size", value, 1L << 31, at),
                                        at);
                case "a=fingerprint" -> {
                    int blank = value.indexOf(' ');
                    if (blank < 0 || fingerprints.size() >= 4) {
                        throw new MalformedPacketException(at, "fingerprint", "is not one");
                    }
                    Fingerprint fingerprint =
                            new Fingerprint(value.substring(0, blank), value.substring(blank + 1));
                    if (fingerprint.algorithm.equals("sha-256")) {
                        fingerprint.hash(at);
                    }
                    fingerprints.add(fingerprint);
                }
                case "a=candidate" -> {
                    if (++candidateLines > MAX_CANDIDATES) {
                        throw new MalformedPacketException(at, "candidate", "is one too many");
                    }
                    InetSocketAddress address = candidate(value);
                    if (address != null) {
                        candidates.add(address);
                    }
                }
                default -> other(line, at);
            }
        }

        private void other(String line, int at) {
            if (line.startsWith("m=")) {
                if (media || !line.startsWith("m=application ")) {
                    throw new MalformedPacketException(at, "m", "is not the one data section");
                }
                media = true;
            } else if (line.startsWith("o=")) {
                String[] words = line.split(" ");
                session =
                        words.length > 1 && words[1].matches("[0-9]{1,18}")
                                ? Long.parseLong(words[1])
                                : 0;
            }
        }
    }

    private static <T> T once(String name, @Nullable T before, T value, int at) {
        if (before != null) {
            throw new MalformedPacketException(at, name, "is there twice");
        }
        return value;
    }

    private static String plain(String name, String value, int at) {
        if (!value.matches("[0-9A-Za-z_-]{1,16}")) {
            throw new MalformedPacketException(at, name, "is not a short word");
        }
        return value;
    }

    private static long number(String name, String text, long most, int at) {
        if (!text.matches("[0-9]{1,15}")) {
            throw new MalformedPacketException(at, name, "is not a number");
        }
        return Math.min(Long.parseLong(text), most - 1);
    }

    /** The address of a UDP candidate; null for any other, such as a host name or TCP. */
    private static @Nullable InetSocketAddress candidate(String value) {
        String[] words = value.split(" ");
        if (words.length < 8
                || !words[2].equalsIgnoreCase("udp")
                || !words[5].matches("[0-9]{1,5}")
                || !(words[4].matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
                        || words[4].matches("[0-9a-fA-F:]*:[0-9a-fA-F:.]*"))) {
            return null;
        }
        int port = Integer.parseInt(words[5]);
        try {
            return port == 0 || port > 65_535
                    ? null
                    : new InetSocketAddress(InetAddress.ofLiteral(words[4]), port);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Reads UTF-8.
     *
     * @throws MalformedPacketException if it lacks or repeats what NetherNet needs
     */
    public static Sdp read(byte[] utf8) {
        if (utf8.length > MAX_BYTES) {
            throw new MalformedPacketException(0, "sdp", "has " + utf8.length + " bytes");
        }
        try {
            return read(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        } catch (CharacterCodingException e) {
            throw new MalformedPacketException(0, "sdp", "is not UTF-8");
        }
    }

    private static Sdp read(String text) {
        Draft draft = new Draft();
        int lines = 0;
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf('\n', at);
            int next = end < 0 ? text.length() : end + 1;
            int last = end < 0 ? text.length() : end;
            if (last > at && text.charAt(last - 1) == '\r') {
                last--;
            }
            String line = text.substring(at, last);
            int longest = line.startsWith(IDENTITY) ? MAX_IDENTITY_CHARS : MAX_LINE_CHARS;
            if (++lines > MAX_LINES || line.length() > longest || line.indexOf('\0') >= 0) {
                throw new MalformedPacketException(at, "line", "is one too many or too long");
            }
            if (!line.isEmpty() && (line.length() < 2 || line.charAt(1) != '=')) {
                throw new MalformedPacketException(at, "line", "is none of SDP's");
            }
            draft.line(line, at);
            at = next;
        }
        int length = text.length();
        if (!text.startsWith("v=0") || !draft.media) {
            throw new MalformedPacketException(length, "m", "is missing");
        }
        if (draft.fragment == null || !IceCredentials.isPlain(draft.fragment, 4)) {
            throw new MalformedPacketException(length, "ice-ufrag", "is missing or wrong");
        }
        if (draft.password == null || !IceCredentials.isPlain(draft.password, 22)) {
            throw new MalformedPacketException(length, "ice-pwd", "is missing or wrong");
        }
        if (draft.setup == null) {
            throw new MalformedPacketException(length, "setup", "is missing");
        }
        if (draft.fingerprints.stream().noneMatch(f -> f.algorithm.equals("sha-256"))) {
            throw new MalformedPacketException(length, "fingerprint", "of sha-256 is missing");
        }
        return new Sdp(
                draft.session,
                new IceCredentials(draft.fragment, draft.password),
                draft.lite,
                draft.fingerprints,
                draft.setup,
                draft.mid,
                draft.maxMessageSize == null ? DEFAULT_MESSAGE : draft.maxMessageSize,
                draft.candidates,
                draft.identity);
    }

    /** The text, with lines ended by CR LF. */
    public String text() {
        StringBuilder text = new StringBuilder();
        InetSocketAddress first =
                candidates.isEmpty()
                        ? InetSocketAddress.createUnresolved("0.0.0.0", 9)
                        : candidates.getFirst();
        line(text, "v=0");
        line(text, "o=- " + session + " 2 IN IP4 127.0.0.1");
        line(text, "s=-");
        line(text, "t=0 0");
        line(text, "a=group:BUNDLE " + mid);
        if (lite) {
            line(text, "a=ice-lite");
        }
        line(text, "a=msid-semantic: WMS");
        if (identity != null) {
            line(text, IDENTITY + identity);
        }
        line(text, "m=application " + first.getPort() + " UDP/DTLS/SCTP webrtc-datachannel");
        line(text, "c=IN " + family(first) + " " + host(first));
        int priority = 2_130_706_431;
        for (int i = 0; i < candidates.size(); i++) {
            InetSocketAddress at = candidates.get(i);
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "a=candidate:%d 1 udp %d %s %d typ host",
                            i + 1,
                            priority - (i << 8),
                            host(at),
                            at.getPort()));
        }
        line(text, "a=end-of-candidates");
        line(text, "a=ice-ufrag:" + ice.fragment());
        line(text, "a=ice-pwd:" + ice.password());
        for (Fingerprint fingerprint : fingerprints) {
            line(text, "a=fingerprint:" + fingerprint.algorithm + " " + fingerprint.digest);
        }
        line(text, "a=setup:" + setup.text());
        line(text, "a=mid:" + mid);
        line(text, "a=sctp-port:5000");
        line(text, "a=max-message-size:" + maxMessageSize);
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append("\r\n");
    }

    private static String family(InetSocketAddress address) {
        return host(address).indexOf(':') < 0 ? "IP4" : "IP6";
    }

    private static String host(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        return ip == null ? address.getHostString() : ip.getHostAddress();
    }
}
