package dev.wishdir.app;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.Game;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.List;
import java.util.stream.Collectors;

/** The games that are built in: a fifth one is one line here. */
final class Games {
    static final List<Game> ALL =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());

    private Games() {}

    static String names(List<Game> games) {
        return games.stream().map(Game::name).collect(Collectors.joining(", "));
    }

    /** Reads a game's name from the command line. */
    record Converter(List<Game> games) implements ITypeConverter<Game> {
        @Override
        public Game convert(String value) {
            return games.stream()
                    .filter(game -> game.name().equals(value))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException(
                                    "'" + value + "' is no game; there are " + names(games)));
        }
    }

    /** A port on which a game is said to be. */
    record Port(Game game, int port) {}

    /** Reads {@code GAME=PORT} from the command line. */
    record PortConverter(List<Game> games) implements ITypeConverter<Port> {
        @Override
        public Port convert(String value) {
            String[] parts = value.split("=", 2);
            if (parts.length == 2 && parts[1].matches("[0-9]{1,5}")) {
                int port = Integer.parseInt(parts[1]);
                if (port > 0 && port < 1 << 16) {
                    return new Port(new Converter(games).convert(parts[0]), port);
                }
            }
            throw new TypeConversionException("'" + value + "' is not GAME=PORT, as quake3=27961");
        }
    }
}
