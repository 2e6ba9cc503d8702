package dev.wishdir.arena;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Locale;

/**
 * Holds what players throw back at each other without end: bots that repeat what they hear.
 *
 * <p>A line repeats another of the last minute if it has the same words, or these behind up to
 * {@link #PREFIX} words of its own, or so much of their beginning as a cut leaves. Lines that
 * repeat one another are one talk. In it a player may say {@link #MAX_LONG_LINES} lines, {@link
 * #MAX_SHORT_LINES} where they are short enough for people to say them again and again; its next is
 * held if the others have said as many. Whose line was held in the last five minutes is an echo,
 * and may repeat others once. So a line that nobody else has said lately is never held, nor is one
 * for its beginning alone, and a loop ends as soon as each of its bots has had its share.
 *
 * <p>Remembered are the last {@link #MAX_LINES} lines, at most 500 characters each.
 */
final class ChatEchoFilter {
    /** How many lines are remembered, and how long at the most, nanoseconds. */
    private static final int MAX_LINES = 256;

    private static final long WINDOW_NANOS = 60_000_000_000L;

    /** How long a player is an echo, nanoseconds. */
    private static final long SUSPICION_NANOS = 300_000_000_000L;

    /** The most words that who repeats a line puts before it: a name, where it comes from. */
    private static final int PREFIX = 8;

    /** So many characters of a line's words are its beginning, and no other line's. */
    private static final int BEGINNING = 24;

    /** A cut takes more than this of a line: line 1 is not line 10, cut. */
    private static final int CUT = 1;

    /** People say the same again if it has fewer characters than this: gg, hello all. */
    private static final int LONG_LINE_CHARS = 20;

    private static final int MAX_LONG_LINES = 4;
    private static final int MAX_SHORT_LINES = 8;

    /**
     * @param words as {@link #words} has them
     * @param talk the number of the talk that it belongs to
     */
    private record Line(long time, PlayerId speaker, String words, long talk) {}

    private final Deque<Line> lines = new ArrayDeque<>();
    private long talks;

    /** Whether a line reaches the others; it is remembered, then. */
    boolean passes(long now, ActivePlayer speaker, String text) {
        while (!lines.isEmpty()
                && (lines.size() >= MAX_LINES || now - lines.getFirst().time() > WINDOW_NANOS)) {
            lines.removeFirst();
        }
        String words = words(text);
        long talk = talk(words);
        int own = 0;
        int others = 0;
        for (Line line : lines) {
            if (line.talk() == talk && line.speaker().equals(speaker.id)) {
                own++;
            } else if (line.talk() == talk) {
                others++;
            }
        }
        if (Math.min(own, others) >= patience(now, speaker, words)) {
            speaker.echoed(now);
            return false;
        }
        lines.addLast(new Line(now, speaker.id, words, talk));
        return true;
    }

    private static int patience(long now, ActivePlayer speaker, String words) {
        if (now - speaker.echoed() < SUSPICION_NANOS) {
            return 1;
        }
        return words.length() < LONG_LINE_CHARS ? MAX_SHORT_LINES : MAX_LONG_LINES;
    }

    /** The talk of the newest line that is repeated, or a new one. */
    private long talk(String words) {
        for (Iterator<Line> newest = lines.descendingIterator(); newest.hasNext(); ) {
            Line line = newest.next();
            if (repeats(words, line.words())) {
                return line.talk();
            }
        }
        return ++talks;
    }

    private static boolean repeats(String words, String heard) {
        int start = 0;
        for (int dropped = 0; dropped <= PREFIX; dropped++) {
            int left = words.length() - start;
            boolean whole = left == heard.length();
            boolean cut = left >= BEGINNING && left + CUT < heard.length();
            if ((whole || cut) && heard.startsWith(words.substring(start))) {
                return true;
            }
            start = words.indexOf(' ', start) + 1;
            if (start == 0) {
                return false;
            }
        }
        return false;
    }

    /**
     * What is compared: letters and digits in small letters, as games replace other characters, and
     * single blanks between them; the text itself if it has none.
     */
    private static String words(String text) {
        String words = text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip();
        return words.isEmpty() ? text : words;
    }
}
