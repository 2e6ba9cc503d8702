package dev.wishdir.inspect;

import static dev.wishdir.inspect.CaptureBytes.ethernet;
import static dev.wishdir.inspect.CaptureBytes.hex;
import static dev.wishdir.inspect.CaptureBytes.ip4;
import static dev.wishdir.inspect.CaptureBytes.ip6;
import static dev.wishdir.inspect.CaptureBytes.join;
import static dev.wishdir.inspect.CaptureBytes.udp;
import static dev.wishdir.inspect.CaptureBytes.udp4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The same six datagrams of three games, as captures of every kind of line hold them. */
final class EncapsulationTest {
    private static final byte[] MACS = hex("020000000001 020000000002");
    private static final byte[] SNAP = hex("aaaa03 000000");

    private record Said(InetSocketAddress from, InetSocketAddress to, Bytes payload) {}

    static byte[] resource(String name) {
        try (InputStream in = EncapsulationTest.class.getResourceAsStream("captures/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Said> read(byte[] file) throws IOException {
        List<Said> all = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file))) {
            for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                Datagram datagram = next.get();
                all.add(new Said(datagram.source(), datagram.destination(), datagram.payload()));
            }
        }
        return all;
    }

    /** The frames of the reference. */
    static List<byte[]> frames() {
        byte[] file = resource("ethernet.pcap");
        List<byte[]> frames = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 24; at < file.length; ) {
            int length = in.getInt(at + 8);
            frames.add(Arrays.copyOfRange(file, at + 16, at + 16 + length));
            at += 16 + length;
        }
        return frames;
    }

    private static byte[] ip(byte[] frame) {
        return Arrays.copyOfRange(frame, 14, frame.length);
    }

    private static Arguments onLink(String name, int link, UnaryOperator<byte[]> frame) {
        return Arguments.of(name, link, frame);
    }

    /** An IP packet behind these octets. */
    private static Arguments behind(String name, int link, String header) {
        return onLink(name, link, frame -> join(hex(header), ip(frame)));
    }

    /** An IP packet in a frame of Ethernet, behind these octets, which begin with an EtherType. */
    private static Arguments typed(String name, String header) {
        return onLink(
                name, LinkType.ETHERNET, frame -> join(MACS, hex(header), ip(frame), new byte[4]));
    }

    /** In IPv4 of this protocol, behind these octets. */
    private static Arguments carried(String name, int protocol, String header) {
        return onLink(
                name,
                LinkType.ETHERNET,
                frame -> ethernet(hex("0800"), ip4(protocol, join(hex(header), ip(frame)))));
    }

    /** A whole frame in IPv4 of this protocol. */
    private static Arguments bridged(String name, int protocol, String header) {
        return onLink(
                name,
                LinkType.ETHERNET,
                frame -> ethernet(hex("0800"), ip4(protocol, join(hex(header), frame))));
    }

    /** An IP packet in UDP. */
    private static Arguments inUdp(String name, int port, String header) {
        return onLink(
                name,
                LinkType.ETHERNET,
                frame -> ethernet(49_152, port, join(hex(header), ip(frame))));
    }

    /** A whole frame in UDP. */
    private static Arguments bridgedInUdp(String name, int port, String header) {
        return onLink(
                name, LinkType.ETHERNET, frame -> ethernet(49_152, port, join(hex(header), frame)));
    }

    private static byte[] pppoe(byte[] frame) {
        byte[] packet = ip(frame);
        byte[] length = ByteBuffer.allocate(2).putShort((short) (packet.length + 2)).array();
        return join(hex("1100 0007"), length, hex("0021"), packet);
    }

    private static byte[] nflog(byte[] frame, ByteOrder order) {
        byte[] packet = ip(frame);
        return join(
                hex("0200 0000"),
                ByteBuffer.allocate(8)
                        .order(order)
                        .putShort((short) 5)
                        .putShort((short) 10)
                        .array(),
                ByteBuffer.allocate(4)
                        .order(order)
                        .putShort((short) (4 + packet.length))
                        .putShort((short) 9)
                        .array(),
                packet);
    }

    private static byte[] aggregate(byte[] frame) {
        byte[] packet = ip(frame);
        byte[] empty = join(MACS, hex("0009"), SNAP, hex("0806 00 00"));
        byte[] length = ByteBuffer.allocate(2).putShort((short) (8 + packet.length)).array();
        return join(
                hex("8801 0000 010101010101 020202020202 030303030303 0000 8000"),
                empty,
                MACS,
                length,
                SNAP,
                hex("0800"),
                packet);
    }

    static Stream<Arguments> lines() {
        String wifi = "0801 0000 010101010101 020202020202 030303030303 0000";
        String quality = "8802 0000 010101010101 020202020202 030303030303 0000";
        String llc = " aaaa03 000000 0800";
        return Stream.of(
                behind("PPP", LinkType.PPP, "0021"),
                behind("PPP in HDLC", LinkType.PPP, "ff03 0021"),
                behind("PPP with a compressed protocol", LinkType.PPP_HDLC, "ff03 21"),
                behind("Cisco's in PPP's", LinkType.PPP_HDLC, "0f00 0800"),
                behind("PPP multilink", LinkType.PPP, "ff03 003d c0000001 0021"),
                behind("PPP with a direction", LinkType.PPP_WITH_DIRECTION, "00 ff03 0021"),
                behind("pppd", LinkType.PPP_PPPD, "0103 0021"),
                onLink("PPPoE alone", LinkType.PPPOE, EncapsulationTest::pppoe),
                behind("Cisco HDLC", LinkType.CISCO_HDLC, "0f00 0800"),
                behind(
                        "Cisco HDLC with a direction",
                        LinkType.CISCO_HDLC_WITH_DIRECTION,
                        "010f000800"),
                behind("frame relay", LinkType.FRAME_RELAY, "1841 03cc"),
                behind("frame relay with SNAP", LinkType.FRAME_RELAY, "1841 03 00 80 000000 0800"),
                behind("frame relay, Cisco's", LinkType.FRAME_RELAY, "1841 0800"),
                behind("ATM", LinkType.LLC, llc),
                onLink(
                        "ATM, bridged",
                        LinkType.LLC,
                        frame -> join(hex("aaaa03 0080c2 0007 0000"), frame)),
                behind("ATM, PPP", LinkType.LLC, "fefe03cf 0021"),
                behind("SunATM", LinkType.SUN_ATM, "02 00 0020" + llc),
                behind("Wi-Fi", LinkType.WIFI, wifi + llc),
                behind("Wi-Fi, quality of service", LinkType.WIFI, quality + "0000" + llc),
                behind(
                        "Wi-Fi, high throughput",
                        LinkType.WIFI,
                        "8881 0000 010101010101 020202020202 030303030303 0000 0000 00000000"
                                + llc),
                behind(
                        "Wi-Fi between access points",
                        LinkType.WIFI,
                        "0803 0000 010101010101 020202020202 030303030303 0000 040404040404" + llc),
                behind(
                        "Wi-Fi, decrypted",
                        LinkType.WIFI,
                        "0841 0000 010101010101 020202020202 030303030303 0000 0102002000000000"
                                + llc),
                onLink("Wi-Fi, aggregated", LinkType.WIFI, EncapsulationTest::aggregate),
                behind("radiotap", LinkType.WIFI_RADIOTAP, "0000 0800 00000000" + wifi + llc),
                behind(
                        "radiotap with padding",
                        LinkType.WIFI_RADIOTAP,
                        "0000 1900 030000a0 000000a0 00000000 0000000000000000 20"
                                + quality
                                + "0000 0000"
                                + llc),
                onLink(
                        "Prism",
                        LinkType.WIFI_PRISM,
                        frame ->
                                join(
                                        hex("44000000 90000000"),
                                        new byte[136],
                                        hex(wifi + llc),
                                        ip(frame))),
                onLink(
                        "AVS",
                        LinkType.WIFI_AVS,
                        frame ->
                                join(
                                        hex("80211001 00000040"),
                                        new byte[56],
                                        hex(wifi + llc),
                                        ip(frame))),
                onLink(
                        "AVS as Prism",
                        LinkType.WIFI_PRISM,
                        frame ->
                                join(
                                        hex("80211002 00000044"),
                                        new byte[60],
                                        hex(wifi + llc),
                                        ip(frame))),
                behind("PPI", LinkType.PPI, "00000800 69000000" + wifi + llc),
                onLink(
                        "PKTAP",
                        LinkType.APPLE_PKTAP,
                        frame -> join(hex("6c000000 01000000 01000000"), new byte[96], frame)),
                onLink("NFLOG", LinkType.NFLOG, frame -> nflog(frame, ByteOrder.LITTLE_ENDIAN)),
                onLink(
                        "NFLOG, high first",
                        LinkType.NFLOG,
                        frame -> nflog(frame, ByteOrder.BIG_ENDIAN)),
                behind("loopback", LinkType.BSD_LOOPBACK, "02000000"),
                behind("loopback of OpenBSD", LinkType.OPENBSD_LOOPBACK, "00000002"),
                behind("enc", LinkType.OPENBSD_ENC, "02000000 00000000 00000000"),
                onLink(
                        "pflog",
                        LinkType.OPENBSD_PFLOG,
                        frame -> join(hex("3d02"), new byte[62], ip(frame))),
                onLink(
                        "IPNET",
                        LinkType.SOLARIS_IPNET,
                        frame -> join(hex("0102"), new byte[22], ip(frame))),
                onLink(
                        "FireWire",
                        LinkType.FIREWIRE_IP,
                        frame -> join(new byte[16], hex("0800"), ip(frame))),
                onLink(
                        "InfiniBand",
                        LinkType.INFINIBAND_IP,
                        frame -> join(new byte[40], hex("0800 0000"), ip(frame))),
                onLink(
                        "with a preamble",
                        LinkType.ETHERNET_PREAMBLE,
                        frame -> join(hex("55555555555555d5"), frame)),
                onLink("netANALYZER", LinkType.NETANALYZER, frame -> join(new byte[4], frame)),
                onLink(
                        "switch tag",
                        LinkType.SWITCH_TAG_BROADCOM,
                        frame -> join(MACS, hex("00000000 0800"), ip(frame))),
                onLink(
                        "cooked, 802.2",
                        LinkType.LINUX_COOKED,
                        frame -> join(new byte[14], hex("0004"), hex(llc), ip(frame))),
                onLink(
                        "cooked, radiotap",
                        LinkType.LINUX_COOKED,
                        frame ->
                                join(
                                        hex("0000 0323"),
                                        new byte[12],
                                        hex("0000 0800 00000000" + wifi + llc),
                                        ip(frame))),
                onLink(
                        "802.3 with SNAP",
                        LinkType.ETHERNET,
                        frame -> {
                            byte[] data = join(hex(llc), ip(frame));
                            byte[] length =
                                    ByteBuffer.allocate(2).putShort((short) data.length).array();
                            return join(MACS, length, data, new byte[10]);
                        }),
                typed("VLAN", "8100 0005 0800"),
                typed("three VLAN tags", "9100 0001 88a8 0002 8100 0003 0800"),
                typed("VLAN and MPLS", "8100 0005 8847 00010140"),
                typed("MPLS", "8847 00010040 00011140"),
                typed("VN-Tag", "8926 00000000 0800"),
                typed("E-Tag", "893f 000000000000 0800"),
                typed("TrustSec", "8909 010100010002 0800"),
                typed("MACsec that signs", "88e5 2000 00000001 0000000000000001 0800"),
                typed("service header", "894f 0fc60101 00000100 0000000000000000 0000000000000000"),
                typed("PPP", "880b 0021"),
                onLink(
                        "provider's backbone",
                        LinkType.ETHERNET,
                        frame -> join(MACS, hex("88e7 00000001"), frame)),
                onLink(
                        "Ethernet in MPLS",
                        LinkType.ETHERNET,
                        frame -> join(MACS, hex("8847 00010140 00000000"), frame)),
                onLink(
                        "PPPoE in VLAN",
                        LinkType.ETHERNET,
                        frame -> join(MACS, hex("8100 0007 8864"), pppoe(frame))),
                carried("IP in IP", 4, ""),
                carried("GRE", 47, "0000 0800"),
                carried("GRE with all fields", 47, "b000 0800 00000000 00000001 00000002"),
                carried("GRE, PPTP", 47, "3081 880b 00300001 00000001 00000002 ff03 0021"),
                carried("GRE, WCCP", 47, "0000 883e 00000000"),
                carried("GRE, MPLS", 47, "0000 8847 00010140"),
                bridged("NVGRE", 47, "2000 6558 00000100"),
                bridged("ERSPAN", 47, "1000 88be 00000001 1001000100000000"),
                bridged("ERSPAN's first", 47, "0000 88be"),
                bridged("ERSPAN's third", 47, "1000 22eb 00000001 200100010000000000000000"),
                bridged("EtherIP", 97, "3000"),
                carried("MPLS in IP", 137, "00010140"),
                carried("behind a signature", 51, "0404 0000 00000001 00000001" + "00".repeat(12)),
                onLink(
                        "4 in 6",
                        LinkType.ETHERNET,
                        frame -> ethernet(hex("86dd"), ip6(4, ip(frame)))),
                onLink(
                        "Ethernet in 6",
                        LinkType.ETHERNET,
                        frame -> ethernet(hex("86dd"), ip6(143, frame))),
                bridgedInUdp("VXLAN", 4789, "0800000000000100"),
                bridgedInUdp("VXLAN of Linux", 8472, "0800000000000100"),
                inUdp("VXLAN-GPE", 4790, "0c00000100000100"),
                inUdp("Geneve", 6081, "0000 0800 00000100"),
                bridgedInUdp("Geneve with options", 6081, "0240 6558 00000100 0102030405060708"),
                inUdp("GTP-U", 2152, "30 ff 0000 00000001"),
                inUdp("GTP-U with an extension", 2152, "34 ff 0000 00000001 000000 85 01000900"),
                inUdp("L2TP", 1701, "0002 0001 0001 ff03 0021"),
                inUdp("L2TP with all fields", 1701, "4a02 0000 0001 0001 0000 0000 0002 0000 0021"),
                inUdp("MPLS in UDP", 6635, "00010140"),
                inUdp("LISP", 4341, "8000000100000000"),
                bridgedInUdp("TZSP", 37_008, "01000001 0a01ff 00 01"),
                onLink(
                        "Teredo",
                        LinkType.ETHERNET,
                        frame ->
                                ethernet(
                                        3544,
                                        49_152,
                                        join(hex("0000 ffff ffffffff"), ip6(4, ip(frame))))),
                onLink(
                        "a tunnel in a tunnel in a tunnel",
                        LinkType.ETHERNET,
                        frame ->
                                ethernet(
                                        49_152,
                                        4789,
                                        join(
                                                hex("0800000000000100"),
                                                ethernet(
                                                        hex("0800"),
                                                        ip4(
                                                                47,
                                                                join(
                                                                        hex("0000 0800"),
                                                                        ip4(4, ip(frame)))))))));
    }

    private static byte[] capture(int link, UnaryOperator<byte[]> line) {
        CaptureBytes file = CaptureBytes.pcap(link);
        for (byte[] frame : frames()) {
            file.record(0, 0, line.apply(frame));
        }
        return file.bytes();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void findsDatagramsOnEveryLink(String name, int link, UnaryOperator<byte[]> line)
            throws IOException {
        List<Said> right = read(resource("ethernet.pcap"));

        assertThat(right).hasSize(6);
        assertThat(read(capture(link, line))).isEqualTo(right);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fcs",
                "gre",
                "ip4-in-ip6",
                "modified",
                "mpls",
                "nflog",
                "ppp",
                "pppoe",
                "radiotap",
                "vxlan"
            })
    void readsCapturesOfUsers(String name) throws IOException {
        assertThat(read(resource(name + ".pcap"))).isEqualTo(read(resource("ethernet.pcap")));
    }

    /** F5: cut anywhere, and with any octet wrong, a packet is counted and passed over. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void throwsNothingOnCutOrWrongPacket(String name, int link, UnaryOperator<byte[]> line)
            throws IOException {
        byte[] packet = line.apply(frames().getFirst());
        CaptureBytes file = CaptureBytes.pcap(link);
        int packets = 0;
        for (int cut = 0; cut < packet.length; cut++, packets++) {
            file.i32(0).i32(0).i32(cut).i32(packet.length).raw(Arrays.copyOf(packet, cut));
        }
        for (int at = 0; at < packet.length; at++) {
            for (int wrong : new int[] {0, 0x7F, 0xFF}) {
                byte[] changed = packet.clone();
                changed[at] = (byte) wrong;
                file.record(0, 0, changed);
                packets++;
            }
        }
        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file.bytes()))) {
            while (capture.next().isPresent()) {
                // To the end.
            }
            assertThat(capture.frames()).isEqualTo(packets);
        }
    }

    @Test
    void recognisesEveryDecodedLinkType() {
        Set<Integer> unknown = new HashSet<>();
        IntStream.range(0, 300).filter(link -> !LinkType.isKnown(link)).forEach(unknown::add);

        for (int link : unknown) {
            assertThat(LinkHeader.inside(link, Bytes.wrap(udp4(1, 2)))).isEqualTo(Layer.NOT_IP);
        }
        assertThat(unknown).hasSize(300 - 39).contains(2, 3, 147, 189, 220, 299);
    }

    /** F5: headers in headers in headers. */
    @Test
    void stopsWherePacketsAreNestedTooDeeply() throws IOException {
        byte[] tags = new byte[100_000];
        for (int at = 0; at < tags.length; at += 4) {
            tags[at] = (byte) 0x81;
        }
        byte[] tunnels = udp4(1, 2);
        for (int i = 0; i < PacketDecoder.MAX_LAYERS; i++) {
            tunnels = ip4(4, tunnels);
        }
        byte[] datagrams = udp4(1, 2);
        for (int i = 0; i < PacketDecoder.MAX_LAYERS; i++) {
            datagrams = udp4(1, 4341, join(new byte[8], datagrams));
        }
        CaptureBytes file =
                CaptureBytes.pcap(LinkType.ETHERNET)
                        .record(0, 0, join(MACS, tags))
                        .record(0, 0, ethernet(hex("0800"), tunnels))
                        .record(0, 0, ethernet(hex("0800"), datagrams));

        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file.bytes()))) {
            // What is in too many tunnels is no tunnel's, and shows as the datagram that it is.
            assertThat(capture.next()).isPresent();
            assertThat(capture.next()).isEmpty();
            assertThat(capture.skipped()).containsExactly(Map.entry(SkipReason.NESTED, 2L));
        }
    }

    /** A game may use the port of a tunnel. */
    @ParameterizedTest
    @ValueSource(ints = {1701, 2152, 3544, 4341, 4789, 4790, 6081, 6635, 8472, 37_008})
    void recognisesGameOnTunnelPort(int port) throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        for (Said said : read(resource("ethernet.pcap"))) {
            payloads.add(said.payload().toArray());
        }
        CaptureBytes file = CaptureBytes.pcap(LinkType.ETHERNET);
        for (byte[] payload : payloads) {
            file.record(0, 0, ethernet(27_960, port, payload));
        }

        assertThat(read(file.bytes()))
                .extracting(said -> said.payload().toArray())
                .containsExactlyElementsOf(payloads);
    }

    @Test
    void reportsEncryptedPackets() throws IOException {
        byte[] secret =
                hex("0841 0000 010101010101 020202020202 030303030303 0000" + "5a".repeat(60));
        byte[] file = CaptureBytes.pcap(LinkType.WIFI).record(0, 0, secret).bytes();

        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file))) {
            assertThat(capture.next()).isEmpty();
            assertThat(capture.skipped()).containsExactly(Map.entry(SkipReason.ENCRYPTED, 1L));
        }
    }

    /** Each end of a frame without a length of its own shows the check sequence. */
    @Test
    void removesFrameCheckSequence() throws IOException {
        byte[] open = udp(1, 2, (byte) 7);
        open[5] = 0;
        byte[] packet = ip4(17, open);
        packet[3] = 0;
        byte[] frame = join(ethernet(hex("0800"), packet), hex("deadbeef"));
        byte[] pcap = CaptureBytes.pcap(0x2400_0001).record(0, 0, frame).bytes();
        byte[] bits = pcapng(frame, hex("0d00 0100 20000000 0000 0000"), new byte[0]);
        byte[] octets = pcapng(frame, hex("0d00 0100 04000000 0000 0000"), new byte[0]);
        byte[] flags = pcapng(frame, new byte[0], hex("0200 0400 80000000 0000 0000"));
        CaptureBytes cut = CaptureBytes.pcap(0x2400_0001);
        int kept = frame.length - 3;
        cut.i32(0).i32(0).i32(kept).i32(frame.length).raw(Arrays.copyOf(frame, kept));

        for (byte[] file : List.of(pcap, bits, octets, flags, cut.bytes())) {
            assertThat(read(file)).extracting(said -> said.payload().hex()).containsExactly("07");
        }
    }

    private static byte[] pcapng(byte[] frame, byte[] ofInterface, byte[] ofPacket) {
        ByteBuffer body =
                ByteBuffer.allocate(20 + (frame.length + 3 & ~3) + ofPacket.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        body.putInt(12, frame.length).putInt(16, frame.length).put(20, frame);
        body.put(20 + (frame.length + 3 & ~3), ofPacket);
        return CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN)
                .describe(LinkType.ETHERNET, ofInterface)
                .block(6, body.array())
                .bytes();
    }
}
