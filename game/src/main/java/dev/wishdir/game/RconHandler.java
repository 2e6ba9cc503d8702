package dev.wishdir.game;

import dev.wishdir.net.TokenBucket;

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
    public static final String LIMITED =
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
    public static String order(String text) {
        return NAME_AND_PASSWORD.matcher(FIRST_LINE.split(text, 2)[0]).replaceFirst("");
    }

    /**
     * An answer split into packets of whole lines, each with its line break; fewer if the rate
     * limit is exceeded.
     */
    public List<String> packets(long now, String answer) {
        List<String> packets = new ArrayList<>();
        StringBuilder packet = new StringBuilder();
        for (String text : answer.lines().toList()) {
            String line = format.apply(text);
            String whole = line.substring(0, Math.min(line.length(), maxChars - 1)) + "\n";
            if (packet.length() + whole.length() > maxChars) {
                packets.add(packet.toString());
                packet.setLength(0);
            }
            packet.append(whole);
        }
        packets.add(packet.toString());
        return packets.stream().filter(_ -> this.packets.tryAcquire(now)).toList();
    }
}
