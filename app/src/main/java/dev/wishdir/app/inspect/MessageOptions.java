package dev.wishdir.app.inspect;

import dev.wishdir.inspect.output.FieldFilter;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.util.List;
import java.util.Set;

/** The options that select messages. */
public final class MessageOptions {
    @Option(
            names = "--message",
            paramLabel = "NAME",
            split = ",",
            description = "Print only messages and transport commands with these names.")
    private Set<String> names = Set.of();

    @Option(
            names = "--player",
            paramLabel = "NAME|PORT",
            description =
                    "Print only packets between the server and this player: its name, without"
                            + " colours and in any case, or its client's port.",
            defaultValue = "")
    private String player = "";

    @Option(
            names = "--where",
            paramLabel = "FIELD=VALUE",
            converter = Field.class,
            description =
                    "Print only lines with this field, given by its path: ps.origin.2=257. Can be"
                            + " repeated; lines must match all.")
    private List<FieldFilter> where = List.of();

    /** Parses {@code FIELD=VALUE}. */
    static final class Field implements ITypeConverter<FieldFilter> {
        @Override
        public FieldFilter convert(String text) {
            try {
                return FieldFilter.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    Set<String> names() {
        return names;
    }

    String player() {
        return player;
    }

    List<FieldFilter> where() {
        return where;
    }

    /** Whether any of the options is given. */
    public boolean isAny() {
        return !names.isEmpty() || !player.isEmpty() || !where.isEmpty();
    }

    /** The query for messages of any time. */
    public MessageFilter.Query query() {
        return query(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    MessageFilter.Query query(double from, double to) {
        return new MessageFilter.Query(names, player, from, to, where);
    }
}
