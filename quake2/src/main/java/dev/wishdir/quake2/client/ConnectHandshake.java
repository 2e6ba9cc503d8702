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
 * A client's way in, out of band: it asks for a challenge, and connects with it. See
 * docs/protocols/quake2.md, 1.
 */
final class ConnectHandshake {
    /** Frames a second that a client asks for. */
    private static final int FRAMES_PER_SECOND = 120;

    /** What a packet means for the way in. */
    enum Answer {
        /** Nothing. */
        NOTHING,
        /** The next question is to be asked. */
        NEXT,
        /** All is to be asked again, after a while. */
        AGAIN,
        /** The server has let it in. */
        IN,
        /** The server does not let it in, for the reason of {@link #refusal}. */
        REFUSED
    }

    private final ClientConfig config;
    private final int qport;
    private OptionalInt challenge = OptionalInt.empty();
    private String refusal = "";

    /**
     * @param qport the number that tells clients behind one address apart
     */
    ConnectHandshake(ClientConfig config, int qport) {
        this.config = config;
        this.qport = qport;
    }

    /** Begins again. */
    void begin() {
        challenge = OptionalInt.empty();
    }

    /** Why the server has not let it in so far; empty if it gave no reason. */
    String refusal() {
        return refusal;
    }

    /** What to send, until it is answered. */
    String question() {
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

    /** The settings of a player of a name. */
    InfoString settings(String name) {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("name", Quake2Text.name(name));
        info.put("skin", "male/grunt");
        info.put("rate", "15000");
        info.put("msg", "1");
        info.put("hand", "2");
        info.put("fov", "90");
        info.put("password", config.password());
        info.put("frames", Integer.toString(FRAMES_PER_SECOND));
        return InfoString.of(info);
    }

    /** Takes in a packet while the client is not in. */
    Answer answer(OutOfBand packet) {
        List<String> words = packet.words();
        if (challenge.isEmpty()) {
            if (packet.name().equals("challenge") && words.size() > 1) {
                challenge = Numbers.parse(words.get(1));
            }
            return challenge.isEmpty() ? Answer.NOTHING : Answer.NEXT;
        }
        return switch (packet.name()) {
            case "client_connect" -> {
                refusal = "";
                yield Answer.IN;
            }
            case "print" -> refused(packet.body().strip());
            default -> Answer.NOTHING;
        };
    }

    /**
     * A server keeps one challenge for an address, and some of them only until its first use: where
     * several players of one address connect at once, the others ask again, at times of their own.
     */
    private Answer refused(String text) {
        refusal = text;
        if (text.startsWith("Bad challenge") || text.startsWith("No challenge")) {
            begin();
            return Answer.AGAIN;
        }
        return Answer.REFUSED;
    }
}
