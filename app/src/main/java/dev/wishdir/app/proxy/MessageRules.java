package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.inspect.output.FieldFilter;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.wire.dissect.Direction;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An interceptor of rules, one a line: {@code MESSAGE [FIELD=VALUE ...] drop} or {@code MESSAGE
 * [FIELD=VALUE ...] set FIELD=VALUE ...}. The rules are applied in order, each to what those before
 * it left. Fields are found as by {@link FieldFilter}.
 *
 * @param <M> the game's messages
 */
final class MessageRules<M> implements Interceptor<M> {
    /** Maximum number of rules. */
    static final int MAX_RULES = 1_000;

    private static final String DROP = "drop";
    private static final String SET = "set";
    private static final String FORM = "MESSAGE [FIELD=VALUE ...] drop|set FIELD=VALUE ...";

    /** A word with parts in quotes, in which a backslash precedes a quote or a backslash. */
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"(?:[^\"\\\\]|\\\\.)*+\")++");

    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");

    /**
     * One line.
     *
     * @param where the required fields
     * @param set the fields that are set; empty to drop the message
     */
    private record Rule(String message, List<FieldFilter> where, List<FieldFilter> set) {}

    private final MessageFields<M> fields;
    private final List<Rule> rules = new ArrayList<>();

    private MessageRules(MessageFields<M> fields) {
        this.fields = fields;
    }

    /**
     * Parses rules; lines that are empty or begin with {@code #} are none.
     *
     * @throws IllegalArgumentException for a line that is wrong; the message has its number and
     *     what is allowed
     */
    static <M> MessageRules<M> parse(String text, MessageFields<M> fields) {
        MessageRules<M> rules = new MessageRules<>(fields);
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            try {
                rules.add(line.strip());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        return rules;
    }

    private void add(String line) {
        if (rules.size() == MAX_RULES) {
            throw new IllegalArgumentException("more than " + MAX_RULES + " rules");
        }
        List<String> words = words(line);
        int action = 1;
        while (action < words.size()
                && !words.get(action).equals(DROP)
                && !words.get(action).equals(SET)) {
            action++;
        }
        boolean drops = action == words.size() - 1 && words.get(action).equals(DROP);
        boolean sets = action < words.size() - 1 && words.get(action).equals(SET);
        if (!drops && !sets) {
            throw new IllegalArgumentException("'" + line + "' is not " + FORM);
        }
        Rule rule =
                new Rule(
                        words.getFirst(),
                        words.subList(1, action).stream().map(FieldFilter::parse).toList(),
                        words.subList(action + 1, words.size()).stream()
                                .map(FieldFilter::parse)
                                .toList());
        check(rule);
        rules.add(rule);
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        int end = 0;
        while (word.find()) {
            if (!line.substring(end, word.start()).isBlank()) {
                break;
            }
            end = word.end();
            words.add(
                    QUOTED.matcher(word.group())
                            .replaceAll(part ->
                                    Matcher.quoteReplacement(
                                            part.group(1).replaceAll("\\\\(.)", "$1"))));
        }
        if (!line.substring(end).isBlank()) {
            throw new IllegalArgumentException(
                    "a quotation mark is not closed: " + line.substring(end));
        }
        return words;
    }

    /** Checks name, fields and values by the examples of the name. */
    private void check(Rule rule) {
        List<M> examples =
                fields.examples().stream()
                        .filter(example -> fields.name(example).equalsIgnoreCase(rule.message))
                        .toList();
        if (examples.isEmpty()) {
            throw new IllegalArgumentException(
                    "no message '"
                            + rule.message
                            + "'; allowed: "
                            + String.join(
                                    ", ",
                                    fields.examples().stream()
                                            .map(fields::name)
                                            .distinct()
                                            .toList()));
        }
        IllegalArgumentException wrong = null;
        for (M example : examples) {
            try {
                set(rule, example);
                return;
            } catch (IllegalArgumentException e) {
                // The first is reported if no other direction of the message allows it.
                wrong = wrong == null ? e : wrong;
            }
        }
        throw wrong == null ? new IllegalStateException("no example") : wrong;
    }

    private M set(Rule rule, M message) {
        M changed = message;
        for (FieldFilter field : rule.set) {
            changed = fields.with(changed, field.path(), field.value());
        }
        return changed;
    }

    @Override
    public List<M> onMessage(Direction direction, M message) {
        M current = message;
        for (Rule rule : rules) {
            if (!rule.message.equalsIgnoreCase(fields.name(message)) || !matches(rule, current)) {
                continue;
            }
            if (rule.set.isEmpty()) {
                return List.of();
            }
            current = set(rule, current);
        }
        return List.of(current);
    }

    private boolean matches(Rule rule, M message) {
        if (rule.where.isEmpty()) {
            return true;
        }
        String values = JsonLines.fields(fields.values(message));
        return rule.where.stream().allMatch(field -> field.matches(values));
    }
}
