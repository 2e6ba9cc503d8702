package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * The commands that a client completes while its player types (Bedrock, commands). Replaces the
 * last list. Values and enumerations are referred to by their index.
 *
 * @param values of the enumerations
 * @param chainedValues of the subcommands
 * @param suffixes of parameters
 * @param softEnums enumerations that may change later
 */
public record AvailableCommands(
        List<String> values,
        List<String> chainedValues,
        List<String> suffixes,
        List<Enumeration> enums,
        List<Subcommand> subcommands,
        List<Command> commands,
        List<SoftEnum> softEnums,
        List<Constraint> constraints)
        implements BedrockMessage {
    public static final AvailableCommands BLANK = of(List.of());

    /**
     * Maximum number of elements of each list: the game's own server sends some thousand values.
     */
    private static final int MAX_ENTRIES = 1 << 16;

    /** A list of commands whose parameters have only the game's own types. */
    public static AvailableCommands of(List<Command> commands) {
        return new AvailableCommands(
                List.of(), List.of(), List.of(), List.of(), List.of(), commands, List.of(),
                List.of());
    }

    public static AvailableCommands wire(Wire w, AvailableCommands m, Dialect d) {
        List<String> values = Encoding.texts(w, "values", m.values, MAX_ENTRIES);
        return new AvailableCommands(
                values,
                Encoding.texts(w, "chained values", m.chainedValues, MAX_ENTRIES),
                Encoding.texts(w, "suffixes", m.suffixes, MAX_ENTRIES),
                Encoding.list(
                        w,
                        "enums",
                        m.enums,
                        MAX_ENTRIES,
                        Enumeration.BLANK,
                        (wire, each) -> Enumeration.wire(wire, each, values.size(), d)),
                Encoding.list(
                        w,
                        "subcommands",
                        m.subcommands,
                        MAX_ENTRIES,
                        Subcommand.BLANK,
                        (wire, each) -> Subcommand.wire(wire, each, d)),
                Encoding.list(
                        w,
                        "commands",
                        m.commands,
                        MAX_ENTRIES,
                        Command.BLANK,
                        (wire, each) -> Command.wire(wire, each, d)),
                Encoding.list(
                        w, "soft enums", m.softEnums, MAX_ENTRIES, SoftEnum.BLANK, SoftEnum::wire),
                Encoding.list(
                        w,
                        "constraints",
                        m.constraints,
                        MAX_ENTRIES,
                        Constraint.BLANK,
                        Constraint::wire));
    }

    /**
     * The values that a parameter may have.
     *
     * @param values their indices
     */
    public record Enumeration(String name, List<Integer> values) {
        static final Enumeration BLANK = new Enumeration("", List.of());

        static Enumeration wire(Wire w, Enumeration m, int all, Dialect d) {
            boolean recoded = d.has(ProtocolChange.COMMANDS_RECODED);
            return new Enumeration(
                    Encoding.text(w, "name", m.name),
                    Encoding.list(
                            w,
                            "values",
                            m.values,
                            MAX_ENTRIES,
                            0,
                            (wire, value) ->
                                    recoded || all > 0xFFFF
                                            ? wire.i32le("value", value)
                                            : all > 0xFF
                                                    ? wire.u16le("value", value)
                                                    : wire.u8("value", value)));
        }
    }

    /** A subcommand with values of its own. */
    public record Subcommand(String name, List<Value> values) {
        static final Subcommand BLANK = new Subcommand("", List.of());

        static Subcommand wire(Wire w, Subcommand m, Dialect d) {
            return new Subcommand(
                    Encoding.text(w, "name", m.name),
                    Encoding.list(
                            w,
                            "values",
                            m.values,
                            MAX_ENTRIES,
                            Value.BLANK,
                            (wire, each) -> Value.wire(wire, each, d)));
        }

        /**
         * A value of a subcommand.
         *
         * @param index of a chained value
         * @param type as a parameter's
         */
        public record Value(int index, int type) {
            static final Value BLANK = new Value(0, 0);

            static Value wire(Wire w, Value m, Dialect d) {
                return d.has(ProtocolChange.COMMANDS_RECODED)
                        ? new Value(
                                Encoding.uvarint(w, "index", m.index),
                                Encoding.uvarint(w, "type", m.type))
                        : new Value(w.u16le("index", m.index), w.u16le("type", m.type));
            }
        }
    }

    /**
     * A command.
     *
     * @param name in small letters
     * @param permission of the players that it is offered to, as {@link #ANY}
     * @param aliases index of the enumeration of its other names, or {@link #NO_ALIASES}
     * @param subcommands numbers
     * @param overloads alternative lists of parameters
     */
    public record Command(
            String name,
            String description,
            int flags,
            String permission,
            int aliases,
            List<Integer> subcommands,
            List<Overload> overloads) {
        /** The index for a command with one name. */
        public static final int NO_ALIASES = -1;

        /** All players may use the command. */
        public static final String ANY = "any";

        /** The permissions by name, in the order of the numbers in older versions. */
        static final List<String> PERMISSIONS =
                List.of(ANY, "gamedirectors", "admin", "host", "owner", "internal");

        static final Command BLANK = new Command("", "", 0, ANY, NO_ALIASES, List.of(), List.of());

        static Command wire(Wire w, Command m, Dialect d) {
            boolean recoded = d.has(ProtocolChange.COMMANDS_RECODED);
            return new Command(
                    Encoding.text(w, "name", m.name),
                    Encoding.text(w, "description", m.description),
                    w.u16le("flags", m.flags),
                    recoded
                            ? Encoding.text(w, "permission", m.permission)
                            : numbered(w, m.permission),
                    w.i32le("aliases", m.aliases),
                    Encoding.list(
                            w,
                            "subcommands",
                            m.subcommands,
                            MAX_ENTRIES,
                            0,
                            (wire, each) ->
                                    recoded
                                            ? wire.i32le("subcommand", each)
                                            : wire.u16le("subcommand", each)),
                    Encoding.list(
                            w,
                            "overloads",
                            m.overloads,
                            MAX_ENTRIES,
                            Overload.BLANK,
                            Overload::wire));
        }

        private static String numbered(Wire w, String permission) {
            int most = PERMISSIONS.size() - 1;
            int number = w.u8("permission", Math.max(0, PERMISSIONS.indexOf(permission)));
            return PERMISSIONS.get(w.bounded("permission", number, most));
        }
    }

    /** A list of parameters of a command. */
    public record Overload(boolean chaining, List<Parameter> parameters) {
        static final Overload BLANK = new Overload(false, List.of());

        static Overload wire(Wire w, Overload m) {
            return new Overload(
                    w.bool("chaining", m.chaining),
                    Encoding.list(
                            w,
                            "parameters",
                            m.parameters,
                            MAX_ENTRIES,
                            Parameter.BLANK,
                            Parameter::wire));
        }
    }

    /**
     * A parameter of a command.
     *
     * @param type number of a type of the game, index of an enumeration or of a suffix; bits say
     *     which
     */
    public record Parameter(String name, int type, boolean optional, int options) {
        /** Bit of the game's own types and of enumerations. */
        private static final int VALID = 0x100000;

        /** A player's name, which the client completes from its list. */
        public static final int TARGET = VALID | 8;

        /** The rest of the line. */
        public static final int TEXT = VALID | 70;

        static final Parameter BLANK = new Parameter("", 0, false, 0);

        static Parameter wire(Wire w, Parameter m) {
            return new Parameter(
                    Encoding.text(w, "name", m.name),
                    w.i32le("type", m.type),
                    w.bool("optional", m.optional),
                    w.u8("options", m.options));
        }
    }

    /** An enumeration that other messages may change. */
    public record SoftEnum(String name, List<String> values) {
        static final SoftEnum BLANK = new SoftEnum("", List.of());

        static SoftEnum wire(Wire w, SoftEnum m) {
            return new SoftEnum(
                    Encoding.text(w, "name", m.name),
                    Encoding.texts(w, "values", m.values, MAX_ENTRIES));
        }
    }

    /**
     * The conditions under which a value of an enumeration is allowed.
     *
     * @param conditions 0 cheats are on, 1 operators, 2 the host
     */
    public record Constraint(int value, int enumeration, List<Integer> conditions) {
        static final Constraint BLANK = new Constraint(0, 0, List.of());

        static Constraint wire(Wire w, Constraint m) {
            return new Constraint(
                    w.i32le("value", m.value),
                    w.i32le("enumeration", m.enumeration),
                    Encoding.list(
                            w,
                            "conditions",
                            m.conditions,
                            MAX_ENTRIES,
                            0,
                            (wire, each) -> wire.u8("condition", each)));
        }
    }
}
