package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.SharedArena;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a player may do by lines that begin with a slash: ask who is here, whisper, become an
 * operator by the admin password, and what operators may.
 */
final class ChatCommands {
    private static final String OPEN = "/list, /tell NAME TEXT";
    private static final String ORDERS = "/help lists what you may do";

    private final BedrockEndpoint endpoint;
    private final InetAddress from;
    private AvailableCommands offered = AvailableCommands.BLANK;
    private boolean operator;

    /**
     * @param from the player's address, by which wrong passwords are counted
     */
    ChatCommands(BedrockEndpoint endpoint, InetAddress from) {
        this.endpoint = endpoint;
        this.from = from;
    }

    /**
     * Executes a command.
     *
     * @param self who does
     * @param line with its slash
     * @return what to tell the player
     */
    String execute(long now, PlayerId self, String line) {
        int end = line.indexOf(' ');
        String command = end < 0 ? line : line.substring(0, end);
        String argument = end < 0 ? "" : line.substring(end + 1).strip();
        return switch (command) {
            case "/admin" -> admin(now, self, argument);
            case "/list" -> list();
            case "/tell", "/msg", "/w" -> tell(now, self, argument);
            case "/map" -> operator ? order(now, self, line) : mapRefusal();
            default -> operator ? order(now, self, line) : refusal();
        };
    }

    /** Whether the player has given the admin password. */
    boolean isOperators() {
        return operator;
    }

    /** Sends the client the commands that its player may give, if they have changed. */
    void offer(Consumer<BedrockMessage> output) {
        AvailableCommands commands =
                operator
                        ? CommandCatalog.operators()
                        : CommandCatalog.anyones(!endpoint.adminPassword().isEmpty());
        if (!commands.equals(offered)) {
            offered = commands;
            output.accept(commands);
        }
    }

    private String mapRefusal() {
        return endpoint.isShared() ? SharedArena.REFUSAL : refusal();
    }

    private static String refusal() {
        return OPEN + ", /admin PASSWORD";
    }

    private String order(long now, PlayerId self, String line) {
        return endpoint.operations()
                .execute(now, by(self), BedrockText.removed(line.substring(1)))
                .lines()
                .map(BedrockText::shown)
                .collect(Collectors.joining("\n"));
    }

    private OperatorConsole.Author by(PlayerId self) {
        String name = endpoint.arena().find(self).map(Player::name).orElse("");
        return endpoint.operations().author(name + " (bedrock " + AddressText.of(from) + ")");
    }

    private String admin(long now, PlayerId self, String password) {
        AddressLimits addressLimits = endpoint.addresses();
        if (endpoint.adminPassword().isEmpty()) {
            return "this server has no admin password";
        }
        if (!addressLimits.passwords().isAllowed(now, from)) {
            return "too many wrong passwords came from your network: try again later";
        }
        if (!PasswordPrompt.isSame(password, endpoint.adminPassword())) {
            addressLimits.passwords().recordFailure(now, from);
            endpoint.operations().reportWrongPassword(now, BedrockCodec.NAME, from);
            return "that is not the admin password";
        }
        operator = true;
        endpoint.operations().reportGrantedRights(now, by(self), "operator");
        return "you are an operator: " + ORDERS;
    }

    private String list() {
        List<Player> players = endpoint.players();
        StringJoiner lines = new StringJoiner("\n");
        lines.add(players.size() + " players");
        for (Player player : players) {
            String ping = player.ping() == 0 ? "" : ", " + player.ping() + " ms";
            lines.add(BedrockText.shownName(player.name()) + ", " + player.game() + ping);
        }
        return lines.toString();
    }

    private String tell(long now, PlayerId self, String argument) {
        Addressed to = addressed(argument);
        if (to == null || to.rest.isEmpty()) {
            return "/tell NAME TEXT";
        }
        String text = BedrockText.removed(to.rest);
        return endpoint.arena().whisper(now, self, to.player.id(), text)
                ? "you whisper to "
                        + BedrockText.shownName(to.player.name())
                        + ": "
                        + BedrockText.shown(text)
                : "the whisper was not delivered";
    }

    /** The player that a line begins with, and the rest of the line. */
    private record Addressed(Player player, String rest) {}

    /** The player with the longest name that a line begins with, quoted or not, as it is shown. */
    private @Nullable Addressed addressed(String line) {
        Addressed best = null;
        int longest = 0;
        for (Player player : endpoint.players()) {
            for (String name :
                    List.of(
                            player.name(),
                            BedrockText.shownName(player.name()),
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
