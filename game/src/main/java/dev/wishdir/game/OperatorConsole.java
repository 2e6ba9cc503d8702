package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.net.AddressRange;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What an operator may do, by lines of text: the same for all games, from wherever they come, and
 * with effect on the players of all games. Whoever passes lines on has made sure that they are an
 * operator's. Used on the thread of the duty cycle alone. Longer than others, as each of the
 * operator's commands is a method here.
 */
public final class OperatorConsole {
    /** How a game changes what is played, where it may play maps of its own. */
    @FunctionalInterface
    public interface Maps {
        /**
         * @return what to tell the operator
         */
        String change(long now, String name);
    }

    /**
     * Who gives an order.
     *
     * @param name as logs and lists of bans have it: {@code console}, {@code rcon 127.0.0.1:27961}
     * @param maps what its {@code map} does
     */
    public record By(String name, Maps maps) {}

    /** What was done by an order, as the log has it. */
    public record Done(long time, String author, String what) {}

    /** How somebody got rights, or tried to. */
    public sealed interface Access {
        /** When, on the arena's clock, nanoseconds. */
        long time();
    }

    /**
     * A password of operators was wrong.
     *
     * @param game where it was given
     */
    public record WrongPassword(long time, String game, InetAddress from) implements Access {}

    /**
     * Somebody has more rights from now on.
     *
     * @param author as logs have it
     * @param right {@code admin}, {@code master}, {@code operator}
     */
    public record Claim(long time, String author, String right) implements Access {}

    private static final Duration MAX_BAN = Duration.ofDays(36_525);

    private static final String MAP = "map:";

    private final Arena arena;
    private final SharedArena sharedArena;
    private final Bans bans;
    private final PlayerSelector selector;
    private final List<Consumer<Done>> listeners = new ArrayList<>();
    private final List<Consumer<Access>> accessListeners = new ArrayList<>();
    private Runnable quit = () -> {};
    private String password;
    private Function<String, Optional<String>> passwordRule = _ -> Optional.empty();

    /**
     * @param sharedArena what {@code map} changes
     * @param password what players must give at first, empty for none
     */
    public OperatorConsole(Arena arena, SharedArena sharedArena, Bans bans, String password) {
        this.arena = arena;
        this.sharedArena = sharedArena;
        this.bans = bans;
        this.password = password;
        selector = new PlayerSelector(arena);
    }

    /** What players must give now, empty for none. */
    public String password() {
        return password;
    }

    /**
     * Has each new password checked.
     *
     * @param rule why players of some game could not give it; empty where all can
     */
    public void onPassword(Function<String, Optional<String>> rule) {
        passwordRule = rule;
    }

    /** Who is not let in. */
    public Bans bans() {
        return bans;
    }

    /** What {@code quit} does. */
    public void onQuit(Runnable quit) {
        this.quit = quit;
    }

    /** Tells of each order that has changed something. */
    public void observe(Consumer<Done> listener) {
        listeners.add(listener);
    }

    /** Reports each wrong password and each claim of rights. */
    public void observeAccess(Consumer<Access> listener) {
        accessListeners.add(listener);
    }

    /** A game was given a wrong password by somebody who wants an operator's rights. */
    public void wrongPassword(long now, String game, InetAddress from) {
        access(new WrongPassword(now, game, from));
    }

    /** A game gave somebody rights. */
    public void claimed(long now, By by, String right) {
        access(new Claim(now, by.name(), right));
    }

    private void access(Access access) {
        accessListeners.forEach(listener -> listener.accept(access));
    }

    /** What players must give from now on, empty for nothing; the settings were read again. */
    public void setPassword(String password) {
        this.password = password;
    }

    /** Puts other bans in the place of all, and sends away who must not be here by them. */
    public void replaceBans(long now, List<Ban> others) {
        bans.replace(others);
        for (Ban ban : bans.all()) {
            dismiss(now, ban);
        }
    }

    /** One who gives orders that change the arena of all games. */
    public By by(String name) {
        return new By(name, sharedArena::change);
    }

    /**
     * Does what a line says.
     *
     * @return what to tell the operator: one or more lines, without the last line's end
     */
    public String execute(long now, By by, String line) {
        CommandReader reader = new CommandReader(clean(line));
        if (reader.isEmpty()) {
            return OperatorCommand.list();
        }
        String word = reader.word();
        Optional<OperatorCommand> command = OperatorCommand.of(word);
        if (command.isEmpty()) {
            return "There is no command '" + word + "': " + OperatorCommand.list();
        }
        return switch (command.get()) {
            case STATUS -> selector.status();
            case SAY -> say(now, by, reader);
            case KICK -> kick(now, by, reader);
            case BAN -> ban(now, by, reader);
            case UNBAN -> unban(now, by, reader);
            case BANS -> list();
            case MAP -> map(now, by, reader);
            case NAME -> name(now, by, reader);
            case PASSWORD -> password(now, by, reader);
            case QUIT -> {
                done(now, by, "ends the server");
                quit.run();
                yield "The server ends.";
            }
            case HELP -> OperatorCommand.page();
        };
    }

