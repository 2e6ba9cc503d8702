package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.WorldMessage.Item;
import dev.wishdir.wire.Reader;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All items of the game with their numbers in each version. A client does not start if one of its
 * own is missing. Numbers and flags are valid from their protocol on.
 */
public final class ItemPalette {
    private static final Map<Integer, List<Item>> BY_PROTOCOL = new ConcurrentHashMap<>();

    private ItemPalette() {}

    /** The items of a version, sorted by name. */
    public static List<Item> of(BedrockCodec codec) {
        return BY_PROTOCOL.computeIfAbsent(codec.protocol(), _ -> read(codec));
    }

    /**
     * The number of an item in a version.
     *
     * @throws IllegalArgumentException if the version has no item of that name
     */
    public static int number(BedrockCodec codec, String name) {
        return of(codec).stream()
                .filter(item -> item.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "protocol " + codec.protocol() + " has no item " + name))
                .id();
    }

    private static List<Item> read(BedrockCodec codec) {
        int protocol = codec.protocol();
        // Before the registry sources differ on which items have components: none is safe.
        boolean registry = codec.has(ProtocolChange.ITEM_REGISTRY);
        Map<String, Nbt.Compound> components = registry ? components(protocol) : Map.of();
        List<Item> items = new ArrayList<>();
        for (String[] row : Table.rows("items.csv")) {
            Optional<String> id = step(row[1], protocol).filter(number -> !number.equals("-"));
            id.ifPresent(number ->
                    items.add(
                            new Item(
                                    row[0],
                                    Integer.parseInt(number),
                                    registry && step(row[2], protocol).orElse("0").equals("1"),
                                    Integer.parseInt(step(row[3], protocol).orElse("0")),
                                    components.getOrDefault(row[0], Nbt.EMPTY))));
        }
        return List.copyOf(items);
    }

    /** Looks a protocol up in steps as {@code 685=387 712=388}: the last step up to it. */
    private static Optional<String> step(String steps, int protocol) {
        Optional<String> found = Optional.empty();
        for (String step : steps.isEmpty() ? new String[0] : steps.split(" ", -1)) {
            int equals = step.indexOf('=');
            if (Integer.parseInt(step.substring(0, equals)) <= protocol) {
                found = Optional.of(step.substring(equals + 1));
            }
        }
        return found;
    }

    private static Map<String, Nbt.Compound> components(int protocol) {
        Map<String, TreeMap<Integer, String>> steps = new HashMap<>();
        for (String[] row : Table.rows("item-components.csv")) {
            steps.computeIfAbsent(row[0], _ -> new TreeMap<>())
                    .put(Integer.parseInt(row[1]), row[2]);
        }
        Map<String, Nbt.Compound> components = new HashMap<>();
        steps.forEach((name, each) -> {
            var step = each.floorEntry(protocol);
            if (step != null && !step.getValue().isEmpty()) {
                components.put(name, compound(step.getValue()));
            }
        });
        return components;
    }

    private static Nbt.Compound compound(String base64) {
        Reader reader = new Reader(Base64.getDecoder().decode(base64));
        return Nbt.wire(reader, "components", Nbt.EMPTY, Nbt.Flavour.FIXED);
    }
}
