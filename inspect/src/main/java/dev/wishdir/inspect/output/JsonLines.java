package dev.wishdir.inspect.output;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonWriter;

import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes each message as one JSON object with frame, time, dir, client, game, layer, name and
 * fields; also with file, bytes and trace if present. A message without a clock has no time.
 *
 * <p>Integers of any size are written exactly, floats with the fewest digits that read back as the
 * same float. JSON has no number for NaN and infinities: these become the strings {@code "NaN"},
 * {@code "Infinity"} and {@code "-Infinity"}.
 */
public final class JsonLines implements Consumer<DissectedMessage> {
    private final Writer out;
    private final JsonWriter json;
    private String file = "";

    public JsonLines(Writer out) {
        this.out = out;
        json = new JsonWriter(out);
        json.setHtmlSafe(false);
        // Lines of objects are not one document of strict JSON.
        json.setStrictness(Strictness.LENIENT);
    }

    /**
     * Writes a message and a line break.
     *
     * @throws UncheckedIOException if it cannot be written
     * @throws IllegalArgumentException if a field has a type that {@link DissectedMessage#fields}
     *     does not allow
     */
    @Override
    public void accept(DissectedMessage message) {
        try {
            write(message);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only the fields of a message, as one JSON object. */
    public static String fields(DissectedMessage message) {
        return fields(message.fields());
    }

    /** Fields of the types that {@link DissectedMessage#fields} allows, as one JSON object. */
    public static String fields(Map<String, ?> fields) {
        StringWriter text = new StringWriter();
        try {
            new JsonLines(text).value(fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /**
     * A line as {@link #accept} writes it, without its line break, and the part of it that {@link
     * #fields} returns.
     */
    public record Written(String line, String fields) {}

    /** Formats a message, without a file. */
    public static Written written(DissectedMessage message) {
        StringWriter text = new StringWriter();
        JsonLines lines = new JsonLines(text);
        try {
            lines.head(message);
            int before = text.getBuffer().length() + ",\"fields\":".length();
            lines.value(message.fields());
            String fields = text.getBuffer().substring(before);
            lines.tail(message);
            return new Written(text.toString(), fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the name of a file to all further lines. */
    public void begin(String file) {
        this.file = file;
    }

    private void write(DissectedMessage message) throws IOException {
        head(message);
        value(message.fields());
        tail(message);
    }

    private void head(DissectedMessage message) throws IOException {
        json.beginObject();
        if (!file.isEmpty()) {
            json.name("file").value(file);
        }
        json.name("frame").value(message.frame());
        if (!Double.isNaN(message.time())) {
            json.name("time").value(message.time());
        }
        json.name("dir").value(message.direction().label());
        json.name("client").value(message.client());
        json.name("game").value(message.game());
        json.name("layer").value(message.layer().name().toLowerCase(Locale.ROOT));
        json.name("name").value(message.name());
        json.name("fields");
    }

    private void tail(DissectedMessage message) throws IOException {
        if (message.bytes().length() > 0) {
            json.name("bytes").value(message.bytes().hex());
        }
        if (!message.trace().isEmpty()) {
            json.name("trace").beginArray();
            for (Traced field : message.trace()) {
                write(field);
            }
            json.endArray();
        }
        json.endObject();
    }

    private void write(Traced field) throws IOException {
        json.beginObject();
        json.name("name").value(field.name());
        json.name("offset").value(field.bit() / Byte.SIZE);
        if (field.bit() % Byte.SIZE != 0) {
            json.name("bit").value(field.bit() % Byte.SIZE);
        }
        json.name("bits").value(field.bits());
        if (field.part()) {
            json.name("part").value(true);
        }
        json.name("raw").value(field.raw());
        json.name("meaning").value(field.meaning());
        json.endObject();
    }

    private void value(@Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.nullValue();
            case Double number when !Double.isFinite(number) -> json.value(number.toString());
            case Float number when !Float.isFinite(number) -> json.value(number.toString());
            case Number number -> json.value(number);
            case Boolean truth -> json.value(truth);
            case String text -> json.value(text);
            case Map<?, ?> fields -> {
                json.beginObject();
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    json.name(String.valueOf(field.getKey()));
                    value(field.getValue());
                }
                json.endObject();
            }
            case Iterable<?> items -> {
                json.beginArray();
                for (Object item : items) {
                    value(item);
                }
                json.endArray();
            }
            default ->
                    throw new IllegalArgumentException(
                            "a field has the unsupported type " + value.getClass().getName());
        }
    }
}
