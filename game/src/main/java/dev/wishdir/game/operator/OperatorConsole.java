package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs operator commands from every source (console, rcon, chat) with effect on the players of all
 * games. The caller has checked that they come from an operator. Used only on the thread of the
 * duty cycle.
 */
public final class OperatorConsole {
    /** Changes the map, for games that may play maps of their own. */
    @FunctionalInterface
    public interface Maps {
        /**
         * @return the answer for the operator
         */
        String change(long now, String name);
    }

    /**
     * The author of commands.
     *
     * @param name as in logs: {@code console}, {@code rcon 127.0.0.1:27961}
     * @param rights that it uses: those of a key, for a kick by key
     * @param proof what it has for its rights: {@code key ada@example.org}; empty for the terminal
     * @param player of this server that it is; empty for the terminal
     * @param maps runs the command {@code map}
     */
    public record Author(
            String name, Rights rights, String proof, Optional<PlayerId> player, Maps maps) {
        public Author {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(rights, "rights");
            Objects.requireNonNull(proof, "proof");
            Objects.requireNonNull(player, "player");
            Objects.requireNonNull(maps, "maps");
        }

        /** With the proof, as in ban lists. */
        String identity() {
            return OperatorConsole.identity(name, proof);
        }
    }

    /** A recording whose players walk in the arena, as the command {@code replay} controls it. */
    public interface Replay {
        /** Its effect, in one line. */
        String status(long now);

        /** Holds all its players where they are. */
        void pause(long now);

        /** Continues, or begins again if it has ended. */
        void play(long now);

        /**
         * Continues from another time.
         *
         * @param seconds from the start of the recording
         * @throws IllegalArgumentException if the recording has no such time
         */
        void seek(long now, double seconds);

        /**
         * Sets the speed.
         *
         * @param speed 1 as recorded
         * @throws IllegalArgumentException if the speed is not allowed
         */
        void setSpeed(long now, double speed);
    }

    /**
     * A command that changed something.
     *
     * @param proof what the author has for its rights; empty for the terminal
     * @param what in the past tense as logged
     */
    public record ExecutedCommand(long time, String author, String proof, String what) {
        /** The author with its proof, as in ban lists. */
        public String identity() {
            return OperatorConsole.identity(author, proof);
        }
    }

    private static String identity(String name, String proof) {
        return proof.isEmpty() ? name : name + " with " + proof;
    }

    /** A granted or failed request for privileges. */
    public sealed interface AccessEvent {
        /** When, on the arena's clock, nanoseconds. */
        long time();
    }

    /**
     * A wrong operator password.
     *
     * @param game that received it
     */
    public record WrongPassword(long time, String game, InetAddress from) implements AccessEvent {}

    /**
     * A client that did not have the key whose owner it claimed to be.
     *
     * @param game that received it
     * @param key of a known owner: {@code key ada@example.org}
     */
    public record WrongKey(long time, String game, InetAddress from, String key)
            implements AccessEvent {}

    /**
     * Granted privileges.
     *
     * @param author as in logs
     * @param right {@code admin}, {@code auth}, {@code master}, {@code operator}
     * @param proof what the player had for it: {@code admin-password}, {@code key ada@example.org}
     */
    public record GrantedRights(long time, String author, String right, String proof)
            implements AccessEvent {}

    private static final Duration MAX_BAN_DURATION = Duration.ofDays(36_525);

    private static final String MAP_PREFIX = "map:";

    private static final String NO_MATCH =
            "There is no match: start the server with --match ffa or --match race.";

    private static final int MAX_STANDINGS = 32;

    private final Arena arena;
    private final SharedArena sharedArena;
    private final Bans bans;
    private final PlayerSelector selector;
    private final BanEnforcer enforcer;
    private final List<Consumer<ExecutedCommand>> listeners = new ArrayList<>();
    private final List<Consumer<AccessEvent>> accessListeners = new ArrayList<>();
    private final List<Supplier<String>> statusLines = new ArrayList<>();
    private Runnable quit = () -> {};
    private Optional<Replay> replay = Optional.empty();
    private OtherServers otherServers;
    private String password;
    private Function<String, Optional<String>> passwordRule = _ -> Optional.empty();

