package dev.wishdir.app.command;

import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.game.Game;
import dev.wishdir.web.explore.MovementSource;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The games on the class path, in its order. To add one, add its module to the dependencies of this
 * one.
 */
public final class Games {
    public static final List<Game> ALL =
            ServiceLoader.load(Game.class).stream().map(ServiceLoader.Provider::get).toList();

    private Games() {}

    /** The names of all games, as candidates of an option. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ALL.stream().map(Game::name).iterator();
        }
    }

    /** The versions of all games that have several, as candidates of an option. */
    public static final class Versions implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ALL.stream().flatMap(game -> game.versions().stream()).iterator();
        }
    }

    /** Reads the movements in lines of these games. */
    public static MovementSource.Factory movements(List<Game> games) {
        Map<String, Game> byName =
                games.stream().collect(Collectors.toMap(Game::name, Function.identity()));
        return name -> {
            Game game = byName.get(name);
            return game == null
                    ? MovementSource.Factory.NONE.open(name)
                    : game.movementReader()::read;
        };
    }

    /** The names of the weapons of these games. */
    public static WeaponNames weaponNames(List<Game> games) {
        return new WeaponNames(
                games.stream().collect(Collectors.toMap(Game::name, Game::weaponNames)));
    }

    static String names(List<Game> games) {
        return games.stream().map(Game::name).collect(Collectors.joining(", "));
    }

    /** Parses the name of a game. */
    public record Converter(List<Game> games) implements ITypeConverter<Game> {
        @Override
        public Game convert(String value) {
            return games.stream()
                    .filter(game -> game.name().equals(value))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException(
                                    "'" + value + "' is not a game; there are " + names(games)));
        }
    }

    /** A port, and the game whose traffic it has. */
    public record Port(Game game, int port) {}

    /** Parses {@code GAME=PORT}. */
    public record PortConverter(List<Game> games) implements ITypeConverter<Port> {
        @Override
        public Port convert(String value) {
            String[] parts = value.split("=", 2);
            if (parts.length == 2 && parts[1].matches("[0-9]{1,5}")) {
                int port = Integer.parseInt(parts[1]);
                if (port > 0 && port < 1 << 16) {
                    return new Port(new Converter(games).convert(parts[0]), port);
                }
            }
            throw new TypeConversionException(
                    "'"
                            + value
                            + "' is not GAME=PORT, such as "
                            + games.getFirst().name()
                            + "="
                            + (games.getFirst().port() + 1));
        }
    }
}
