package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.InfoMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.RandomMessages;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Whatever the bytes are, they are decoded or malformed, and what was decoded is written back. */
@Tag("slow")
class SauerbratenFuzzTest {
    /** The first byte chooses the version, who says it and the mode; the rest is the packet. */
    @FuzzTest
    void messages(byte[] data) {
        if (data.length == 0) {
            return;
        }
        SauerbratenCodec codec = (data[0] & 1) == 0 ? SauerbratenCodec.V260 : SauerbratenCodec.V259;
        messages(
                (data[0] & 4) == 0 ? codec : codec.inMode(15),
                (data[0] & 2) == 0 ? Direction.C2S : Direction.S2C,
                Arrays.copyOfRange(data, 1, data.length));
    }

    private static void messages(SauerbratenCodec codec, Direction direction, byte[] packet) {
        List<SauerbratenMessage> read;
        try {
            read = codec.readPacket(direction, 1, new Reader(packet));
        } catch (MalformedPacketException e) {
            return;
        }
        Bytes written = codec.packet(read.toArray(SauerbratenMessage[]::new));
        assertThat(written.length()).isLessThanOrEqualTo(packet.length);
        assertThat(codec.readPacket(direction, 1, new Reader(written))).isEqualTo(read);
        for (SauerbratenMessage message : read) {
            assertThat(message.fields()).isNotNull();
            if (message instanceof RelayMessage.Client client) {
                messages(codec, Direction.S2C, client.messages().toArray());
            }
        }
    }

    @FuzzTest
    void infoPort(byte[] datagram) {
        InfoFlowDissector asker = new InfoFlowDissector(true);
        Bytes bytes = Bytes.of(datagram);
        assertThat(asker.answer(bytes).name()).isNotEmpty();
        assertThat(asker.request(bytes).name()).isNotEmpty();
        assertThat(asker.answer(bytes).name()).isNotEmpty();
        try {
            InfoMessage.Request.wire(new Tracer(datagram), InfoMessage.Request.BLANK);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }

    @FuzzTest
    void connection(byte[] datagram) {
        Bytes bytes = Bytes.of(datagram);
        for (Direction direction : Direction.values()) {
            new SauerbratenFlowDissector(true, null)
                    .datagram(
                            0,
                            direction,
                            bytes,
                            (layer, dissected) -> assertThat(dissected.name()).isNotEmpty());
        }
        SauerbratenFlowDissector.direction(bytes);
    }

    @FuzzTest
    void recording(byte[] content) throws IOException {
        recording(Bytes.of(content));
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write("SAUERBRATEN_DEMO".getBytes(StandardCharsets.US_ASCII));
            out.write(new byte[] {1, 0, 0, 0, 4, 1, 0, 0});
            out.write(content);
        }
        recording(Bytes.wrap(zipped.toByteArray()));
    }

    private static void recording(Bytes content) {
        SauerbratenDissector dissector = new SauerbratenDissector(true);
        dissector.recogniseFile("fuzz.dmo", content);
        try {
            dissector.file(content, line -> assertThat(line.name()).isNotEmpty());
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }

    @FuzzTest
    void map(byte[] bytes) {
        try {
            Ogz map = Ogz.wire(new Reader(bytes), Ogz.BLANK);
            assertThat(WireLaws.write(map, Ogz::wire)).hasSameSizeAs(bytes);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
        try {
            Ogz.read(Bytes.of(bytes));
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }

    @Test
    void neverThrowsOnMutatedPackets() throws IOException {
        Random random = new Random(260);
        for (int i = 0; i < 100; i++) {
            for (Direction direction : Direction.values()) {
                SauerbratenCodec codec =
                        random.nextBoolean() ? SauerbratenCodec.V260 : SauerbratenCodec.V259;
                List<SauerbratenMessage> all = RandomMessages.each(codec, direction, i);
                for (int k = 0; k < 30; k++) {
                    byte[] packet =
                            codec.packet(
                                            all.get(random.nextInt(all.size())),
                                            all.get(random.nextInt(all.size())))
                                    .toArray();
                    packet[random.nextInt(packet.length)] = (byte) random.nextInt();
                    messages(codec, direction, packet);
                }
            }
        }
        byte[] demo = SauerbratenCaptures.FILES.file("ctf_sample.dmo").toArray();
        for (int i = 0; i < 100; i++) {
            byte[] broken = demo.clone();
            broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
            recording(Bytes.wrap(broken));
        }
    }
}
