package dev.wishdir.bedrock.inspect;

import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;

import java.util.regex.Pattern;

/** The names in the logins of clients. */
final class PlayerNames {
    private static final Pattern COLOUR = Pattern.compile("§.");

    private PlayerNames() {}

    /** A line of a client, with the name that it gives its player. */
    static DissectedMessage named(DissectedMessage line) {
        if (line.direction() != Direction.C2S
                || line.layer() != DissectedMessage.Layer.MESSAGE
                || !line.name().equals("login")
                || !(line.fields().get("name") instanceof String text)
                || text.isEmpty()) {
            return line;
        }
        return line.withPlayer(new PlayerName(text, COLOUR.matcher(text).replaceAll("")));
    }
}
