package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/** A message about the abilities or attributes of an actor. */
public sealed interface AbilityMessage extends ActorMessage {
    /** Maximum number of layers of abilities. */
    int MAX_LAYERS = 16;

    /** Maximum number of attributes of an actor, and of modifiers of an attribute. */
    int MAX_ATTRIBUTES = 256;

    /** The abilities of a player. */
    record UpdateAbilities(
            long uniqueId, int permission, int commandPermission, List<AbilityLayer> layers)
            implements AbilityMessage {
        public static final UpdateAbilities BLANK = new UpdateAbilities(0, 0, 0, List.of());

        public static UpdateAbilities wire(Wire w, UpdateAbilities m, Dialect d) {
            return new UpdateAbilities(
                    w.i64le("unique id", m.uniqueId),
                    w.u8("permission", m.permission),
                    w.u8("command permission", m.commandPermission),
                    Encoding.items(
                            w,
                            "layers",
                            m.layers,
                            w.bounded("layers", w.u8("layers", m.layers.size()), MAX_LAYERS),
                            AbilityLayer.BLANK,
                            (wire, layer) -> AbilityLayer.wire(wire, layer, d)));
        }
    }

    /**
     * Abilities that one source grants.
     *
     * @param verticalFlySpeed in newer versions
     */
    record AbilityLayer(
            int layer,
            long allowed,
            long set,
            float flySpeed,
            float verticalFlySpeed,
            float walkSpeed) {
        public static final AbilityLayer BLANK = new AbilityLayer(0, 0, 0, 0, 1, 0);

        static AbilityLayer wire(Wire w, AbilityLayer m, Dialect d) {
            return new AbilityLayer(
                    w.u16le("layer", m.layer),
                    w.u32le("allowed", m.allowed),
                    w.u32le("set", m.set),
                    w.f32le("fly speed", m.flySpeed),
                    d.has(ProtocolChange.VERTICAL_FLY_SPEED)
                            ? w.f32le("vertical fly speed", m.verticalFlySpeed)
                            : 1,
                    w.f32le("walk speed", m.walkSpeed));
        }
    }

    /** The attributes of an actor: health, speed, hunger. */
    record UpdateAttributes(long runtimeId, List<Attribute> attributes, long tick)
            implements AbilityMessage {
        public static final UpdateAttributes BLANK = new UpdateAttributes(0, List.of(), 0);

        public static UpdateAttributes wire(Wire w, UpdateAttributes m, Dialect d) {
            return new UpdateAttributes(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Encoding.list(
                            w,
                            "attributes",
                            m.attributes,
                            MAX_ATTRIBUTES,
                            Attribute.BLANK,
                            (wire, attribute) -> Attribute.wire(wire, attribute, d)),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /**
     * An attribute, whose value the game changes by modifiers.
     *
     * @param defaultMin in the oldest versions the same as {@code min}, as {@code defaultMax}
     */
    record Attribute(
            float min,
            float max,
            float current,
            float defaultMin,
            float defaultMax,
            float defaultValue,
            String name,
            List<Modifier> modifiers) {
        public static final Attribute BLANK = new Attribute(0, 0, 0, 0, 0, 0, "", List.of());

        static Attribute wire(Wire w, Attribute m, Dialect d) {
            float min = w.f32le("min", m.min);
            float max = w.f32le("max", m.max);
            boolean bounded = d.has(ProtocolChange.ATTRIBUTE_DEFAULT_BOUNDS);
            return new Attribute(
                    min,
                    max,
                    w.f32le("current", m.current),
                    bounded ? w.f32le("default min", m.defaultMin) : min,
                    bounded ? w.f32le("default max", m.defaultMax) : max,
                    w.f32le("default value", m.defaultValue),
                    Encoding.text(w, "name", m.name),
                    Encoding.list(
                            w,
                            "modifiers",
                            m.modifiers,
                            MAX_ATTRIBUTES,
                            Modifier.BLANK,
                            Modifier::wire));
        }
    }

    /** A change of an attribute. */
    record Modifier(
            String id, String name, float amount, int operation, int operand, boolean serialised) {
        public static final Modifier BLANK = new Modifier("", "", 0, 0, 0, false);

        public static Modifier wire(Wire w, Modifier m) {
            return new Modifier(
                    Encoding.text(w, "id", m.id),
                    Encoding.text(w, "name", m.name),
                    w.f32le("amount", m.amount),
                    w.i32le("operation", m.operation),
                    w.i32le("operand", m.operand),
                    w.bool("serialised", m.serialised));
        }
    }
}
