package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What players are told to do to join: the same in both READMEs, the demo and the doctor. */
class JoinInstructionsTest {
    static final List<Game> GAMES = FourGames.ALL;

    private static final Path README = Path.of("..", "README.md");
    private static final Path OF_ARCHIVE =
            Path.of("..", "dist", "src", "main", "dist", "README.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** The cell of a game in the table of joining. */
    private static String cell(Path readme, Game game) throws IOException {
        return Files.readAllLines(readme).stream()
                .filter(line -> line.startsWith("| ") && line.contains("UDP " + game.port()))
                .map(line -> line.split("\\|")[2].strip())
                .findFirst()
                .orElseThrow();
    }

    /** The lines that the README has a player type in a game, for a server at an address. */
    static List<String> typed(Game game, String host) throws IOException {
        return CODE.matcher(cell(README, game))
                .results()
                .map(MatchResult::group)
                .map(line -> line.replace("`", "").replace("HOST", host))
                .toList();
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void saysSameInReadmesAndProgram(Game game) throws IOException {
        String said = game.joinInstruction("HOST", game.port());
        assertThat(said).contains("HOST");
        for (Path readme : List.of(README, OF_ARCHIVE)) {
            assertThat(cell(readme, game).replace("`", "")).startsWith(said);
        }
    }
}
