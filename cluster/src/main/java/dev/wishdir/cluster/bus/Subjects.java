package dev.wishdir.cluster.bus;

import dev.wishdir.arena.event.PlayerId;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The subjects of a cluster. All begin with {@code wishdir.ARENA} and end with the node that
 * publishes, so that the permissions of a NATS account can confine a node to its own: {@code
 * wishdir.ARENA.*.N} and {@code wishdir.ARENA.*.*.N}.
 */
public final class Subjects {
    private static final Pattern ARENA = Pattern.compile("[a-z0-9-]{1,32}");

    /** Kinds of messages, by the token in their subject. */
    public enum Kind {
        MOVE,
        EVENT,
        /** To one node: the others have the receiver before the sender. */
        ASK,
        ANSWER,
        TELL;

        private final String token = name().toLowerCase(Locale.ROOT);

        public boolean isToOneNode() {
            return this == ASK || this == ANSWER || this == TELL;
        }
    }

    /**
     * A subject, taken apart.
     *
     * @param to the node that receives; 0 for all
     */
    public record Address(Kind kind, int to, int from) {}

    private final String prefix;
    private final String bucket;

    /**
     * @throws IllegalArgumentException if the arena's name is not allowed in a subject
     */
    public Subjects(String arena) {
        if (!ARENA.matcher(arena).matches()) {
            throw new IllegalArgumentException(
                    "the name of the arena must be 1 to 32 of a-z, 0-9 and -, is \""
                            + arena
                            + "\"");
        }
        prefix = "wishdir." + arena + ".";
        bucket = "wishdir-" + arena;
    }

    /** The name of the bucket of the arena. */
    public String bucket() {
        return bucket;
    }

    /** A subject to all nodes. */
    public String toAll(Kind kind, int from) {
        return prefix + kind.token + "." + from;
    }

    /** A subject to one node. */
    public String toNode(Kind kind, int to, int from) {
        return prefix + kind.token + "." + to + "." + from;
    }

    /** The pattern of what all nodes publish for all. */
    public String fromAll(Kind kind) {
        return prefix + kind.token + ".*";
    }

    /** The pattern of what all nodes publish for one. */
    public String forNode(Kind kind, int to) {
        return prefix + kind.token + "." + to + ".*";
    }

    /** Takes a subject apart; null if it is not one of this arena. */
    public @Nullable Address parse(String subject) {
        if (!subject.startsWith(prefix)) {
            return null;
        }
        String[] tokens = subject.substring(prefix.length()).split("\\.", -1);
        for (Kind kind : Kind.values()) {
            if (kind.token.equals(tokens[0]) && tokens.length == (kind.isToOneNode() ? 3 : 2)) {
                int to = kind.isToOneNode() ? node(tokens[1]) : 0;
                int from = node(tokens[tokens.length - 1]);
                return to < 0 || from < 0 ? null : new Address(kind, to, from);
            }
        }
        return null;
    }

    /** A node's number as its one spelling has it, else -1. */
    private static int node(String token) {
        if (token.isEmpty() || token.length() > 10 || token.charAt(0) == '0') {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return isNode(number) ? (int) number : -1;
    }

    /** Whether a number may be that of a node. */
    public static boolean isNode(long number) {
        return number >= PlayerId.MIN_OTHER_NODE && number <= PlayerId.MAX_NODE;
    }
}
