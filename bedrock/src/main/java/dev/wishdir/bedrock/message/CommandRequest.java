package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A command that a player typed into the chat.
 *
 * @param command with its slash
 * @param rest where it came from, which every few versions write in another way, and which says
 *     nothing that the server does not know
 */
public record CommandRequest(String command, Bytes rest) implements BedrockMessage {
    public static final CommandRequest BLANK = new CommandRequest("", Bytes.EMPTY);

    private static final int LARGEST_COMMAND = 4 << 10;
    private static final int LARGEST_REST = 1 << 10;

    public static CommandRequest wire(Wire w, CommandRequest m) {
        return new CommandRequest(
                Encoding.text(w, "command", m.command, LARGEST_COMMAND),
                w.rest("rest", m.rest, LARGEST_REST));
    }
}
