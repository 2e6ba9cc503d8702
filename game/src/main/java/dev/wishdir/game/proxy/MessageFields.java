package dev.wishdir.game.proxy;

import java.util.List;
import java.util.Map;

/**
 * The fields of a game's messages by name, as {@code inspect --json} prints them.
 *
 * @param <M> the game's messages
 */
public interface MessageFields<M> {
    /** The message's name. */
    String name(M message);

    /** A message of each name, by which fields and values are checked before any arrives. */
    List<M> examples();

    /** The values by name: texts, numbers, booleans, and lists and maps of those. */
    Map<String, Object> values(M message);

    /**
     * The message with another value of a field; unchanged if the path leads to an item of a list
     * that it lacks.
     *
     * @param path the field's name, or names separated by dots; {@code *} is each item of a list
     * @param value a number, or the text itself
     * @throws IllegalArgumentException if the field does not exist, can't be set or does not allow
     *     the value; the message says what is allowed
     */
    M with(M message, String path, String value);
}
