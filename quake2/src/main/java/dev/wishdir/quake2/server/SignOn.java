package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * How a client is told of the map. It asks for each part by the map's number, which is another for
 * each client: who names it receives what it is sent, and before that it is sent no more than the
 * number.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
final class SignOn {
    /** A word that no player types: asks a client for a variable, and begins its answer. */
    static final String VERSION_PROBE = "\u007fc";

    private static final int MAX_CONFIGSTRING_BYTES = 1300;

    private final Quake2Endpoint endpoint;
    private final int slot;
    private final int frames;
    private int count;
    private boolean begun;
    private boolean proven;

    /**
     * @param slot of the client
     * @param frames a second that it is sent
     */
    SignOn(Quake2Endpoint endpoint, int slot, int frames) {
        this.endpoint = endpoint;
        this.slot = slot;
        this.frames = frames;
        count = endpoint.newServerCount();
    }

    /** Whether the client has begun to be told of this map. */
    boolean hasBegun() {
        return begun;
    }

    /** Whether it has ever named the number of its map. */
    boolean isProven() {
        return proven;
    }

    /** Another map begins. */
    void nextMap() {
        count = endpoint.newServerCount();
        begun = false;
    }

    /** The client says the map's number. Whether it is right. */
    boolean names(OptionalInt given) {
        boolean right = begun && given.isPresent() && given.getAsInt() == count;
        proven |= right;
        return right;
    }

    /** The client begins to be told, or begins again. */
    void begin() {
        begun = true;
    }

    /** As little as can be: it may not be proved yet that it is received. */
    List<ServerMessage> serverData() {
        return List.of(
                new ServerMessage.ServerData(
                        Quake2Codec.PROTOCOL,
                        count,
                        0,
                        "",
                        slot,
                        endpoint.configString(ConfigString.TITLE)),
                new StuffText("cmd configstrings " + count + " 0\n"));
    }

    /** What tells it of the map from a number on, and to ask for the rest. */
    List<ServerMessage> configStrings(int start) {
        List<ServerMessage> messages = new ArrayList<>();
        int bytes = 0;
        int index = start;
        while (index < ConfigString.COUNT) {
            String text = endpoint.configString(index);
            if (!text.isEmpty()) {
                bytes += text.length() + 4;
                if (bytes > MAX_CONFIGSTRING_BYTES) {
                    break;
                }
                messages.add(new ConfigString(index, text));
            }
            index++;
        }
        boolean all = index == ConfigString.COUNT;
        String next = all ? "baselines " + count + " 0" : "configstrings " + count + " " + index;
        messages.add(new StuffText("cmd " + next + "\n"));
        return messages;
    }

    /** Has it load the map and enter. */
    List<ServerMessage> precache() {
        List<ServerMessage> messages = new ArrayList<>();
        if (frames > Quake2Endpoint.TICKS_A_SECOND / Quake2Endpoint.TICKS_OF_FRAME) {
            messages.add(new StuffText("frames " + frames + "\n"));
        }
        messages.add(new StuffText("cmd " + VERSION_PROBE + " version $version\n"));
        messages.add(new StuffText("precache " + count + "\n"));
        return messages;
    }
}
