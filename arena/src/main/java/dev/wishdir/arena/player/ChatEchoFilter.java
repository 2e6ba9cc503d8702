package dev.wishdir.arena.player;

import dev.wishdir.arena.event.PlayerId;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * Blocks chat loops: lines that bots repeat to each other without end.
 *
 * <p>A line repeats another of the last minute if it has the same words, or the same words after up
 * to {@link #MAX_PREFIX_WORDS} words of its own, or a cut beginning of them. Lines that repeat one
 * another form a conversation. A player may say {@link #MAX_LONG_LINES} lines in it, or {@link
 * #MAX_SHORT_LINES} if they are short enough for people to repeat; the next one is blocked if the
 * other players have said as many. A player whose line was blocked in the last five minutes may
 * repeat others once. So a line that no other player has said recently is never blocked, nor a line
 * that shares only its beginning with another, and a loop ends as soon as each of its bots has
 * reached the limit.
 *
 * <p>It keeps the last {@link #MAX_LINES} lines, at most 500 characters each.
 */
public final class ChatEchoFilter {
    /** Number of kept lines, and the time for which they are kept. */
    private static final int MAX_LINES = 256;

    private static final long WINDOW_NANOS = 60_000_000_000L;

    /** Time for which a player counts as an echo after a blocked line. */
    private static final long ECHO_NANOS = 300_000_000_000L;

    /** Maximum number of words before a repeated line: a name, a place. */
    private static final int MAX_PREFIX_WORDS = 8;

    /** A cut line must have at least this many characters to be recognised. */
    private static final int MIN_CUT_CHARS = 24;

    /** A cut line lacks more than this number of characters: line 1 is not line 10, cut. */
    private static final int MIN_MISSING_CHARS = 1;

    /** Lines shorter than this are repeated by people, too: gg, hello all. */
    private static final int LONG_LINE_CHARS = 20;

    private static final int MAX_LONG_LINES = 4;
    private static final int MAX_SHORT_LINES = 8;

    /**
     * @param words normalised by {@link #words}
     * @param conversation number of the conversation that it belongs to
     */
    private record Line(long time, PlayerId speaker, String words, long conversation) {}

    private final Deque<Line> lines = new ArrayDeque<>();

    /** Times at which a line of each player was last blocked. */
    private final Map<PlayerId, Long> lastEchoes = new HashMap<>();

    private long conversations;

    /** Keeps a line that another server has sent: its own players may repeat it. */
    public void keep(long now, PlayerId speaker, String text) {
        removeOld(now);
        String words = words(text);
        lines.addLast(new Line(now, speaker, words, conversation(words)));
    }

    private void removeOld(long now) {
        while (!lines.isEmpty()
                && (lines.size() >= MAX_LINES || now - lines.getFirst().time() > WINDOW_NANOS)) {
            lines.removeFirst();
        }
    }

    /** Whether a line may be sent; if so, it is kept. */
    public boolean passes(long now, PlayerId speaker, String text) {
        removeOld(now);
        String words = words(text);
        long conversation = conversation(words);
        int own = 0;
        int others = 0;
        for (Line line : lines) {
            if (line.conversation() == conversation && line.speaker().equals(speaker)) {
                own++;
            } else if (line.conversation() == conversation) {
                others++;
            }
        }
        if (Math.min(own, others) >= maxLines(now, speaker, words)) {
            lastEchoes.put(speaker, now);
            return false;
        }
        lines.addLast(new Line(now, speaker, words, conversation));
        return true;
    }

    /** Forgets that lines of a player that has left were blocked. */
    public void remove(PlayerId speaker) {
        lastEchoes.remove(speaker);
    }

    private int maxLines(long now, PlayerId speaker, String words) {
        Long lastEcho = lastEchoes.get(speaker);
        if (lastEcho != null && now - lastEcho < ECHO_NANOS) {
            return 1;
        }
        return words.length() < LONG_LINE_CHARS ? MAX_SHORT_LINES : MAX_LONG_LINES;
    }

    /** The conversation of the newest line that is repeated, or a new one. */
    private long conversation(String words) {
        for (Iterator<Line> newest = lines.descendingIterator(); newest.hasNext(); ) {
            Line line = newest.next();
            if (repeats(words, line.words())) {
                return line.conversation();
            }
        }
        return ++conversations;
    }

    private static boolean repeats(String words, String earlier) {
        int start = 0;
        for (int dropped = 0; dropped <= MAX_PREFIX_WORDS; dropped++) {
            int left = words.length() - start;
            boolean whole = left == earlier.length();
            boolean cut = left >= MIN_CUT_CHARS && left + MIN_MISSING_CHARS < earlier.length();
            if ((whole || cut) && earlier.startsWith(words.substring(start))) {
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
     * The normalised words: lower-case letters and digits, as games replace other characters, with
     * single spaces; the text itself if it has none.
     */
    private static String words(String text) {
        String words = text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip();
        return words.isEmpty() ? text : words;
    }
}
