package dev.wishdir.app;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;

import picocli.CommandLine;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs commands as a terminal would and keeps what they print. */
public final class Shell {
    /** How a command ended and what it printed. */
    public record Run(int status, String out, String err) {
        /** The JSON objects on standard output; fails where there is anything else. */
        public List<JsonObject> json() {
            return out.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
        }
    }

    private final List<Game> games;
    private final Terminal terminal;

    public Shell(Game... games) {
        this(Terminal.NONE, games);
    }

    public Shell(Terminal terminal, Game... games) {
        this.terminal = terminal;
        this.games = List.of(games);
    }

    /** The command line with an empty standard input. */
    public static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, Terminal terminal) {
        return commandLine(games, shutdown, InputStream.nullInputStream(), terminal);
    }

    public static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, InputStream in, Terminal terminal) {
        return Main.commandLine(games, shutdown, in, terminal);
    }

    public Run run(String... arguments) {
        return run(InputStream.nullInputStream(), new StringWriter(), arguments);
    }

    public Run run(InputStream in, String... arguments) {
        return run(in, new StringWriter(), arguments);
    }

    /**
     * @param err takes what goes to standard error
     */
    public Run run(StringWriter err, String... arguments) {
        return run(InputStream.nullInputStream(), err, arguments);
    }

    private Run run(InputStream in, StringWriter err, String... arguments) {
        StringWriter out = new StringWriter();
        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                commandLine(games, shutdown, in, terminal)
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments);
        shutdown.done(status);
        return new Run(status, out.toString(), err.toString());
    }
}
