package dev.wishdir.game.operator;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.net.limit.AddressRange;

import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A ban of addresses and accounts, from all games or from one.
 *
 * @param ranges banned addresses
 * @param accounts banned accounts, as {@code xuid:2533274790395904}
 * @param end empty for never
 * @param author operator or player that made the ban
 * @param name of the banned player; empty for a ban of addresses
 * @param reason as the banned player reads it; may be empty
 * @param game the only game that it applies to; empty for all games
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
    private static final Pattern ACCOUNT =
            Pattern.compile("(?![0-9a-fA-F:.]+$)[a-z]{1,16}:[0-9A-Za-z-]{1,64}");
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    public Ban {
        ranges = List.copyOf(Objects.requireNonNull(ranges, "ranges"));
        accounts = List.copyOf(Objects.requireNonNull(accounts, "accounts"));
        Objects.requireNonNull(end, "end");
        Objects.requireNonNull(author, "author");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(game, "game");
        if (ranges.isEmpty() && accounts.isEmpty()) {
            throw new IllegalArgumentException("a ban needs at least one address range or account");
        }
    }

    /** Whether a text has the form {@code kind:id} of an account, and is not an IPv6 address. */
    static boolean isAccount(String text) {
        return ACCOUNT.matcher(text).matches();
    }

    boolean hasEnded(Instant now) {
        return end.isPresent() && !now.isBefore(end.get());
    }

    /** Whether both end in the same second, as servers exchange ends in seconds. */
    boolean endsWith(Ban other) {
        Instant first = end.orElse(Instant.MAX);
        Instant second = other.end.orElse(Instant.MAX);
        return Duration.between(first, second).abs().compareTo(Duration.ofSeconds(1)) < 0;
    }

    /** Whether it applies to a game. */
    boolean isOf(String joinedGame) {
        return game.isEmpty() || game.equals(joinedGame);
    }

    /**
     * Whether it applies to a player.
     *
     * @param account empty for none
     */
    boolean isOf(String joinedGame, InetAddress address, String account) {
        return isOf(joinedGame)
                && (accounts.contains(account)
                        || ranges.stream().anyMatch(range -> range.contains(address)));
    }

    /** Addresses and accounts, separated by commas. */
    public String targets() {
        return Stream.concat(ranges.stream().map(AddressRange::toString), accounts.stream())
                .collect(Collectors.joining(","));
    }

    /** The reason with which its players are refused or kicked. */
    public LeaveReason refusal() {
        return new LeaveReason(
                LeaveReason.Code.BANNED,
                "You are banned"
                        + end.map(time -> " until " + MINUTES.format(time)).orElse("")
                        + (reason.isEmpty() ? "." : ": " + reason));
    }

    /** As in the operator's list. */
    String description() {
        return text(" by " + author);
    }

    /** As {@link #description}, without the author, for a line that begins with it. */
    String terms() {
        return text("");
    }

    private String text(String by) {
        return targets()
                + (name.isEmpty() ? "" : " (" + name + ")")
                + (game.isEmpty() ? "" : " in " + game)
                + end.map(time -> " until " + MINUTES.format(time)).orElse(" " + FOREVER)
                + by
                + (reason.isEmpty() ? "" : ": " + reason);
    }

    /**
     * As a line of the ban file: {@code ADDRESSES END "AUTHOR" "NAME" "REASON"}, and the game if it
     * applies to one.
     */
    public String line() {
        String line =
                String.join(
                        " ",
                        targets(),
                        end.map(Instant::toString).orElse(FOREVER),
                        CommandReader.quoted(author),
                        CommandReader.quoted(name),
                        CommandReader.quoted(reason));
        return game.isEmpty() ? line : line + " " + game;
    }

    /**
     * Parses a {@link #line}. Author, name, reason and game may be missing.
     *
     * @throws IllegalArgumentException with the cause
     */
    public static Ban parse(String line) {
        List<String> words = new CommandReader(line).words();
        if (words.size() < 2 || words.size() > 6) {
            throw new IllegalArgumentException(
                    "a ban is ADDRESS END \"AUTHOR\" \"NAME\" \"REASON\" GAME (2 to 6 words), not "
                            + words.size()
                            + " words");
        }
        return of(
                words.getFirst(),
                end(words.get(1)),
                at(words, 2),
                at(words, 3),
                at(words, 4),
                at(words, 5));
    }

    /**
     * A ban of {@link #targets}.
     *
     * @throws IllegalArgumentException with the cause
     */
    public static Ban of(
            String targets,
            Optional<Instant> end,
            String author,
            String name,
            String reason,
            String game) {
        List<AddressRange> ranges = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        for (String target : targets.split(",", -1)) {
            if (isAccount(target)) {
                accounts.add(target);
            } else {
                ranges.add(AddressRange.parse(target));
            }
        }
        return new Ban(ranges, accounts, end, author, name, reason, game);
    }

    private static Optional<Instant> end(String word) {
        if (word.equals(FOREVER)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(word));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "\""
                            + word
                            + "\" is not the end of a ban: use a time such as 2030-01-31T12:00:00Z,"
                            + " or forever",
                    e);
        }
    }

    private static String at(List<String> words, int index) {
        return index < words.size() ? words.get(index) : "";
    }
}
