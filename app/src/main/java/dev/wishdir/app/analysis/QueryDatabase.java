package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Version;

import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of recordings in a DuckDB in memory. Movements, the largest one, go straight to where they
 * are needed: into memory for queries, into their file for an export. Beyond its memory DuckDB
 * writes to a temporary folder. It loads no extensions and has no access to the network.
 */
final class QueryDatabase implements TableWriter {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    /** Memory of the database, outside of Java's heap. */
    private static final String MEMORY_LIMIT = "2GB";

    /**
     * Large row groups, because each has its dictionaries: angles and velocities have thousands of
     * values. Above the maximum, as in times, differences or bytes are written. Bloom filters would
     * be a sixth of a small file.
     */
    private static final String PARQUET =
            " (format parquet, parquet_version v2, compression zstd, row_group_size 1000000,"
                    + " dictionary_size_limit 24000, write_bloom_filter false)";

    /** The tables of which rows are kept until the end. */
    private static final Set<Table> KEPT = EnumSet.complementOf(EnumSet.of(Table.MOVEMENTS));

    private final DuckDBConnection connection;
    private final Path temporary;
    private final RowStream movements;
    private final Map<Table, AppenderRows> appenders = new EnumMap<>(Table.class);

    private QueryDatabase(DuckDBConnection connection, Path temporary, RowStream movements) {
        this.connection = connection;
        this.temporary = temporary;
        this.movements = movements;
    }

    /**
     * Opens an empty database for queries.
     *
     * @throws CommandFailedException if the query extra is missing; the message says what to do
     */
    static QueryDatabase open() throws CommandFailedException {
        return open("create table movements as ", "");
    }

    /**
     * Opens an empty database that writes the movements to a Parquet file, and the other tables
     * when it is asked to.
     *
     * @throws IOException if one of the files exists
     * @throws CommandFailedException if the query extra is missing; the message says what to do
     */
    static QueryDatabase openForExport(Path folder) throws IOException, CommandFailedException {
        checkPresent(DRIVER);
        Files.createDirectories(folder);
        for (Table table : Table.values()) {
            Path file = file(folder, table);
            if (Files.exists(file)) {
                throw new IOException(file + " exists: choose another folder");
            }
        }
        String to = literal(file(folder, Table.MOVEMENTS).toString());
        return open("copy (select * exclude (elapsed) from (", ")) to " + to + PARQUET);
    }

    private static Path file(Path folder, Table table) {
        return folder.resolve(table + ".parquet");
    }

    /**
     * @param before what stands before the query of all movements in the statement that takes them
     * @param after what stands behind it
     */
    private static QueryDatabase open(String before, String after) throws CommandFailedException {
        checkPresent(DRIVER);
        try {
            Path temporary = Files.createTempDirectory("wishdir-query");
            DuckDBConnection connection =
                    DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
            execute(connection, "set memory_limit = '" + MEMORY_LIMIT + "'");
            execute(connection, "set temp_directory = " + literal(temporary.toString()));
            execute(connection, "set autoinstall_known_extensions = false");
            execute(connection, "set autoload_known_extensions = false");
            for (Table table : KEPT) {
                execute(connection, definition(table));
            }
            RowStream movements =
                    RowStream.start(
                            Table.MOVEMENTS,
                            connection.duplicate().unwrap(DuckDBConnection.class),
                            before,
                            after);
            QueryDatabase database = new QueryDatabase(connection, temporary, movements);
            for (Table table : KEPT) {
                database.addAppender(table);
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
                    "needs the query extra, which is DuckDB's driver: save duckdb_jdbc of Maven"
                            + " Central (org.duckdb) as "
                            + folder().resolve("lib/query/duckdb_jdbc.jar")
                            + ", or unpack wishdir-query-"
                            + Version.text()
                            + ".tar.gz over the folder of this program (in a checkout: mvn"
                            + " -Prun,query -pl app -am package); without it, use export --csv",
                    e);
        }
    }

    /** The folder of the program, below which its manifest expects the driver. */
    private static Path folder() {
        try {
            Path program =
                    Path.of(
                            QueryDatabase.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            Path parent = program.getParent();
            return parent == null ? program : parent;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A text as SQL has it. */
    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String definition(Table table) {
        return table.columns().stream()
                .map(column -> column.name() + " " + column.type().sql())
                .collect(Collectors.joining(", ", "create table " + table + " (", ")"));
    }

    private void addAppender(Table table) throws SQLException {
        appenders.put(
                table,
                new AppenderRows(
                        connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, table + "")));
    }

    private static void execute(DuckDBConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public RowWriter rows(Table table) {
        return table == Table.MOVEMENTS ? movements : Objects.requireNonNull(appenders.get(table));
    }

    @Override
    public void finish() throws IOException {
        movements.finish();
        try {
            for (AppenderRows rows : appenders.values()) {
                rows.appender.close();
            }
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Writes each table except the movements, which are written, as a Parquet file. */
    void exportTo(Path folder) throws IOException {
        for (Table table : KEPT) {
            Path file = file(folder, table);
            try {
                execute(connection, "copy " + table + " to " + literal(file.toString()) + PARQUET);
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
        execute(connection, views());
        execute(connection, "set enable_external_access = false");
        execute(connection, "set lock_configuration = true");
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
        try (connection) {
            movements.close();
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
