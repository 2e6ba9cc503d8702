package dev.wishdir.inspect.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.wire.dissect.Datagram;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** Any bytes at all, as a capture and as a packet in one. */
final class CaptureFuzzTest {
    private static final int[] LINKS = {
        LinkType.ETHERNET,
        LinkType.RAW,
        LinkType.LINUX_COOKED,
        LinkType.LINUX_COOKED_2,
        LinkType.BSD_LOOPBACK,
        LinkType.APPLE_PKTAP,
        LinkType.NFLOG
    };

    /** As a file, and as what follows a good head of each format. */
    @FuzzTest
    void file(byte[] data) throws IOException {
        read(data);
        read(CaptureBytes.join(CaptureBytes.pcap(LinkType.ETHERNET).bytes(), data));
        byte[] section =
                CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN).describe(LinkType.RAW).bytes();
        read(CaptureBytes.join(section, data));
        for (Compression compression : Compression.values()) {
            read(CaptureBytes.join(compression.start(), data));
        }
    }

    /** The first byte of each packet is its length in the data. */
    @FuzzTest
    void packets(byte[] data) throws IOException {
        for (int link : LINKS) {
            CaptureBytes file = CaptureBytes.pcap(link);
            int packets = 0;
            for (int at = 0; at < data.length; packets++) {
                int length = Math.min(data[at++] & 0xFF, data.length - at);
                file.record(packets, 0, Arrays.copyOfRange(data, at, at + length));
                at += length;
            }
            assertThat(read(file.bytes())).isEqualTo(packets);
        }
    }

    /** Ends, with nothing but a capture's own exception; gives the number of packets. */
    private static long read(byte[] file) throws IOException {
        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file), 1 << 20)) {
            try {
                long datagrams = 0;
                for (Optional<Datagram> next = capture.next();
                        next.isPresent();
                        next = capture.next()) {
                    assertThat(next.get().payload().length()).isLessThan(65_536);
                    datagrams++;
                }
                long skipped = capture.skipped().values().stream().mapToLong(Long::longValue).sum();
                assertThat(datagrams + skipped).isLessThanOrEqualTo(capture.frames());
            } catch (CaptureException e) {
                assertThat(e.offset()).isBetween(0L, Math.max(1 << 20, file.length + 0L));
            }
            return capture.frames();
        } catch (CaptureException e) {
            assertThat(e.offset()).isBetween(0L, 24L);
            return 0;
        }
    }
}