    /**
     * @param sharedArena changed by {@code map}
     * @param password to join at first, empty for none
     */
    public OperatorConsole(Arena arena, SharedArena sharedArena, Bans bans, String password) {
        this.arena = Objects.requireNonNull(arena, "arena");
        this.sharedArena = Objects.requireNonNull(sharedArena, "sharedArena");
        this.bans = Objects.requireNonNull(bans, "bans");
        this.password = Objects.requireNonNull(password, "password");
        otherServers = OtherServers.none(arena);
        selector = new PlayerSelector(arena);
        enforcer = new BanEnforcer(arena, bans);
        arena.addListener(enforcer);
    }

    /** The password to join, empty for none. */
    public String password() {
        return password;
    }

    /**
     * Sets the check of new passwords.
     *
     * @param rule why players of some game can't enter a password; empty if all can
     */
    public void onPassword(Function<String, Optional<String>> rule) {
        passwordRule = rule;
    }

    public Bans bans() {
        return bans;
    }

    /** Sets the action of {@code quit}. */
    public void onQuit(Runnable quit) {
        this.quit = quit;
    }

    /** Adds a line below the players in the answer to {@code status}. */
    public void addStatusLine(Supplier<String> line) {
        statusLines.add(line);
    }

    /** Sets the recording that {@code replay} controls and {@code status} shows. */
    public void onReplay(Replay replay) {
        this.replay = Optional.of(replay);
    }

    /** Sets the other servers of the arena; without, commands concern this server only. */
    public void setOtherServers(OtherServers otherServers) {
        this.otherServers = otherServers;
    }

    /** The other servers of the arena. */
    public OtherServers otherServers() {
        return otherServers;
    }

    /** Adds a listener for commands that changed something. */
    public void addListener(Consumer<ExecutedCommand> listener) {
        listeners.add(listener);
    }

    /** Adds a listener for wrong passwords and keys, and for granted privileges. */
    public void addAccessListener(Consumer<AccessEvent> listener) {
        accessListeners.add(listener);
    }

    /** Reports a wrong operator password. */
    public void reportWrongPassword(long now, String game, InetAddress from) {
        access(new WrongPassword(now, game, from));
    }

    /** Reports a client without the key whose owner it claimed to be. */
    public void reportWrongKey(long now, String game, InetAddress from, String key) {
        access(new WrongKey(now, game, from, key));
    }

    /** Reports that a game granted privileges. */
    public void reportGrantedRights(long now, Author by, String right, String proof) {
        access(new GrantedRights(now, by.name(), right, proof));
    }

    /**
     * Reports what a player did by its rights in its own game.
     *
     * @param what in the past tense
     */
    public void reportAction(long now, Author by, String what) {
        report(now, by, what);
    }

    private void access(AccessEvent access) {
        accessListeners.forEach(listener -> listener.accept(access));
    }

    /** Sets the password to join, empty for none, as when the settings were read again. */
    public void setPassword(String password) {
        this.password = password;
    }

    /** Replaces all bans, and kicks the players that new or changed ones apply to. */
    public void replaceBans(long now, BanList others) {
        enforcer.replace(now, others);
    }

    /** Sets the rights of a player of this server until it leaves. */
    public void setRights(PlayerId player, Rights value) {
        enforcer.setRights(player, value);
    }

    /** The server's own author; as for all but rcon, {@code map} changes the shared arena. */
    public Author author(String name) {
        return author(name, Rights.TERMINAL, "", Optional.empty());
    }

    /** A player of this server as the author of commands. */
    public Author author(String name, Rights used, String proof, PlayerId player) {
        return author(name, used, proof, Optional.of(player));
    }

    private Author author(String name, Rights used, String proof, Optional<PlayerId> player) {
        return new Author(name, used, proof, player, sharedArena::change);
    }

    /**
     * The author of a command that came with the right rcon password.
     *
     * @param player with the same address and port, which has proved the password by that
     */
    public Author rconAuthor(
            long now, InetSocketAddress from, Optional<ArenaPlayer> player, Maps maps) {
        player.ifPresent(it -> {
            it.prove(now, Proof.ADMIN_PASSWORD);
            setRights(it.id(), Rights.ADMIN);
        });
        return new Author(
                "rcon " + AddressText.of(from),
                Rights.ADMIN,
                Proof.ADMIN_PASSWORD.toString(),
                player.map(ArenaPlayer::id),
                maps);
    }

