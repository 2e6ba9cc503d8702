package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;

/**
 * A text in the chat or on the screen.
 *
 * @param type {@link #RAW}, {@link #CHAT} …; from clients only chat
 * @param translate whether the message is a key of the game's translations
 * @param source the name of the sender, only with the types 1, 7 and 8
 * @param parameters of a translated text, only with the types 2, 3 and 4
 * @param filtered the message without bad words; older versions always have one
 */
public record Text(
        int type,
        boolean translate,
        String source,
        String message,
        List<String> parameters,
        String xuid,
        String platformChat,
        Optional<String> filtered)
        implements BedrockMessage {
    public static final Text BLANK =
            new Text(0, false, "", "", List.of(), "", "", Optional.empty());

    public static final int RAW = 0;
    public static final int CHAT = 1;

    /** A key of the game's translations with its parameters. */
    public static final int TRANSLATED = 2;

    public static final int SYSTEM = 6;
    private static final int LAST_TYPE = 11;

    private static final int MAX_PARAMETERS = 16;

    /** Creates a player's chat line. */
    public static Text chat(String source, String message) {
        return new Text(CHAT, false, source, message, List.of(), "", "", Optional.empty());
    }

    /** Creates a notice of the server. */
    public static Text system(String message) {
        return new Text(SYSTEM, false, "", message, List.of(), "", "", Optional.empty());
    }

    /** The words that one version has after each category. */
    private static final List<List<String>> WORDS =
            List.of(
                    List.of(
                            "raw",
                            "tip",
                            "systemMessage",
                            "textObjectWhisper",
                            "textObjectAnnouncement",
                            "textObject"),
                    List.of("chat", "whisper", "announcement"),
                    List.of("translate", "popup", "jukeboxPopup"));

    /** Whether it names its source. */
    public boolean isSourced() {
        return category(type) == 1;
    }

    /** Whether its message has parameters. */
    public boolean isParameterised() {
        return category(type) == 2;
    }

    /** The category: 0 only a message, 1 a message with its source, 2 one with parameters. */
    public int category() {
        return category(type);
    }

    private static int category(int type) {
        return switch (type) {
            case CHAT, 7, 8 -> 1;
            case 2, 3, 4 -> 2;
            default -> 0;
        };
    }

    public static Text wire(Wire w, Text m, Dialect d) {
        return d.has(ProtocolChange.TEXT_CATEGORY) ? wireCategorised(w, m, d) : wireByType(w, m);
    }

    private static Text wireByType(Wire w, Text m) {
        int type = w.u8("type", m.type);
        boolean translate = w.bool("translate", m.translate);
        return new Text(
                type,
                translate,
                source(w, type, m),
                Encoding.text(w, "message", m.message),
                parameters(w, type, m),
                Encoding.text(w, "xuid", m.xuid),
                Encoding.text(w, "platform chat", m.platformChat),
                Optional.of(Encoding.text(w, "filtered", m.filtered.orElse(""))));
    }

    private static Text wireCategorised(Wire w, Text m, Dialect d) {
        boolean translate = w.bool("translate", m.translate);
        int category = w.bounded("category", w.u8("category", m.category()), WORDS.size() - 1);
        if (d.has(ProtocolChange.TEXT_WORDS)) {
            WORDS.get(category).forEach(word -> Encoding.text(w, "word", word));
        }
        int type = w.bounded("type", w.u8("type", m.type), LAST_TYPE);
        if (category(type) != category) {
            throw w.malformed("type", "is " + type + ", which is not of category " + category);
        }
        return new Text(
                type,
                translate,
                source(w, type, m),
                Encoding.text(w, "message", m.message),
                parameters(w, type, m),
                Encoding.text(w, "xuid", m.xuid),
                Encoding.text(w, "platform chat", m.platformChat),
                Encoding.optionalText(w, "filtered", m.filtered));
    }

    private static String source(Wire w, int type, Text m) {
        return category(type) == 1 ? Encoding.text(w, "source", m.source) : "";
    }

    private static List<String> parameters(Wire w, int type, Text m) {
        return category(type) == 2
                ? Encoding.texts(w, "parameters", m.parameters, MAX_PARAMETERS)
                : List.of();
    }
}
