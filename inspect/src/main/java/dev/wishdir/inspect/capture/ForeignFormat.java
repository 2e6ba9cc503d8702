package dev.wishdir.inspect.capture;

import dev.wishdir.wire.Bytes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Formats of captures, recordings and archives that are recognised, but not supported. */
final class ForeignFormat {
    /** Bytes of a file that are needed to recognise all formats. */
    static final int RECOGNITION_BYTES = 8;

    /** Advice for a capture of another format. */
    static final String CONVERT = "convert it with editcap -F pcapng IN OUT";

    private static final Map<Bytes, String> REFUSALS = new LinkedHashMap<>();

    static {
        add("736e6f6f70000000", "a capture of Solaris' snoop", CONVERT);
        add("a1b2cd34", "a relative of pcap (a1b2cd34)", CONVERT);
        add("34cdb2a1", "a relative of pcap (a1b2cd34)", CONVERT);
        add("a1b234cd", "a relative of pcap (a1b234cd)", CONVERT);
        add("cd34b2a1", "a relative of pcap (a1b234cd)", CONVERT);
        add("a12b3c4d", "a relative of pcap (a12b3c4d)", CONVERT);
        add("4d3c2ba1", "a relative of pcap (a12b3c4d)", CONVERT);
        add("a1b2c3cb", "a relative of pcap (a1b2c3cb)", CONVERT);
        add("cbc3b2a1", "a relative of pcap (a1b2c3cb)", CONVERT);
        add("4d564432", "a multi-view recording of Q2PRO", "use a recording of one client (.dm2)");
        add("504b0304", "a zip archive", "extract it with unzip FILE");
        add("fd377a58", "an xz file", "decompress it with xz -d FILE");
        add("04224d18", "an LZ4 file", "decompress it with lz4 -d FILE");
        add("02214c18", "an LZ4 file", "decompress it with lz4 -d FILE");
        add("52617221", "a RAR archive", "extract it with unrar x FILE");
        add("377abcaf", "a 7z archive", "extract it with 7z x FILE");
    }

    private ForeignFormat() {}

    private static void add(String start, String name, String advice) {
        REFUSALS.put(Bytes.ofHex(start), "is " + name + ", which is not supported: " + advice);
    }

    /** The format of a file, and advice; empty if the format is unknown. */
    static Optional<String> refusal(Bytes start) {
        return REFUSALS.entrySet().stream()
                .filter(each ->
                        start.length() >= each.getKey().length()
                                && start.slice(0, each.getKey().length()).equals(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
