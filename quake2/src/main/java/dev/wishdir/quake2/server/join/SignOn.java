package dev.wishdir.quake2.server.join;

import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.session.Quake2Viewer;
import dev.wishdir.quake2.server.view.ConfigStrings;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * The sign-on of clients, the last part of their way in: server data, configstrings, precache,
 * begin. The client requests each part with the number of the map (server count), which is random
 * for each client: a client that returns it has proven its address, and before that it is sent no
 * more than this number.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
public final class SignOn {
    /** Command prefix that no player types: requests a client's variable, and begins its answer. */
    public static final String VERSION_PROBE = "\u007fc";

    private static final int MAX_CONFIGSTRING_BYTES = 1300;

    private final ConfigStrings strings;
    private final ClientTable clients;
    private final Quake2Counters counters;

    public SignOn(ConfigStrings strings, ClientTable clients, Quake2Counters counters) {
        this.strings = strings;
        this.clients = clients;
        this.counters = counters;
    }

    /** Starts or restarts the sign-on. */
    public void start(Quake2Session session) {
        if (session.state().isJoining()) {
            session.startSignOn();
            session.channel().state("new", () -> serverData(session));
        }
    }

    /** Sends the configstrings from the requested index on. */
    public void configStrings(Quake2Session session, List<String> words) {
        answer(session, words, start -> configStrings(session, start));
    }

    /** Sends the commands with which the client loads the map and enters. */
    public void precache(Quake2Session session, List<String> words) {
        answer(session, words, _ -> precache(session));
    }

    private void answer(
            Quake2Session session, List<String> words, IntFunction<List<ServerMessage>> part) {
        if (!isNext(session, words)) {
            return;
        }
        int start = Numbers.parse(words, 2).orElse(-1);
        if (start < 0 || start >= ConfigString.COUNT) {
            counters.count("command");
        } else {
            session.channel().state(words.getFirst(), () -> part.apply(start));
        }
    }

    /** Lets the client enter the game, if the arena has room. */
    public void begin(long now, Quake2Session session, List<String> words) {
        if (!isNext(session, words)) {
            return;
        }
        if (session.player().join(now, new Quake2Viewer(session))) {
            session.enter(now);
        } else {
            session.drop(clients.full());
        }
    }

    /**
     * Whether a command continues the sign-on: it has the number of the map. With another number
     * the sign-on restarts.
     */
    private boolean isNext(Quake2Session session, List<String> words) {
        if (!session.state().isJoining()) {
            return false;
        }
        boolean wasProven = session.isProven();
        OptionalInt returned = Numbers.parse(words, 1);
        if (!session.verify(returned)) {
            start(session);
            return false;
        }
        if (!wasProven) {
            clients.onProven(session);
        }
        return session.state().isJoining();
    }

    /** The server data: as short as possible, as the address may be unproven yet. */
    private List<ServerMessage> serverData(Quake2Session session) {
        int serverCount = session.serverCount();
        return List.of(
                new ServerMessage.ServerData(
                        Quake2Codec.PROTOCOL,
                        serverCount,
                        0,
                        "",
                        session.player().slot(),
                        strings.get(ConfigString.TITLE)),
                new StuffText("cmd configstrings " + serverCount + " 0\n"));
    }

    /**
     * The configstrings from an index on, as many as fit, and the command that requests the rest.
     */
    private List<ServerMessage> configStrings(Quake2Session session, int start) {
        List<ServerMessage> messages = new ArrayList<>();
        int bytes = 0;
        int index = start;
        while (index < ConfigString.COUNT) {
            String text = strings.get(index);
            if (!text.isEmpty()) {
                bytes += text.length() + 4;
                if (bytes > MAX_CONFIGSTRING_BYTES) {
                    break;
                }
                messages.add(new ConfigString(index, text));
            }
            index++;
        }
        int serverCount = session.serverCount();
        boolean all = index == ConfigString.COUNT;
        String next =
                all
                        ? "baselines " + serverCount + " 0"
                        : "configstrings " + serverCount + " " + index;
        messages.add(new StuffText("cmd " + next + "\n"));
        return messages;
    }

    private static List<ServerMessage> precache(Quake2Session session) {
        List<ServerMessage> messages = new ArrayList<>();
        if (session.isFast()) {
            messages.add(new StuffText("frames " + session.framesPerSecond() + "\n"));
        }
        messages.add(new StuffText("cmd " + VERSION_PROBE + " version $version\n"));
        messages.add(new StuffText("precache " + session.serverCount() + "\n"));
        return messages;
    }
}
