package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;

import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code query}: answers questions about recordings in SQL. */
@Command(
        name = "query",
        sortOptions = false,
        description = {
            "Ask questions about recordings in SQL.",
            "For example: wishdir query match.mcap \"select * from distance\"",
            "Tables: players, movements, events, chat, violations, hits. Views: speed, steps,"
                    + " distance, airtime. Macros: near(metres), heatmap(metres), moment(seconds).",
            "docs/recordings-analysis.md describes their columns. The SQL cannot read or write"
                    + " files. Needs the query extra, DuckDB's driver; without it, the command says"
                    + " where it belongs."
        })
public final class QueryCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE... SQL",
            hideParamSyntax = true,
            arity = "2..*",
            description = "Recordings (.mcap), and the statements after them.")
    private List<String> arguments = List.of();

    @ArgGroup private Format format = new Format();

    /** Format instead of a table for people. */
    private static final class Format {
        @Option(names = "--csv", description = "Print CSV (RFC 4180).")
        private boolean csv;

        @Option(names = "--jsonl", description = "Print a JSON object a line.")
        private boolean jsonl;
    }

    @Override
    public Integer call() throws CommandFailedException {
        List<Path> files =
                arguments.subList(0, arguments.size() - 1).stream().map(Path::of).toList();
        PrintWriter out = spec.commandLine().getOut();
        try (QueryDatabase database = QueryDatabase.open()) {
            TableExtractor extractor = new TableExtractor(database, new PlayerFilter(), 0);
            new RecordingInput(files).read(spec.commandLine().getErr(), extractor::read);
            database.finish();
            try (Statement statement = database.queries()) {
                if (statement.execute(arguments.getLast())) {
                    print(statement.getResultSet(), out);
                }
            }
        } catch (SQLException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailedException("cannot answer: " + e.getMessage(), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(ResultSet result, PrintWriter out) throws SQLException, IOException {
        try (result) {
            if (format.csv) {
                ResultPrinter.print(result, RowFormat.CSV, out);
            } else if (format.jsonl) {
                ResultPrinter.print(result, RowFormat.JSONL, out);
            } else {
                ResultPrinter.printTable(result, out);
            }
        }
    }
}
