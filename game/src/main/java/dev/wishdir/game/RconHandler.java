package dev.wishdir.game;

import dev.wishdir.net.TokenBucket;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Orders in datagrams that carry the operator's password, as both Quakes have them. The password
 * proves who asks, so that an answer may be longer than what a stranger gets; were it overheard and
 * asked again from forged addresses, there is still a bound on all answers.
 */
public final class RconHandler {
    /** The answer to a sender whose passwords are not looked at for now. */
    public static final String LIMITED =
            "Too many wrong rcon passwords: try again in 10 seconds.\n";

    private static final Pattern HEAD = Pattern.compile("^\\s*\\S+\\s+(?:\"[^\"]*\"|\\S+)\\s*");

    private static final Pattern FIRST_LINE = Pattern.compile("[\\n\\r\\x00]");

    private final int most;
    private final UnaryOperator<String> shown;
    private final TokenBucket packets = new TokenBucket(60, 20);

    /**
     * @param most characters of one packet of an answer
     * @param shown a line as the game draws it
     */
    public RconHandler(int most, UnaryOperator<String> shown) {
        this.most = most;
        this.shown = shown;
    }

    /** What is ordered by a packet's text: all of its first line behind name and password. */
    public static String order(String text) {
        return HEAD.matcher(FIRST_LINE.split(text, 2)[0]).replaceFirst("");
    }

    /** An answer in packets, whole lines, each with its end; fewer where too much was asked. */
    public List<String> packets(long now, String answer) {
        List<String> packets = new ArrayList<>();
        StringBuilder packet = new StringBuilder();
        for (String text : answer.lines().toList()) {
            String line = shown.apply(text);
            String whole = line.substring(0, Math.min(line.length(), most - 1)) + "\n";
            if (packet.length() + whole.length() > most) {
                packets.add(packet.toString());
                packet.setLength(0);
            }
            packet.append(whole);
        }
        packets.add(packet.toString());
        return packets.stream().filter(_ -> this.packets.tryAcquire(now)).toList();
    }
}
