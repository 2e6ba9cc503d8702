package dev.wishdir.inspect.capture;

import static dev.wishdir.inspect.capture.CaptureBytes.ethernet;
import static dev.wishdir.inspect.capture.CaptureBytes.gzip;
import static dev.wishdir.inspect.capture.CaptureBytes.hex;
import static dev.wishdir.inspect.capture.CaptureBytes.ip4;
import static dev.wishdir.inspect.capture.CaptureBytes.ip6;
import static dev.wishdir.inspect.capture.CaptureBytes.join;
import static dev.wishdir.inspect.capture.CaptureBytes.udp;
import static dev.wishdir.inspect.capture.CaptureBytes.udp4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.inspect.link.IpFragments;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

final class CaptureReaderTest {
    private static final byte[] HELLO = {1, 2, 3};

    /** Everything of a capture, and where it stopped. */
    private record Reading(
            List<Datagram> datagrams,
            Map<SkipReason, Long> skipped,
            Optional<CaptureException> problem) {}

    private static Reading read(byte[] file) throws IOException {
        return read(CaptureReader.of(new ByteArrayInputStream(file)));
    }

    private static Reading read(CaptureReader capture) throws IOException {
        List<Datagram> datagrams = new ArrayList<>();
        Optional<CaptureException> problem = Optional.empty();
        try (capture) {
            for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                datagrams.add(next.get());
            }
        } catch (CaptureException e) {
            problem = Optional.of(e);
        }
        return new Reading(datagrams, capture.skipped(), problem);
    }

    private static List<Datagram> whole(byte[] file) throws IOException {
        Reading reading = read(file);
        assertThat(reading.problem).isEmpty();
        return reading.datagrams;
    }

    private static Map<SkipReason, Long> skippedOnRawLink(byte[]... packets) throws IOException {
        CaptureBytes file = CaptureBytes.pcap(LinkType.RAW);
        for (byte[] packet : packets) {
            file.record(0, 0, packet);
        }
        Reading reading = read(file.bytes());
        assertThat(reading.problem).isEmpty();
        assertThat(reading.datagrams).isEmpty();
        return reading.skipped;
    }

    private static List<Datagram> datagramsOnRawLink(byte[]... packets) throws IOException {
        CaptureBytes file = CaptureBytes.pcap(LinkType.RAW);
        for (byte[] packet : packets) {
            file.record(0, 0, packet);
        }
        return whole(file.bytes());
    }

    static Stream<Arguments> clocks() {
        return Stream.of(
                Arguments.of(ByteOrder.LITTLE_ENDIAN, Pcap.MICROSECONDS, 250_000),
                Arguments.of(ByteOrder.BIG_ENDIAN, Pcap.MICROSECONDS, 250_000),
                Arguments.of(ByteOrder.LITTLE_ENDIAN, Pcap.NANOSECONDS, 250_000_000),
                Arguments.of(ByteOrder.BIG_ENDIAN, Pcap.NANOSECONDS, 250_000_000));
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void readsPcapOfBothByteOrdersAndClocks(ByteOrder order, int magic, int quarter)
            throws IOException {
        byte[] file =
                CaptureBytes.pcap(order, magic, LinkType.ETHERNET)
                        .record(1_700_000_000, 3 * quarter, ethernet(1000, 2000, HELLO))
                        .record(1_700_000_002, quarter, ethernet(2000, 1000))
                        .bytes();

        List<Datagram> datagrams = whole(file);

        assertThat(datagrams).extracting(Datagram::frame).containsExactly(1L, 2L);
        assertThat(datagrams).extracting(Datagram::time).containsExactly(0.0, 1.5);
        Datagram first = datagrams.getFirst();
        assertThat(first.source().toString()).isEqualTo("/10.0.0.1:1000");
        assertThat(first.destination().toString()).isEqualTo("/10.0.0.2:2000");
        assertThat(first.payload()).isEqualTo(Bytes.of(HELLO));
        assertThat(datagrams.getLast().payload()).isEqualTo(Bytes.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIG_ENDIAN", "LITTLE_ENDIAN"})
    void readsPcapngWithSeveralInterfacesAndClocks(String name) throws IOException {
        ByteOrder order =
                name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        CaptureBytes file = CaptureBytes.pcapng(order);
        file.describe(LinkType.ETHERNET);
        // The second counts 2^-20 seconds, ten seconds late.
        byte[] resolution = new byte[] {0, 9, 0, 1, (byte) 0x94, 0, 0, 0};
        byte[] offset = new byte[] {0, 14, 0, 8, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0};
        byte[] options = join(resolution, offset);
        if (order == ByteOrder.LITTLE_ENDIAN) {
            options =
                    join(
                            hex("0900 0100 94000000"),
                            hex("0e00 0800 0a00000000000000"),
                            hex("0000 0000"));
        }
        file.describe(LinkType.RAW, options);
        file.enhanced(0, 11_000_000, ethernet(1, 2, HELLO));
        file.enhanced(1, 3L << 19, udp4(3, 4));
        file.block(0x0BAD, new byte[40]);
        CaptureBytes old = CaptureBytes.pcapng(order);
        byte[] packet = ethernet(5, 6);
        // An old packet block, then a simple one, in a section of its own.
        old.describe(LinkType.ETHERNET);
        ByteBuffer fields = ByteBuffer.allocate(20 + packet.length).order(order);
        fields.putShort((short) 0).putShort((short) 7).putInt(0).putInt(12_000_000);
        fields.putInt(packet.length).putInt(packet.length).put(packet);
        old.block(2, fields.array());
        old.block(
                3, join(ByteBuffer.allocate(4).order(order).putInt(packet.length).array(), packet));

        List<Datagram> datagrams = whole(join(file.bytes(), old.bytes()));

        assertThat(datagrams)
                .extracting(datagram -> datagram.source().getPort())
                .containsExactly(1, 3, 5, 5);
        assertThat(datagrams).extracting(Datagram::time).containsExactly(0.0, 0.5, 1.0, 1.0);
    }

    @Test
    void readsPcapngWithChangingByteOrder() throws IOException {
        byte[] little =
                CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN)
                        .describe(LinkType.RAW)
                        .enhanced(0, 0, udp4(1, 2))
                        .bytes();
        byte[] big =
                CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN)
                        .describe(LinkType.RAW)
                        .enhanced(0, 0, udp4(3, 4))
                        .bytes();

        assertThat(whole(join(little, big, little)))
                .extracting(datagram -> datagram.source().getPort())
                .containsExactly(1, 3, 1);
    }

    static Stream<Arguments> links() {
        byte[] ip4 = udp4(1, 2, HELLO);
        byte[] ip6 = ip6(17, udp(1, 2, HELLO));
        return Stream.of(
                Arguments.of(LinkType.ETHERNET, ethernet(hex("0800"), ip4)),
                Arguments.of(LinkType.ETHERNET, ethernet(hex("86dd"), ip6)),
                Arguments.of(LinkType.ETHERNET, ethernet(hex("8100 0005 0800"), ip4)),
                Arguments.of(LinkType.ETHERNET, ethernet(hex("88a8 0005 8100 0006 86dd"), ip6)),
                Arguments.of(LinkType.ETHERNET, ethernet(hex("0800"), join(ip4, new byte[20]))),
                Arguments.of(LinkType.LINUX_COOKED, join(new byte[14], hex("0800"), ip4)),
                Arguments.of(LinkType.LINUX_COOKED, join(new byte[14], hex("81000001 86dd"), ip6)),
                Arguments.of(LinkType.LINUX_COOKED_2, join(hex("0800"), new byte[18], ip4)),
                Arguments.of(LinkType.RAW, ip4),
                Arguments.of(LinkType.RAW, ip6),
                Arguments.of(LinkType.RAW_BSD, ip4),
                Arguments.of(LinkType.RAW_OPENBSD, ip6),
                Arguments.of(LinkType.IPV4, ip4),
                Arguments.of(LinkType.IPV6, ip6),
                Arguments.of(LinkType.BSD_LOOPBACK, join(hex("02000000"), ip4)),
                Arguments.of(LinkType.BSD_LOOPBACK, join(hex("0000001e"), ip6)),
                Arguments.of(LinkType.OPENBSD_LOOPBACK, join(hex("00000018"), ip6)));
    }

    @ParameterizedTest
    @MethodSource("links")
    void readsEveryLinkType(int link, byte[] packet) throws IOException {
        List<Datagram> datagrams = whole(CaptureBytes.pcap(link).record(0, 0, packet).bytes());

        assertThat(datagrams).hasSize(1);
        assertThat(datagrams.getFirst().source().getPort()).isEqualTo(1);
        assertThat(datagrams.getFirst().destination().getPort()).isEqualTo(2);
        assertThat(datagrams.getFirst().payload()).isEqualTo(Bytes.of(HELLO));
    }

    @Test
    void readsExtensionHeadersOfIpv6() throws IOException {
        byte[] routing = hex("3c 00 00 00 00000000");
        byte[] options = hex("11 01 0000000000000000000000000000");
        byte[] chain = join(hex("2b 00 000000000000"), routing, options, udp(1, 2, HELLO));

        assertThat(datagramsOnRawLink(ip6(0, chain)))
                .singleElement()
                .returns(Bytes.of(HELLO), Datagram::payload);
    }

    @Test
    void joinsFragmentsOfIpv4InAnyOrder() throws IOException {
        byte[] payload = new byte[40];
        new Random(1).nextBytes(payload);
        byte[] datagram = udp(1, 2, payload);
        byte[] first = ip4(17, 7, 0, false, Arrays.copyOfRange(datagram, 0, 16));
        byte[] second = ip4(17, 7, 16, false, Arrays.copyOfRange(datagram, 16, 40));
        byte[] third = ip4(17, 7, 40, true, Arrays.copyOfRange(datagram, 40, 48));
        byte[] ofAnother = ip4(17, 8, 16, false, new byte[24]);

        List<Datagram> datagrams =
                datagramsOnRawLink(third, ofAnother, first, first, udp4(3, 4), second);

        assertThat(datagrams).extracting(Datagram::frame).containsExactly(5L, 6L);
        assertThat(datagrams.getLast().payload()).isEqualTo(Bytes.of(payload));
    }

    @Test
    void joinsFragmentsOfIpv6AroundExtensions() throws IOException {
        // Destination options travel inside the fragments here, hop by hop options before them.
        byte[] inside = join(hex("11 00 000000000000"), udp(1, 2, HELLO), new byte[0]);
        byte[] first =
                join(
                        hex("2c 00 000000000000"),
                        hex("3c 00 0001 00000009"),
                        Arrays.copyOf(inside, 8));
        byte[] second =
                join(
                        hex("2c 00 000000000000"),
                        hex("3c 00 0008 00000009"),
                        Arrays.copyOfRange(inside, 8, inside.length));
        byte[] atomic = join(hex("11 00 0000 0000000a"), udp(3, 4));

        List<Datagram> datagrams =
                datagramsOnRawLink(ip6(0, first), ip6(44, atomic), ip6(0, second));

        assertThat(datagrams)
                .extracting(datagram -> datagram.source().getPort())
                .containsExactly(3, 1);
        assertThat(datagrams.getLast().payload()).isEqualTo(Bytes.of(HELLO));
    }

    /** F5: overlapping fragments. */
    @Test
    void dropsPacketOfOverlappingFragments() throws IOException {
        byte[] datagram = udp(1, 2, new byte[24]);
        byte[] changed = datagram.clone();
        changed[20] = 1;
        byte[] first = ip4(17, 7, 0, false, Arrays.copyOfRange(datagram, 0, 16));
        byte[] forged = ip4(17, 7, 8, false, Arrays.copyOfRange(changed, 8, 24));
        byte[] last = ip4(17, 7, 16, true, Arrays.copyOfRange(datagram, 16, 32));
        byte[] other = ip4(17, 7, 16, true, Arrays.copyOfRange(changed, 16, 32));
        byte[] beyond = ip4(17, 7, 32, true, new byte[8]);
        byte[] shorter = ip4(17, 7, 8, true, Arrays.copyOfRange(datagram, 8, 16));

        assertThat(skippedOnRawLink(first, forged, last))
                .containsExactly(Map.entry(SkipReason.OVERLAPPING, 1L));
        assertThat(skippedOnRawLink(last, other, first))
                .containsExactly(Map.entry(SkipReason.OVERLAPPING, 1L));
        assertThat(skippedOnRawLink(last, beyond, first))
                .containsExactly(Map.entry(SkipReason.OVERLAPPING, 1L));
        assertThat(skippedOnRawLink(last, shorter, first))
                .containsExactly(Map.entry(SkipReason.OVERLAPPING, 1L));
    }

    @Test
    void forgetsFragmentsOfEarlierPacket() throws IOException {
        byte[] datagram = udp(1, 2, new byte[24]);
        byte[] first = ip4(17, 7, 0, false, Arrays.copyOfRange(datagram, 0, 16));
        byte[] last = ip4(17, 7, 16, true, Arrays.copyOfRange(datagram, 16, 32));
        CaptureBytes file =
                CaptureBytes.pcap(LinkType.RAW)
                        .record(0, 0, first)
                        .record(31, 0, last)
                        .record(32, 0, first);

        Reading reading = read(file.bytes());

        assertThat(reading.datagrams).hasSize(1);
        assertThat(reading.skipped).containsExactly(Map.entry(SkipReason.UNFINISHED, 1L));
    }

    @Test
    void replacesUnfinishedPackets() throws IOException {
        byte[] datagram = udp(1, 2, new byte[24]);
        CaptureBytes file = CaptureBytes.pcap(LinkType.RAW);
        int packets = 10 * IpFragments.MAX_INCOMPLETE_PACKETS;
        for (int id = 0; id < packets; id++) {
            file.record(0, 0, ip4(17, id, 0, false, Arrays.copyOfRange(datagram, 0, 16)));
        }
        for (int id = packets - IpFragments.MAX_INCOMPLETE_PACKETS; id < packets; id++) {
            file.record(0, 0, ip4(17, id, 16, true, Arrays.copyOfRange(datagram, 16, 32)));
        }

        Reading reading = read(file.bytes());

        assertThat(reading.datagrams).hasSize(IpFragments.MAX_INCOMPLETE_PACKETS);
        assertThat(reading.skipped)
                .containsExactly(
                        Map.entry(
                                SkipReason.UNFINISHED,
                                (long) packets - IpFragments.MAX_INCOMPLETE_PACKETS));
    }

    @Test
    void countsPacketsWithoutDatagram() throws IOException {
        byte[] longUdp = udp(1, 2, HELLO);
        longUdp[5] = 100;
        byte[] shortUdp = udp(1, 2, HELLO);
        shortUdp[5] = 7;
        byte[] longIp = udp4(1, 2, HELLO);
        longIp[3] = 100;
        byte[] shortHeader = udp4(1, 2, HELLO);
        shortHeader[0] = 0x44;
        byte[] nested =
                join(
                        hex("2c 00 0000 00000001"),
                        hex("2c 00 0001 00000002"),
                        hex("11 00 0000 00000003"),
                        udp(1, 2));

        assertThat(
                        skippedOnRawLink(
                                new byte[0],
                                hex("00"),
                                ip4(6, new byte[20]),
                                ip6(50, new byte[20]),
                                longUdp,
                                ip4(17, longUdp),
                                ip4(17, shortUdp),
                                longIp,
                                shortHeader,
                                hex("45"),
                                hex("60"),
                                ip6(0, hex("11 ff 0000 00000000")),
                                ip6(0, hex("11 00")),
                                ip6(17, hex("11 00")),
                                ip4(17, 0, 65_528, true, new byte[64]),
                                ip4(17, 0, 8, false, new byte[9]),
                                ip4(17, 0, 8, true, new byte[0]),
                                ip6(44, nested)))
                .containsOnly(
                        Map.entry(SkipReason.NOT_IP, 3L),
                        Map.entry(SkipReason.NOT_UDP, 2L),
                        Map.entry(SkipReason.MALFORMED, 12L),
                        Map.entry(SkipReason.UNFINISHED, 1L));
    }

    @Test
    void doesNotCallTruncatedPacketMalformed() throws IOException {
        byte[] packet = Arrays.copyOf(udp4(1, 2, HELLO), 24);
        CaptureBytes file = CaptureBytes.pcap(LinkType.RAW);
        file.i32(0).i32(0).i32(packet.length).i32(1000).raw(packet);

        assertThat(read(file.bytes()).skipped).containsExactly(Map.entry(SkipReason.CUT, 1L));
    }

    /** F5: a truncated record. Whatever the cut, what came before it is given. */
    @Test
    void readsPacketsBeforeEveryCut() throws IOException {
        byte[] packet = ethernet(1, 2, HELLO);
        byte[] pcap =
                CaptureBytes.pcap(LinkType.ETHERNET)
                        .record(0, 0, packet)
                        .record(0, 0, packet)
                        .bytes();
        int record = 16 + packet.length;
        for (int cut = 24; cut < pcap.length; cut++) {
            Reading reading = read(Arrays.copyOf(pcap, cut));
            assertThat(reading.datagrams).hasSize((cut - 24) / record);
            if ((cut - 24) % record == 0) {
                assertThat(reading.problem).isEmpty();
            } else {
                long start = 24 + (cut - 24) / record * (long) record;
                assertThat(reading.problem.orElseThrow().offset()).isIn(start, start + 16);
            }
        }
        byte[] pcapng =
                CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN)
                        .describe(LinkType.ETHERNET)
                        .enhanced(0, 0, packet)
                        .enhanced(0, 0, packet)
                        .bytes();
        int stops = 0;
        for (int cut = 4; cut < pcapng.length; cut++) {
            Reading reading = read(Arrays.copyOf(pcapng, cut));
            stops += reading.problem.isPresent() ? 0 : 1;
            assertThat(reading.datagrams).hasSizeLessThan(2);
        }
        assertThat(stops).as("cuts between two blocks").isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 10, 23})
    void refusesFileShorterThanHeader(int length) {
        byte[] file = Arrays.copyOf(CaptureBytes.pcap(LinkType.RAW).bytes(), length);

        assertThatExceptionOfType(CaptureException.class).isThrownBy(() -> read(file));
    }

    /** F5: length 2^32-1, and any other that no packet has. */
    @Test
    void stopsAtAbsurdLengthsWithOffset() throws IOException {
        byte[] packet = ethernet(1, 2, HELLO);
        CaptureBytes pcap = CaptureBytes.pcap(LinkType.ETHERNET).record(0, 0, packet);
        int good = pcap.bytes().length;
        pcap.i32(0).i32(0).i32(-1).i32(-1);
        Reading reading = read(pcap.bytes());
        assertThat(reading.datagrams).hasSize(1);
        assertThat(reading.problem.orElseThrow())
                .hasMessage(
                        "a record claims 4294967295 bytes, more than the maximum of 262144, at byte"
                                + " "
                                + good);

        for (int length : new int[] {-1, 0, 8, 13, 0x7FFFFFFC}) {
            CaptureBytes pcapng =
                    CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN)
                            .describe(LinkType.ETHERNET)
                            .enhanced(0, 0, packet);
            pcapng.i32(6).i32(length).raw(new byte[100]);
            reading = read(pcapng.bytes());
            assertThat(reading.datagrams).hasSize(1);
            assertThat(reading.problem).isPresent();
        }
    }

    @Test
    void stopsAtContradictionsInPcapng() throws IOException {
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        byte[] packet = new byte[20];
        List<CaptureBytes> files =
                List.of(
                        CaptureBytes.pcapng(order).enhanced(0, 0, packet),
                        CaptureBytes.pcapng(order).describe(LinkType.RAW).enhanced(1, 0, packet),
                        CaptureBytes.pcapng(order).describe(LinkType.RAW).block(6, new byte[12]),
                        CaptureBytes.pcapng(order)
                                .describe(LinkType.RAW)
                                .block(6, join(new byte[12], hex("ff000000 ff000000"))),
                        CaptureBytes.pcapng(order).describe(LinkType.RAW, hex("0900ff00")),
                        CaptureBytes.pcapng(order).i32(0x0BAD).i32(16).i32(0).i32(20),
                        CaptureBytes.pcapng(order).i32(Pcapng.SECTION).i32(28).raw(packet));
        for (CaptureBytes file : files) {
            assertThat(read(file.bytes()).problem).isPresent();
        }
    }

    /** F5: a wrong link type. */
    @Test
    void reportsWrongLinkTypes() throws IOException {
        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> read(CaptureBytes.pcap(189).bytes()))
                .withMessageContaining("link type 189 is not supported")
                .satisfies(e -> assertThat(e.offset()).isEqualTo(20));

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> read(CaptureBytes.pcap(127).bytes()))
                .withMessageContaining("link type 127 (Wi-Fi) is not supported")
                .withMessageContaining("tshark -r IN -U IP -w OUT");

        // In pcapng other interfaces may still be read.
        Reading reading =
                read(
                        CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN)
                                .describe(189)
                                .describe(LinkType.RAW)
                                .enhanced(0, 0, udp4(1, 2))
                                .enhanced(1, 0, udp4(3, 4))
                                .bytes());
        assertThat(reading.problem).isEmpty();
        assertThat(reading.datagrams).hasSize(1);
        assertThat(reading.skipped).containsExactly(Map.entry(SkipReason.UNSUPPORTED, 1L));
    }

    @Test
    void countsPacketsInTunnels() throws IOException {
        byte[] packet = udp4(1, 2);

        assertThat(skippedOnRawLink(ip4(4, packet), ip4(47, packet), ip6(41, packet)))
                .containsExactly(Map.entry(SkipReason.UNSUPPORTED, 3L));
    }

    /** F5: timestamps back in time. */
    @Test
    void reportsNegativeTimesOfClock() throws IOException {
        byte[] file =
                CaptureBytes.pcap(LinkType.RAW)
                        .record(10, 0, udp4(1, 2))
                        .record(9, 500_000, udp4(1, 2))
                        .bytes();

        assertThat(whole(file)).extracting(Datagram::time).containsExactly(0.0, -0.5);
    }

    @Test
    void readsCompressedCaptures() throws IOException {
        byte[] file = CaptureBytes.pcap(LinkType.RAW).record(0, 0, udp4(1, 2)).bytes();

        assertThat(whole(gzip(file))).hasSize(1);
        byte[] packed = gzip(file);
        Reading cut = read(Arrays.copyOf(packed, packed.length - 12));
        assertThat(cut.problem).isPresent();
    }

    /** F5: a gzip bomb unpacks to no more than the bound, in bounded memory. */
    @Test
    void stopsGzipBombAtBound() throws IOException {
        byte[] bomb = gzip(join(CaptureBytes.pcap(LinkType.RAW).bytes(), new byte[4 << 20]));
        assertThat(bomb.length).isLessThan(10_000);

        Reading reading = read(CaptureReader.of(new ByteArrayInputStream(bomb), 1 << 20));

        assertThat(reading.problem.orElseThrow())
                .hasMessageContaining(
                        "has more than 1048576 bytes of content: decompress it first");
        assertThat(reading.problem.orElseThrow().offset()).isLessThanOrEqualTo(1 << 20);
        assertThat(reading.datagrams).isEmpty();
    }

    /** F5: a file of gigabytes streams: it is never held whole. */
    @Test
    void streamsHugeCapture() throws IOException {
        byte[] head = CaptureBytes.pcap(LinkType.ETHERNET).bytes();
        byte[] one = CaptureBytes.pcap(LinkType.ETHERNET).record(0, 0, ethernet(1, 2)).bytes();
        byte[] record = Arrays.copyOfRange(one, head.length, one.length);
        int records = 1_000_000;
        InputStream endless =
                new InputStream() {
                    private InputStream part = new ByteArrayInputStream(head);
                    private int left = records;

                    @Override
                    public int read() throws IOException {
                        byte[] single = new byte[1];
                        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
                    }

                    @Override
                    public int read(byte[] into, int from, int count) throws IOException {
                        if (part.available() == 0 && left-- > 0) {
                            part = new ByteArrayInputStream(record);
                        }
                        return part.read(into, from, count);
                    }
                };
        try (CaptureReader capture = CaptureReader.of(endless)) {
            long datagrams = 0;
            while (capture.next().isPresent()) {
                datagrams++;
            }
            assertThat(datagrams).isEqualTo(records);
            assertThat(capture.frames()).isEqualTo(records);
            assertThat(capture.position()).isEqualTo(head.length + (long) records * record.length);
        }
    }
}
