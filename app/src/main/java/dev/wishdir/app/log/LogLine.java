package dev.wishdir.app.log;

import java.util.Map;

/**
 * One line of the operator's log.
 *
 * @param event the kind of the event, one word
 * @param text the whole line, for people
 * @param fields its parts, for programs
 */
public record LogLine(String event, String text, Map<String, Object> fields) {}
