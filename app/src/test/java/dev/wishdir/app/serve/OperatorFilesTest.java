package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Each text file of the operator, as editors of several systems save it. */
@Tag("slow")
class OperatorFilesTest {
    private final Shell shell = new Shell(new FakeGame("red", 27_016));

    @TempDir private Path folder;

    /** The files, with a text that is good but for nothing; each has a second line. */
    enum Kind {
        CONFIG("# Zéro\nname = \"Zéro\"\nmax-players = 7\nred = \"127.0.0.1:0\"\n"),
        INCLUDED("# Zéro\nname = \"Zéro\"\nmax-players = 7\n"),
        BANS("# Zéro\n192.0.2.9 forever \"op\" \"Zéro\" \"y\"\n"),
        ARENA(ArenaText.write(ArenaCatalog.FLAT).replaceFirst("title .*", "title Zéro"));

        final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private Shell.Run check(Kind kind, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("own.txt"), content);
        String name = file.toString();
        return switch (kind) {
            case CONFIG -> shell.run("serve", "--config", name, "--check");
            case INCLUDED -> {
                Path outer = folder.resolve("outer.conf");
                Files.writeString(outer, "include \"own.txt\"\nred = \"127.0.0.1:0\"\n");
                yield shell.run("serve", "--config", outer.toString(), "--check");
            }
            case BANS -> shell.run("serve", "--red", "127.0.0.1:0", "--bans", name, "--check");
            case ARENA -> shell.run("serve", "--red", "127.0.0.1:0", "--arena", name, "--check");
        };
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a byte order mark and any line ends are taken")
    void acceptsByteOrderMarksAndLineEnds(Kind kind) throws IOException {
        for (String mark : new String[] {"", "\uFEFF"}) {
            for (String end : new String[] {"\n", "\r\n", "\r"}) {
                String text = mark + kind.text.replace("\n", end);
                Shell.Run run = check(kind, text.getBytes(StandardCharsets.UTF_8));
                assertThat(run.status()).as(run.err()).isZero();
                assertThat(run.err()).contains("Check passed");
                if (kind == Kind.ARENA) {
                    Path file = folder.resolve("own.txt");
                    Shell.Run arena = shell.run("arena", "check", file.toString());
                    assertThat(arena.status()).as(arena.err()).isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("another encoding is refused with file and line, and UTF-16 by its name")
    void refusesOtherEncodings(Kind kind) throws IOException {
        int line = kind == Kind.ARENA ? 3 : 1;
        Shell.Run latin = check(kind, kind.text.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(latin.status()).isEqualTo(1);
        assertThat(latin.err())
                .contains("own.txt, line " + line + ": is not UTF-8 text")
                .hasLineCount(1);
        Shell.Run wide = check(kind, kind.text.getBytes(StandardCharsets.UTF_16));
        assertThat(wide.status()).isEqualTo(1);
        assertThat(wide.err())
                .contains("own.txt, line 1: is not UTF-8 text but UTF-16")
                .hasLineCount(1);
    }

    @Test
    @DisplayName("mistakes of a file with lone CR as line ends have their line")
    void countsLinesOfAllSystems() throws IOException {
        String text = "name = a\rmax-players = x\r";
        Shell.Run run = check(Kind.CONFIG, text.getBytes(StandardCharsets.UTF_8));
        assertThat(run.err()).contains("own.txt, line 2: max-players: 'x' is not");
        Shell.Run included = check(Kind.INCLUDED, text.getBytes(StandardCharsets.UTF_8));
        assertThat(included.err()).contains("own.txt, line 2: max-players: 'x' is not");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("settings nested 5,000 deep, and files that include themselves, are one line")
    void refusesDeepNesting(Nested nested) throws IOException {
        Shell.Run run = check(Kind.CONFIG, nested.text.getBytes(StandardCharsets.UTF_8));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("wishdir: ").contains("own.txt").hasLineCount(1);
    }

    /** Texts that go deep. */
    enum Nested {
        BLOCKS("a { ".repeat(50_000) + "}".repeat(50_000)),
        LISTS("name = " + "[".repeat(50_000) + "]".repeat(50_000)),
        KEYS("a.".repeat(50_000) + "a = 1\n"),
        ITSELF("include \"own.txt\"\n");

        final String text;

        Nested(String text) {
            this.text = text;
        }
    }
}
