package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.Compression;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener.EndReason;

import org.jose4j.json.JsonUtil;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The login of a client: answers each message of the server. */
final class LoginSequence {
    /** The client that logs in. */
    interface Listener {
        /** The player has joined. */
        void onJoined();

        /** The session is encrypted from now on. */
        void onEncrypted(SessionKey key);

        void onEnded(EndReason ending, String reason);
    }

    private static final int RADIUS = 4;
    private static final int SPAWN = 3;

    private final ClientConfig config;
    private final MessageChannel channel;
    private final LoginKeys keys;
    private final InstantSource clock;
    private final Listener listener;
    private boolean started;
    private boolean answered;
    private boolean spawned;

    /**
     * Sends the first message, with the client's version.
     *
     * @param keys that sign the client's identity
     * @param clock for the validity of that identity
     */
    LoginSequence(
            ClientConfig config,
            MessageChannel channel,
            LoginKeys keys,
            InstantSource clock,
            Listener listener) {
        this.config = config;
        this.channel = channel;
        this.keys = keys;
        this.clock = clock;
        this.listener = listener;
        channel.send(new LoginMessage.RequestNetworkSettings(channel.codec().protocol()));
        channel.flush();
    }

    void onSettings(LoginMessage.NetworkSettings settings) {
        if (started) {
            return;
        }
        started = true;
        // A threshold of 0 means never to one kind of server and always to another.
        channel.compress(
                Compression.Algorithm.ofSetting(settings.algorithm()),
                Math.max(1, settings.threshold()));
        String server = config.server().getHostString() + ":" + config.server().getPort();
        channel.send(
                LoginIdentity.selfSigned(
                        channel.codec().protocol(),
                        keys,
                        config.name(),
                        new UUID(config.random().nextLong(), config.random().nextLong()),
                        Skins.clientData(channel.codec().game(), config.name(), server),
                        clock.instant().getEpochSecond()));
        channel.flush();
    }

    void onHandshake(String token) {
        if (channel.isEncrypted()) {
            listener.onEnded(EndReason.PROTOCOL_ERROR, "the server requested encryption twice");
            return;
        }
        try {
            SessionKey key = EncryptionHandshake.accept(keys, token);
            listener.onEncrypted(key);
            channel.encrypt(key.key());
            channel.send(LoginMessage.ClientToServerHandshake.BLANK);
            channel.flush();
        } catch (LoginRejectedException e) {
            listener.onEnded(
                    EndReason.PROTOCOL_ERROR, "invalid handshake from the server: " + e.reason());
        }
    }

    /** Handles the server's list of packs; none is requested. */
    void onPacks() {
        channel.send(new PackMessage.ClientCacheStatus(false));
        channel.send(new PackMessage.ResourcePackClientResponse(3, List.of()));
    }

    void onPackStack() {
        channel.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
    }

    /** Handles the start of the game. */
    void onStart() {
        channel.send(new WorldMessage.RequestChunkRadius(RADIUS, RADIUS));
    }

    /**
     * Handles the server's status of the login.
     *
     * @param runtimeId of the client's player; below 0 until the server has sent it
     */
    void onStatus(int status, long runtimeId) {
        switch (status) {
            case 0 -> {}
            case 1 ->
                    listener.onEnded(
                            EndReason.REFUSED, "the server wants a newer version of the game");
            case 2 ->
                    listener.onEnded(
                            EndReason.REFUSED, "the server wants an older version of the game");
            case SPAWN -> {
                if (runtimeId >= 0 && !spawned) {
                    spawned = true;
                    channel.send(new WorldMessage.SetLocalPlayerAsInitialized(runtimeId));
                    listener.onJoined();
                }
            }
            default ->
                    listener.onEnded(
                            EndReason.REFUSED, "the server refused the login, status " + status);
        }
    }

    /** Answers a form with a field for a password; forms of other servers are ignored. */
    void onForm(ModalFormRequest form) {
        if (!form.form().contains("\"password\"")) {
            return;
        }
        if (answered || config.password().isEmpty()) {
            listener.onEnded(
                    EndReason.REFUSED,
                    answered ? "the password is wrong" : "the server asks for a password");
            return;
        }
        answered = true;
        String json = JsonUtil.toJson(Map.of("answer", List.of(config.password())));
        // The answer is only the list, but the library writes a list only inside an object.
        String list = json.substring(json.indexOf('['), json.length() - 1);
        channel.send(new ModalFormResponse(form.id(), Optional.of(list), Optional.empty()));
    }
}
