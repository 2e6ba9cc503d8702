package dev.wishdir.app.analysis;

import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionBuilder;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBWritableVector;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Rows of a table that a statement of DuckDB reads on its own thread while they are written. Rows
 * that were read are not kept, and writing waits for a slow statement. Rows have a value in each
 * column.
 */
final class RowStream implements RowWriter, AutoCloseable {
    /** Rows that are passed at once; DuckDB's vectors have this number. */
    private static final int BATCH_ROWS = 2048;

    private static final int MAX_BATCHES = 16;
    private static final long POLL_INTERVAL_MILLIS = 100;

    /** Rows by columns: bits of numbers, or texts. */
    private static final class Batch {
        private final long[][] numbers;
        private final String[][] texts;
        private int rows;

        Batch(List<Table.Column> columns) {
            numbers = new long[columns.size()][];
            texts = new String[columns.size()][];
            for (int i = 0; i < columns.size(); i++) {
                boolean isText = columns.get(i).type() == Table.Type.TEXT;
                numbers[i] = new long[isText ? 0 : BATCH_ROWS];
                texts[i] = new String[isText ? BATCH_ROWS : 0];
            }
        }
    }

    /** Source from which DuckDB takes the rows. */
    private final class Source implements DuckDBTableFunction<Table, Table, Table> {
        @Override
        public Table bind(DuckDBTableFunctionBindInfo info) {
            for (Table.Column column : columns) {
                info.addResultColumn(column.name(), type(column.type()));
            }
            return table;
        }

        @Override
        public Table init(DuckDBTableFunctionInitInfo info) {
            info.setMaxThreads(1);
            return table;
        }

        @Override
        public Table localInit(DuckDBTableFunctionInitInfo info) {
            return table;
        }

