package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Version;

import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of recordings in a DuckDB in memory. Beyond its memory it writes to a temporary folder. It
 * loads no extensions and has no access to the network.
 */
final class QueryDatabase implements TableWriter {
    /** Memory of the database, outside of Java's heap. */
    private static final String MEMORY_LIMIT = "2GB";

    private final DuckDBConnection connection;
    private final Path temporary;
    private final Map<Table, AppenderRows> appenders = new EnumMap<>(Table.class);

    private QueryDatabase(DuckDBConnection connection, Path temporary) {
        this.connection = connection;
        this.temporary = temporary;
    }

    /**
     * Opens an empty database.
     *
     * @throws CommandFailedException if the query extra is missing; the message says what to do
     */
    static QueryDatabase open() throws CommandFailedException {
        checkPresent("org.duckdb.DuckDBDriver");
        try {
            Path temporary = Files.createTempDirectory("wishdir-query");
            DuckDBConnection connection =
                    DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
            QueryDatabase database = new QueryDatabase(connection, temporary);
            database.execute("set memory_limit = '" + MEMORY_LIMIT + "'");
            database.execute("set temp_directory = " + literal(temporary.toString()));
            database.execute("set autoinstall_known_extensions = false");
            database.execute("set autoload_known_extensions = false");
            for (Table table : Table.values()) {
                database.create(table);
            }
            return database;
        } catch (SQLException | IOException e) {
            throw new CommandFailedException("cannot open DuckDB: " + e.getMessage(), e);
        }
    }

    /**
     * @param driver the class without which there is no database
     */
    static void checkPresent(String driver) throws CommandFailedException {
        try {
            Class.forName(driver, false, QueryDatabase.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new CommandFailedException(
                    "needs the query extra: unpack wishdir-query-"
                            + Version.text()
                            + " over the folder of this program (in a checkout: mvn"
                            + " -Prun,query -pl app -am package), or use export --csv",
                    e);
        }
    }

    /** A text as SQL has it. */
    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private void create(Table table) throws SQLException {
        execute(
                table.columns().stream()
                        .map(column -> column.name() + " " + column.type().sql())
                        .collect(Collectors.joining(", ", "create table " + table + " (", ")")));
        appenders.put(
                table,
                new AppenderRows(
                        connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, table + "")));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public RowWriter rows(Table table) {
        return Objects.requireNonNull(appenders.get(table));
    }

    @Override
    public void finish() throws IOException {
        try {
            for (AppenderRows rows : appenders.values()) {
                rows.appender.close();
            }
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Writes each table as a Parquet file.
     *
     * @throws IOException if a file exists or cannot be written
     */
    void exportTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Table table : Table.values()) {
            Path file = folder.resolve(table + ".parquet");
            if (Files.exists(file)) {
                throw new IOException(file + " exists: choose another folder");
            }
            try {
                execute(
                        "copy "
                                + table
                                + " to "
                                + literal(file.toString())
                                + " (format parquet, parquet_version v2, compression zstd)");
            } catch (SQLException e) {
                throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * Adds the views and macros, and takes the access to files away for good.
     *
     * @return a statement for queries
     */
    Statement queries() throws SQLException {
        execute(views());
        execute("set enable_external_access = false");
        execute("set lock_configuration = true");
        return connection.createStatement();
    }

    private static String views() {
        try (InputStream in =
                Objects.requireNonNull(
                        QueryDatabase.class.getResourceAsStream("/analysis/views.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            try (Stream<Path> left = Files.list(temporary)) {
                for (Path file : left.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(temporary);
        }
    }

    /** Rows that go to an appender, which writes them in blocks. */
    private static final class AppenderRows implements RowWriter {
        private final DuckDBAppender appender;
        private boolean begun;

        AppenderRows(DuckDBAppender appender) {
            this.appender = appender;
        }

        private DuckDBAppender value() throws SQLException {
            if (!begun) {
                appender.beginRow();
                begun = true;
            }
            return appender;
        }

        @Override
        public void text(String value) throws IOException {
            try {
                value().append(value);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void integer(long value) throws IOException {
            try {
                value().append((int) value);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void number(float value) throws IOException {
            try {
                value().append(value);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void number(double value) throws IOException {
            try {
                value().append(value);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void flag(boolean value) throws IOException {
            try {
                value().append(value);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void time(long nanos) throws IOException {
            try {
                value().appendEpochMicros(nanos / 1000);
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void none() throws IOException {
            try {
                value().appendNull();
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void endRow() throws IOException {
            try {
                appender.endRow();
                begun = false;
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        private static IOException failure(SQLException e) {
            return new IOException("cannot fill the database: " + e.getMessage(), e);
        }
    }
}
