package dev.wishdir.sauerbraten.message;

import dev.wishdir.wire.Bytes;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** The fields of a message by name, by reflection: for the inspector, too slow for the game. */
final class Fields {
    /** A record whose components are shown as those of the message that contains it. */
    interface Part {}

    /** A record that is shown as a list of its values. */
    interface Tuple {}

    private static final ClassValue<RecordComponent[]> COMPONENTS =
            new ClassValue<>() {
                @Override
                protected RecordComponent[] computeValue(Class<?> type) {
                    return type.getRecordComponents();
                }
            };

    private Fields() {}

    static SequencedMap<String, Object> of(Object message) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : COMPONENTS.get(message.getClass())) {
            Object value = value(component, message);
            if (value instanceof Part) {
                fields.putAll(of(value));
            } else {
                fields.put(component.getName(), represent(value));
            }
        }
        return fields;
    }

    /** A file, represented by its length and its first bytes. */
    static SequencedMap<String, Object> ofFile(Bytes file) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("filelen", file.length());
        fields.put("fileprefix", file.slice(0, Math.min(4, file.length())).hex());
        return fields;
    }

    private static Object represent(Object value) {
        return switch (value) {
            case Bytes bytes -> bytes.hex();
            case List<?> list -> list.stream().map(Fields::represent).toList();
            case Tuple tuple ->
                    Stream.of(COMPONENTS.get(tuple.getClass()))
                            .map(component -> represent(value(component, tuple)))
                            .toList();
            case Record part -> of(part);
            default -> value;
        };
    }

    private static Object value(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't read " + component, e);
        }
    }
}
