package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
        /** The time on the arena's clock, nanoseconds. */
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

    /** All commands, in the order of the command {@code help}. */
    static final List<OperatorCommand> COMMANDS =
            List.of(
                    new PlayerCommands.StatusCommand(),
                    new PlayerCommands.SayCommand(),
                    new PlayerCommands.KickCommand(),
                    new BanCommands.BanCommand(),
                    new BanCommands.UnbanCommand(),
                    new BanCommands.BansCommand(),
                    new MapCommand(),
                    new PlayerCommands.NameCommand(),
                    new PasswordCommand(),
                    new ReplayCommand(),
                    new MatchCommands.MatchCommand(),
                    new MatchCommands.RestartCommand(),
                    new MatchCommands.NextCommand(),
                    new MatchCommands.PauseCommand(),
                    new MatchCommands.FlagCommand(),
                    new QuitCommand(),
                    new HelpCommand());

    final Arena arena;
    final PlayerSelector selector;
    final BanEnforcer enforcer;
    private final SharedArena sharedArena;
    private final Bans bans;
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
        enforcer = new BanEnforcer(this, arena, bans);
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
     * Reports the effect of a command, or of what a player did by its rights in its own game.
     *
     * @param what in the past tense
     */
    public void reportAction(long now, Author by, String what) {
        ExecutedCommand report = new ExecutedCommand(now, by.name(), by.proof(), what);
        listeners.forEach(listener -> listener.accept(report));
    }

    private void access(AccessEvent access) {
        accessListeners.forEach(listener -> listener.accept(access));
    }

    /** Sets the password to join, empty for none. */
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
        return command.isPresent()
                ? command.get().run(new OperatorCommand.Context(this, now, by, reader))
                : OperatorCommand.unknown(word);
    }

    private static String clean(String line) {
        return line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", " ").strip();
    }

    /**
     * Kicks a player, as the command does.
     *
     * @param reason may be empty
     * @return the answer for the operator
     */
    public String kick(long now, Author by, Player player, String reason) {
        reportAction(now, by, "kicked " + player + (reason.isEmpty() ? "" : ": " + reason));
        LeaveReason kicked =
                new LeaveReason(
                        LeaveReason.Code.KICKED,
                        "You were kicked" + (reason.isEmpty() ? "." : ": " + reason));
        arena.player(player.id()).ifPresent(it -> it.kick(now, kicked));
        return player.name() + " was kicked.";
    }

    /**
     * Bans a player's address and account, as the command does.
     *
     * @param reason may be empty
     * @return the answer for the operator
     */
    public String ban(long now, Author by, Player player, Duration time, String reason) {
        return enforcer.ban(now, by, player, terms(by, time, reason, ""));
    }

    /**
     * Bans a player's address and account only from its own game, and kicks it: for games whose
     * rules let players ban each other.
     *
     * @param reason may be empty
     * @return the answer for the author
     */
    public String banFromGame(long now, Author by, Player player, Duration time, String reason) {
        return enforcer.ban(now, by, player, terms(by, time, reason, player.game()));
    }

    private OtherServers.BanTerms terms(Author by, Duration time, String reason, String game) {
        return new OtherServers.BanTerms(
                Optional.of(bans.now().plus(time)), by.identity(), reason, game);
    }

    /**
     * Removes the bans from one game.
     *
     * @return their number
     */
    public int unbanGame(long now, Author by, String game) {
        List<Ban> removed = bans.all().stream().filter(ban -> ban.game().equals(game)).toList();
        if (!removed.isEmpty()) {
            enforcer.unban(removed);
            reportAction(now, by, "removed all " + removed.size() + " bans from " + game);
        }
        return removed.size();
    }

    /**
     * Applies a ban that an operator of another server made.
     *
     * @param by the other servers, as in logs
     */
    public void applyBan(long now, String by, Ban ban) {
        enforcer.applyBan(now, otherServer(by), ban);
    }

    /**
     * Removes a ban that an operator of another server removed.
     *
     * @param by the other servers, as in logs
     * @param targets as of the ban
     * @param game as of the ban
     */
    public void applyUnban(long now, String by, String targets, String game) {
        bans.find(targets, game)
                .ifPresent(ban -> {
                    bans.remove(List.of(ban));
                    reportAction(now, otherServer(by), "unbanned " + targets);
                });
    }

    /**
     * Bans a player of this server as an operator of another server ordered it; all servers apply
     * the ban.
     */
    public void banPlayer(long now, Player player, OtherServers.BanTerms terms) {
        enforcer.ban(now, otherServer(terms.author()), player, terms);
    }

    Optional<Replay> replay() {
        return replay;
    }

    /** The lines below the players in the answer to {@code status}. */
    List<String> statusLines(long now) {
        return Stream.concat(
                        statusLines.stream().map(Supplier::get),
                        replay.stream().map(it -> it.status(now)))
                .toList();
    }

    /** The reason why players of some game can't enter a password; empty if all can. */
    Optional<String> passwordProblem(String requested) {
        return passwordRule.apply(requested);
    }

    void quit() {
        quit.run();
    }
}
