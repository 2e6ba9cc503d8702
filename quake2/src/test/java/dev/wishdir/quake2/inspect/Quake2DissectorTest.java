package dev.wishdir.quake2.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

@Tag("slow")
class Quake2DissectorTest {
    @ParameterizedTest
    @FieldSource("dev.wishdir.quake2.Quake2Captures#NAMES")
    void matchesExpectedLinesOfCapture(String capture) throws IOException {
        ExpectedLines.beside(Quake2Captures.FILES.path(capture + ".pcap"))
                .assertSaidBy(new Quake2Dissector(false));
    }

    @Test
    void matchesExpectedLinesOfRecording() throws IOException {
        Path demo = Quake2Captures.FILES.path("12-demo.dm2");
        ExpectedLines.beside(demo).assertSaidBy(new Quake2Dissector(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"01a-oob-yquake2", "03-yq2server-two-clients", "08-download"})
    void tracesEveryByteWithoutChangingLines(String capture) throws IOException {
        Path pcap = Quake2Captures.FILES.path(capture + ".pcap");
        List<DissectedMessage> plain = ExpectedLines.dissect(pcap, new Quake2Dissector(false));
        List<DissectedMessage> explained = ExpectedLines.dissect(pcap, new Quake2Dissector(true));
        assertThat(explained.stream().map(message -> message.withTrace(List.of())))
                .isEqualTo(plain);
        long frame = 0;
        int bits = 0;
        for (DissectedMessage message : explained) {
            bits = message.frame() == frame ? bits : 0;
            frame = message.frame();
            for (Traced field : message.trace()) {
                if (!field.part()) {
                    assertThat(field.bit()).as("%s of frame %d", field, frame).isEqualTo(bits);
                    bits += field.bits();
                }
            }
        }
    }

    @Test
    void showsWrongChecksum() throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Quake2Dissector dissector = new Quake2Dissector(false);
        Quake2Captures.FILES.datagrams("04-yq2server-loss").stream()
                .map(datagram -> {
                    byte[] bytes = datagram.payload().toArray();
                    bytes[bytes.length - 1] ^= 1;
                    return new Datagram(
                            datagram.frame(),
                            datagram.time(),
                            datagram.source(),
                            datagram.destination(),
                            OutOfBand.is(bytes) ? datagram.payload() : Bytes.wrap(bytes));
                })
                .forEach(datagram ->
                        dissector
                                .recognise(datagram)
                                .ifPresent(way -> dissector.datagram(datagram, way, lines::add)));
        assertThat(lines)
                .filteredOn(message -> message.name().equals("move"))
                .hasSize(185)
                .filteredOn(message -> Boolean.FALSE.equals(message.fields().get("checksum_valid")))
                .hasSizeGreaterThan(175)
                .allSatisfy(message ->
                        assertThat(message.fields().get("checksum_expected")).isNotNull());
    }

    /** R1Q2 and q2pro speak 35 and 36 with servers of their kind. */
    @Test
    void namesProtocolThatIsNotDecoded() throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Quake2Dissector dissector = new Quake2Dissector(false);
        for (Datagram datagram : Quake2Captures.FILES.datagrams("04-yq2server-loss")) {
            String text = OutOfBand.of(datagram.payload()).map(OutOfBand::text).orElse("");
            Bytes payload =
                    text.startsWith("connect 34 ")
                            ? Bytes.wrap(new OutOfBand(text.replaceFirst("34", "36")).packet())
                            : datagram.payload();
            Datagram changed =
                    new Datagram(
                            datagram.frame(),
                            datagram.time(),
                            datagram.source(),
                            datagram.destination(),
                            payload);
            dissector
                    .recognise(changed)
                    .ifPresent(way -> dissector.datagram(changed, way, lines::add));
        }
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .containsOnlyOnce("connect")
                .doesNotContain("malformed", "netchan", "frame", "move");
        assertThat(lines)
                .filteredOn(line -> line.name().equals(DissectedMessage.UNDECODED))
                .hasSizeGreaterThan(100)
                .allSatisfy(line ->
                        assertThat(line.fields().get("error"))
                                .isEqualTo("protocol 36, only 34 is decoded"));
    }

    @Test
    void recognisesNoOtherFiles() {
        Quake2Dissector dissector = new Quake2Dissector(false);
        assertThat(dissector.recogniseFile("x.dm2", Quake2Captures.FILES.file("12-demo.dm2")))
                .isTrue();
        assertThat(dissector.recogniseFile("x.dm2", Quake2Captures.FILES.file("q2box1.bsp")))
                .isFalse();
        assertThat(dissector.recogniseFile("x.dm2", Bytes.of((byte) 1))).isFalse();
    }
}
