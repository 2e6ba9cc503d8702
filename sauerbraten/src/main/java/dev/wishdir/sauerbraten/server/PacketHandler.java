package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.join.ConnectHandshake;
import dev.wishdir.sauerbraten.server.join.LeaveHandler;
import dev.wishdir.sauerbraten.server.movement.PositionHandler;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenPings;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

/** Listener of ENet: reads the packets of clients, by channel, and hands their messages on. */
final class PacketHandler implements EnetListener {
    private final ClientTable clients;
    private final PositionHandler positions;
    private final ConnectHandshake handshake;
    private final LeaveHandler leaves;
    private final SauerbratenPings pings;
    private final MessageHandler messages;
    private final Counters counters;
    private final Reader reader = new Reader(new byte[0]);

    PacketHandler(
            ClientTable clients,
            PositionHandler positions,
            ConnectHandshake handshake,
            LeaveHandler leaves,
            SauerbratenPings pings,
            MessageHandler messages,
            Counters counters) {
        this.clients = clients;
        this.positions = positions;
        this.handshake = handshake;
        this.leaves = leaves;
        this.pings = pings;
        this.messages = messages;
        this.counters = counters;
    }

    @Override
    public void onConnected(long now, EnetPeer peer) {
        handshake.onConnected(now, peer);
    }

    @Override
    public void onDisconnected(long now, EnetPeer peer, long data, EnetDisconnectReason cause) {
        leaves.onDisconnected(now, peer, cause);
    }

    /** Handles a packet; a malformed one disconnects the client. */
    @Override
    public void onReceived(long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {
        SauerbratenSession session = clients.session(peer);
        if (session == null || session.connection.leaveReason().isPresent()) {
            return;
        }
        if (session.isJoined()) {
            session.player().recordActivity(now);
        }
        reader.reset(payload.toArray(), 0, payload.length());
        try {
            switch (channel) {
                case SauerbratenTransport.POSITIONS -> positions.handle(now, session, reader);
                case SauerbratenTransport.MESSAGES -> readMessages(now, session);
                default -> readFile(now, session);
            }
        } catch (MalformedPacketException e) {
            counters.count("sauerbraten.drop.message");
            session.connection.disconnect(
                    e.field().equals("code")
                            ? DisconnectReason.MESSAGE_ERROR
                            : DisconnectReason.END_OF_PACKET);
        }
    }

    private void readMessages(long now, SauerbratenSession session) {
        ClientConnection connection = session.connection;
        int speaker = session.cn;
        while (reader.remaining() > 0 && connection.leaveReason().isEmpty()) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!connection.messages.tryAcquire(now)) {
                connection.disconnect(DisconnectReason.OVERFLOW);
            } else if (!connection.isJoined()) {
                onUnjoined(now, session, message);
            } else if (message instanceof MovementMessage) {
                throw new MalformedPacketException(start, "code", "not of the channel of messages");
            } else if (message instanceof RelayMessage.FromAi from) {
                speaker = from.cn() < 0 ? session.cn : from.cn();
            } else if (speaker == session.cn) {
                messages.handle(now, session, message, reader.position() - start);
            }
        }
    }

    private void onUnjoined(long now, SauerbratenSession session, SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.Connect connect -> handshake.onConnect(now, session, connect);
            case AuthMessage.AuthAns answer -> handshake.onAnswer(now, session, answer);
            case SessionMessage.Ping ping -> pings.onPing(now, session, ping.millis());
            default -> session.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Reads a packet of the channel of files: a map that a client sends in coop edit. */
    private void readFile(long now, SauerbratenSession session) {
        if (!session.isJoined()) {
            session.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
            return;
        }
        int length = reader.remaining();
        for (SauerbratenMessage message :
                SauerbratenCodec.V260.readPacket(
                        Direction.C2S, SauerbratenTransport.FILES, reader)) {
            messages.handle(now, session, message, length);
        }
    }
}
