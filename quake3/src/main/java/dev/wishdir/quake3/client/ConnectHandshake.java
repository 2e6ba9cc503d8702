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
import java.util.Locale;

/** The client's connect handshake: challenge, then connect: docs/protocols/quake3.md#connect. */
final class ConnectHandshake {
    /** Maximum that any server of the family sends. */
    private static final int MAX_SNAPSHOTS_PER_SECOND = 125;

    /** The result of a reply of the server. */
    sealed interface Step {
        /** The reply was ignored. */
        record None() implements Step {}

        /** The next request must be sent at once. */
        record Next() implements Step {}

        /** The server has accepted the client. */
        record Connected(ClientConnection connection) implements Step {}

        /** The server does not know the challenge: ask for another after a while. */
        record Retry() implements Step {}

        /** The server has refused the client. */
        record Refused(String reason) implements Step {}
    }

    private static final Step NONE = new Step.None();

    private final ClientConfig config;
    private final Protocol first71;
    private final int qport;
    private final int clientChallenge;
    private boolean challenged;

    /** Whether the request to connect was sent. */
    private boolean connecting;

    /** Whether only a challenge counts that repeats the client's, which cannot be forged. */
    private boolean mustEcho;

    private boolean connected;
    private boolean unconfirmed;
    private int challenge;
    private int protocolNumber;

    /**
     * @param first71 the protocol 71 to try first; {@link #correct} detects the other
     * @param qport distinguishes clients behind one address
     */
    ConnectHandshake(ClientConfig config, Protocol first71, int qport) {
        this.config = config;
        this.first71 = first71;
        this.qport = qport;
        clientChallenge = config.random().nextInt();
    }

    /** Asks to connect again, after an acceptance that nothing has followed. */
    void restart() {
        connected = false;
    }

    /** The next request to the server. */
    String request() {
        connecting |= challenged;
        return challenged
                ? "connect \"" + userinfo(config.name()) + "\""
                : "getchallenge " + clientChallenge + " " + Protocol.GAME_NAME;
    }

    /** The client's userinfo. */
    InfoString userinfo(String name) {
        InfoString info =
                new InfoString()
                        .put("challenge", challenge)
                        .put("qport", qport)
                        .put("protocol", protocolNumber)
                        .put("name", Quake3Text.name(name))
                        .put("rate", 90_000)
                        .put("snaps", MAX_SNAPSHOTS_PER_SECOND)
                        .put("model", "sarge")
                        .put("headmodel", "sarge")
                        .put("color1", 4)
                        .put("color2", 5)
                        .put("handicap", 100)
                        .put("sex", "male")
                        .put("cl_guid", String.format(Locale.ROOT, "%032X", clientChallenge));
        return config.password().isEmpty() ? info : info.put("password", config.password());
    }

    /** Handles an out-of-band reply. */
    Step receive(OutOfBand packet) {
        List<String> words = packet.words();
        return connected
                ? NONE
                : switch (words.getFirst()) {
                    case "challengeresponse" -> challenged ? NONE : onChallenge(words);
                    case "connectresponse" -> connecting && isOwn(words) ? onConnected() : NONE;
                    case "print" -> onRefusal(Quake3Text.shown(packet.body()).strip());
                    default -> NONE;
                };
    }

    /** Whether an acceptance has no challenge, as those of older servers, or the right one. */
    private boolean isOwn(List<String> words) {
        return words.size() < 2 || words.get(1).equals(Integer.toString(challenge));
    }

    private Step onRefusal(String text) {
        if (challenged && text.startsWith("No or bad challenge")) {
            // Perhaps that of a forger. An acceptance still counts, as this may be forged as well.
            challenged = false;
            mustEcho = true;
            return new Step.Retry();
        }
        return new Step.Refused(text);
    }

    private Step onChallenge(List<String> words) {
        try {
            if (words.size() < (mustEcho ? 3 : 2)
                    || words.size() > 2 && Integer.parseInt(words.get(2)) != clientChallenge) {
                return NONE;
            }
            challenge = Integer.parseInt(words.get(1));
            protocolNumber =
                    words.size() > 3 ? Integer.parseInt(words.get(3)) : Protocol.QUAKE3_68.number();
        } catch (NumberFormatException _) {
            return NONE;
        }
        if (protocolNumber != Protocol.QUAKE3_68.number()
                && protocolNumber != Protocol.IOQUAKE3_71.number()) {
            return new Step.Refused(
                    "unsupported protocol " + protocolNumber + ", must be 68 or 71");
        }
        challenged = true;
        return new Step.Next();
    }

    private Step onConnected() {
        connected = true;
        Protocol first =
                protocolNumber == Protocol.QUAKE3_68.number() ? Protocol.QUAKE3_68 : first71;
        unconfirmed = first == Protocol.OPENARENA_71;
        return new Step.Connected(new ClientConnection(first, challenge, qport));
    }

    /**
     * Detects the server's protocol 71 from its first packet. A server of the modern one drops
     * packets of the other.
     *
     * @return the connection to use instead, or null if the first one was right
     */
    @Nullable ClientConnection correct(byte[] packet) {
        boolean wrong = unconfirmed && NetchanHeader.isModern(packet, Side.SERVER, challenge);
        unconfirmed = false;
        return wrong ? new ClientConnection(Protocol.IOQUAKE3_71, challenge, qport) : null;
    }
}
