package dev.wishdir.quake2.server;

import dev.wishdir.arena.Player;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.Words;
import dev.wishdir.quake2.protocol.Glyphs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** What an operator may do from afar: the command lines of rcon. */
final class Console {
    /** Characters of an answer: it goes in one packet. */
    private static final int MOST_TEXT = 1300;

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
            case "status" -> status(words.size() < 2 ? "0" : words.get(1));
            case "say" -> {
                endpoint.arena().announce(now, argument);
                yield "said";
            }
            case "kick" -> kick(now, argument);
            case "map" -> endpoint.changeMap(now, argument);
            default -> "status, say TEXT, kick NAME, kick NUMBER, map NAME";
        };
    }

    private String status(String first) {
        String map = "map: " + endpoint.level().name() + "\n";
        int number = Numbers.parse(first).orElse(0);
        return (map + endpoint.attendance().list("status", number, MOST_TEXT - map.length()))
                .strip();
    }

    private String kick(long now, String whom) {
        Optional<Player> player =
                named(whom, Player::name)
                        .or(() -> named(whom, somebody -> Glyphs.name(somebody.name())))
                        .or(() -> numbered(Numbers.parse(whom)));
        if (player.isEmpty()) {
            return "nobody here is called " + Glyphs.line(whom, Glyphs.NAME_LENGTH);
        }
        endpoint.arena().dismiss(now, player.get().id(), "You were kicked.");
        return Glyphs.name(player.get().name()) + " was kicked";
    }

    /** Who is called so; the whole name of somebody may be longer than this game shows. */
    private Optional<Player> named(String name, Function<Player, String> call) {
        return endpoint.arena().players().stream()
                .filter(player -> call.apply(player).equalsIgnoreCase(name))
                .findFirst();
    }

    private Optional<Player> numbered(OptionalInt number) {
        return endpoint.arena().players().stream()
                .filter(player -> number.isPresent())
                .filter(player -> endpoint.slot(player.id()) == number.getAsInt())
                .findFirst();
    }
}
