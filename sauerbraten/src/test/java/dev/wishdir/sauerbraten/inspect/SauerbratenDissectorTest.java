package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

@Tag("slow")
class SauerbratenDissectorTest {
    private static Path pcap(String capture) {
        return SauerbratenCaptures.FILES.path(capture + ".pcap");
    }

    @ParameterizedTest
    @FieldSource("dev.wishdir.sauerbraten.inspect.SauerbratenCaptures#NAMES")
    void matchesExpectedLinesOfCapture(String capture) throws IOException {
        ExpectedLines.beside(pcap(capture)).assertSaidBy(new SauerbratenDissector(false));
    }

    @ParameterizedTest
    @FieldSource("dev.wishdir.sauerbraten.inspect.SauerbratenCaptures#NAMES")
    void tracesEveryFieldWithoutChangingLines(String capture) throws IOException {
        List<DissectedMessage> plain =
                ExpectedLines.dissect(pcap(capture), new SauerbratenDissector(false));
        List<DissectedMessage> explained =
                ExpectedLines.dissect(pcap(capture), new SauerbratenDissector(true));
        assertThat(explained.stream().map(message -> message.withTrace(List.of())))
                .isEqualTo(plain);
        assertThat(explained)
                .filteredOn(message -> !message.fields().containsKey("note"))
                .allSatisfy(message -> assertThat(message.trace()).isNotEmpty());
    }

    @Test
    void readsAllMessagesOfRecording() {
        List<DissectedMessage> lines = new ArrayList<>();
        SauerbratenDissector dissector = new SauerbratenDissector(false);
        assertThat(
                        dissector.recogniseFile(
                                "x.dmo", SauerbratenCaptures.FILES.file("ctf_sample.dmo")))
                .isTrue();
        assertThat(dissector.recogniseFile("x.ogz", SauerbratenCaptures.FILES.file("boxarena.ogz")))
                .isFalse();
        dissector.file(SauerbratenCaptures.FILES.file("ctf_sample.dmo"), lines::add);
        assertThat(lines).filteredOn(message -> message.name().equals("DEMO_PACKET")).hasSize(591);
        assertThat(lines).filteredOn(message -> message.layer() == Layer.MESSAGE).hasSize(1096);
        assertThat(lines).noneMatch(message -> message.name().equals("malformed"));
        assertThat(lines.getLast().time()).isEqualTo(16.161);
        assertThat(lines).filteredOn(message -> message.name().equals("N_INITFLAGS")).isNotEmpty();
    }

    @Test
    void readsAnUnpackedRecordingAndSaysWhereOneIsCut() throws IOException {
        Bytes packed = SauerbratenCaptures.FILES.file("ctf_sample.dmo");
        Bytes plain =
                Bytes.wrap(
                        new GZIPInputStream(new ByteArrayInputStream(packed.toArray()))
                                .readAllBytes());
        SauerbratenDissector dissector = new SauerbratenDissector(false);
        List<DissectedMessage> whole = new ArrayList<>();
        dissector.file(packed, whole::add);
        List<DissectedMessage> lines = new ArrayList<>();

        assertThat(dissector.recogniseFile("any", plain)).isTrue();
        dissector.file(plain, lines::add);
        assertThat(lines).isEqualTo(whole);
        lines.clear();
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> dissector.file(packed.slice(0, packed.length() / 2), lines::add))
                .withMessageContaining("unexpected end of data");
        assertThat(lines).hasSizeGreaterThan(100);
    }
}
