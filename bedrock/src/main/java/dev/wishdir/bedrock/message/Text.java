package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * Something said.
 *
 * @param type {@link #RAW}, {@link #CHAT} …; from clients only chat
 * @param translate whether the message is a key of the game's own texts
 * @param source who says it, with the types 1, 7 and 8 alone
 * @param parameters of a translated text, with the types 2, 3 and 4 alone
 */
public record Text(
        int type,
        boolean translate,
        String source,
        String message,
        List<String> parameters,
        String xuid,
        String platformChat,
        String filtered)
        implements BedrockMessage {
    public static final Text BLANK = new Text(0, false, "", "", List.of(), "", "", "");

    public static final int RAW = 0;
    public static final int CHAT = 1;
    public static final int SYSTEM = 6;

    private static final int PARAMETERS = 16;

    public static Text wire(Wire w, Text m) {
        int type = w.u8("type", m.type);
        boolean translate = w.bool("translate", m.translate);
        boolean sourced = type == CHAT || type == 7 || type == 8;
        boolean parameterised = type >= 2 && type <= 4;
        return new Text(
                type,
                translate,
                sourced ? Encoding.text(w, "source", m.source) : "",
                Encoding.text(w, "message", m.message),
                parameterised
                        ? Encoding.texts(w, "parameters", m.parameters, PARAMETERS)
                        : List.of(),
                Encoding.text(w, "xuid", m.xuid),
                Encoding.text(w, "platform chat", m.platformChat),
                Encoding.text(w, "filtered", m.filtered));
    }
}
