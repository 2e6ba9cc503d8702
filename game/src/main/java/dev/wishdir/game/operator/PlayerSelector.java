package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.player.NameSkeleton;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.game.text.AsciiTransliterator;
import dev.wishdir.wire.Quantity;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the player that an operator names by number, name or part of a name; prints the player
 * list.
 */
final class PlayerSelector {
    private static final int MAX_LISTED_PLAYERS = 8;

    /** Maximum length of a name with the tag of its game. */
    private static final int MAX_NAME_CHARS = 2 * Player.MAX_NAME_CHARS;

    private final Arena arena;

    PlayerSelector(Arena arena) {
        this.arena = arena;
    }

    /** The list of all players, one per line. */
    String status() {
        List<Player> players = arena.players();
        String map = arena.playedLevel().name();
        StringBuilder lines = new StringBuilder();
        lines.append(
                String.format(
                        Locale.ROOT,
                        "map: %s, %d of %d players",
                        map,
                        arena.playerCount(),
                        arena.maxPlayerCount()));
        int ghosts = players.size() - arena.playerCount();
        if (ghosts > 0) {
            lines.append(", ").append(Quantity.of(ghosts, "ghost"));
        }
        players.stream()
                .map(Player::game)
                .distinct()
                .filter(game -> !arena.level(game).name().equals(map))
                .forEach(game ->
                        lines.append("; ")
                                .append(game)
                                .append(" plays ")
                                .append(arena.level(game).name()));
        if (!players.isEmpty()) {
            lines.append("\nnum ping game address name (version, proof)");
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
                            details(connectionInfo.version(), player.proof())));
        }
        return lines.toString();
    }

    private static String details(String version, Proof proof) {
        String details =
                Stream.of(version, proof.kind() == Proof.Kind.UNKNOWN ? "" : proof.toString())
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining(", "));
        return details.isEmpty() ? "" : " (" + details + ")";
    }

    /**
     * Reads the player at the front of a command line: a quoted name; a number from the list; the
     * longest name that the rest begins with, which may contain spaces; else a part of a name, in
     * one word. Names that look alike are the same. If several players match, the answer asks for a
     * number.
     *
     * @return the answer of the action on the player, or the reason why there is not one player
     */
    String select(CommandReader reader, Function<Player, String> action) {
        List<Player> players = arena.players();
        if (reader.isQuoted()) {
            String name = reader.word();
            return one(name, players, player -> isNamed(player, name), action);
        }
        String word = reader.peek();
        for (Player player : players) {
            if (isNumber(player, word)) {
                reader.word();
                return action.apply(player);
            }
        }
        for (String prefix : reader.prefixes(MAX_NAME_CHARS)) {
            if (players.stream().anyMatch(player -> isNamed(player, prefix))) {
                reader.skip(prefix);
                return one(prefix, players, player -> isNamed(player, prefix), action);
            }
        }
        reader.word();
        return one(word, players, player -> contains(player, word), action);
    }

    /** Whether a word is a player's number in the list: {@code 12}, {@code #12}, {@code 7:12}. */
    private static boolean isNumber(Player player, String word) {
        OptionalInt number = CommandReader.number(word);
        return number.isPresent()
                ? player.id().node() == 0 && player.id().number() == number.getAsInt()
                : player.id().toString().equals(word);
    }

    private static boolean isNamed(Player player, String name) {
        return names(player).stream().anyMatch(each -> NameSkeleton.isConfusable(each, name));
    }

    private static boolean contains(Player player, String part) {
        return names(player).stream().anyMatch(name -> NameSkeleton.contains(name, part));
    }

    /**
     * A player's name as each game shows it: with and without the tag of its game, also in ASCII,
     * also without quotes.
     */
    private static List<String> names(Player player) {
        String ascii = AsciiTransliterator.transliterate(player.name());
        String tag = player.gameTag("");
        return Stream.of(player.name(), ascii, ascii.replace('"', '\''))
                .flatMap(name -> Stream.of(name, tag + name, tag.strip() + name))
                .toList();
    }

    private static String one(
            String word,
            List<Player> players,
            Predicate<Player> matches,
            Function<Player, String> action) {
        List<Player> found = players.stream().filter(matches).toList();
        if (found.size() == 1) {
            return action.apply(found.getFirst());
        }
        if (found.isEmpty()) {
            return "No player is called " + word + ".";
        }
        String candidates =
                found.stream()
                        .limit(MAX_LISTED_PLAYERS)
                        .map(player -> player.name() + " (" + player.id() + ")")
                        .collect(Collectors.joining(", "));
        return found.size() + " players match " + word + ": " + candidates + "; give a number.";
    }
}
