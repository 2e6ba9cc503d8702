package dev.wishdir.quake3.inspect;

import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in the userinfo strings of clients. */
final class PlayerNames {
    private static final Set<String> MESSAGES = Set.of("connect", "clientCommand");

    private static final Pattern NAME =
            Pattern.compile("\\\\name\\\\([^\\\\\"]*)", Pattern.CASE_INSENSITIVE);

    private static final Pattern COLOUR = Pattern.compile("\\^[0-9a-zA-Z]");

    private PlayerNames() {}

    /** A line of a client, with the name that it gives its player. */
    static DissectedMessage named(DissectedMessage line) {
        if (line.direction() != Direction.C2S
                || line.layer() != DissectedMessage.Layer.MESSAGE
                || !MESSAGES.contains(line.name())
                || !(line.fields().get("text") instanceof String text)
                || line.name().equals("clientCommand") && !text.startsWith("userinfo")) {
            return line;
        }
        Matcher name = NAME.matcher(text);
        if (!name.find() || name.group(1).isEmpty()) {
            return line;
        }
        String plain = COLOUR.matcher(name.group(1)).replaceAll("");
        return line.withPlayer(new PlayerName(name.group(1), plain));
    }
}
