package dev.wishdir.quake2.server;

import dev.wishdir.idtech.Md4;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.Bytes;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The configstrings: numbered texts that describe the map and the players to all clients. See
 * docs/protocols/quake2.md, 3.5.
 */
final class ConfigStrings {
    /** Maximum length of a map setting. */
    private static final int MAX_SETTING_CHARS = 63;

    private final Map<Integer, String> texts = new HashMap<>();
    private final IntConsumer listener;

    /**
     * @param listener gets the index of each text that changes during a map
     */
    ConfigStrings(IntConsumer listener) {
        this.listener = listener;
    }

    /** Starts over with a map and without players. */
    void describe(Quake2Map map) {
        texts.clear();
        Bytes file = map.file();
        texts.put(ConfigString.TITLE, Quake2Text.line(map.title(), MAX_SETTING_CHARS));
        texts.put(ConfigString.SKY, Quake2Text.line(map.sky(), MAX_SETTING_CHARS));
        texts.put(ConfigString.AIR_ACCELERATION, "0");
        texts.put(ConfigString.MAX_CLIENTS, Integer.toString(FrameEntities.MAX_PLAYERS));
        texts.put(ConfigString.CHECKSUM, Integer.toString(Md4.fold(file.toArray(), file.length())));
        texts.put(ConfigString.MAP, map.path());
        for (int i = 1; i <= map.inlineModels(); i++) {
            texts.put(ConfigString.MAP + i, "*" + i);
        }
        texts.put(ConfigString.LIGHTS, "m");
    }

    /** A text, empty for none. */
    String get(int index) {
        return texts.getOrDefault(index, "");
    }

    /** Sets a text; an empty one removes it. */
    void set(int index, String text) {
        if (text.isEmpty()) {
            texts.remove(index);
        } else {
            texts.put(index, text);
        }
        listener.accept(index);
    }
}
