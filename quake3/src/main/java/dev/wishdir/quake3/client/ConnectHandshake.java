package dev.wishdir.quake3.client;

import dev.wishdir.game.ClientConfig;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.ClientConnection;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Text;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** How a client comes to a connection: a challenge, then a slot: Quake III, connect. */
final class ConnectHandshake {
    /** The most snapshots a second that any server of the family sends. */
    private static final int MAX_SNAPSHOTS_PER_SECOND = 125;

    /** What an answer of the server leads to. */
    sealed interface Step {
        /** Nothing. */
        record None() implements Step {}

        /** Something else is to be asked for, at once. */
        record Next() implements Step {}

        /** The client has a slot. */
        record Connected(ClientConnection connection) implements Step {}

        /** The server does not let the client in. */
        record Refused(String reason) implements Step {}
    }

    private static final Step NONE = new Step.None();

    private final ClientConfig config;
    private final Protocol first71;
    private final int qport;
    private final int clientChallenge;
    private boolean challenged;
    private boolean connected;
    private boolean guessed;
    private int challenge;
    private int number;

    /**
     * @param first71 which of the protocols 71 to begin with on a server that may speak both
     * @param qport the number that tells clients behind one address apart
     */
    ConnectHandshake(ClientConfig config, Protocol first71, int qport) {
        this.config = config;
        this.first71 = first71;
        this.qport = qport;
        clientChallenge = config.random().nextInt();
    }

    /** What to ask the server for. */
    String request() {
        return challenged
                ? "connect \"" + userinfo(config.name()) + "\""
                : "getchallenge " + clientChallenge + " " + Protocol.GAME_NAME;
    }

    /** What the client says of itself. */
    InfoString userinfo(String name) {
        InfoString info =
                new InfoString()
                        .put("challenge", challenge)
                        .put("qport", qport)
                        .put("protocol", number)
                        .put("name", Quake3Text.name(name))
                        .put("rate", 90_000)
                        .put("snaps", MAX_SNAPSHOTS_PER_SECOND)
                        .put("model", "sarge")
                        .put("headmodel", "sarge")
                        .put("color1", 4)
                        .put("color2", 5)
                        .put("handicap", 100)
                        .put("sex", "male")
                        .put("cl_guid", "%032X".formatted(clientChallenge));
        return config.password().isEmpty() ? info : info.put("password", config.password());
    }

    /** Takes an answer in. */
    Step receive(OutOfBand packet) {
        List<String> words = packet.words();
        return connected
                ? NONE
                : switch (words.getFirst()) {
                    case "challengeresponse" -> challenged ? NONE : challenged(words);
                    case "connectresponse" -> challenged ? connected() : NONE;
                    case "print" -> new Step.Refused(packet.body().strip());
                    default -> NONE;
                };
    }

    private Step challenged(List<String> words) {
        try {
            if (words.size() < 2
                    || words.size() > 2 && Integer.parseInt(words.get(2)) != clientChallenge) {
                return NONE;
            }
            challenge = Integer.parseInt(words.get(1));
            number =
                    words.size() > 3 ? Integer.parseInt(words.get(3)) : Protocol.QUAKE3_68.number();
        } catch (NumberFormatException _) {
            return NONE;
        }
        if (number != Protocol.QUAKE3_68.number() && number != Protocol.IOQUAKE3_71.number()) {
            return new Step.Refused("the server speaks protocol " + number + ", not 68 or 71");
        }
        challenged = true;
        return new Step.Next();
    }

    private Step connected() {
        connected = true;
        Protocol first = number == Protocol.QUAKE3_68.number() ? Protocol.QUAKE3_68 : first71;
        guessed = first == Protocol.OPENARENA_71;
        return new Step.Connected(new ClientConnection(first, challenge, qport));
    }

    /**
     * Which protocol 71 the server speaks, its first packet shows; one that speaks the modern one
     * drops what is not.
     *
     * @return the right connection where another was begun; null where that was right
     */
    @Nullable ClientConnection correct(byte[] packet) {
        boolean wrong = guessed && NetchanHeader.isModern(packet, Side.SERVER, challenge);
        guessed = false;
        return wrong ? new ClientConnection(Protocol.IOQUAKE3_71, challenge, qport) : null;
    }
}
