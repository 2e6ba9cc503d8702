package dev.wishdir.app.analysis;

import dev.wishdir.app.terminal.Columns;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the result of a query. */
final class ResultPrinter {
    /** Number of rows that the widths of the columns are made for. */
    private static final int MEASURED_ROWS = 1000;

    private static final int MAX_WIDTH_CHARS = 60;

    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    private ResultPrinter() {}

    /** Prints rows as CSV or JSON lines. */
    static void print(ResultSet result, RowFormat format, PrintWriter out)
            throws SQLException, IOException {
        List<String> names = names(result);
        RowWriter row = format.writer(names, out);
        while (result.next() && !out.checkError()) {
            for (int i = 1; i <= names.size(); i++) {
                write(result.getObject(i), row);
            }
            row.endRow();
        }
        out.flush();
    }

    private static List<String> names(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(columns.getColumnLabel(i));
        }
        return names;
    }

    private static void write(@Nullable Object value, RowWriter row) throws IOException {
        switch (value) {
            case null -> row.none();
            case Boolean flag -> row.flag(flag);
            case Float number when Float.isFinite(number) -> row.number(number.floatValue());
            case BigInteger number when number.bitLength() < Long.SIZE ->
                    row.integer(number.longValue());
            case Double _, Float _, BigDecimal _, BigInteger _ ->
                    row.number(((Number) value).doubleValue());
            case Number number -> row.integer(number.longValue());
            case Timestamp time -> write(time.toLocalDateTime(), row);
            case LocalDateTime time -> row.time(ChronoUnit.NANOS.between(EPOCH, time));
            default -> row.text(value.toString());
        }
    }

    /** Prints rows as a table for people. */
    static void printTable(ResultSet result, PrintWriter out) throws SQLException {
        List<String> names = names(result);
        List<List<String>> rows = new ArrayList<>();
        boolean[] numeric = new boolean[names.size()];
        while (rows.size() < MEASURED_ROWS && result.next()) {
            rows.add(cells(result, numeric));
        }
        int[] widths = new int[names.size()];
        for (int i = 0; i < widths.length; i++) {
            int widest = width(names.get(i));
            for (List<String> row : rows) {
                widest = Math.max(widest, width(row.get(i)));
            }
            widths[i] = Math.min(MAX_WIDTH_CHARS, widest);
        }
        out.println(line(names, widths, numeric));
        rows.forEach(row -> out.println(line(row, widths, numeric)));
        while (result.next() && !out.checkError()) {
            out.println(line(cells(result, numeric), widths, numeric));
        }
        out.flush();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    private static List<String> cells(ResultSet result, boolean[] numeric) throws SQLException {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < numeric.length; i++) {
            Object value = result.getObject(i + 1);
            numeric[i] |= value instanceof Number;
            cells.add(cell(value));
        }
        return cells;
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Double number -> rounded(number);
            case Float number -> rounded(number);
            default -> Columns.plain(value.toString());
        };
    }

    private static String rounded(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.3f", number);
    }

    private static String line(List<String> cells, int[] widths, boolean[] numeric) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(Math.max(0, widths[i] - width(cells.get(i))));
            line.append(i == 0 ? "" : "  ")
                    .append(numeric[i] ? padding + cells.get(i) : cells.get(i) + padding);
        }
        return line.toString().stripTrailing();
    }
}
