package dev.wishdir.quake2.inspect;

import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in the userinfo strings of clients. */
final class PlayerNames {
    private static final Set<String> MESSAGES = Set.of("connect", "userinfo");

    private static final Pattern NAME =
            Pattern.compile("\\\\name\\\\([^\\\\\"]*)", Pattern.CASE_INSENSITIVE);

    private PlayerNames() {}

    /** A line of a client, with the name that it gives its player. */
    static DissectedMessage named(DissectedMessage line) {
        if (line.direction() != Direction.C2S
                || line.layer() != DissectedMessage.Layer.MESSAGE
                || !MESSAGES.contains(line.name())
                || !(line.fields().get("text") instanceof String text)) {
            return line;
        }
        Matcher name = NAME.matcher(text);
        if (!name.find() || name.group(1).isEmpty()) {
            return line;
        }
        return line.withPlayer(new PlayerName(name.group(1), name.group(1)));
    }
}
