package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.event.Proof;

/**
 * The owner of an auth key.
 *
 * @param domain empty for an owner that a master server knows
 * @param privilege {@link Privilege#NONE} if the key only opens the door
 */
public record AuthIdentity(String name, String domain, Privilege privilege) {
    public Proof proof() {
        return Proof.key(name, domain);
    }

    /** The identity in colours, as the original server shows it to players. */
    public String coloured() {
        return "'\fs\f5" + name + "\fr'" + (domain.isEmpty() ? "" : " [\fs\f0" + domain + "\fr]");
    }

    @Override
    public String toString() {
        return proof().toString();
    }
}
