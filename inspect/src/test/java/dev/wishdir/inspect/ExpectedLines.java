package dev.wishdir.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.capture.Captures;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a dissector should say of a capture, from a file of JSON lines next to it, and whether it
 * does. A game's test is:
 *
 * {@snippet :
 * ExpectedLines.beside(Path.of("src/test/resources/captures/two_clients.pcap"))
 *         .assertSaidBy(game.dissector(false, Optional.empty()));
 * }
 *
 * with these in its pom (versions are managed by the parent):
 *
 * {@snippet lang=xml :
 * <dependency>
 *   <groupId>dev.wishdir</groupId><artifactId>wishdir-inspect</artifactId><scope>test</scope>
 * </dependency>
 * <dependency>
 *   <groupId>dev.wishdir</groupId><artifactId>wishdir-inspect</artifactId><type>test-jar</type><scope>test</scope>
 * </dependency>
 * }
 *
 * <p>The lines agree if each frame has the same lines in the same order, by direction, layer and
 * name, and each field that is expected has an equal value; further fields are welcome. Numbers are
 * equal to 1e-4, absolute or relative. A field that is a map may hold more than expected, a list
 * may not. Packets that belong to no game ({@code socket_self_wakeup}) may be left out.
 */
public final class ExpectedLines {
    private static final Set<String> FOREIGN = Set.of("socket_self_wakeup");
    private static final Set<JsonElement> WAYS =
            Set.of(new JsonPrimitive("c2s"), new JsonPrimitive("s2c"));
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();
    private static final double CLOSE = 1e-4;
    private static final int MAX_SHOWN = 20;

    private final Path recorded;
    private final List<JsonObject> expected;
    private final Predicate<JsonObject> counted;

    private ExpectedLines(Path recorded, List<JsonObject> expected, Predicate<JsonObject> counted) {
        this.recorded = recorded;
        this.expected = expected;
        this.counted = counted;
    }

    /** The lines in {@code NAME.expected.jsonl.gz} next to {@code NAME.pcap} or a recording. */
    public static ExpectedLines beside(Path recorded) throws IOException {
        String name = String.valueOf(recorded.getFileName()).replaceFirst("\\.[^.]*$", "");
        return in(recorded.resolveSibling(name + ".expected.jsonl.gz"), recorded);
    }

    /** The lines in a file of its own name. */
    public static ExpectedLines in(Path file, Path recorded) throws IOException {
        List<JsonObject> lines =
                new Captures(file.resolveSibling(""))
                        .lines(String.valueOf(file.getFileName())).stream()
                                .map(ExpectedLines::moveField)
                                .toList();
        return new ExpectedLines(
                recorded, lines, line -> !FOREIGN.contains(line.get("name").getAsString()));
    }

    /**
     * A message with a field {@code dir} of its own has it in the place of its direction in some
     * files: the field is put back among the fields, and the direction is not compared.
     */
    private static JsonObject moveField(JsonObject line) {
        if (!WAYS.contains(line.get("dir"))) {
            line.getAsJsonObject("fields").add("dir", line.remove("dir"));
        }
        return line;
    }

    /** Only the lines of one layer. */
    public ExpectedLines of(DissectedMessage.Layer layer) {
        String name = layer.name().toLowerCase(Locale.ROOT);
        return where(line -> line.get("layer").getAsString().equals(name));
    }

    /** Only the lines of some names. */
    public ExpectedLines named(String... names) {
        Set<String> wanted = Set.of(names);
        return where(line -> wanted.contains(line.get("name").getAsString()));
    }

    private ExpectedLines where(Predicate<JsonObject> condition) {
        return new ExpectedLines(recorded, expected, counted.and(condition));
    }

    /** Fails with the first differences if a dissector says anything else of the recording. */
    public void assertSaidBy(Dissector dissector) throws IOException {
        assertSaid(dissect(recorded, dissector));
    }

    /** Fails with the first differences if these lines are others. */
    public void assertSaid(List<DissectedMessage> lines) {
        List<String> differences = differences(lines);
        long total = expected.stream().filter(counted).count();
        assertThat(total).as("expected lines beside %s", recorded).isPositive();
        assertThat(differences.stream().limit(MAX_SHOWN))
                .as("%d differences in %d lines of %s", differences.size(), total, recorded)
                .isEmpty();
    }

