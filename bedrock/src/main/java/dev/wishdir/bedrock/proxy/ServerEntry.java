package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.Json;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;

import org.jose4j.json.JsonUtil;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's entry in server lists, in the form of either transport.
 *
 * @param motd the text of RakNet's pong, empty if the server answered over NetherNet
 * @param json the status of NetherNet's signalling, empty if the server answered over RakNet
 */
record ServerEntry(String motd, String json) {
    /** The entry of a server that does not answer. */
    static final ServerEntry UNKNOWN = new ServerEntry("", "");

    /** Maximum size of a pong's text, bytes. */
    private static final int MAX_MOTD_BYTES = 1000;

    private static final String SEPARATOR = ";";
    private static final String SURVIVAL = "Survival";

    // The fields of a pong's text.
    private static final int NAME = 1;
    private static final int PROTOCOL = 2;
    private static final int VERSION = 3;
    private static final int PLAYERS = 4;
    private static final int CAPACITY = 5;
    private static final int LEVEL = 7;
    private static final int PORT = 10;
    private static final int PORT_V6 = 11;

    /** The entry of a pong; unknown if the text is too long to be passed on. */
    static ServerEntry ofMotd(String motd) {
        return motd.getBytes(StandardCharsets.UTF_8).length > MAX_MOTD_BYTES
                ? UNKNOWN
                : new ServerEntry(motd, "");
    }

    /** The entry of a status; unknown if it is not a JSON object. */
    static ServerEntry ofJson(String json) {
        try {
            return Json.parse(json).isEmpty() ? UNKNOWN : new ServerEntry("", json);
        } catch (LoginRejectedException _) {
            return UNKNOWN;
        }
    }

    /** The text of the proxy's pong: the server's, with the proxy's port. */
    String motd(long guid, int port) {
        if (!motd.isEmpty()) {
            String[] fields = motd.split(SEPARATOR, -1);
            for (int i = PORT; i <= PORT_V6 && i < fields.length; i++) {
                fields[i] = fields[i].isEmpty() ? "" : Integer.toString(port);
            }
            return String.join(SEPARATOR, fields);
        }
        Map<String, Object> status = parsed();
        return cut(
                String.join(
                        SEPARATOR,
                        "MCPE",
                        field(status, "name", "The server of this proxy does not answer"),
                        field(status, "protocol", BedrockCodec.NEWEST.protocol()),
                        field(status, "version", BedrockCodec.NEWEST.game()),
                        field(status, "players", 0),
                        field(status, "maxPlayers", 0),
                        Long.toUnsignedString(guid),
                        field(status, "level", ""),
                        SURVIVAL,
                        "0",
                        Integer.toString(port),
                        Integer.toString(port),
                        ""));
    }

    private static String cut(String motd) {
        byte[] bytes = motd.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_MOTD_BYTES
                ? motd
                : new String(bytes, 0, MAX_MOTD_BYTES - 3, StandardCharsets.UTF_8);
    }

    private Map<String, Object> parsed() {
        try {
            return json.isEmpty() ? Map.of() : Json.parse(json);
        } catch (LoginRejectedException e) {
            throw new IllegalStateException("was parsed before", e);
        }
    }

    private static String field(Map<String, Object> status, String name, Object otherwise) {
        return String.valueOf(status.getOrDefault(name, otherwise))
                .replace(';', ',')
                .replace('\\', '/');
    }

    /** The status of the proxy's signalling. */
    String status() {
        if (!json.isEmpty()) {
            return json;
        }
        List<String> fields = List.of(motd(0, 0).split(SEPARATOR, -1));
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", text(fields, NAME));
        status.put("protocol", number(fields, PROTOCOL));
        status.put("version", text(fields, VERSION));
        status.put("level", text(fields, LEVEL));
        status.put("players", number(fields, PLAYERS));
        status.put("maxPlayers", number(fields, CAPACITY));
        status.put("gameType", 0);
        return JsonUtil.toJson(status);
    }

    private static String text(List<String> fields, int index) {
        return index < fields.size() ? fields.get(index) : "";
    }

    private static int number(List<String> fields, int index) {
        String text = text(fields, index);
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }
}