        @Override
        public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter out)
                throws InterruptedException {
            Batch batch = filled.take();
            int rows = batch.rows;
            if (rows == 0 && !complete) {
                throw new IllegalStateException("the rows were not completed");
            }
            for (int i = 0; i < columns.size() && rows > 0; i++) {
                fill(out.vector(i), columns.get(i).type(), batch.numbers[i], batch.texts[i], rows);
            }
            batch.rows = 0;
            free.add(batch);
            return rows;
        }
    }

    private final Table table;
    private final List<Table.Column> columns;
    private final DuckDBConnection connection;
    private final BlockingQueue<Batch> filled = new ArrayBlockingQueue<>(MAX_BATCHES);
    private final BlockingQueue<Batch> free = new ArrayBlockingQueue<>(MAX_BATCHES);
    private final FutureTask<Boolean> reading;
    private Batch batch;
    private int column;
    private boolean ended;
    private volatile boolean complete;

    private RowStream(Table table, DuckDBConnection connection, String sql) {
        this.table = table;
        this.connection = connection;
        columns = table.columns();
        batch = new Batch(columns);
        for (int i = 1; i < MAX_BATCHES; i++) {
            free.add(new Batch(columns));
        }
        reading = new FutureTask<>(() -> execute(sql));
    }

    /**
     * Starts a statement that reads the rows.
     *
     * @param connection used by the statement, and closed with the stream
     * @param before what stands before the query of the rows in the statement
     * @param after what stands behind it
     */
    static RowStream start(Table table, DuckDBConnection connection, String before, String after)
            throws SQLException {
        String function = table + "_rows";
        String sql = before + query(table, function) + after;
        RowStream stream = new RowStream(table, connection, sql);
        try (DuckDBTableFunctionBuilder builder = DuckDBFunctions.tableFunction()) {
            builder.withName(function).withFunction(stream.new Source()).register(connection);
        }
        Thread.ofPlatform().daemon().name("duckdb-" + table).start(stream.reading);
        return stream;
    }

    /** The rows with the types of the table. */
    private static String query(Table table, String function) {
        StringBuilder query = new StringBuilder("select ");
        for (Table.Column column : table.columns()) {
            String name = column.name();
            query.append(
                    column.type() == Table.Type.TIME
                            ? "make_timestamp(" + name + ") as " + name + ", "
                            : name + ", ");
        }
        return query + " from " + function + "()";
    }

    private boolean execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    /** Times are passed as microseconds. */
    private static DuckDBColumnType type(Table.Type type) {
        return switch (type) {
            case TEXT -> DuckDBColumnType.VARCHAR;
            case INTEGER -> DuckDBColumnType.INTEGER;
            case FLOAT -> DuckDBColumnType.FLOAT;
            case DOUBLE -> DuckDBColumnType.DOUBLE;
            case BOOLEAN -> DuckDBColumnType.BOOLEAN;
            case TIME -> DuckDBColumnType.BIGINT;
        };
    }

    private static void fill(
            DuckDBWritableVector out, Table.Type type, long[] bits, String[] texts, int rows) {
        switch (type) {
            case TEXT ->
                    out.setStrings(0, rows == texts.length ? texts : Arrays.copyOf(texts, rows));
            case INTEGER -> {
                for (int i = 0; i < rows; i++) {
                    out.setInt(i, (int) bits[i]);
                }
            }
            case FLOAT -> {
                for (int i = 0; i < rows; i++) {
                    out.setFloat(i, Float.intBitsToFloat((int) bits[i]));
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < rows; i++) {
                    out.setDouble(i, Double.longBitsToDouble(bits[i]));
                }
            }
            case BOOLEAN -> {
                for (int i = 0; i < rows; i++) {
                    out.setBoolean(i, bits[i] != 0);
                }
            }
            case TIME -> {
                for (int i = 0; i < rows; i++) {
                    out.setLong(i, bits[i]);
                }
            }
        }
    }

    private void bits(long value) {
        batch.numbers[column++][batch.rows] = value;
    }

    @Override
    public void text(String value) {
        batch.texts[column++][batch.rows] = value;
    }

    @Override
    public void integer(long value) {
        bits(value);
    }

    @Override
    public void number(float value) {
        bits(Float.floatToRawIntBits(value));
    }

    @Override
    public void number(double value) {
        bits(Double.doubleToRawLongBits(value));
    }

    @Override
    public void flag(boolean value) {
        bits(value ? 1 : 0);
    }

    @Override
    public void time(long nanos) {
        bits(Math.floorDiv(nanos, 1000L));
    }

    @Override
    public void none() {
        throw new UnsupportedOperationException(table + " has a value in each column");
    }

    @Override
    public void endRow() throws IOException {
        column = 0;
        if (++batch.rows == BATCH_ROWS) {
            pass();
        }
    }

    /** Passes the batch to the statement, and takes a free one. */
    private void pass() throws IOException {
        try {
            if (!reading.isDone()) {
                filled.add(batch);
                while (true) {
                    Batch next = free.poll(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
                    if (next != null) {
                        batch = next;
                        return;
                    }
                    if (reading.isDone()) {
                        break;
                    }
                }
            }
            reading.get();
            throw new IOException("the statement ended before the rows did");
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(cause(e).getMessage()), cause(e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static Throwable cause(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure = new InterruptedIOException("interrupted");
        failure.initCause(e);
        return failure;
    }

    /**
     * Passes the last rows, and waits for the end of the statement.
     *
     * @throws IOException if the statement failed
     */
    void finish() throws IOException {
        if (batch.rows > 0) {
            pass();
        }
        complete = true;
        end();
        try {
            reading.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(cause(e).getMessage()), cause(e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Passes an empty batch, which ends the rows, unless the statement ended before. */
    private void end() {
        if (!ended) {
            ended = true;
            batch.rows = 0;
            filled.offer(batch);
        }
    }

    /** Ends the statement, with an error if the rows are not complete. */
    @Override
    public void close() throws IOException {
        end();
        try (connection) {
            reading.get();
        } catch (ExecutionException e) {
            if (complete) {
                throw new IOException(String.valueOf(cause(e).getMessage()), cause(e));
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
