package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A command that a player typed into the chat.
 *
 * @param command with its slash
 * @param rest its origin, as bytes: its form changes every few versions, and the server knows all
 *     of it
 */
public record CommandRequest(String command, Bytes rest) implements BedrockMessage {
    public static final CommandRequest BLANK = new CommandRequest("", Bytes.EMPTY);

    private static final int MAX_COMMAND_BYTES = 4 << 10;
    private static final int MAX_REST_BYTES = 1 << 10;

    public static CommandRequest wire(Wire w, CommandRequest m) {
        return new CommandRequest(
                Encoding.text(w, "command", m.command, MAX_COMMAND_BYTES),
                w.rest("rest", m.rest, MAX_REST_BYTES));
    }
}
