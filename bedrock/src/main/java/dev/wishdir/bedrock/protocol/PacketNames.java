package dev.wishdir.bedrock.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of all messages by their ids, as the inspector shows them. */
final class PacketNames {
    /**
     * A name and the versions that have it.
     *
     * @param until the last protocol, 0 for the newest
     */
    private record Name(String name, int since, int until) {
        boolean isOf(int protocol) {
            return since <= protocol && (until == 0 || protocol <= until);
        }
    }

    private static final Map<Integer, List<Name>> NAMES = new HashMap<>();

    static {
        for (String[] row : Table.rows("packet-ids.csv")) {
            int until = row[3].isEmpty() ? 0 : Integer.parseInt(row[3]);
            NAMES.computeIfAbsent(Integer.parseInt(row[0]), _ -> new ArrayList<>())
                    .add(new Name(row[1], Integer.parseInt(row[2]), until));
        }
    }

    private PacketNames() {}

    /** The ids that have a name in a version. */
    static List<Integer> ids(int protocol) {
        return NAMES.entrySet().stream()
                .filter(names -> names.getValue().stream().anyMatch(name -> name.isOf(protocol)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    static String of(int id, int protocol) {
        return NAMES.getOrDefault(id, List.of()).stream()
                .filter(name -> name.isOf(protocol))
                .map(Name::name)
                .findFirst()
                .orElse("packet_" + id);
    }
}
