package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.wire.TextFile;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A player's private keys by domain, from lines {@code authkey NAME KEY DOMAIN} as in the game's
 * {@code auth.cfg}. Without a DOMAIN a key is for the master server's.
 */
public final class PlayerKeys {
    /** The option of clients for the file, without dashes. */
    public static final String OPTION = "key";

    private static final int MAX_BYTES = 1 << 20;

    /** A word, in quotes or not. */
    private static final String WORD = "(?:\"([^\"]*)\"|([^\\s\";]+))";

    private static final Pattern LINE =
            Pattern.compile(
                    "authkey\\s+" + WORD + "\\s+" + WORD + "(?:\\s+" + WORD + ")?\\s*;?\\s*");

    /**
     * A key that proves a name in a domain.
     *
     * @param key a secret
     */
    public record Entry(String domain, String name, AuthPrivateKey key) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private PlayerKeys() {}

    /** No keys. */
    public static PlayerKeys none() {
        return new PlayerKeys();
    }

    /**
     * Reads a file; other lines than those of keys are ignored, as it may be the game's.
     *
     * @param path of the file, empty for none
     * @throws IOException if it can't be read, or has no key or a wrong one; the message names the
     *     line but not the key
     */
    public static PlayerKeys read(String path) throws IOException {
        if (path.isEmpty()) {
            return none();
        }
        try {
            return parse(path, TextFile.read(Path.of(path), MAX_BYTES));
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file of keys " + path, e);
        }
    }

    static PlayerKeys parse(String path, String text) throws IOException {
        PlayerKeys keys = new PlayerKeys();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher matcher = LINE.matcher(line.strip());
            if (matcher.matches()) {
                String domain = word(matcher, 5);
                try {
                    AuthPrivateKey key = AuthPrivateKey.parse(word(matcher, 3));
                    keys.entries.put(domain, new Entry(domain, word(matcher, 1), key));
                } catch (IllegalArgumentException e) {
                    throw new IOException(path + " line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        if (keys.entries.isEmpty()) {
            throw new IOException(path + " has no line authkey NAME KEY DOMAIN");
        }
        return keys;
    }

    private static String word(Matcher matcher, int group) {
        String quoted = matcher.group(group);
        String plain = matcher.group(group + 1);
        return quoted != null ? quoted : plain != null ? plain : "";
    }

    /** The line for a player's {@code auth.cfg}: a secret. */
    public static String line(Entry entry) {
        return "authkey \""
                + entry.name
                + "\" \""
                + entry.key.text()
                + "\" \""
                + entry.domain
                + "\"";
    }

    /** The key of a domain. */
    public Optional<Entry> find(String domain) {
        return Optional.ofNullable(entries.get(domain));
    }

    /** The keys in the order of the file. */
    public Collection<Entry> all() {
        return entries.values();
    }
}
