package dev.wishdir.bedrock;

import dev.wishdir.arena.Player;
import dev.wishdir.net.Addresses;

import java.net.InetAddress;
import java.util.StringJoiner;

/**
 * What a player may do by lines that begin with a slash: ask who is here, become an operator by the
 * admin password, and what operators may.
 */
final class Console {
    private static final String HELP = "/list, /say TEXT, /kick NAME";

    private final BedrockEndpoint endpoint;
    private final InetAddress from;
    private boolean operator;

    /**
     * @param from the player's address, by which wrong passwords are counted
     */
    Console(BedrockEndpoint endpoint, InetAddress from) {
        this.endpoint = endpoint;
        this.from = from;
    }

    /**
     * Executes a command.
     *
     * @param line with its slash
     * @return what to tell the player
     */
    String execute(long now, String line) {
        int end = line.indexOf(' ');
        String command = end < 0 ? line : line.substring(0, end);
        String argument = end < 0 ? "" : line.substring(end + 1).strip();
        if (command.equals("/admin")) {
            return admin(now, argument);
        }
        if (command.equals("/list")) {
            return list();
        }
        if (!operator) {
            return "/list, /admin PASSWORD";
        }
        return switch (command) {
            case "/say" -> {
                String said = Formatting.removed(argument);
                endpoint.arena().announce(now, said);
                yield "said: " + Formatting.shown(said);
            }
            case "/kick" -> kick(argument);
            default -> HELP;
        };
    }

    private String admin(long now, String password) {
        Addresses addresses = endpoint.addresses();
        if (endpoint.adminPassword().isEmpty()) {
            return "this server has no admin password";
        }
        if (!addresses.passwords().mayTry(now, from)) {
            return "too many wrong passwords came from your network: try again later";
        }
        if (!PasswordPrompt.isSame(password, endpoint.adminPassword())) {
            addresses.passwords().wrong(now, from);
            return "that is not the admin password";
        }
        operator = true;
        return "you are an operator: " + HELP;
    }

    private String list() {
        StringJoiner lines = new StringJoiner("\n");
        lines.add(endpoint.players().size() + " players");
        for (Player player : endpoint.players()) {
            lines.add(Formatting.shownName(player.name()) + ", " + player.game());
        }
        return lines.toString();
    }

    private String kick(String name) {
        for (BedrockSession session : endpoint.sessions()) {
            if (session.isNamed(name)) {
                session.kick("You were kicked.");
                return name + " was kicked";
            }
        }
        return "nobody of this game is called " + name;
    }
}
