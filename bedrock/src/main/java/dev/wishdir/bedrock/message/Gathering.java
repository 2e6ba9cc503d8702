package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.Optional;

/**
 * The live event of the game's makers that the client takes part in.
 *
 * @param experience a UUID, as {@code world} and {@code target}; in older versions any text
 * @param store only in the oldest version
 */
public record Gathering(
        String experience,
        String experienceName,
        Optional<String> world,
        Optional<String> worldName,
        String creator,
        String store,
        Optional<String> target,
        Optional<String> scenario,
        Optional<String> server) {
    public static final Gathering BLANK =
            new Gathering(
                    "",
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    static Optional<Gathering> optional(Wire w, Optional<Gathering> m, Dialect d) {
        return Encoding.optional(
                w, "gathering", m, BLANK, (wire, gathering) -> wire(wire, gathering, d));
    }

    private static Gathering wire(Wire w, Gathering m, Dialect d) {
        boolean identified = d.has(ProtocolChange.JOIN_INFO_STORE);
        return new Gathering(
                identified
                        ? Encoding.uuidText(w, "experience", m.experience)
                        : Encoding.text(w, "experience", m.experience),
                Encoding.text(w, "experience name", m.experienceName),
                identified
                        ? part(w, "world", m.world, d, Gathering::identity)
                        : part(w, "world", m.world, d, Gathering::text),
                part(w, "world name", m.worldName, d, Gathering::text),
                Encoding.text(w, "creator", m.creator),
                identified ? "" : Encoding.text(w, "store", m.store),
                identified ? part(w, "target", m.target, d, Gathering::identity) : Optional.empty(),
                identified ? part(w, "scenario", m.scenario, d, Gathering::text) : Optional.empty(),
                identified ? part(w, "server", m.server, d, Gathering::text) : Optional.empty());
    }

    @FunctionalInterface
    private interface Part {
        String wire(Wire w, String name, String value);
    }

    private static String text(Wire w, String name, String value) {
        return Encoding.text(w, name, value);
    }

    private static String identity(Wire w, String name, String value) {
        return Encoding.uuidText(w, name, value);
    }

    private static Optional<String> part(
            Wire w, String name, Optional<String> value, Dialect d, Part walk) {
        return d.has(ProtocolChange.GATHERING_OPTIONAL)
                ? Encoding.optional(w, name, value, "", (wire, text) -> walk.wire(wire, name, text))
                : Optional.of(walk.wire(w, name, value.orElse("")));
    }
}
