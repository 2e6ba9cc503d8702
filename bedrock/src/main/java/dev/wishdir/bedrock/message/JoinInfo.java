package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.Optional;

/** The way by which the game's makers led the client to this server. */
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
     * The client's presence, as its friends see it.
     *
     * @param rich in versions with optional parts
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
