package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.PasswordRules;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** Passwords that players of some game can't give are refused at the start. */
@Tag("slow")
class PasswordsTest {
    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    static Stream<String> games() {
        return Games.ALL.stream().map(Game::name);
    }

    private Shell.Run check(String game, String option, String password) {
        return shell.run(
                "serve",
                "--" + game,
                "127.0.0.1:0",
                "--check",
                "--max-players",
                "4",
                option,
                password);
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesUnencodablePasswords(String game) {
        for (PasswordRules.Kind kind : PasswordRules.Kind.values()) {
            List<String> everywhere = List.of("a\nb", "a\tb", "x".repeat(600), " a", "a ", " ");
            List<String> refused =
                    switch (game) {
                        case "quake2", "quake3" ->
                                kind == PasswordRules.Kind.JOIN
                                        ? List.of("a\"b", "a\\b", "a;b", "漢字", "é")
                                        : List.of("a\"b", "a b", "a;b", "漢字", "é");
                        case "sauerbraten" -> List.of("a\"b", "漢字", "a\fb");
                        default -> List.of();
                    };
            Stream.concat(everywhere.stream(), refused.stream())
                    .forEach(password -> {
                        Shell.Run run = check(game, kind.option(), password);
                        assertThat(run.status()).as(password).isNotZero();
                        assertThat(run.err())
                                .as(password)
                                .contains(kind.option() + ": players of", "; allowed are at most")
                                .hasLineCount(1);
                    });
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void acceptsEncodablePasswords(String game) {
        PasswordRules join = find(game).passwordRules(PasswordRules.Kind.JOIN);
        assertThat(join.problem("s3cret!#$&'()*+,-./:<=>?@[]_`{|}~")).isEmpty();
        assertThat(join.problem("two words")).isEmpty();
        assertThat(join.problem("")).isEmpty();
        assertThat(find(game).passwordRules(PasswordRules.Kind.ADMIN).problem("s3cret!^"))
                .isEmpty();
    }

    private static Game find(String name) {
        return Games.ALL.stream()
                .filter(game -> game.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void namesAllowedCharacters() {
        assertThat(check("quake2", "--password", "a\"b").err())
                .contains("Quake II cannot type this password: it holds '\"'");
    }
}
