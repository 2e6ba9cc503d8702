package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.AuthPublicKey;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.wire.TextFile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The public keys of players by domain and name; both are compared with case. */
public final class AuthKeyTable {
    /** The form of a line, for messages. */
    public static final String LINE = "NAME DOMAIN PUBKEY master|auth|admin|none";

    private static final String NAME = "name";
    private static final String DOMAIN = "domain";

    /** Wrong lines that one message names. */
    private static final int MAX_ERRORS = 10;

    private static final int MAX_BYTES = 4 << 20;

    /** Longer names do not fit a message. */
    static final int MAX_NAME_CHARS = 64;

    /** A public key and its owner. */
    record Entry(AuthIdentity identity, AuthPublicKey key) {}

    private record Name(String domain, String name) {}

    private final Map<Name, Entry> entries = new HashMap<>();

    private AuthKeyTable() {}

    /** A table without keys. */
    static AuthKeyTable empty() {
        return new AuthKeyTable();
    }

    /**
     * Reads a file; blank lines, and those that begin with #, are comments.
     *
     * @throws IOException if it can't be read, or a line is wrong; the message names the line
     */
    static AuthKeyTable read(Path file) throws IOException {
        return parse(file.toString(), TextFile.read(file, MAX_BYTES));
    }

    public static AuthKeyTable parse(String file, String text) throws IOException {
        AuthKeyTable table = new AuthKeyTable();
        List<String> errors = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.strip();
            if (!content.isEmpty() && !content.startsWith("#")) {
                try {
                    table.add(content.split("\\s+"));
                } catch (IllegalArgumentException e) {
                    errors.add("line " + number + ": " + e.getMessage());
                }
            }
        }
        if (!errors.isEmpty()) {
            throw new IOException(
                    file
                            + " "
                            + String.join(
                                    "; ", errors.subList(0, Math.min(MAX_ERRORS, errors.size())))
                            + (errors.size() > MAX_ERRORS
                                    ? "; and " + (errors.size() - MAX_ERRORS) + " more"
                                    : ""));
        }
        return table;
    }

    /**
     * The line of a key.
     *
     * @throws IllegalArgumentException if a name or the privilege is not allowed
     */
    public static String line(String name, String domain, AuthPublicKey key, String privilege) {
        return name(NAME, name)
                + " "
                + name(DOMAIN, domain)
                + " "
                + key
                + " "
                + privilege(privilege).title();
    }

    private void add(String[] words) {
        if (words.length != 4) {
            throw new IllegalArgumentException("a line must be " + LINE);
        }
        AuthIdentity identity =
                new AuthIdentity(name(NAME, words[0]), name(DOMAIN, words[1]), privilege(words[3]));
        Entry before =
                entries.putIfAbsent(
                        new Name(identity.domain(), identity.name()),
                        new Entry(identity, AuthPublicKey.parse(words[2])));
        if (before != null) {
            throw new IllegalArgumentException("there is a " + identity + " already");
        }
    }

    private static String name(String what, String word) {
        if (word.isEmpty()
                || word.length() > MAX_NAME_CHARS
                || word.startsWith("#")
                || word.chars().anyMatch(c -> c <= ' ' || c == '"' || c == ';' || c == '\\')
                || !CubeText.chat(word).equals(word)) {
            throw new IllegalArgumentException(
                    "a "
                            + what
                            + " must have 1 to "
                            + MAX_NAME_CHARS
                            + " characters that the game has, without blanks and quotes, is '"
                            + word
                            + "'");
        }
        return word;
    }

    private static Privilege privilege(String word) {
        return Arrays.stream(Privilege.values())
                .filter(it -> it.title().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "a privilege must be master, auth, admin or none, is " + word));
    }

    int size() {
        return entries.size();
    }

    Optional<Entry> find(String domain, String name) {
        return Optional.ofNullable(entries.get(new Name(domain, name)));
    }
}
