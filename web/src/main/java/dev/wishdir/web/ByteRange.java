package dev.wishdir.web;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a file that a request asks for in its header {@code Range} (RFC 9110, 14.1.2).
 *
 * @param from first byte
 * @param to the byte after the last one; not above {@code from} if the file has none of the bytes
 */
record ByteRange(long from, long to) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*(\\d*)-(\\d*)\\s*");

    /** Longer numbers are beyond the end of any file. */
    private static final int MAX_DIGITS = 18;

    /**
     * Parses the header.
     *
     * @param header null if the request has none
     * @param size the file's, bytes
     * @return empty if the whole file is to be sent: without a header, or for one with several
     *     ranges or another syntax, which a server may ignore
     */
    static Optional<ByteRange> parse(@Nullable String header, long size) {
        Matcher typed = ONE.matcher(header == null ? "" : header);
        if (!typed.matches() || typed.group(1).isEmpty() && typed.group(2).isEmpty()) {
            return Optional.empty();
        }
        if (typed.group(1).isEmpty()) {
            return Optional.of(new ByteRange(Math.max(0, size - number(typed.group(2))), size));
        }
        long first = number(typed.group(1));
        long last = typed.group(2).isEmpty() ? Long.MAX_VALUE - 1 : number(typed.group(2));
        return last < first
                ? Optional.empty()
                : Optional.of(new ByteRange(first, Math.min(last + 1, size)));
    }

    private static long number(String digits) {
        return digits.length() > MAX_DIGITS ? Long.MAX_VALUE - 1 : Long.parseLong(digits);
    }

    /** Whether the file has at least one of the bytes. */
    boolean isSatisfiable() {
        return from < to;
    }
}
