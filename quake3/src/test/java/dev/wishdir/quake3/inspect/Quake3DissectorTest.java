package dev.wishdir.quake3.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Real traffic, explained. */
@Tag("slow")
class Quake3DissectorTest {
    static final List<String> CAPTURES = Quake3Captures.NAMES;

    private static Path pcap(String name) {
        return Quake3Captures.FILES.path(name + ".pcap");
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void matchesExpectedLines(String name) throws IOException {
        ExpectedLines.beside(pcap(name)).assertSaidBy(new Quake3Dissector(false));
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void tracesKeyScramblingAndCodesWithoutChangingLines(String name) throws IOException {
        List<DissectedMessage> plain =
                ExpectedLines.dissect(pcap(name), new Quake3Dissector(false));
        List<DissectedMessage> explained =
                ExpectedLines.dissect(pcap(name), new Quake3Dissector(true));
        assertThat(explained).hasSameSizeAs(plain);
        for (int i = 0; i < plain.size(); i++) {
            assertThat(explained.get(i).fields()).isEqualTo(plain.get(i).fields());
            assertThat(explained.get(i).trace()).as(plain.get(i).name()).isNotEmpty();
        }
        boolean modern = name.contains("modern");
        assertThat(explained)
                .filteredOn(message -> message.name().equals("netchan"))
                .anySatisfy(message ->
                        assertThat(message.trace())
                                .extracting(Traced::name)
                                .contains(modern ? "checksum" : "scrambling"));
        assertThat(explained)
                .filteredOn(message -> message.name().startsWith("move"))
                .allSatisfy(message -> {
                    assertThat(message.trace().getFirst().meaning()).contains(", key ");
                    assertThat(message.trace()).extracting(Traced::name).contains("huffman");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy-68.dm_68", "modern-71.dm_71"})
    void explainsDemosWhole(String name) throws IOException {
        Quake3Dissector dissector = new Quake3Dissector(true);
        assertThat(dissector.recogniseFile("any", Quake3Captures.FILES.file(name))).isTrue();
        List<DissectedMessage> lines = new ArrayList<>();
        dissector.file(Quake3Captures.FILES.file(name), lines::add);
        assertThat(lines).filteredOn(message -> message.name().equals("gamestate")).hasSize(1);
        assertThat(lines.stream().filter(message -> message.name().equals("netchan")))
                .hasSize(name.startsWith("legacy") ? 63 : 62);
        int last = 0;
        for (DissectedMessage message : lines) {
            if (message.name().equals("snapshot")) {
                int time =
                        (int) java.util.Objects.requireNonNull(message.fields().get("serverTime"));
                assertThat(time).isGreaterThan(last);
                last = time;
            }
        }
        assertThat(last).isPositive();
    }

    @Test
    void reportsForeignBytesAsLine() {
        InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27960);
        java.util.Random random = new java.util.Random(6);
        Quake3Dissector dissector = new Quake3Dissector(true);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            List<DissectedMessage> lines = new ArrayList<>();
            Datagram datagram = new Datagram(i, 0, client, server, Bytes.wrap(bytes));
            dissector.recognise(datagram);
            dissector.datagram(datagram, Direction.C2S, lines::add);
            assertThat(lines).hasSize(1);
        }
    }

    /** What is said of a capture whose beginning is cut off. */
    private static List<DissectedMessage> without(String capture, double seconds, int port)
            throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Inspector inspector = Inspector.of(new Quake3Dissector(false), port, lines::add);
        for (Datagram datagram : Quake3Captures.FILES.datagrams(capture)) {
            if (datagram.time() > seconds) {
                inspector.datagram(datagram);
            }
        }
        return lines;
    }

    @Test
    void readsModernSessionFromMiddleWithoutUsercmds() throws IOException {
        List<DissectedMessage> lines = without("ioq3-modern71-aggressor-2clients", 2, 27964);

        assertThat(lines)
                .extracting(DissectedMessage::name)
                .contains("netchan", "snapshot", "move")
                .doesNotContain("malformed", "gamestate");
        assertThat(lines)
                .filteredOn(message -> message.name().startsWith("move"))
                .allSatisfy(message -> assertThat(message.fields()).containsOnlyKeys("count"));
        assertThat(lines.stream().filter(message -> message.name().equals("netchan")).limit(6))
                .extracting(message -> message.fields().containsKey("checksum"))
                .contains(true);
    }

    @Test
    void namesProtocolThatIsNotDecoded() throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Inspector inspector = Inspector.of(new Quake3Dissector(false), 27960, lines::add);
        for (Datagram datagram : Quake3Captures.FILES.datagrams("oa-legacy71-aggressor-2clients")) {
            Bytes payload = datagram.payload();
            String text = OutOfBand.is(payload) ? OutOfBand.read(payload).text() : "";
            if (text.startsWith("connect ")) {
                payload =
                        new OutOfBand(text.replace("\\protocol\\71", "\\protocol\\70")).datagram();
            }
            inspector.datagram(
                    new Datagram(
                            datagram.frame(),
                            datagram.time(),
                            datagram.source(),
                            datagram.destination(),
                            payload));
        }
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .contains("connect")
                .doesNotContain("malformed", "netchan", "snapshot", "move");
        assertThat(lines)
                .filteredOn(line -> line.name().equals(DissectedMessage.UNDECODED))
                .hasSizeGreaterThan(100)
                .allSatisfy(line ->
                        assertThat(line.fields().get("error"))
                                .isEqualTo("protocol 70, only 68 and 71 are decoded"));
    }

    @Test
    void derivesChallengeFromChecksum() {
        for (int challenge : new int[] {1, -381103719, Integer.MIN_VALUE, 0x5A5A5A5A, -1}) {
            for (int sequence : new int[] {2, 60, 1 << 20, 0x7FFFFFFE}) {
                assertThat(
                                NetchanHeader.challenge(
                                        NetchanHeader.checksum(challenge, sequence), sequence))
                        .hasValue(challenge);
            }
            assertThat(NetchanHeader.challenge(NetchanHeader.checksum(challenge, 3), 3)).isEmpty();
        }
    }

    @Test
    void readsOnlySequencesFromMiddleOfLegacySession() throws IOException {
        assertThat(without("oa-legacy71-aggressor-2clients", 2, 27960))
                .extracting(DissectedMessage::name)
                .isNotEmpty()
                .containsOnly("netchan");
    }
}
