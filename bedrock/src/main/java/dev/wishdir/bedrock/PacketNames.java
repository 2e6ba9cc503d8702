package dev.wishdir.bedrock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of all messages of protocol 748 by their ids, as the inspector shows them. */
final class PacketNames {
    private static final Map<Integer, String> NAMES = new HashMap<>();

    static {
        for (String[] row : rows("packet-ids-748.csv")) {
            boolean named = row.length > 2 && !row[2].isEmpty();
            NAMES.put(Integer.parseInt(row[0]), named ? row[2] : row[1]);
        }
    }

    private PacketNames() {}

    static String of(int id) {
        return NAMES.getOrDefault(id, "packet_" + id);
    }

    /** The rows of a table that is shipped with this package, without its heading. */
    static List<String[]> rows(String table) {
        try (InputStream in = PacketNames.class.getResourceAsStream(table)) {
            if (in == null) {
                throw new IllegalStateException("the table " + table + " is not shipped");
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
