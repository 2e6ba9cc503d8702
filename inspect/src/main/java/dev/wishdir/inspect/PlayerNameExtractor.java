package dev.wishdir.inspect;

import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts the name of a player from the messages in which its client sends it. */
public final class PlayerNameExtractor {
    /** The name in a userinfo string of both Quakes. */
    private static final Pattern SETTING =
            Pattern.compile("\\\\name\\\\([^\\\\\"]*)", Pattern.CASE_INSENSITIVE);

    /** Colour codes of the Quakes, Sauerbraten and Bedrock. */
    private static final Pattern COLOUR = Pattern.compile("\\^[0-9a-zA-Z]|\f.?|§.");

    private PlayerNameExtractor() {}

    /** The name in a message, if it has one. */
    public static Optional<String> in(DissectedMessage message) {
        if (message.direction() != Direction.C2S
                || message.layer() != DissectedMessage.Layer.MESSAGE) {
            return Optional.empty();
        }
        return switch (message.name()) {
            case "N_CONNECT", "N_SWITCHNAME", "login" -> text(message.fields(), "name");
            case "connect", "userinfo" -> setting(message.fields());
            case "clientCommand" ->
                    setting(message.fields())
                            .filter(_ ->
                                    text(message.fields(), "text")
                                            .orElse("")
                                            .startsWith("userinfo"));
            default -> Optional.empty();
        };
    }

    /** A name without colour codes. */
    public static String plain(String name) {
        return COLOUR.matcher(name).replaceAll("");
    }

    /** Whether a typed name matches a player's name, which is compared without colours and case. */
    public static boolean matches(String name, String typed) {
        return name.equals(typed) || plain(name).equalsIgnoreCase(typed);
    }

    private static Optional<String> setting(Map<String, ?> fields) {
        return text(fields, "text")
                .map(SETTING::matcher)
                .filter(Matcher::find)
                .map(m -> m.group(1));
    }

    private static Optional<String> text(Map<String, ?> fields, String name) {
        return fields.get(name) instanceof String text && !text.isEmpty()
                ? Optional.of(text)
                : Optional.empty();
    }
}