    private static String clean(String line) {
        return line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", " ").strip();
    }

    private void done(long now, By by, String what) {
        Done done = new Done(now, by.name(), what);
        listeners.forEach(listener -> listener.accept(done));
    }

    private static String usage(OperatorCommand command) {
        return command.usage() + ": " + command.help();
    }

    private String say(long now, By by, CommandReader reader) {
        String text = reader.isQuoted() ? reader.word() : reader.rest();
        if (text.isEmpty()) {
            return usage(OperatorCommand.SAY);
        }
        arena.announce(now, text);
        done(now, by, "says: " + text);
        return "All read: " + text;
    }

    private String kick(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.KICK);
        }
        return switch (selector.read(reader)) {
            case PlayerSelector.NoMatch nobody -> nobody.why();
            case PlayerSelector.Match found -> kick(now, by, found.player(), text(reader));
        };
    }

    /**
     * Sends a player away, as the verb does.
     *
     * @param reason may be empty
     * @return what to tell the operator
     */
    public String kick(long now, By by, Player player, String reason) {
        done(now, by, "kicks " + player + (reason.isEmpty() ? "" : ": " + reason));
        arena.kick(
                now,
                player.id(),
                new LeaveReason(LeaveReason.Code.KICKED, "You were kicked" + ending(reason)));
        return player.name() + " was kicked.";
    }

    private static String ending(String reason) {
        return reason.isEmpty() ? "." : ": " + reason;
    }

    private static String text(CommandReader reader) {
        return reader.isQuoted() ? reader.word() : reader.rest();
    }

    private String ban(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.BAN);
        }
        List<AddressRange> ranges = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        String first = AddressRange.withoutPort(reader.ahead());
        boolean literal =
                !reader.isQuoted()
                        && (first.matches("[0-9.]+(/.*)?") && first.contains(".")
                                || first.matches(
                                        "\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[^/]*)?]?(/.*)?"));
        if (literal) {
            reader.word();
            try {
                ranges.add(AddressRange.parse(first));
            } catch (IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        } else if (!reader.isQuoted() && Ban.isAccount(first)) {
            accounts.add(reader.word());
        } else {
            switch (selector.read(reader)) {
                case PlayerSelector.NoMatch nobody -> {
                    return nobody.why();
                }
                case PlayerSelector.Match found -> {
                    return banned(now, by, found.player(), reader);
                }
            }
        }
        try {
            Optional<Instant> end = time(reader).map(bans.now()::plus);
            return ban(now, by, new Ban(ranges, accounts, end, by.name(), "", text(reader)));
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String banned(long now, By by, Player player, CommandReader reader) {
        try {
            return ban(now, by, player, time(reader), text(reader));
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Bans a player's address and account, as the verb does.
     *
     * @param reason may be empty
     * @return what to tell the operator
     */
    public String ban(long now, By by, Player player, Duration time, String reason) {
        return ban(now, by, player, Optional.of(time), reason);
    }

    /**
     * Bans a player's address and account from its own game only, and sends it away: what the
     * players of a game may do to each other by its own rules.
     *
     * @param reason may be empty
     * @return what to say to the author
     */
    public String banFromGame(long now, By by, Player player, Duration time, String reason) {
        return ban(now, by, player, Optional.of(time), reason, player.game());
    }

    /**
     * Lifts the bans from one game.
     *
     * @return how many there were
     */
    public int unbanGame(long now, By by, String game) {
        List<Ban> which = bans.all().stream().filter(ban -> ban.game().equals(game)).toList();
        if (!which.isEmpty()) {
            bans.remove(which);
            done(now, by, "lets in again " + which.size() + " who were banned from " + game);
        }
        return which.size();
    }

    private String ban(long now, By by, Player player, Optional<Duration> time, String reason) {
        return ban(now, by, player, time, reason, "");
    }

    private String ban(
            long now, By by, Player player, Optional<Duration> time, String reason, String game) {
        ConnectionInfo connectionInfo = arena.connectionInfo(player.id());
        InetSocketAddress address = connectionInfo.address();
        if (address == null) {
            return player.name() + " has no address that could be banned.";
        }
        return ban(
                now,
                by,
                new Ban(
                        List.of(AddressRange.subscriberPrefix(address.getAddress())),
                        connectionInfo.account().isEmpty()
                                ? List.of()
                                : List.of(connectionInfo.account()),
                        time.map(bans.now()::plus),
                        by.name(),
                        player.name(),
                        reason,
                        game));
    }

    private String ban(long now, By by, Ban ban) {
        if (!bans.add(ban)) {
            return "There are " + Bans.MAX_BANS + " bans: take some away, or ban ranges.";
        }
        done(now, by, "bans " + ban.listed());
        List<Player> gone = dismiss(now, ban);
        return "Banned: "
                + ban.listed()
                + (gone.isEmpty()
                        ? ""
                        : "\nSent away: "
                                + String.join(", ", gone.stream().map(Player::name).toList()));
    }

    private List<Player> dismiss(long now, Ban ban) {
        List<Player> gone = arena.players().stream().filter(player -> isOf(ban, player)).toList();
        gone.forEach(player -> arena.kick(now, player.id(), ban.refusal()));
        return gone;
    }

    private boolean isOf(Ban ban, Player player) {
        ConnectionInfo connectionInfo = arena.connectionInfo(player.id());
        InetSocketAddress address = connectionInfo.address();
        return address != null
                && ban.isOf(player.game(), address.getAddress(), connectionInfo.account());
    }

    /** A time in front of the rest; empty for good. A word that is none belongs to the reason. */
    private static Optional<Duration> time(CommandReader reader) {
        String word = reader.isQuoted() ? "" : CommandReader.lower(reader.ahead());
        if (word.equals("forever")) {
            reader.word();
            return Optional.empty();
        }
        if (!word.matches("[0-9]{1,9}[smhdw]")) {
            return Optional.empty();
        }
        long number = Long.parseLong(word.substring(0, word.length() - 1));
        Duration time =
                switch (word.charAt(word.length() - 1)) {
                    case 's' -> Duration.ofSeconds(number);
                    case 'm' -> Duration.ofMinutes(number);
                    case 'h' -> Duration.ofHours(number);
                    case 'd' -> Duration.ofDays(number);
                    default -> Duration.ofDays(7 * number);
                };
        if (time.isZero() || time.compareTo(MAX_BAN) > 0) {
            throw new IllegalArgumentException(
                    "'" + word + "' is no time to ban for: as 30m, 4h, 7d, 2w or forever");
        }
        reader.word();
        return Optional.of(time);
    }

    private String unban(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.UNBAN);
        }
        boolean quoted = reader.isQuoted();
        String word = text(reader);
        List<Ban> all = bans.all();
        OptionalInt number = quoted ? OptionalInt.empty() : CommandReader.number(word);
        List<Ban> which =
                number.isPresent() && number.getAsInt() >= 1 && number.getAsInt() <= all.size()
                        ? List.of(all.get(number.getAsInt() - 1))
                        : all.stream().filter(ban -> ban.isCalled(word)).toList();
        if (which.isEmpty()) {
            return "There is no ban of " + word + ": bans lists them.";
        }
        bans.remove(which);
        which.forEach(ban -> done(now, by, "lets in again " + ban.of()));
        return "Let in again: " + String.join(", ", which.stream().map(Ban::of).toList());
    }

    private String list() {
        List<Ban> all = bans.all();
        if (all.isEmpty()) {
            return "Nobody is banned.";
        }
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            lines.append(i == 0 ? "" : "\n");
            lines.append(String.format(Locale.ROOT, "%3d %s", i + 1, all.get(i).listed()));
        }
        return lines.toString();
    }

    private String map(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.MAP);
        }
        String name = withoutKind(reader.word());
        done(now, by, "wants the map " + name);
        return by.maps().change(now, name);
    }

    /** The name of a map also as {@code --arena} takes it: {@code map:q2dm1}. */
    private static String withoutKind(String name) {
        return name.startsWith(MAP) ? name.substring(MAP.length()) : name;
    }

    private String name(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.NAME);
        }
        switch (selector.read(reader)) {
            case PlayerSelector.NoMatch nobody -> {
                return nobody.why();
            }
            case PlayerSelector.Match found -> {
                String wished = text(reader);
                if (wished.isEmpty()) {
                    return usage(OperatorCommand.NAME);
                }
                Player player = found.player();
                arena.forceRename(now, player.id(), wished);
                String name = arena.find(player.id()).map(Player::name).orElse(wished);
                done(now, by, "calls " + player + " " + name);
                arena.announce(now, player.name() + " is called " + name + " now.");
                return player.name() + " is called " + name + " now.";
            }
        }
    }

    private String password(long now, By by, CommandReader reader) {
        if (reader.isEmpty()) {
            return password.isEmpty()
                    ? "Anybody may join: no password is asked for."
                    : "Who joins must give the password.";
        }
        String wished = text(reader);
        Optional<String> problem = passwordRule.apply(wished);
        if (problem.isPresent()) {
            return problem.get();
        }
        password = wished;
        done(now, by, password.isEmpty() ? "takes the password away" : "sets another password");
        return password.isEmpty()
                ? "Anybody may join from now on."
                : "Who joins must give this password from now on.";
    }
}
