package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

class SauerbratenDissectorTest {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    @ParameterizedTest
    @FieldSource("dev.wishdir.sauerbraten.inspect.Captures#NAMES")
    void matchesExpectedLinesOfCapture(String capture) {
        List<JsonObject> expected = Captures.expected(capture);
        List<DissectedMessage> lines = Captures.dissect(capture, false);
        for (int i = 0; i < Math.min(expected.size(), lines.size()); i++) {
            assertThat(difference(expected.get(i), lines.get(i)))
                    .as("%s line %d: %s", capture, i + 1, lines.get(i))
                    .isEmpty();
        }
        assertThat(lines).hasSameSizeAs(expected);
    }

    @ParameterizedTest
    @FieldSource("dev.wishdir.sauerbraten.inspect.Captures#NAMES")
    void tracesEveryFieldWithoutChangingLines(String capture) {
        List<DissectedMessage> plain = Captures.dissect(capture, false);
        List<DissectedMessage> explained = Captures.dissect(capture, true);
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
        assertThat(dissector.recogniseFile("x.dmo", Captures.file("ctf_sample.dmo"))).isTrue();
        assertThat(dissector.recogniseFile("x.ogz", Captures.file("boxarena.ogz"))).isFalse();
        dissector.file(Captures.file("ctf_sample.dmo"), lines::add);
        assertThat(lines).filteredOn(message -> message.name().equals("DEMO_PACKET")).hasSize(591);
        assertThat(lines).filteredOn(message -> message.layer() == Layer.MESSAGE).hasSize(1096);
        assertThat(lines).noneMatch(message -> message.name().equals("malformed"));
        assertThat(lines.getLast().time()).isEqualTo(16.161);
        assertThat(lines).filteredOn(message -> message.name().equals("N_INITFLAGS")).isNotEmpty();
    }

    @Test
    void readsAnUnpackedRecordingAndSaysWhereOneIsCut() throws IOException {
        Bytes packed = Captures.file("ctf_sample.dmo");
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
                .withMessageContaining("it ends before its time");
        assertThat(lines).hasSizeGreaterThan(100);
    }

    /** What differs: an expected field may be less than what a line says, never more. */
    private static String difference(JsonObject expected, DissectedMessage message) {
        JsonObject fields = GSON.toJsonTree(message.fields()).getAsJsonObject();
        if (expected.get("frame").getAsLong() != message.frame()) {
            return "frame";
        }
        if (Math.abs(expected.get("time").getAsDouble() - message.time()) > 1e-4) {
            return "time";
        }
        if (!expected.get("name").getAsString().equals(message.name())
                || !expected.get("layer")
                        .getAsString()
                        .equals(message.layer().name().toLowerCase(Locale.ROOT))
                || expected.get("client").getAsInt() != message.client()) {
            return "line";
        }
        JsonElement dir = expected.get("dir");
        // a message with a field called dir has it there, and its way is not told
        JsonElement way = new JsonPrimitive(message.direction().label());
        if (!same(dir, fields.has("dir") ? fields.get("dir") : way)) {
            return "dir";
        }
        if (expected.has("bytes")
                && !expected.get("bytes").getAsString().equals(message.bytes().hex())) {
            return "bytes";
        }
        for (Map.Entry<String, JsonElement> field :
                expected.get("fields").getAsJsonObject().entrySet()) {
            if (!fields.has(field.getKey())
                    || !same(field.getValue(), fields.get(field.getKey()))) {
                return "field " + field + ", is " + fields.get(field.getKey());
            }
        }
        return "";
    }

    private static boolean same(JsonElement expected, JsonElement is) {
        if (expected.isJsonObject() && is.isJsonObject()) {
            return expected.getAsJsonObject().entrySet().stream()
                    .allMatch(e ->
                            is.getAsJsonObject().has(e.getKey())
                                    && same(e.getValue(), is.getAsJsonObject().get(e.getKey())));
        }
        if (expected.isJsonArray() && is.isJsonArray()) {
            var a = expected.getAsJsonArray();
            var b = is.getAsJsonArray();
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = same(a.get(i), b.get(i));
            }
            return same;
        }
        if (expected instanceof JsonPrimitive a && is instanceof JsonPrimitive b) {
            if (b.isBoolean() && a.isNumber()) {
                return a.getAsInt() == (b.getAsBoolean() ? 1 : 0);
            }
            if (a.isNumber() && b.isNumber()) {
                double x = a.getAsDouble();
                double y = b.getAsDouble();
                return Math.abs(x - y) <= 1e-4 * Math.max(1, Math.max(Math.abs(x), Math.abs(y)));
            }
        }
        return expected.equals(is);
    }
}
