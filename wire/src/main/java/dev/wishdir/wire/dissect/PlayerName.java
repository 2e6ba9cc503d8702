package dev.wishdir.wire.dissect;

import java.util.Objects;

/**
 * The name that a client gives its player.
 *
 * @param text as the client sent it
 * @param plain without the game's colour codes
 */
public record PlayerName(String text, String plain) {
    public PlayerName {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(plain, "plain");
    }

    /** Whether a typed name is this one; without colours, case is ignored. */
    public boolean matches(String typed) {
        return text.equals(typed) || plain.equalsIgnoreCase(typed);
    }
}
