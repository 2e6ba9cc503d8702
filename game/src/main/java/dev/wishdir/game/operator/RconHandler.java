package dev.wishdir.game.operator;

import dev.wishdir.net.limit.TokenBucket;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Remote console of both Quakes: operator commands in datagrams with a password. The password
 * proves that the sender is an operator, so an answer may be longer than what unproven addresses
 * get; a rate limit of all answers bounds the abuse of an overheard password with forged addresses.
 */
public final class RconHandler {
    /**
     * The answer to an address with too many wrong passwords, whose passwords are not checked for a
     * while.
     */
    public static final String TOO_MANY_WRONG_PASSWORDS =
            "Too many wrong rcon passwords. Try again in 10 seconds.\n";

    private static final Pattern NAME_AND_PASSWORD =
            Pattern.compile("^\\s*\\S+\\s+(?:\"[^\"]*\"|\\S+)\\s*");

    private static final Pattern FIRST_LINE = Pattern.compile("[\\n\\r\\x00]");

    private final int maxChars;
    private final UnaryOperator<String> format;
    private final TokenBucket packets = new TokenBucket(60, 20);

    /**
     * @param maxChars of one packet of an answer
     * @param format makes a line displayable by the game
     */
    public RconHandler(int maxChars, UnaryOperator<String> format) {
        this.maxChars = maxChars;
        this.format = format;
    }

    /** The command line in a packet's text: its first line without the name and the password. */
    public static String commandLine(String text) {
        return NAME_AND_PASSWORD.matcher(FIRST_LINE.split(text, 2)[0]).replaceFirst("");
    }

    /**
     * An answer split into packets of whole lines, each with its line break. Within the rate limit:
     * if that ends the answer, its last line says how many lines are left out.
     */
    public List<String> packets(long now, String answer) {
        List<String> lines =
                answer.lines()
                        .map(format)
                        .map(it -> it.substring(0, Math.min(it.length(), maxChars - 1)) + "\n")
                        .toList();
        List<List<String>> packets = split(lines);
        int sent = 0;
        while (sent < packets.size() && this.packets.tryAcquire(now)) {
            sent++;
        }
        List<List<String>> kept = packets.subList(0, sent);
        if (sent > 0 && sent < packets.size()) {
            int shown = kept.stream().mapToInt(List::size).sum();
            end(kept.getLast(), lines.size() - shown);
        }
        return kept.stream().map(it -> String.join("", it)).toList();
    }

    private List<List<String>> split(List<String> lines) {
        List<List<String>> packets = new ArrayList<>();
        packets.add(new ArrayList<>());
        int chars = 0;
        for (String line : lines) {
            if (chars + line.length() > maxChars && chars > 0) {
                packets.add(new ArrayList<>());
                chars = 0;
            }
            packets.getLast().add(line);
            chars += line.length();
        }
        return packets;
    }

    /** Replaces the last lines of a packet by the number of lines that are left out. */
    private void end(List<String> packet, int leftOut) {
        int lines = leftOut;
        String note = AnswerLines.leftOut(lines) + "\n";
        while (packet.stream().mapToInt(String::length).sum() + note.length() > maxChars) {
            packet.removeLast();
            lines++;
            note = AnswerLines.leftOut(lines) + "\n";
        }
        packet.add(note);
    }
}
