package dev.wishdir.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/**
 * Which lines of a capture are wanted; what is empty is not asked for.
 *
 * @param player the client's UDP port
 * @param direction {@code c2s} or {@code s2c}
 * @param name a message's or transport command's
 * @param field {@code path=value}: names of fields with points between, where any item of a list is
 *     meant if none is numbered; or any text that the fields hold
 */
record RowFilter(String game, String player, String direction, String name, String field) {
    static final RowFilter ALL = new RowFilter("", "", "", "", "");

    /** Whether a line's fields, as JSON, are of this kind. */
    boolean takes(String fields) {
        int equals = field.indexOf('=');
        if (equals <= 0) {
            return fields.contains(field);
        }
        String path = field.substring(0, equals).strip();
        String value = field.substring(equals + 1).strip();
        return holds(JsonParser.parseString(fields), path, value);
    }

    private static boolean holds(JsonElement in, String path, String value) {
        if (path.isEmpty()) {
            return in instanceof JsonPrimitive primitive && isEqual(primitive, value)
                    || in instanceof JsonArray items
                            && items.asList().stream().anyMatch(item -> holds(item, "", value))
                    || in.isJsonNull() && value.equals("null");
        }
        if (in instanceof JsonArray items) {
            for (int i = 0; i < items.size(); i++) {
                String number = Integer.toString(i);
                boolean found =
                        path.equals(number)
                                ? holds(items.get(i), "", value)
                                : path.startsWith(number + ".")
                                        ? holds(
                                                items.get(i),
                                                path.substring(number.length() + 1),
                                                value)
                                        : !Character.isDigit(path.charAt(0))
                                                && holds(items.get(i), path, value);
                if (found) {
                    return true;
                }
            }
            return false;
        }
        // Names may hold points themselves: "pos.trBase[0]".
        if (in instanceof JsonObject fields) {
            for (String name : fields.keySet()) {
                if (path.equals(name) && holds(fields.get(name), "", value)
                        || path.startsWith(name + ".")
                                && holds(
                                        fields.get(name),
                                        path.substring(name.length() + 1),
                                        value)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isEqual(JsonPrimitive is, String value) {
        if (is.getAsString().equals(value)) {
            return true;
        }
        try {
            return is.isNumber() && is.getAsDouble() == Double.parseDouble(value);
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
