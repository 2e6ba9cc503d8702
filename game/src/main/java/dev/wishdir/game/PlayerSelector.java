package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.NameSkeleton;
import dev.wishdir.arena.Player;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whom an operator means, by a number, a name or a part of one; and the list that shows both. */
final class PlayerSelector {
    /** What came of looking for a player. */
    sealed interface Selection {}

    record Match(Player player) implements Selection {}

    /**
     * @param why as the operator reads it
     */
    record NoMatch(String why) implements Selection {}

    private static final int MAX_NAMED_PLAYERS = 8;

    /** The longest name with the sign of its game, as an operator may write it. */
    private static final int MAX_NAME_CHARS = 2 * Arena.NAME_LENGTH;

    private final Arena arena;

    PlayerSelector(Arena arena) {
        this.arena = arena;
    }

    /** Everyone of all games, a line each. */
    String status() {
        List<Player> players = arena.players();
        StringBuilder lines = new StringBuilder();
        lines.append(
                String.format(
                        Locale.ROOT,
                        "map: %s, %d of %d players",
                        arena.level().name(),
                        players.size(),
                        arena.capacity()));
        players.stream()
                .map(Player::game)
                .distinct()
                .filter(game -> !arena.level(game).name().equals(arena.level().name()))
                .forEach(game ->
                        lines.append("; ")
                                .append(game)
                                .append(" plays ")
                                .append(arena.level(game).name()));
        if (!players.isEmpty()) {
            lines.append("\nnum ping game address name (version)");
        }
        for (Player player : players) {
            ConnectionInfo connectionInfo = arena.connectionInfo(player.id());
            String from = connectionInfo.from();
            lines.append(
                    String.format(
                            Locale.ROOT,
                            "\n%3s %4d %s %s %s%s",
                            player.id(),
                            player.ping(),
                            player.game(),
                            from.isEmpty() ? "-" : from,
                            player.name(),
                            connectionInfo.version().isEmpty()
                                    ? ""
                                    : " (" + connectionInfo.version() + ")"));
        }
        return lines.toString();
    }

    /**
     * Reads the player that an order names first: in quotes a name; a number, as the list has it;
     * the longest name that it goes on with, which may have blanks; else a part of a name, in one
     * word. A name that looks like a player's is that player's. Where several players are meant,
     * the operator is asked for a number.
     */
    Selection read(CommandReader reader) {
        List<Player> players = arena.players();
        if (reader.isQuoted()) {
            String name = reader.word();
            return one(name, players, player -> isCalled(player, name));
        }
        String word = reader.ahead();
        OptionalInt number = CommandReader.number(word);
        if (number.isPresent()) {
            for (Player player : players) {
                if (player.id().node() == 0 && player.id().number() == number.getAsInt()) {
                    reader.word();
                    return new Match(player);
                }
            }
        }
        for (String called : reader.beginnings(MAX_NAME_CHARS)) {
            List<Player> found =
                    players.stream().filter(player -> isCalled(player, called)).toList();
            if (!found.isEmpty()) {
                reader.skip(called);
                return one(called, found);
            }
        }
        reader.word();
        return one(word, players, player -> has(player, word));
    }

    private static boolean isCalled(Player player, String name) {
        return names(player).stream().anyMatch(shown -> NameSkeleton.isConfusable(shown, name));
    }

    private static boolean has(Player player, String part) {
        return names(player).stream().anyMatch(name -> NameSkeleton.contains(name, part));
    }

    /**
     * A name, and as games show it that have neither all letters nor quotes in names; with the sign
     * of its game and without.
     */
    private static List<String> names(Player player) {
        String ascii = AsciiTransliterator.like(player.name());
        String sign = player.gameTag("");
        return Stream.of(player.name(), ascii, ascii.replace('"', '\''))
                .flatMap(name -> Stream.of(name, sign + name, sign.strip() + name))
                .toList();
    }

    private static Selection one(String word, List<Player> players, Predicate<Player> meant) {
        return one(word, players.stream().filter(meant).toList());
    }

    private static Selection one(String word, List<Player> found) {
        if (found.size() == 1) {
            return new Match(found.getFirst());
        }
        if (found.isEmpty()) {
            return new NoMatch("Nobody here is called " + word + ".");
        }
        String some =
                found.stream()
                        .limit(MAX_NAMED_PLAYERS)
                        .map(player -> player.name() + " (" + player.id() + ")")
                        .collect(Collectors.joining(", "));
        return new NoMatch(
                found.size() + " are meant by " + word + ": " + some + "; give a number.");
    }
}
