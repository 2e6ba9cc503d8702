package dev.wishdir.quake2;

import java.util.List;

/** What an operator may do from afar: the command lines of rcon. */
final class Console {
    private final Quake2Endpoint endpoint;

    Console(Quake2Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Executes a command.
     *
     * @return what to print
     */
    String execute(long now, String line) {
        List<String> words = Words.of(line);
        String argument = Words.afterFirst(line);
        return switch (words.isEmpty() ? "" : words.getFirst()) {
            case "status" ->
                    "map: "
                            + endpoint.level().name()
                            + "\n"
                            + (endpoint.playerList() + programs()).strip();
            case "say" -> {
                endpoint.arena().announce(now, argument);
                yield "said";
            }
            case "kick" -> kick(argument);
            case "map" -> endpoint.changeMap(argument);
            default -> "status, say TEXT, kick NAME, map NAME";
        };
    }

    /** What programs the clients of this game say to be. */
    private String programs() {
        StringBuilder lines = new StringBuilder();
        for (Quake2Session session : endpoint.sessions()) {
            if (lines.length() < 300) {
                lines.append(Roster.name(session.name())).append(" plays with ");
                lines.append(session.version().isEmpty() ? "?" : session.version()).append('\n');
            }
        }
        return lines.toString();
    }

    private String kick(String name) {
        for (Quake2Session session : endpoint.sessions()) {
            if (session.name().equalsIgnoreCase(name)) {
                endpoint.drop(session, "You were kicked.");
                return name + " was kicked";
            }
        }
        return "nobody here is called " + Roster.text(name, 32);
    }
}
