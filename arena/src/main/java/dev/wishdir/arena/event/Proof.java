package dev.wishdir.arena.event;

import java.util.Locale;
import java.util.Objects;

/**
 * Proof of a player's identity, in the same words in all games.
 *
 * @param name the key or the account that was proved; empty for the other kinds
 */
public record Proof(Kind kind, String name) {
    /** The kinds, from the weakest to the one that says most. */
    public enum Kind {
        /** Not known here: a player of another server, of a recording or of a capture. */
        UNKNOWN,
        NONE,
        /** The password to join. */
        PASSWORD,
        ADMIN_PASSWORD,
        /** A key of Sauerbraten that a master server knows. */
        GLOBAL_KEY,
        /** A key of Sauerbraten that this server knows, as {@code ada@example.org}. */
        KEY,
        /** An account that a third party has verified, as {@code xuid:2533274790395904}. */
        ACCOUNT;

        /** The word for it: {@code global-key}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Maximum length of a key or an account, UTF-16 units; a longer one is cut. */
    public static final int MAX_NAME_CHARS = 200;

    public static final Proof UNKNOWN = new Proof(Kind.UNKNOWN, "");
    public static final Proof NONE = new Proof(Kind.NONE, "");
    public static final Proof PASSWORD = new Proof(Kind.PASSWORD, "");
    public static final Proof ADMIN_PASSWORD = new Proof(Kind.ADMIN_PASSWORD, "");

    public Proof {
        Objects.requireNonNull(kind, "kind");
        name = Player.truncate(Objects.requireNonNull(name, "name"), MAX_NAME_CHARS);
    }

    /**
     * A proved account.
     *
     * @param account empty if there is none
     */
    public static Proof account(String account) {
        return account.isEmpty() ? NONE : new Proof(Kind.ACCOUNT, account);
    }

    /**
     * A proved key.
     *
     * @param domain empty for a key that a master server knows
     */
    public static Proof key(String name, String domain) {
        return domain.isEmpty()
                ? new Proof(Kind.GLOBAL_KEY, name)
                : new Proof(Kind.KEY, name + "@" + domain);
    }

    /** The account; empty if none is proved. */
    public String account() {
        return kind == Kind.ACCOUNT ? name : "";
    }

    /** The one of two proofs of a player that says more; the other one if they are of one kind. */
    public Proof orBetter(Proof other) {
        return other.kind.compareTo(kind) >= 0 ? other : this;
    }

    /** As operators read it: {@code key ada@example.org}, {@code password}. */
    @Override
    public String toString() {
        return name.isEmpty() ? kind.toString() : kind + " " + name;
    }
}
