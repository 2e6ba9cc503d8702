package dev.wishdir.inspect.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The comparison must find what differs: every test of a dissector stands on it. */
final class ExpectedLinesTest {
    private static final String POS =
            """
            {"frame":1,"dir":"c2s","layer":"transport","name":"data","fields":{}}
            {"frame":1,"dir":"c2s","layer":"message","name":"pos","fields":{"x":1.5,"on":true,\
            "at":[1,{"y":2}],"none":null,"big":18446744073709551615,"name":"a"},"bytes":"04"}
            {"frame":2,"dir":"s2c","layer":"message","name":"socket_self_wakeup","fields":{}}
            """;

    @TempDir private Path folder = Path.of("");

    private static DissectedMessage data() {
        return line(1, DissectedMessage.Layer.TRANSPORT, "data", Map.of("more", 1), Bytes.EMPTY);
    }

    private static DissectedMessage pos(String key, Object value) {
        Map<String, Object> fields = new java.util.HashMap<>();
        fields.put("x", 1.50001f);
        fields.put("on", 1);
        fields.put("at", List.of(1, Map.of("y", 2.0, "z", 3)));
        fields.put("none", null);
        fields.put("big", new java.math.BigInteger("18446744073709551615"));
        fields.put("name", "a");
        fields.put("further", "welcome");
        fields.put(key, value);
        return line(1, DissectedMessage.Layer.MESSAGE, "pos", fields, Bytes.of((byte) 4));
    }

    private static DissectedMessage line(
            int frame,
            DissectedMessage.Layer layer,
            String name,
            Map<String, Object> fields,
            Bytes bytes) {
        return new DissectedMessage(
                frame, 0, Direction.C2S, 1, "fake", layer, name, fields, bytes, List.of());
    }

    private ExpectedLines expected() throws IOException {
        return expected(POS);
    }

    private ExpectedLines expected(String lines) throws IOException {
        Path file = folder.resolve("x.expected.jsonl.gz");
        Files.write(file, CaptureBytes.gzip(lines.getBytes(StandardCharsets.UTF_8)));
        return ExpectedLines.beside(folder.resolve("x.pcap"));
    }

    @Test
    void acceptsEqualLines() throws IOException {
        assertThat(expected().differences(List.of(data(), pos("x", 1.5)))).isEmpty();
        assertThat(
                        expected()
                                .differences(
                                        List.of(
                                                data(),
                                                pos("x", 1.5),
                                                line(
                                                        7,
                                                        DissectedMessage.Layer.MESSAGE,
                                                        "socket_self_wakeup",
                                                        Map.of(),
                                                        Bytes.EMPTY))))
                .isEmpty();
        expected().assertSaid(List.of(data(), pos("x", 1.5)));
        expected().of(DissectedMessage.Layer.MESSAGE).assertSaid(List.of(pos("x", 1.5)));
        expected().named("data").assertSaid(List.of(data()));
    }

    @Test
    void treatsFieldNamedLikeDirectionAsField() throws IOException {
        ExpectedLines overwritten = expected(POS.replaceAll("\"dir\":\"c2s\"", "\"dir\":-1"));

        ExpectedLines list = expected(POS.replaceAll("\"dir\":\"c2s\"", "\"dir\":[1,2]"));
        assertThat(list.differences(List.of(data(), pos("dir", List.of(1, 2))))).hasSize(1);

        DissectedMessage data =
                line(1, DissectedMessage.Layer.TRANSPORT, "data", Map.of("dir", -1), Bytes.EMPTY);
        assertThat(overwritten.differences(List.of(data, pos("dir", -1)))).isEmpty();
        assertThat(overwritten.differences(List.of(data, pos("dir", 1)))).hasSize(1);
    }

    @Test
    void findsEveryDifference() throws IOException {
        List<DissectedMessage> others = new ArrayList<>();
        others.add(pos("x", 1.51));
        others.add(pos("x", "1.5"));
        others.add(pos("on", false));
        others.add(pos("at", List.of(1)));
        others.add(pos("at", List.of(1, Map.of("z", 2))));
        others.add(pos("none", 0));
        others.add(pos("big", 1.7e19));
        others.add(pos("name", "b"));
        others.add(pos("x", Double.NaN));
        others.add(pos("x", 1.5).withBytes(Bytes.of((byte) 5)));
        others.add(data());
        for (DissectedMessage other : others) {
            assertThat(expected().differences(List.of(data(), other))).as("%s", other).hasSize(1);
        }
        ExpectedLines back = expected(POS.replace("c2s", "s2c"));
        assertThat(back.differences(List.of(data(), pos("x", 1.5)))).hasSize(2);
        assertThat(expected().differences(List.of(pos("x", 1.5), data()))).hasSize(2);
        assertThat(expected().differences(List.of(data()))).hasSize(1);
        assertThat(expected().differences(List.of(data(), pos("x", 1.5), data()))).hasSize(1);
        assertThat(
                        expected()
                                .differences(
                                        List.of(
                                                data(),
                                                pos("x", 1.5),
                                                line(
                                                        2,
                                                        DissectedMessage.Layer.MESSAGE,
                                                        "pos",
                                                        Map.of(),
                                                        Bytes.EMPTY))))
                .hasSize(1);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> expected().assertSaid(List.of(data())))
                .withMessageContaining("1 differences in 2 lines");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> expected().named("nothing").assertSaid(List.of()));
    }
}
