package dev.wishdir.app.command;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.Game;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.List;
import java.util.stream.Collectors;

/** The built-in games; to add a game, add it here. */
public final class Games {
    public static final List<Game> ALL =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());

    private Games() {}

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
                    "'" + value + "' is not GAME=PORT, such as quake3=27961");
        }
    }
}
