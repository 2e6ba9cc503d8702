package dev.wishdir.inspect.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines as JSON and as a listing. */
final class LinesTest {
    private static DissectedMessage line(double time, Map<String, ?> fields) {
        return new DissectedMessage(
                12,
                time,
                Direction.C2S,
                42_268,
                "fake",
                DissectedMessage.Layer.MESSAGE,
                "POS",
                fields,
                Bytes.EMPTY,
                List.of());
    }

    /** A byte with two named parts, a short, and nine bytes of text. */
    private static DissectedMessage traced() {
        Tracer tracer = new Tracer(Bytes.ofHex("2d 0104 1b5b314d 0000000000"));
        int state = tracer.u8("state", 0);
        tracer.bits("physstate", 0, 3, state);
        tracer.bits("lifesequence", 3, 1, state);
        tracer.u16be("x", 0);
        tracer.annotate("16.25 units");
        tracer.bytes("rest", Bytes.EMPTY, 9);
        tracer.annotate("\u001b[1M");
        return line(0.5, Map.of("text", "\u001b[2J")).withTrace(tracer.fields());
    }

    private static String json(DissectedMessage message) {
        StringWriter text = new StringWriter();
        new JsonLines(text).accept(message);
        return text.toString();
    }

    @Test
    void keepsEveryKindOfValueInJson() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("int", -3);
        fields.put("long", Long.MIN_VALUE);
        fields.put("unsigned", new BigInteger("18446744073709551615"));
        fields.put("float", 0.1f);
        fields.put("double", 1e100);
        fields.put("nan", Float.NaN);
        fields.put("infinite", Double.NEGATIVE_INFINITY);
        fields.put("text", "<\"\u0000é\u2028>");
        fields.put("none", null);
        fields.put("list", List.of(true, List.of(), Map.of("a", (byte) 1)));

        assertThat(json(line(1.5, fields)))
                .isEqualTo(
                        "{\"frame\":12,\"time\":1.5,\"dir\":\"c2s\",\"client\":42268,"
                                + "\"game\":\"fake\",\"layer\":\"message\",\"name\":\"POS\","
                                + "\"fields\":{\"int\":-3,\"long\":-9223372036854775808,"
                                + "\"unsigned\":18446744073709551615,\"float\":0.1,"
                                + "\"double\":1.0E100,\"nan\":\"NaN\",\"infinite\":\"-Infinity\","
                                + "\"text\":\"<\\\"\\u0000é\\u2028>\",\"none\":null,"
                                + "\"list\":[true,[],{\"a\":1}]}}\n");
    }

    @Test
    void separatesJsonLines() {
        StringWriter text = new StringWriter();
        JsonLines lines = new JsonLines(text);
        lines.accept(line(Double.NaN, Map.of()));
        lines.accept(line(0, Map.of()).withBytes(Bytes.of((byte) 4)));

        assertThat(text.toString().split("\n"))
                .containsExactly(
                        "{\"frame\":12,\"dir\":\"c2s\",\"client\":42268,\"game\":\"fake\","
                                + "\"layer\":\"message\",\"name\":\"POS\",\"fields\":{}}",
                        "{\"frame\":12,\"time\":0.0,\"dir\":\"c2s\",\"client\":42268,"
                                + "\"game\":\"fake\",\"layer\":\"message\",\"name\":\"POS\","
                                + "\"fields\":{},\"bytes\":\"04\"}");
    }

    @Test
    void refusesInvalidFieldsInJson() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> json(line(0, Map.of("bytes", Bytes.EMPTY))));
    }

    @Test
    void writesOffsetBitsAndMeaningInJsonTrace() {
        assertThat(json(traced()))
                .contains(
                        "\"trace\":[{\"name\":\"state\",\"offset\":0,\"bits\":8,\"raw\":\"2d\","
                                + "\"meaning\":\"45\"},{\"name\":\"physstate\",\"offset\":0,"
                                + "\"bits\":3,\"part\":true,\"raw\":\"5\",\"meaning\":\"5\"},"
                                + "{\"name\":\"lifesequence\",\"offset\":0,\"bit\":3,\"bits\":1,"
                                + "\"part\":true,\"raw\":\"1\",\"meaning\":\"1\"},"
                                + "{\"name\":\"x\",\"offset\":1,\"bits\":16,\"raw\":\"0104\","
                                + "\"meaning\":\"16.25 units\"},");
    }

    @Test
    void listsAsHexDumpWithNotes() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new TextListing(out).accept(traced());
        out.flush();

        assertThat(text.toString().lines().map(String::stripTrailing))
                .containsExactly(
                        "    12    0.500000  c2s 42268  fake    POS  text=\"\\u001b[2J\"",
                        "        0000    2d                        state                     45",
                        "        0000    +3                          physstate               5",
                        "        0000.3  +1                          lifesequence            1",
                        "        0001    01 04                     x                         16.25"
                                + " units",
                        "        0003    1b 5b 31 4d 00 00 00 00   rest                     "
                                + " \\u001b[1M",
                        "                00");
    }

    @Test
    void cutsLongFieldsInListing() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        Tracer tracer = new Tracer(new byte[1000]);
        tracer.bytes("map", Bytes.EMPTY, 1000);
        new TextListing(out).accept(line(0, Map.of()).withTrace(tracer.fields()));
        out.flush();

        assertThat(text.toString().lines())
                .hasSize(10)
                .last()
                .isEqualTo("                … 936 more bytes");
    }

    private static String listed(DissectedMessage message) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new TextListing(out).accept(message);
        out.flush();
        return text.toString();
    }

    @Test
    void escapesTextOfWire() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("text", "a\"  cn=5  b=\"\\\f3\u2028\ue000§");
        fields.put("k\u009b", Map.of("in", List.of("\u001b]0;x\u0007", 1)));
        DissectedMessage message =
                new DissectedMessage(
                        1,
                        0,
                        Direction.C2S,
                        2,
                        "fake",
                        DissectedMessage.Layer.MESSAGE,
                        "x\u009b2J",
                        fields,
                        Bytes.EMPTY,
                        List.of());

        assertThat(listed(message).strip())
                .isEqualTo(
                        "1    0.000000  c2s     2  fake    x\\u009b2J "
                                + " text=\"a\\\"  cn=5  b=\\\"\\\\\\u000c3\\u2028\\ue000§\" "
                                + " k\\u009b={in=[\"\\u001b]0;x\\u0007\", 1]}");
    }

    @Test
    void namesFileInLinesOfSeveralFiles() {
        StringWriter text = new StringWriter();
        JsonLines lines = new JsonLines(text);
        lines.begin("a.pcap");
        lines.accept(line(0, Map.of()));

        assertThat(text.toString()).startsWith("{\"file\":\"a.pcap\",\"frame\":12,");
    }
}
