package dev.wishdir.app.analysis;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import dev.wishdir.wire.CsvText;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Format of rows as text. */
enum RowFormat {
    /**
     * With a line of names, line ends CR LF, and quotes where RFC 4180 asks for them. See {@link
     * CsvText} for formulas.
     */
    CSV {
        @Override
        RowWriter writer(List<String> columns, Appendable out) throws IOException {
            for (int i = 0; i < columns.size(); i++) {
                out.append(i == 0 ? "" : ",").append(CsvText.quoted(columns.get(i)));
            }
            out.append("\r\n");
            return new TextRowWriter(out) {
                @Override
                void begin(int column) throws IOException {
                    out.append(column == 0 ? "" : ",");
                }

                @Override
                public void text(String value) throws IOException {
                    value(CsvText.text(value));
                }

                @Override
                public void none() throws IOException {
                    value("");
                }

                @Override
                public void endRow() throws IOException {
                    end("\r\n");
                }
            };
        }
    },
    /** An object a line, with null for a value that is unknown. */
    JSONL {
        @Override
        RowWriter writer(List<String> columns, Appendable out) {
            List<String> keys = columns.stream().map(name -> GSON.toJson(name) + ":").toList();
            return new TextRowWriter(out) {
                @Override
                void begin(int column) throws IOException {
                    out.append(column == 0 ? "{" : ",").append(keys.get(column));
                }

                @Override
                public void text(String value) throws IOException {
                    value(GSON.toJson(value));
                }

                @Override
                public void none() throws IOException {
                    value("null");
                }

                @Override
                public void endRow() throws IOException {
                    end("}\n");
                }
            };
        }
    };

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** A writer of rows as text; numbers are the same in all formats. */
    private abstract static class TextRowWriter implements RowWriter {
        private final Appendable out;
        private int column;

        TextRowWriter(Appendable out) {
            this.out = out;
        }

        abstract void begin(int column) throws IOException;

        final void value(CharSequence value) throws IOException {
            begin(column++);
            out.append(value);
        }

        final void end(String end) throws IOException {
            out.append(end);
            column = 0;
        }

        @Override
        public void integer(long value) throws IOException {
            value(Long.toString(value));
        }

        @Override
        public void number(float value) throws IOException {
            value(value == (int) value ? Integer.toString((int) value) : Float.toString(value));
        }

        @Override
        public void number(double value) throws IOException {
            if (Double.isFinite(value)) {
                value(
                        value == (int) value
                                ? Integer.toString((int) value)
                                : Double.toString(value));
            } else {
                none();
            }
        }

        @Override
        public void flag(boolean value) throws IOException {
            value(Boolean.toString(value));
        }

        @Override
        public void time(long nanos) throws IOException {
            long micros = Math.floorMod(nanos, NANOS_PER_SECOND) / 1000;
            String fraction = Long.toString(1_000_000 + micros);
            begin(column++);
            out.append(Long.toString(Math.floorDiv(nanos, NANOS_PER_SECOND)))
                    .append('.')
                    .append(fraction, 1, fraction.length());
        }
    }

    /** The extension of a file's name. */
    String extension() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * A writer that begins with what the format has before the first row.
     *
     * @param columns their names
     */
    abstract RowWriter writer(List<String> columns, Appendable out) throws IOException;
}