    /** An author on another server: which player it is, and by which rights, is not known here. */
    private Author otherServer(String name) {
        return author(name, Rights.MASTER, "", Optional.empty());
    }

    /**
     * Runs a command line.
     *
     * @return the answer for the operator: one or more lines, without a final line break
     */
    public String execute(long now, Author by, String line) {
        CommandReader reader = new CommandReader(clean(line));
        if (reader.isEmpty()) {
            return OperatorCommand.list();
        }
        String word = reader.word();
        Optional<OperatorCommand> command = OperatorCommand.of(word);
        if (command.isEmpty()) {
            return "There is no command '" + word + "'. Commands: " + OperatorCommand.list();
        }
        if (command.get().arguments().isEmpty() && !reader.isEmpty()) {
            return refusal(command.get(), reader.text());
        }
        return switch (command.get()) {
            case STATUS -> status(now);
            case SAY -> say(now, by, reader);
            case KICK -> kick(now, by, reader);
            case BAN -> ban(now, by, reader);
            case UNBAN -> unban(now, by, reader);
            case BANS -> list();
            case MAP -> map(now, by, reader);
            case NAME -> name(now, by, reader);
            case PASSWORD -> password(now, by, reader);
            case REPLAY ->
                    replay.map(it -> replay(now, by, it, reader))
                            .orElse("No recording is replayed: start the server with --replay.");
            case MATCH -> match(now);
            case RESTART -> restart(now, by);
            case NEXT -> next(now, by);
            case PAUSE -> pause(now, by);
            case FLAG -> flag(now, by, reader);
            case QUIT -> {
                report(now, by, "shut down the server");
                quit.run();
                yield "The server shuts down.";
            }
            case HELP -> OperatorCommand.page();
        };
    }

    private static String clean(String line) {
        return line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", " ").strip();
    }

    private void report(long now, Author by, String what) {
        ExecutedCommand report = new ExecutedCommand(now, by.name(), by.proof(), what);
        listeners.forEach(listener -> listener.accept(report));
    }

    /** The answer to arguments of a command that takes none. */
    private static String refusal(OperatorCommand command, String arguments) {
        return "Nothing done: "
                + command.word()
                + " takes no argument, and was given '"
                + arguments
                + "'. "
                + usage(command)
                + (command == OperatorCommand.MATCH
                        ? ". The mode is set when the server starts: --match."
                        : ".");
    }

    private static String usage(OperatorCommand command) {
        return command.usage() + ": " + command.help();
    }

    private String say(long now, Author by, CommandReader reader) {
        String text = reader.text();
        if (text.isEmpty()) {
            return usage(OperatorCommand.SAY);
        }
        otherServers.announce(now, text);
        report(now, by, "said: " + text);
        return "Sent to all: " + text;
    }

