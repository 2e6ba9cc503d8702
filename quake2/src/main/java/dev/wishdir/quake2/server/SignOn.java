package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The sign-on sequence of one client: server data, configstrings, precache. The client requests
 * each part with the number of the map (server count), which is random for each client: a client
 * that returns it has proven its address, and before that it is sent no more than this number.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
final class SignOn {
    /** Command prefix that no player types: requests a client's variable, and begins its answer. */
    static final String VERSION_PROBE = "\u007fc";

    private static final int MAX_CONFIGSTRING_BYTES = 1300;

    private final Quake2Endpoint endpoint;
    private final int slot;
    private final int frames;
    private int serverCount;
    private boolean started;
    private boolean proven;

    /**
     * @param slot of the client
     * @param frames per second that it is sent
     */
    SignOn(Quake2Endpoint endpoint, int slot, int frames) {
        this.endpoint = endpoint;
        this.slot = slot;
        this.frames = frames;
        serverCount = endpoint.newServerCount();
    }

    /** Whether the sign-on of this map has started. */
    boolean hasStarted() {
        return started;
    }

    /** Whether the client has ever returned the number of its map. */
    boolean isProven() {
        return proven;
    }

    /** Starts over with another map. */
    void nextMap() {
        serverCount = endpoint.newServerCount();
        started = false;
    }

    /** Checks the map number that a client returns. */
    boolean verify(OptionalInt returned) {
        boolean matches = started && returned.isPresent() && returned.getAsInt() == serverCount;
        proven |= matches;
        return matches;
    }

    /** Starts or restarts the sign-on. */
    void start() {
        started = true;
    }

    /** The server data: as short as possible, as the address may be unproven yet. */
    List<ServerMessage> serverData() {
        return List.of(
                new ServerMessage.ServerData(
                        Quake2Codec.PROTOCOL,
                        serverCount,
                        0,
                        "",
                        slot,
                        endpoint.configString(ConfigString.TITLE)),
                new StuffText("cmd configstrings " + serverCount + " 0\n"));
    }

    /**
     * The configstrings from an index on, as many as fit, and the command that requests the rest.
     */
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
        String next =
                all
                        ? "baselines " + serverCount + " 0"
                        : "configstrings " + serverCount + " " + index;
        messages.add(new StuffText("cmd " + next + "\n"));
        return messages;
    }

    /** The commands with which the client loads the map and enters. */
    List<ServerMessage> precache() {
        List<ServerMessage> messages = new ArrayList<>();
        if (frames > Quake2Endpoint.TICKS_PER_SECOND / Quake2Endpoint.TICKS_PER_FRAME) {
            messages.add(new StuffText("frames " + frames + "\n"));
        }
        messages.add(new StuffText("cmd " + VERSION_PROBE + " version $version\n"));
        messages.add(new StuffText("precache " + serverCount + "\n"));
        return messages;
    }
}
