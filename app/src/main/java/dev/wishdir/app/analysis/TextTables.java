package dev.wishdir.app.analysis;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tables as text files: CSV (RFC 4180), or a JSON object a line. Existing files are kept. */
final class TextTables implements TableWriter {
    private final Map<Table, BufferedWriter> files = new EnumMap<>(Table.class);
    private final Map<Table, RowWriter> rows = new EnumMap<>(Table.class);

    /**
     * @throws IOException if a file exists or cannot be written
     */
    TextTables(Path folder, RowFormat format) throws IOException {
        Files.createDirectories(folder);
        try {
            for (Table table : Table.values()) {
                Path path = folder.resolve(table + "." + format.extension());
                BufferedWriter file =
                        Files.newBufferedWriter(
                                path, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
                files.put(table, file);
                List<String> names = table.columns().stream().map(Table.Column::name).toList();
                rows.put(table, format.writer(names, file));
            }
        } catch (IOException e) {
            close();
            throw e instanceof FileAlreadyExistsException exists
                    ? new IOException(exists.getFile() + " exists: choose another folder", e)
                    : e;
        }
    }

    @Override
    public RowWriter rows(Table table) {
        return Objects.requireNonNull(rows.get(table));
    }

    @Override
    public void finish() throws IOException {
        for (BufferedWriter file : files.values()) {
            file.flush();
        }
    }

    @Override
    public void close() throws IOException {
        for (BufferedWriter file : files.values()) {
            file.close();
        }
    }
}
