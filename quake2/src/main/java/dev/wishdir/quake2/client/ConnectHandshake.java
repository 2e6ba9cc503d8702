package dev.wishdir.quake2.client;

import dev.wishdir.game.ClientConfig;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SequencedMap;

/**
 * The client side of the out-of-band handshake: getchallenge, then connect. See
 * docs/protocols/quake2.md, 1.
 */
final class ConnectHandshake {
    /** Frame rate that the client requests. */
    private static final int FRAMES_PER_SECOND = 120;

    /** The effect of a packet on the handshake. */
    enum Answer {
        /** None. */
        IGNORED,
        /** The next request is due. */
        NEXT,
        /** Start over after a while. */
        RETRY,
        /** The server has accepted the client. */
        ACCEPTED,
        /** The server has refused the client, with the text in {@link #refusal}. */
        REFUSED
    }

    private final ClientConfig config;
    private final int qport;
    private OptionalInt challenge = OptionalInt.empty();
    private boolean connecting;
    private String refusal = "";

    /**
     * @param qport distinguishes clients behind one address
     */
    ConnectHandshake(ClientConfig config, int qport) {
        this.config = config;
        this.qport = qport;
    }

    /** Starts over. */
    void start() {
        challenge = OptionalInt.empty();
        connecting = false;
    }

    /** The last refusal of the server; empty if it gave none. */
    String refusal() {
        return refusal;
    }

    /** Whether the request to connect was sent. */
    boolean isConnecting() {
        return connecting;
    }

    /** The request to send until it is answered. */
    String request() {
        connecting |= challenge.isPresent();
        return challenge.isEmpty()
                ? "getchallenge\n"
                : "connect "
                        + Quake2Codec.PROTOCOL
                        + " "
                        + qport
                        + " "
                        + challenge.getAsInt()
                        + " \""
                        + settings(config.name())
                        + "\"\n";
    }

    /** The userinfo of a player with this name. */
    InfoString settings(String name) {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("name", Quake2Text.name(name));
        info.put("skin", "male/grunt");
        info.put("rate", "15000");
        info.put("msg", "1");
        info.put("hand", "2");
        info.put("fov", "90");
        info.put("password", config.password());
        if (config.spectates()) {
            // The value is the password for spectators, where a server has one.
            info.put("spectator", config.password().isEmpty() ? "1" : config.password());
        }
        info.put("frames", Integer.toString(FRAMES_PER_SECOND));
        return InfoString.of(info);
    }

    /** Processes a packet before the client is accepted. */
    Answer answer(OutOfBand packet) {
        List<String> words = packet.words();
        if (connecting && packet.name().equals("client_connect")) {
            refusal = "";
            return Answer.ACCEPTED;
        }
        if (challenge.isEmpty()) {
            if (packet.name().equals("challenge") && words.size() > 1) {
                challenge = Numbers.parse(words.get(1));
            }
            return challenge.isEmpty() ? Answer.IGNORED : Answer.NEXT;
        }
        return packet.name().equals("print")
                ? onRefusal(Quake2Text.plain(packet.body()).strip())
                : Answer.IGNORED;
    }

    /**
     * A server keeps one challenge per address, some only until its first use: if several clients
     * of one address connect at once, the others must retry, at random times. As anyone can forge
     * this refusal, an acceptance still counts.
     */
    private Answer onRefusal(String text) {
        refusal = text;
        if (text.startsWith("Bad challenge") || text.startsWith("No challenge")) {
            challenge = OptionalInt.empty();
            return Answer.RETRY;
        }
        return Answer.REFUSED;
    }
}
