package dev.wishdir.app;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.game.Game;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs commands as a terminal would and keeps what they print. */
final class Shell {
    /** How a command ended and what it printed. */
    record Run(int status, String out, String err) {
        /** The JSON objects on standard output; fails where there is anything else. */
        List<JsonObject> json() {
            return out.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
        }
    }

    private final List<Game> games;

    Shell(Game... games) {
        this.games = List.of(games);
    }

    Run run(String... arguments) {
        return run(InputStream.nullInputStream(), arguments);
    }

    Run run(InputStream in, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Interrupt interrupt = new Interrupt();
        int status =
                Main.commandLine(games, interrupt, in)
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments);
        interrupt.done(status);
        return new Run(status, out.toString(), err.toString());
    }
}