    /** What a dissector says of a capture, or of a recording of its own format. */
    public static List<DissectedMessage> dissect(Path recorded, Dissector dissector)
            throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Inspector inspector = Inspector.of(List.of(dissector), lines::add);
        if (CaptureReader.recognises(recorded)) {
            try (CaptureReader capture = CaptureReader.open(recorded)) {
                inspector.capture(capture);
            }
        } else {
            assertThat(inspector.recording(recorded)).as("%s is recognised", recorded).isTrue();
        }
        return lines;
    }

    /** Every line that differs, and how; empty where all agree. */
    public List<String> differences(List<DissectedMessage> lines) {
        List<String> differences = new ArrayList<>();
        Map<Long, List<JsonObject>> frames =
                byFrame(lines.stream().map(ExpectedLines::json).toList());
        byFrame(expected)
                .forEach((frame, wanted) -> {
                    List<JsonObject> said = frames.getOrDefault(frame, List.of());
                    frames.remove(frame);
                    for (int i = 0; i < Math.max(wanted.size(), said.size()); i++) {
                        String difference =
                                i >= said.size()
                                        ? title(wanted.get(i)) + ": missing"
                                        : i >= wanted.size()
                                                ? title(said.get(i)) + ": not expected"
                                                : difference(wanted.get(i), said.get(i));
                        if (!difference.isEmpty()) {
                            differences.add("frame " + frame + " " + difference);
                        }
                    }
                });
        frames.forEach((frame, said) ->
                said.forEach(line ->
                        differences.add("frame " + frame + " " + title(line) + ": not expected")));
        return differences;
    }

    private static JsonObject json(DissectedMessage message) {
        StringWriter text = new StringWriter();
        new JsonLines(text).accept(message);
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }

    private Map<Long, List<JsonObject>> byFrame(List<JsonObject> lines) {
        Map<Long, List<JsonObject>> frames = new LinkedHashMap<>();
        lines.stream()
                .filter(counted)
                .forEach(line ->
                        frames.computeIfAbsent(
                                        line.get("frame").getAsLong(), _ -> new ArrayList<>())
                                .add(line));
        return frames;
    }

    private static String title(JsonObject line) {
        return line.get("layer").getAsString() + " " + line.get("name").getAsString();
    }

    private static boolean sameWay(JsonObject wanted, JsonObject said) {
        return !wanted.has("dir") || wanted.get("dir").equals(said.get("dir"));
    }

    private static String difference(JsonObject wanted, JsonObject said) {
        if (!title(wanted).equals(title(said))) {
            return title(wanted) + ": is " + title(said);
        }
        if (!sameWay(wanted, said)) {
            return title(wanted) + ": is " + said.get("dir");
        }
        for (String each : List.of("time", "client")) {
            if (wanted.has(each) && !same(wanted.get(each), said.get(each))) {
                return title(wanted) + ": " + each + " is " + said.get(each);
            }
        }
        String fields =
                fieldDifference(wanted.getAsJsonObject("fields"), said.getAsJsonObject("fields"));
        if (!fields.isEmpty()) {
            return title(wanted) + ": " + fields;
        }
        JsonElement bytes = wanted.get("bytes");
        return bytes == null || bytes.equals(said.get("bytes"))
                ? ""
                : title(wanted) + ": bytes should be " + bytes + ", are " + said.get("bytes");
    }

    /** How the fields of one message differ from what is expected; empty where they agree. */
    public static String differenceOfFields(JsonObject wanted, Map<String, ?> said) {
        return fieldDifference(wanted, GSON.toJsonTree(said).getAsJsonObject());
    }

    private static String fieldDifference(JsonObject wanted, JsonObject said) {
        for (Map.Entry<String, JsonElement> field : wanted.entrySet()) {
            JsonElement value = said.get(field.getKey());
            if (value == null || !same(field.getValue(), value)) {
                return "field "
                        + field.getKey()
                        + " should be "
                        + cut(field.getValue())
                        + ", is "
                        + (value == null ? "absent" : cut(value));
            }
        }
        return "";
    }

    private static String cut(JsonElement value) {
        String text = value.toString();
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    private static boolean same(JsonElement wanted, JsonElement said) {
        return switch (wanted) {
            case JsonObject map ->
                    said instanceof JsonObject other
                            && map.entrySet().stream()
                                    .allMatch(entry ->
                                            other.has(entry.getKey())
                                                    && same(
                                                            entry.getValue(),
                                                            other.get(entry.getKey())));
            case JsonArray list ->
                    said instanceof JsonArray other
                            && list.size() == other.size()
                            && sameItems(list, other);
            case JsonPrimitive value -> said instanceof JsonPrimitive other && same(value, other);
            default -> wanted.equals(said);
        };
    }

    private static boolean sameItems(JsonArray wanted, JsonArray said) {
        for (int i = 0; i < wanted.size(); i++) {
            if (!same(wanted.get(i), said.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(JsonPrimitive wanted, JsonPrimitive said) {
        if (wanted.isString() || said.isString()) {
            return wanted.equals(said);
        }
        double a = number(wanted);
        double b = number(said);
        return wanted.isBoolean() || said.isBoolean()
                ? (a != 0) == (b != 0)
                : a == b
                        || Math.abs(a - b)
                                <= CLOSE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }

    private static double number(JsonPrimitive value) {
        return value.isBoolean() ? (value.getAsBoolean() ? 1 : 0) : value.getAsDouble();
    }
}
