package dev.wishdir.quake2.server.view;

import dev.wishdir.idtech.Md4;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.LayoutProgram;
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
public final class ConfigStrings {
    /** Maximum length of a text: one that a client has no room for ends it. */
    static final int MAX_TEXT_CHARS = 63;

    /** The program of the status bar, which runs on over the numbers after its first. */
    static final int STATUS_BAR = 5;

    private final Map<Integer, String> texts = new HashMap<>();
    private final IntConsumer listener;

    /**
     * @param listener gets the index of each text that changes during a map
     */
    public ConfigStrings(IntConsumer listener) {
        this.listener = listener;
    }

    /** Starts over with a map and without players. */
    void describe(Quake2Map map) {
        texts.clear();
        Bytes file = map.file();
        put(ConfigString.TITLE, Quake2Text.line(map.title(), MAX_TEXT_CHARS));
        put(ConfigString.SKY, Quake2Text.line(map.sky(), MAX_TEXT_CHARS));
        put(ConfigString.AIR_ACCELERATION, "0");
        put(ConfigString.MAX_CLIENTS, Integer.toString(FrameEntities.MAX_PLAYERS));
        put(ConfigString.CHECKSUM, Integer.toString(Md4.fold(file.toArray(), file.length())));
        put(ConfigString.MAP, map.path());
        for (int i = 1; i <= map.inlineModels(); i++) {
            put(ConfigString.MAP + i, "*" + i);
        }
        put(ConfigString.LIGHTS, "m");
    }

    /** Adds what clients need in a match, after the map. */
    void describe(PrecacheTable table, LayoutProgram statusBar) {
        texts.put(STATUS_BAR, statusBar.text());
        table.configStrings().forEach(this::put);
    }

    private void put(int index, String text) {
        if (text.length() > MAX_TEXT_CHARS) {
            throw new IllegalArgumentException(
                    "configstring "
                            + index
                            + " must have at most "
                            + MAX_TEXT_CHARS
                            + " characters, is '"
                            + text
                            + "'");
        }
        texts.put(index, text);
    }

    /** A text, empty for none. */
    public String get(int index) {
        return texts.getOrDefault(index, "");
    }

    /**
     * Sets a text; an empty one removes it.
     *
     * @throws IllegalArgumentException if a client has no room for it
     */
    void set(int index, String text) {
        if (text.isEmpty()) {
            texts.remove(index);
        } else {
            put(index, text);
        }
        listener.accept(index);
    }
}
