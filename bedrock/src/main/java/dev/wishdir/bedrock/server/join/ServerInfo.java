package dev.wishdir.bedrock.server.join;

import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.nethernet.discovery.LanAdvertisement;

import org.jose4j.json.JsonUtil;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The server's entry in server lists, in each of their forms.
 *
 * @param name at most {@value #MAX_NAME_CHARS} characters of it are shown
 * @param level the arena and its match, as long as the name at most
 * @param players their number, of all games
 * @param capacity maximum number of players
 * @param selfSigned whether identities that clients sign themselves are accepted
 */
public record ServerInfo(String name, String level, int players, int capacity, boolean selfSigned) {
    private static final int SURVIVAL = 0;
    private static final int MAX_NAME_CHARS = 60;

    public ServerInfo {
        name = shown(name);
        level = shown(level);
    }

    /** A name in one line of whole code points, at most {@value #MAX_NAME_CHARS} characters. */
    public static String shown(String name) {
        StringBuilder shown = new StringBuilder();
        name.codePoints()
                .map(c ->
                        switch (Character.getType(c)) {
                            case Character.SURROGATE -> '?';
                            case Character.CONTROL,
                                    Character.LINE_SEPARATOR,
                                    Character.PARAGRAPH_SEPARATOR ->
                                    ' ';
                            default -> c;
                        })
                .takeWhile(c -> shown.length() + Character.charCount(c) <= MAX_NAME_CHARS)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /**
     * The answer to RakNet's ping. Semicolons separate its fields, and some clients read a
     * backslash as an escape, so the texts may contain neither.
     */
    public String motd(long guid, int port) {
        return String.join(
                ";",
                "MCPE",
                field(name),
                Integer.toString(BedrockCodec.NEWEST.protocol()),
                BedrockCodec.NEWEST.game(),
                Integer.toString(players),
                Integer.toString(capacity),
                Long.toUnsignedString(guid),
                field(level),
                "Survival",
                "0",
                Integer.toString(port),
                Integer.toString(port),
                "");
    }

    private static String field(String text) {
        return text.replace(';', ',').replace('\\', '/');
    }

    /** The status in NetherNet's signalling, in JSON. */
    String json() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", name);
        status.put("protocol", BedrockCodec.NEWEST.protocol());
        status.put("version", BedrockCodec.NEWEST.game());
        status.put("level", level);
        status.put("players", players);
        status.put("maxPlayers", capacity);
        status.put("gameType", SURVIVAL);
        return JsonUtil.toJson(status);
    }

    /** The advertisement in the local network. */
    LanAdvertisement lan() {
        return new LanAdvertisement(
                name,
                BedrockCodec.NEWEST.protocol(),
                BedrockCodec.NEWEST.game(),
                level,
                players,
                capacity,
                SURVIVAL,
                false,
                false,
                !selfSigned,
                selfSigned,
                "");
    }
}
