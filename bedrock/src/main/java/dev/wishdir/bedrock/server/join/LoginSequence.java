package dev.wishdir.bedrock.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Login of one client: version and compression, the verified identity, encryption.
 *
 * <p>Each step takes only the message that it waits for; any other ends the session.
 */
public final class LoginSequence implements LoginVerifier.Listener {
    /** The session that logs in. */
    public interface Listener {
        /** The client has logged in; its batches are encrypted if they have to be. */
        void onLoggedIn(long now, VerifiedLogin login);

        /** Receives a batch that waited until the login was verified. */
        void receive(long now, byte[] batch);

        /** Disconnects the client with a reason that its game shows. */
        void kick(long now, LeaveReason why);

        /** The client was sent a status by which its own game shows why it can't join. */
        void onVersionRefused(long now, LeaveReason why);

        /** A message came out of turn. */
        void onUnexpected(long now, BedrockMessage message);

        void count(String drop);
    }

    /**
     * Parts of the endpoint that all logins use.
     *
     * @param encrypts whether sessions are encrypted where their transport does not do it
     * @param keyLog receives the keys of encrypted sessions
     */
    public record Services(
            LoginVerifier verifier,
            Algorithm compression,
            boolean encrypts,
            Consumer<SessionKey> keyLog) {}

    private sealed interface Step {
        record AwaitingSettings() implements Step {}

        record AwaitingLogin() implements Step {}

        /**
         * @param retainedBytes of the login and of the batches
         * @param early batches that came meanwhile: how to read them depends on the login
         */
        record Verification(long retainedBytes, List<byte[]> early) implements Step {}

        record AwaitingHandshake(VerifiedLogin login) implements Step {}

        record Over() implements Step {}
    }

    /**
     * Minimum size of a batch that is compressed, bytes: a datagram carries a smaller one anyway.
     * The movements of 40 players, 400 bytes, lose a third, for more work than all else of them.
     */
    static final int COMPRESSION_THRESHOLD_BYTES = 1_024;

    private static final int MAX_EARLY_BATCHES = 8;
    private static final int CLIENT_OLD = 1;
    private static final int SERVER_OLD = 2;

    private final Services services;
    private final Transport transport;
    private final MessageChannel channel;
    private final String skinId;
    private final Listener listener;
    private Step step = new Step.AwaitingSettings();

    /**
     * @param skinId names the player's skin for other clients
     */
    public LoginSequence(
            Services services,
            Transport transport,
            MessageChannel channel,
            String skinId,
            Listener listener) {
        this.services = services;
        this.transport = transport;
        this.channel = channel;
        this.skinId = skinId;
        this.listener = listener;
    }

    /** The heap of a login that is being verified, bytes. */
    public long retainedBytes() {
        return step instanceof Step.Verification verifying ? verifying.retainedBytes : 0;
    }

    /** Ends the sequence; the result of a verification is then ignored. */
    public void cancel() {
        step = new Step.Over();
    }

    /**
     * Keeps a batch that comes while the login is verified.
     *
     * @return whether it was kept
     */
    public boolean keepEarly(long now, byte[] batch) {
        if (!(step instanceof Step.Verification verifying)) {
            return false;
        }
        List<byte[]> early = new ArrayList<>(verifying.early);
        early.add(batch);
        step = new Step.Verification(verifying.retainedBytes + batch.length, early);
        if (early.size() > MAX_EARLY_BATCHES
                || batch.length > MessageChannel.MAX_FIRST_BATCH_BYTES) {
            listener.count("early");
            listener.kick(
                    now,
                    new LeaveReason(
                            LeaveReason.Code.RATE_LIMIT,
                            "Your game sent too much while its login was checked"));
        }
        return true;
    }

    public void handle(long now, BedrockMessage message) {
        switch (step) {
            case Step.AwaitingSettings _
                    when message instanceof LoginMessage.RequestNetworkSettings request ->
                    sendSettings(now, request);
            case Step.AwaitingLogin _ when message instanceof LoginMessage.Login login ->
                    verify(now, login);
            case Step.AwaitingHandshake(VerifiedLogin login)
                    when message instanceof LoginMessage.ClientToServerHandshake ->
                    finish(now, login);
            case Step.Over _ -> {}
            case Step.AwaitingSettings _,
                    Step.AwaitingLogin _,
                    Step.Verification _,
                    Step.AwaitingHandshake _ -> {
                listener.onUnexpected(now, message);
            }
        }
    }

    private void sendSettings(long now, LoginMessage.RequestNetworkSettings request) {
        if (!chooseVersion(now, request.protocol())) {
            return;
        }
        channel.send(
                new LoginMessage.NetworkSettings(
                        COMPRESSION_THRESHOLD_BYTES, services.compression().setting, false, 0, 0));
        channel.compress(services.compression(), COMPRESSION_THRESHOLD_BYTES);
        channel.setMaxBatchBytes(BatchCodec.MAX_LOGIN_BATCH_BYTES);
        step = new Step.AwaitingLogin();
    }

    /** Chooses the version; a client of another is sent a status that names the outdated side. */
    private boolean chooseVersion(long now, int protocol) {
        var spoken = BedrockCodec.of(protocol);
        if (spoken.isPresent()) {
            channel.setCodec(spoken.get());
            return true;
        }
        int newest = BedrockCodec.NEWEST.protocol();
        channel.send(new PlayStatus(protocol > newest ? SERVER_OLD : CLIENT_OLD));
        listener.onVersionRefused(
                now, new LeaveReason(LeaveReason.Code.VERSION, "speaks protocol " + protocol));
        return false;
    }

    private void verify(long now, LoginMessage.Login login) {
        if (login.protocol() != channel.codec().protocol()
                && !chooseVersion(now, login.protocol())) {
            return;
        }
        step = new Step.Verification(login.tokens().length(), List.of());
        boolean encrypt = services.encrypts() && !transport.encrypts();
        services.verifier().add(login, transport.key(), encrypt, skinId, this);
    }

    @Override
    public boolean isWaiting() {
        return step instanceof Step.Verification;
    }

    @Override
    public void onVerified(long now, VerifiedLogin login) {
        if (!(step instanceof Step.Verification verifying)) {
            return;
        }
        if (login.handshake().key().length() > 0) {
            channel.send(new LoginMessage.ServerToClientHandshake(login.handshake().token()));
            channel.encrypt(login.handshake().key());
            services.keyLog().accept(login.handshake().session());
            step = new Step.AwaitingHandshake(login);
        } else {
            finish(now, login);
        }
        verifying.early.forEach(batch -> listener.receive(now, batch));
    }

    @Override
    public void onRejected(long now, String reason) {
        if (step instanceof Step.Verification) {
            listener.count("login");
            listener.kick(
                    now, new LeaveReason(LeaveReason.Code.ACCOUNT, "Login refused: " + reason));
        }
    }

    private void finish(long now, VerifiedLogin login) {
        step = new Step.Over();
        listener.onLoggedIn(now, login);
    }
}
