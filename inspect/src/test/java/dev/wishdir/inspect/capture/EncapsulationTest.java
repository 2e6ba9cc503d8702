package dev.wishdir.inspect.capture;

import static dev.wishdir.inspect.capture.CaptureBytes.ethernet;
import static dev.wishdir.inspect.capture.CaptureBytes.hex;
import static dev.wishdir.inspect.capture.CaptureBytes.ip4;
import static dev.wishdir.inspect.capture.CaptureBytes.join;
import static dev.wishdir.inspect.capture.CaptureBytes.udp;
import static dev.wishdir.inspect.capture.CaptureBytes.udp4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.inspect.link.Layer;
import dev.wishdir.inspect.link.LinkHeader;
import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.inspect.link.SkipReason;
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

    static Stream<Arguments> lines() {
        return Stream.of(
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
                typed("VLAN", "8100 0005 0800"),
                typed("three VLAN tags", "9100 0001 88a8 0002 8100 0003 0800"),
                onLink(
                        "PPPoE in VLAN",
                        LinkType.ETHERNET,
                        frame -> join(MACS, hex("8100 0007 8864"), pppoe(frame))));
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
    @ValueSource(strings = {"fcs", "nflog", "pppoe"})
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
            assertThat(LinkHeader.inside(link, Bytes.wrap(udp4(1, 2))))
                    .isEqualTo(Layer.UNSUPPORTED);
        }
        assertThat(unknown).hasSize(300 - 12).contains(2, 3, 147, 189, 220, 299);
    }

    /** F5: headers in headers in headers. */
    @Test
    void stopsWherePacketsAreNestedTooDeeply() throws IOException {
        byte[] tags = new byte[100_000];
        for (int at = 0; at < tags.length; at += 4) {
            tags[at] = (byte) 0x81;
        }
        CaptureBytes file = CaptureBytes.pcap(LinkType.ETHERNET).record(0, 0, join(MACS, tags));

        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file.bytes()))) {
            assertThat(capture.next()).isEmpty();
            assertThat(capture.skipped()).containsExactly(Map.entry(SkipReason.NESTED, 1L));
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
