package dev.wishdir.bedrock.protocol.login;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

import java.util.Map;

/** A parser for the JSON of clients that limits how deep it nests. */
public final class Json {
    private static final int MAX_DEPTH = 32;

    private Json() {}

    /**
     * Parses a text as a JSON object.
     *
     * @throws LoginRejectedException if it is not one, or nests deeper than {@value #MAX_DEPTH}
     */
    public static Map<String, Object> parse(String text) throws LoginRejectedException {
        checkDepth(text);
        try {
            return JsonUtil.parseJson(text);
        } catch (JoseException | RuntimeException e) {
            throw new LoginRejectedException("a token does not contain valid JSON");
        }
    }

    /** The library's parser recurses with the depth of the text. */
    private static void checkDepth(String text) throws LoginRejectedException {
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '{' || c == '[') && ++depth > MAX_DEPTH) {
                throw new LoginRejectedException("a token's JSON is nested too deep");
            } else if (!quoted && (c == '}' || c == ']')) {
                depth--;
            }
        }
    }
}
