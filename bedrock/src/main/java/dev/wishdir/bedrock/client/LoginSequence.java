package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.Compression;
import dev.wishdir.bedrock.protocol.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.LoginIdentity;
import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.LoginRejectedException;
import dev.wishdir.bedrock.protocol.MessageChannel;
import dev.wishdir.bedrock.protocol.Skins;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A client's way in: each question of the server's is answered as it comes. */
final class LoginSequence {
    /** What comes of it. */
    interface Outcome {
        /** The server has let the player in. */
        void joined();

        void end(Ending ending, String reason);
    }

    private static final int RADIUS = 4;
    private static final int SPAWN = 3;

    private final ClientConfig joining;
    private final MessageChannel line;
    private final LoginKeys keys;
    private final InstantSource clock;
    private final Outcome outcome;
    private boolean started;
    private boolean answered;
    private boolean spawned;

    /**
     * Says what the client speaks.
     *
     * @param keys with which it signs its own identity
     * @param clock by which that is valid
     */
    LoginSequence(
            ClientConfig joining,
            MessageChannel line,
            LoginKeys keys,
            InstantSource clock,
            Outcome outcome) {
        this.joining = joining;
        this.line = line;
        this.keys = keys;
        this.clock = clock;
        this.outcome = outcome;
        line.send(new LoginMessage.RequestNetworkSettings(line.codec().protocol()));
        line.flush();
    }

    void settings(LoginMessage.NetworkSettings settings) {
        if (started) {
            return;
        }
        started = true;
        // A threshold of 0 means never to one kind of server and always to another.
        line.compress(
                Compression.Algorithm.ofSetting(settings.algorithm()),
                Math.max(1, settings.threshold()));
        String server = joining.server().getHostString() + ":" + joining.server().getPort();
        line.send(
                LoginIdentity.selfSigned(
                        line.codec().protocol(),
                        keys,
                        joining.name(),
                        new UUID(joining.random().nextLong(), joining.random().nextLong()),
                        Skins.clientData(line.codec().game(), joining.name(), server),
                        clock.instant().getEpochSecond()));
        line.flush();
    }

    void handshake(String token) {
        if (line.encrypted()) {
            outcome.end(Ending.PROTOCOL_ERROR, "the server asked for encryption twice");
            return;
        }
        try {
            line.encrypt(Bytes.wrap(EncryptionHandshake.accept(keys, token)));
            line.send(LoginMessage.ClientToServerHandshake.BLANK);
            line.flush();
        } catch (LoginRejectedException e) {
            outcome.end(Ending.PROTOCOL_ERROR, "the server's handshake is wrong: " + e.reason());
        }
    }

    /** The server names its packs: nothing of them is asked for. */
    void packs() {
        line.send(new PackMessage.ClientCacheStatus(false));
        line.send(new PackMessage.ResourcePackClientResponse(3, List.of()));
    }

    void stack() {
        line.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
    }

    /** The world begins. */
    void start() {
        line.send(new WorldMessage.RequestChunkRadius(RADIUS, RADIUS));
    }

    /**
     * The server says how far it is with the client.
     *
     * @param runtimeId by which it names the client's player; below 0 as long as it has not
     */
    void status(int status, long runtimeId) {
        switch (status) {
            case 0 -> {}
            case 1 -> outcome.end(Ending.REFUSED, "the server wants a newer version of the game");
            case 2 -> outcome.end(Ending.REFUSED, "the server wants an older version of the game");
            case SPAWN -> {
                if (runtimeId >= 0 && !spawned) {
                    spawned = true;
                    line.send(new WorldMessage.SetLocalPlayerAsInitialized(runtimeId));
                    outcome.joined();
                }
            }
            default ->
                    outcome.end(Ending.REFUSED, "the server refused the login, status " + status);
        }
    }

    /** A form with a field for a password is this server's; what else servers show is theirs. */
    void asked(ModalFormRequest form) {
        if (!form.form().contains("\"password\"")) {
            return;
        }
        if (answered || joining.password().isEmpty()) {
            outcome.end(
                    Ending.REFUSED,
                    answered ? "the password is wrong" : "the server asks for a password");
            return;
        }
        answered = true;
        String json = JsonUtil.toJson(Map.of("answer", List.of(joining.password())));
        // The answer is the list alone, which the library writes as an object's only.
        String list = json.substring(json.indexOf('['), json.length() - 1);
        line.send(new ModalFormResponse(form.id(), Optional.of(list), Optional.empty()));
    }
}
