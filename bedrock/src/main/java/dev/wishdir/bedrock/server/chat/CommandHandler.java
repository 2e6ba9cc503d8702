package dev.wishdir.bedrock.server.chat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.Rights;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Quantity;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Commands that a player types after a slash: the list of players, whispers, teams, the admin
 * password, and those of an operator.
 */
public final class CommandHandler {
    private static final String OPEN_COMMANDS = "/list, /tell NAME TEXT";
    private static final String OPERATOR_HINT = "/help lists what you may do";

    /**
     * Parts of the endpoint that the commands of all clients use.
     *
     * @param hasAdminPassword whether a player can become an operator
     * @param isShared whether other games play the same arena
     */
    public record Services(
            Arena arena,
            OperatorConsole console,
            boolean hasAdminPassword,
            Predicate<String> isAdminPassword,
            AddressLimits addressLimits,
            BooleanSupplier isShared) {}

    private final Services services;
    private final InetAddress from;
    private final LongConsumer onTeamChanged;
    private AvailableCommands offered = AvailableCommands.BLANK;
    private boolean isOperator;

    /**
     * @param from the player's address, by which wrong passwords are counted
     * @param onTeamChanged is called with the time at which the player has changed its team
     */
    public CommandHandler(Services services, InetAddress from, LongConsumer onTeamChanged) {
        this.services = services;
        this.from = from;
        this.onTeamChanged = onTeamChanged;
    }

    /**
     * Executes a command.
     *
     * @param self the player that typed it
     * @param line with its slash
     * @return the answer to the player, of one or more lines
     */
    public String execute(long now, ArenaPlayer self, String line) {
        int end = line.indexOf(' ');
        String command = end < 0 ? line : line.substring(0, end);
        String argument = end < 0 ? "" : line.substring(end + 1).strip();
        return switch (command) {
            case "/admin" -> admin(now, self, argument);
            case "/list" -> list();
            case "/tell", "/msg", "/w" -> whisper(now, self, argument);
            case "/team" -> team(now, self, argument);
            case "/drop" -> mode().hasFlags() ? drop(now, self) : otherCommand(now, self, line);
            case "/map" -> isOperator ? executeOperatorCommand(now, self, line) : mapRefusal();
            default -> otherCommand(now, self, line);
        };
    }

    private String otherCommand(long now, ArenaPlayer self, String line) {
        return isOperator ? executeOperatorCommand(now, self, line) : refusal();
    }

    /** Whether the player has given the admin password. */
    public boolean isOperator() {
        return isOperator;
    }

    /** Sends the client the commands that its player may use, if they have changed. */
    public void offer(Consumer<BedrockMessage> output) {
        AvailableCommands commands =
                isOperator
                        ? CommandCatalog.operators(mode())
                        : CommandCatalog.anyones(services.hasAdminPassword(), mode());
        if (!commands.equals(offered)) {
            offered = commands;
            output.accept(commands);
        }
    }

    private String mapRefusal() {
        return services.isShared().getAsBoolean() ? SharedArena.REFUSAL : refusal();
    }

    private static String refusal() {
        return OPEN_COMMANDS + ", /admin PASSWORD";
    }

    private String executeOperatorCommand(long now, ArenaPlayer self, String line) {
        return services.console()
                .execute(now, author(self), BedrockText.withoutCodes(line.substring(1)))
                .lines()
                .map(BedrockText::literal)
                .collect(Collectors.joining("\n"));
    }

    private OperatorConsole.Author author(ArenaPlayer self) {
        return services.console()
                .author(
                        self.name() + " (bedrock " + AddressText.of(from) + ")",
                        Rights.ADMIN,
                        Proof.ADMIN_PASSWORD.toString(),
                        self.id());
    }

    private String admin(long now, ArenaPlayer self, String password) {
        AddressLimits addressLimits = services.addressLimits();
        if (!services.hasAdminPassword()) {
            return "this server has no admin password";
        }
        if (!addressLimits.passwords().isAllowed(now, from)) {
            return "too many wrong passwords came from your network: try again later";
        }
        if (!services.isAdminPassword().test(password)) {
            addressLimits.passwords().recordFailure(now, from);
            services.console().reportWrongPassword(now, BedrockCodec.NAME, from);
            return "that is not the admin password";
        }
        isOperator = true;
        self.prove(now, Proof.ADMIN_PASSWORD);
        services.console().setRights(self.id(), Rights.ADMIN);
        services.console()
                .reportGrantedRights(
                        now, author(self), "operator", Proof.ADMIN_PASSWORD.toString());
        return "you are an operator: " + OPERATOR_HINT;
    }

    private MatchMode mode() {
        return services.arena().match().rules().mode();
    }

    private static String drop(long now, ArenaPlayer self) {
        return self.allows(now, RateLimitedAction.ACT, 1) && self.combatant().dropFlag(now)
                ? "you dropped the flag"
                : "you carry no flag";
    }

    private String team(long now, ArenaPlayer self, String argument) {
        Optional<Team> wanted = Team.of(argument);
        if (wanted.isEmpty()) {
            return "/team red, /team blue";
        }
        if (!self.allows(now, RateLimitedAction.CHANGE, 1)) {
            return TeamRefusal.TOO_SOON.notice();
        }
        Optional<TeamRefusal> refusal = self.combatant().changeTeam(now, wanted.get());
        if (refusal.isPresent()) {
            return refusal.get().notice();
        }
        onTeamChanged.accept(now);
        return PlayerNotices.team(wanted.get());
    }

    private String list() {
        List<Player> players = services.arena().players();
        StringJoiner lines = new StringJoiner("\n");
        int count = services.arena().playerCount();
        int ghosts = players.size() - count;
        lines.add(
                Quantity.of(count, "player")
                        + (ghosts == 0 ? "" : ", " + Quantity.of(ghosts, "ghost")));
        for (Player player : players) {
            String ping = player.ping() == 0 ? "" : ", " + player.ping() + " ms";
            lines.add(BedrockText.literalName(player.name()) + ", " + player.game() + ping);
        }
        return lines.toString();
    }

    private String whisper(long now, ArenaPlayer self, String argument) {
        Addressed to = addressed(argument);
        if (to == null || to.rest.isEmpty()) {
            return "/tell NAME TEXT";
        }
        String text = BedrockText.withoutCodes(to.rest);
        return self.whisper(now, to.player.id(), text)
                ? "you whisper to "
                        + BedrockText.literalName(to.player.name())
                        + ": "
                        + BedrockText.literal(text)
                : "the whisper was not delivered";
    }

    /** The player that a line begins with, and the rest of the line. */
    private record Addressed(Player player, String rest) {}

    /** The player with the longest name that a line begins with, quoted or not, as it is shown. */
    private @Nullable Addressed addressed(String line) {
        Addressed best = null;
        int longest = 0;
        for (Player player : services.arena().players()) {
            for (String name :
                    List.of(
                            player.name(),
                            BedrockText.literalName(player.name()),
                            '"' + player.name() + '"')) {
                boolean fits =
                        line.regionMatches(true, 0, name, 0, name.length())
                                && (line.length() == name.length()
                                        || line.charAt(name.length()) == ' ');
                if (fits && name.length() > longest) {
                    longest = name.length();
                    best = new Addressed(player, line.substring(name.length()).strip());
                }
            }
        }
        return best;
    }
}
