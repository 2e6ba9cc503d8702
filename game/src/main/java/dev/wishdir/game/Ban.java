package dev.wishdir.game;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.net.AddressRange;

import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Addresses and accounts that are refused, by all games or by one.
 *
 * @param ranges of addresses that are not let in
 * @param accounts that are not let in, as {@code xuid:2533274790395904}
 * @param end when it is over; empty for never
 * @param author who said so
 * @param name of the player whom it was meant for; empty where it was meant for addresses
 * @param reason as the banned one reads it; may be empty
 * @param game the only game that it is of; empty for all games
 */
public record Ban(
        List<AddressRange> ranges,
        List<String> accounts,
        Optional<Instant> end,
        String author,
        String name,
        String reason,
        String game) {
    private static final String FOREVER = "forever";
    private static final String ACCOUNT = "[a-z]{1,16}:[0-9A-Za-z-]{1,64}";
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    public Ban {
        ranges = List.copyOf(ranges);
        accounts = List.copyOf(accounts);
        if (ranges.isEmpty() && accounts.isEmpty()) {
            throw new IllegalArgumentException("a ban of nobody");
        }
    }

    /** Whether a text has the form of an account. */
    static boolean isAccount(String text) {
        return text.matches(ACCOUNT) && !text.matches("[0-9a-fA-F:.]+");
    }

    boolean isOver(Instant now) {
        return end.isPresent() && !now.isBefore(end.get());
    }

    /** A ban that all games know. */
    public Ban(
            List<AddressRange> ranges,
            List<String> accounts,
            Optional<Instant> end,
            String author,
            String name,
            String reason) {
        this(ranges, accounts, end, author, name, reason, "");
    }

    /**
     * Whether a client is refused.
     *
     * @param joined the game that the client joins
     * @param account empty for none
     */
    boolean isOf(String joined, InetAddress address, String account) {
        return (game.isEmpty() || game.equals(joined))
                && (accounts.contains(account)
                        || ranges.stream().anyMatch(range -> range.contains(address)));
    }

    /** Whether it is of the same addresses, accounts and game. */
    boolean isSame(Ban other) {
        return of().equals(other.of()) && game.equals(other.game);
    }

    /** Whether a word names it: one of its addresses, ranges or accounts, or its player. */
    boolean isCalled(String word) {
        return accounts.contains(word)
                || name.equalsIgnoreCase(word) && !word.isEmpty()
                || ranges.stream().anyMatch(range -> isWritten(range, word));
    }

    private static boolean isWritten(AddressRange range, String word) {
        try {
            return AddressRange.parse(AddressRange.withoutPort(word)).equals(range);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Addresses and accounts, parted by commas. */
    String of() {
        return Stream.concat(ranges.stream().map(AddressRange::toString), accounts.stream())
                .collect(Collectors.joining(","));
    }

    /** Why its players are not let in, or are sent away. */
    public LeaveReason refusal() {
        return new LeaveReason(
                LeaveReason.Code.BANNED,
                "You are banned"
                        + end.map(time -> " until " + MINUTES.format(time)).orElse("")
                        + (reason.isEmpty() ? "." : ": " + reason));
    }

    /** As an operator reads it. */
    String listed() {
        return of()
                + (name.isEmpty() ? "" : " (" + name + ")")
                + (game.isEmpty() ? "" : " in " + game)
                + end.map(time -> " until " + MINUTES.format(time)).orElse(" " + FOREVER)
                + " by "
                + author
                + (reason.isEmpty() ? "" : ": " + reason);
    }

    /**
     * As a line of a file of bans: whom, the end, then in quotes author, name and reason, and the
     * game where it is of one.
     */
    public String line() {
        String line =
                String.join(
                        " ",
                        of(),
                        end.map(Instant::toString).orElse(FOREVER),
                        CommandReader.quoted(author),
                        CommandReader.quoted(name),
                        CommandReader.quoted(reason));
        return game.isEmpty() ? line : line + " " + game;
    }

    /**
     * Reads a {@link #line}. Author, name, reason and game may be missing.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static Ban parse(String line) {
        List<String> words = new CommandReader(line).words();
        if (words.size() < 2 || words.size() > 6) {
            throw new IllegalArgumentException(
                    "a ban is: ADDRESS END \"AUTHOR\" \"NAME\" \"REASON\" GAME, and this has "
                            + words.size()
                            + " words");
        }
        List<AddressRange> ranges = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        for (String of : words.getFirst().split(",", -1)) {
            if (isAccount(of)) {
                accounts.add(of);
            } else {
                ranges.add(AddressRange.parse(of));
            }
        }
        return new Ban(
                ranges,
                accounts,
                end(words.get(1)),
                at(words, 2),
                at(words, 3),
                at(words, 4),
                at(words, 5));
    }

    private static Optional<Instant> end(String word) {
        if (word.equals(FOREVER)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(word));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is no end, such as 2030-01-31T12:00:00Z or forever", e);
        }
    }

    private static String at(List<String> words, int index) {
        return index < words.size() ? words.get(index) : "";
    }
}
