package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.Optional;

/** How the client came to this server, where the game's makers have led it there. */
public record JoinInfo(
        Optional<Gathering> gathering, Optional<StoreEntry> store, Optional<Presence> presence) {
    static final JoinInfo BLANK =
            new JoinInfo(Optional.empty(), Optional.empty(), Optional.empty());

    static JoinInfo wire(Wire w, JoinInfo m, Dialect d) {
        boolean more = d.has(ProtocolChange.JOIN_INFO_STORE);
        return new JoinInfo(
                Gathering.optional(w, m.gathering, d),
                more
                        ? Encoding.optional(w, "store", m.store, StoreEntry.BLANK, StoreEntry::wire)
                        : Optional.empty(),
                more
                        ? Encoding.optional(
                                w,
                                "presence",
                                m.presence,
                                Presence.BLANK,
                                (wire, presence) -> Presence.wire(wire, presence, d))
                        : Optional.empty());
    }

    /** An offer of the game's shop. */
    public record StoreEntry(String id, String name) {
        static final StoreEntry BLANK = new StoreEntry("", "");

        static StoreEntry wire(Wire w, StoreEntry m) {
            return new StoreEntry(Encoding.text(w, "id", m.id), Encoding.text(w, "name", m.name));
        }
    }

    /**
     * What friends are shown of where the client is.
     *
     * @param rich since its parts are optional
     */
    public record Presence(
            Optional<String> experience, Optional<String> world, Optional<String> rich) {
        static final Presence BLANK =
                new Presence(Optional.empty(), Optional.empty(), Optional.empty());

        static Presence wire(Wire w, Presence m, Dialect d) {
            if (d.has(ProtocolChange.PRESENCE_OPTIONAL)) {
                return new Presence(
                        Encoding.optionalText(w, "experience", m.experience),
                        Encoding.optionalText(w, "world", m.world),
                        Encoding.optionalText(w, "rich", m.rich));
            }
            return new Presence(
                    Optional.of(Encoding.text(w, "experience", m.experience.orElse(""))),
                    Optional.of(Encoding.text(w, "world", m.world.orElse(""))),
                    Optional.empty());
        }
    }
}
