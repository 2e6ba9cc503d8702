package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Formats of captures and recordings that are recognised, but not supported. */
final class ForeignFormat {
    /** Bytes of a file that are needed to recognise all formats. */
    static final int RECOGNITION_BYTES = 32;

    private static final Map<Bytes, String> NAMES = new LinkedHashMap<>();

    static {
        text("RTSS", "a capture of Microsoft Network Monitor 1");
        text("GMBU", "a capture of Microsoft Network Monitor 2");
        text("TRSNIFF data", "a capture of Network General's Sniffer");
        text("XCP\0", "a capture of NetXRay or Sniffer for Windows");
        text("\u0005VNF", "a capture of Visual Networks");
        text("\u007Fver", "a capture of OmniPeek");
        text("ObserverPktBufferVersion", "a capture of Network Instruments' Observer");
        text("TR\0d", "a capture of HP-UX's nettl");
        bytes("0000000100000000", "a capture of HP-UX's nettl");
        bytes("aaaaaaaa", "a capture of Accellent's 5Views");
        bytes("0000020012050010", "a capture of Tektronix' K12");
        text("+---------+-------", "a capture of K12 as text");
        text("btsnoop\0", "a capture of Bluetooth");
        text("iptrace ", "a capture of AIX's iptrace");
        text("i4b ", "a capture of ISDN4BSD");
        bytes("1c0001ac", "a capture of Ixia's (lcap)");
        bytes("ac01001c", "a capture of Ixia's (lcap)");
        bytes("1c0001ab", "a capture of Ixia's (lcap)");
        bytes("ab01001c", "a capture of Ixia's (lcap)");
        bytes("a1b234cd", "a relative of pcap (a1b234cd)");
        bytes("cd34b2a1", "a relative of pcap (a1b234cd)");
        bytes("a12b3c4d", "a relative of pcap (a12b3c4d)");
        bytes("4d3c2ba1", "a relative of pcap (a12b3c4d)");
        bytes("a1b2c3cb", "a relative of pcap (a1b2c3cb)");
        bytes("cbc3b2a1", "a relative of pcap (a1b2c3cb)");
        text("MVD2", "a recording of Q2PRO's multi-view format");
        bytes("52617221", "a RAR archive");
        bytes("377abcaf", "a 7z archive");
        bytes("02214c18", "an LZ4 file of the legacy format");
    }

    private ForeignFormat() {}

    private static void text(String start, String name) {
        NAMES.put(Bytes.wrap(start.getBytes(StandardCharsets.ISO_8859_1)), name);
    }

    private static void bytes(String hex, String name) {
        NAMES.put(Bytes.ofHex(hex), name);
    }

    /** The format of a file, and advice; empty if the format is unknown. */
    static Optional<String> refusal(Bytes start) {
        return NAMES.entrySet().stream()
                .filter(each ->
                        start.length() >= each.getKey().length()
                                && start.slice(0, each.getKey().length()).equals(each.getKey()))
                .map(each ->
                        "is "
                                + each.getValue()
                                + ", which is not supported: "
                                + (each.getValue().contains("archive")
                                                || each.getValue().contains("LZ4")
                                        ? "decompress it first"
                                        : each.getValue().contains("recording")
                                                ? "use a recording of one client (.dm2)"
                                                : "convert it first, for example with Wireshark's"
                                                        + " editcap -F pcapng"))
                .findFirst();
    }
}