    private String kick(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.KICK);
        }
        return switch (selector.read(reader)) {
            case PlayerSelector.NoMatch noMatch -> noMatch.answer();
            case PlayerSelector.Match match -> kick(now, by, match.player(), reader.text());
        };
    }

    /**
     * Kicks a player, as the command does.
     *
     * @param reason may be empty
     * @return the answer for the operator
     */
    public String kick(long now, Author by, Player player, String reason) {
        report(now, by, "kicked " + player + (reason.isEmpty() ? "" : ": " + reason));
        LeaveReason kicked =
                new LeaveReason(LeaveReason.Code.KICKED, "You were kicked" + ending(reason));
        arena.player(player.id()).ifPresent(it -> it.kick(now, kicked));
        return player.name() + " was kicked.";
    }

    private static String ending(String reason) {
        return reason.isEmpty() ? "." : ": " + reason;
    }

    private String ban(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.BAN);
        }
        List<AddressRange> ranges = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        String first = AddressRange.withoutPort(reader.peek());
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
                case PlayerSelector.NoMatch noMatch -> {
                    return noMatch.answer();
                }
                case PlayerSelector.Match match -> {
                    return banPlayer(now, by, match.player(), reader);
                }
            }
        }
        try {
            Optional<Instant> end = time(reader).map(bans.now()::plus);
            Ban ban = new Ban(ranges, accounts, end, by.identity(), "", reader.text());
            return ban(now, by, ban, Optional.empty());
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String banPlayer(long now, Author by, Player player, CommandReader reader) {
        try {
            return ban(now, by, player, time(reader), reader.text());
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Bans a player's address and account, as the command does.
     *
     * @param reason may be empty
     * @return the answer for the operator
     */
    public String ban(long now, Author by, Player player, Duration time, String reason) {
        return ban(now, by, player, Optional.of(time), reason);
    }

    /**
     * Bans a player's address and account only from its own game, and kicks it: for games whose
     * rules let players ban each other.
     *
     * @param reason may be empty
     * @return the answer for the author
     */
    public String banFromGame(long now, Author by, Player player, Duration time, String reason) {
        return ban(now, by, player, Optional.of(time), reason, player.game());
    }

    /**
     * Removes the bans from one game.
     *
     * @return their number
     */
    public int unbanGame(long now, Author by, String game) {
        List<Ban> removed = bans.all().stream().filter(ban -> ban.game().equals(game)).toList();
        if (!removed.isEmpty()) {
            bans.remove(removed);
            removed.forEach(otherServers::unban);
            report(now, by, "removed all " + removed.size() + " bans from " + game);
        }
        return removed.size();
    }

    private String ban(long now, Author by, Player player, Optional<Duration> time, String reason) {
        return ban(now, by, player, time, reason, "");
    }

    private String ban(
            long now,
            Author by,
            Player player,
            Optional<Duration> time,
            String reason,
            String game) {
        if (player.id().isOfOtherServer()) {
            Optional<Instant> end = time.map(bans.now()::plus);
            otherServers.ban(player, new OtherServers.BanTerms(end, by.identity(), reason, game));
            report(now, by, "had the server of " + player + " ban it");
            return "The server of " + player.name() + " bans it.";
        }
        InetSocketAddress address = arena.connectionInfo(player.id()).address();
        String account = player.proof().account();
        if (address == null) {
            return player.name() + " has no address to ban.";
        }
        return ban(
                now,
                by,
                new Ban(
                        List.of(AddressRange.subscriberPrefix(address.getAddress())),
                        account.isEmpty() ? List.of() : List.of(account),
                        time.map(bans.now()::plus),
                        by.identity(),
                        player.name(),
                        reason,
                        game),
                Optional.of(player.id()));
    }

    /**
     * @param named the player that the author named; empty for a ban of addresses or an account
     */
    private String ban(long now, Author by, Ban ban, Optional<PlayerId> named) {
        if (!bans.add(ban)) {
            return "The ban list is full ("
                    + Bans.MAX_BANS
                    + "): remove bans, or ban address ranges.";
        }
        report(now, by, "banned " + ban.description());
        otherServers.ban(ban);
        BanEnforcer.Result result = enforcer.apply(now, by, ban, named);
        return "Banned: "
                + ban.description()
                + line("\nKicked: ", result.kicked())
                + line("\nNot kicked, as they have rights here: ", result.left());
    }

    private static String line(String title, List<String> names) {
        return names.isEmpty() ? "" : title + String.join(", ", names);
    }

    /**
     * Applies a ban that an operator of another server made.
     *
     * @param by the other servers, as in logs
     */
    public void applyBan(long now, String by, Ban ban) {
        boolean known =
                bans.find(ban.targets(), ban.game()).filter(it -> endsWith(it, ban)).isPresent();
        if (!known && !ban.hasEnded(bans.now())) {
            boolean added = bans.add(ban);
            report(
                    now,
                    author(by),
                    (added ? "banned " : "could not ban, as the ban list is full: ")
                            + ban.description());
            if (added) {
                enforcer.apply(now, otherServer(by), ban, Optional.empty());
            }
        }
    }

    /**
     * Removes a ban that an operator of another server removed.
     *
     * @param by the other servers, as in logs
     * @param targets as of the ban
     * @param game as of the ban
     */
    public void applyUnban(long now, String by, String targets, String game) {
        List<Ban> removed = bans.find(targets, game).stream().toList();
        if (!removed.isEmpty()) {
            bans.remove(removed);
            report(now, author(by), "unbanned " + targets);
        }
    }

    /**
     * Bans a player of this server as an operator of another server ordered it; all servers apply
     * the ban.
     */
    public void banPlayer(long now, Player player, OtherServers.BanTerms terms) {
        ban(
                now,
                otherServer(terms.author()),
                player,
                terms.end().map(end -> Duration.between(bans.now(), end)),
                terms.reason(),
                terms.game());
    }

    /** Whether two bans end in the same second, as servers exchange ends in seconds. */
    private static boolean endsWith(Ban one, Ban other) {
        return one.end().isPresent() == other.end().isPresent()
                && one.end()
                        .flatMap(end -> other.end().map(it -> Duration.between(end, it).abs()))
                        .filter(apart -> apart.compareTo(Duration.ofSeconds(1)) >= 0)
                        .isEmpty();
    }

    /**
     * A ban duration at the front of the rest; empty for ever. Any other word belongs to the
     * reason.
     */
    private static Optional<Duration> time(CommandReader reader) {
        String word = reader.isQuoted() ? "" : CommandReader.lower(reader.peek());
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
        if (time.isZero() || time.compareTo(MAX_BAN_DURATION) > 0) {
            throw new IllegalArgumentException(
                    "'" + word + "' is not a ban duration: use 30m, 4h, 7d, 2w or forever");
        }
        reader.word();
        return Optional.of(time);
    }

    private String unban(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.UNBAN);
        }
        boolean quoted = reader.isQuoted();
        String word = reader.text();
        OptionalInt number = quoted ? OptionalInt.empty() : CommandReader.number(word);
        List<Ban> all = number.isPresent() ? bans.all() : List.of();
        List<Ban> removed =
                number.isPresent() && number.getAsInt() >= 1 && number.getAsInt() <= all.size()
                        ? List.of(all.get(number.getAsInt() - 1))
                        : bans.named(word);
        if (removed.isEmpty()) {
            return "No ban matches " + word + ". The command bans lists them.";
        }
        bans.remove(removed);
        removed.forEach(otherServers::unban);
        removed.forEach(ban -> report(now, by, "unbanned " + ban.targets()));
        return "Unbanned: " + String.join(", ", removed.stream().map(Ban::targets).toList());
    }

    private String list() {
        List<Ban> all = bans.all();
        if (all.isEmpty()) {
            return "There are no bans.";
        }
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            lines.append(i == 0 ? "" : "\n");
            lines.append(String.format(Locale.ROOT, "%3d %s", i + 1, all.get(i).description()));
        }
        return lines.toString();
    }

    private String map(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.MAP);
        }
        String name = withoutPrefix(reader.text());
        report(now, by, "requested the map " + name);
        return by.maps().change(now, name);
    }

    /** The name of a map, which may be written as for {@code --arena}: {@code map:q2dm1}. */
    private static String withoutPrefix(String name) {
        return name.startsWith(MAP_PREFIX) ? name.substring(MAP_PREFIX.length()) : name;
    }

    private String status(long now) {
        StringBuilder status = new StringBuilder(selector.status());
        statusLines.forEach(line -> status.append('\n').append(line.get()));
        replay.ifPresent(it -> status.append('\n').append(it.status(now)));
        Flags flags = arena.match().flags();
        return status + (flags.all().isEmpty() ? "" : "\n" + flags.text(now));
    }

    private String match(long now) {
        Match match = arena.match();
        if (!match.isOn()) {
            return NO_MATCH;
        }
        StringBuilder lines = new StringBuilder(match.status(now));
        for (Match.PlayerScore standing :
                match.standings().stream().limit(MAX_STANDINGS).toList()) {
            lines.append(
                    match.isRace()
                            ? String.format(
                                    Locale.ROOT,
                                    "%n%2d points, %s: %s",
                                    standing.score().frags(),
                                    match.race()
                                            .millis(standing.player().id())
                                            .map(RaceTimes::text)
                                            .orElse("no time"),
                                    standing.player())
                            : String.format(
                                    Locale.ROOT,
                                    "%n%4d frags, %d deaths: %s%s",
                                    standing.score().frags(),
                                    standing.score().deaths(),
                                    standing.player(),
                                    match.team(standing.player().id())
                                            .map(team -> ", " + team)
                                            .orElse("")));
        }
        int others = match.standings().size() - MAX_STANDINGS;
        if (others > 0) {
            lines.append(String.format(Locale.ROOT, "%n(%d more players: see status)", others));
        }
        if (match.isRace()) {
            for (RaceTimes.Time best : match.race().bestTimes(Race.LISTED_TIMES)) {
                lines.append(
                        String.format(
                                Locale.ROOT,
                                "%n%s best time of %s (%s)",
                                RaceTimes.text(best.millis()),
                                best.name(),
                                best.game()));
            }
        }
        return lines.toString();
    }

    private String restart(long now, Author by) {
        Match match = arena.match();
        if (!match.isOn() || match.phase() == Match.Phase.IDLE) {
            return match.isOn() ? match.status(now) : NO_MATCH;
        }
        report(now, by, "restarted the match");
        match.begin(now);
        return match.status(now);
    }

    private String next(long now, Author by) {
        Match match = arena.match();
        if (!match.isOn() || match.phase() == Match.Phase.IDLE) {
            return match.isOn() ? match.status(now) : NO_MATCH;
        }
        report(now, by, "ended the round");
        match.skipRound(now);
        return match.status(now);
    }

    private String pause(long now, Author by) {
        Match match = arena.match();
        if (!match.isOn()) {
            return NO_MATCH;
        }
        boolean paused = !match.isPaused();
        if (match.setPaused(now, paused)) {
            report(now, by, paused ? "paused the match" : "continued the match");
            arena.announce(now, paused ? "The match is paused." : "The match goes on.");
        }
        return match.status(now);
    }

    private String flag(long now, Author by, CommandReader reader) {
        Flags flags = arena.match().flags();
        if (flags.all().isEmpty()) {
            return "The match has no flags: it is set when the server starts, --match ctf.";
        }
        if (reader.isEmpty()) {
            return flags.text(now);
        }
        String action = CommandReader.lower(reader.word());
        String word = reader.text();
        Optional<Team> named = Team.of(word);
        if (!action.equals("return") || !word.isEmpty() && named.isEmpty()) {
            return usage(OperatorCommand.FLAG);
        }
        for (Team team : named.map(List::of).orElse(List.of(Team.values()))) {
            if (flags.returnHome(now, team)) {
                report(now, by, "returned the " + team + " flag");
            }
        }
        return flags.text(now);
    }

    private String replay(long now, Author by, Replay it, CommandReader reader) {
        String action = CommandReader.lower(reader.word());
        String value = reader.text();
        try {
            switch (action) {
                case "" -> {
                    return it.status(now);
                }
                case "pause", "play" -> {
                    if (!value.isEmpty()) {
                        return usage(OperatorCommand.REPLAY);
                    }
                    if (action.equals("pause")) {
                        it.pause(now);
                    } else {
                        it.play(now);
                    }
                }
                case "seek" -> it.seek(now, RecordingTime.parse(value));
                case "speed" -> it.setSpeed(now, RecordingTime.decimal(value));
                default -> {
                    return usage(OperatorCommand.REPLAY);
                }
            }
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        report(now, by, "changed the replay: " + (action + " " + value).strip());
        return it.status(now);
    }

    private String name(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return usage(OperatorCommand.NAME);
        }
        switch (selector.read(reader)) {
            case PlayerSelector.NoMatch noMatch -> {
                return noMatch.answer();
            }
            case PlayerSelector.Match match -> {
                String requested = reader.text();
                if (requested.isEmpty()) {
                    return usage(OperatorCommand.NAME);
                }
                Player player = match.player();
                if (player.id().isOfOtherServer()) {
                    return player.name() + " is a player of another server: rename it there.";
                }
                arena.player(player.id()).ifPresent(it -> it.forceRename(now, requested));
                String name = arena.find(player.id()).map(Player::name).orElse(requested);
                report(now, by, "renamed " + player + " to " + name);
                arena.announce(now, player.name() + " is called " + name + " now.");
                return player.name() + " is called " + name + " now.";
            }
        }
    }

    private String password(long now, Author by, CommandReader reader) {
        if (reader.isEmpty()) {
            return password.isEmpty()
                    ? "No password is required to join."
                    : "A password is required to join.";
        }
        String requested = reader.text();
        Optional<String> problem = passwordRule.apply(requested);
        if (problem.isPresent()) {
            return problem.get();
        }
        password = requested;
        report(now, by, password.isEmpty() ? "removed the password" : "set a new password");
        return password.isEmpty()
                ? "No password is required from now on."
                : "Players must enter this password from now on.";
    }
}
