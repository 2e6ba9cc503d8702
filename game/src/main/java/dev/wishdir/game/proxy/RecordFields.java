package dev.wishdir.game.proxy;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sets fields of messages that are records, by reflection: for rules, too slow for a server. Names
 * are compared without case and underscores. A record in a record is found by its name, or its
 * components are as those of the message; a component may also be given by its index.
 */
public final class RecordFields {
    private RecordFields() {}

    /**
     * A record with another value of a field.
     *
     * @throws IllegalArgumentException if it has no such field, it can't be set or does not allow
     *     the value
     */
    public static <R> R with(R message, FieldPath field) {
        RecordComponent[] components = message.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        int at = -1;
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i], message);
            if (plain(components[i].getName()).equals(plain(field.name()))) {
                at = i;
            }
        }
        for (int i = 0; i < values.length && at < 0; i++) {
            if (values[i] instanceof Record part && hasName(part, field)) {
                values[i] = with(part, field);
                return make(message, components, values);
            }
        }
        if (at < 0) {
            throw field.unknown(
                    Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new));
        }
        values[at] = changed(values[at], field.rest());
        return make(message, components, values);
    }

    private static boolean hasName(Record part, FieldPath field) {
        return Stream.of(part.getClass().getRecordComponents())
                .anyMatch(component -> plain(component.getName()).equals(plain(field.name())));
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /**
     * A component's value with another value at the rest of the path.
     *
     * @param rest the path below the component; empty for the component itself
     */
    private static Object changed(Object value, FieldPath rest) {
        return switch (value) {
            case Integer _ -> rest.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case Long _ -> rest.longInteger();
            case Float _ -> (float) rest.decimal();
            case Double _ -> rest.decimal();
            case Boolean _ -> rest.bool();
            case String _ -> rest.value();
            case List<?> list -> {
                rest.isIndex(0, Integer.MAX_VALUE);
                List<Object> items = new ArrayList<>();
                for (int i = 0; i < list.size(); i++) {
                    items.add(
                            rest.isIndex(i, Integer.MAX_VALUE)
                                    ? changed(list.get(i), rest.rest())
                                    : list.get(i));
                }
                yield items;
            }
            case Record part -> part(part, rest);
            default -> throw rest.unknown();
        };
    }

    private static Record part(Record part, FieldPath rest) {
        RecordComponent[] components = part.getClass().getRecordComponents();
        boolean isText = rest.path().isEmpty() && components[0].getType() == String.class;
        if (!isText && !rest.name().matches("\\d+|[*]")) {
            return with(part, rest);
        }
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i], part);
            if (isText ? i == 0 : rest.isIndex(i, components.length - 1)) {
                values[i] = changed(values[i], rest.rest());
            }
        }
        return make(part, components, values);
    }

    @SuppressWarnings("unchecked") // a constructor of its class
    private static <R> R make(R like, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = like.getClass().getDeclaredConstructor(types);
            return (R) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(String.valueOf(e.getCause()), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't make " + like.getClass(), e);
        }
    }

    private static Object value(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't read " + component, e);
        }
    }
}
