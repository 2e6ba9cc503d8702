package dev.wishdir.quake2.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.chat.CommandHandler;
import dev.wishdir.quake2.server.session.ClientSettings;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.session.SessionState;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.Optional;

/** Processes the packets of clients: moves, settings, and commands. */
final class MessageHandler {
    private static final int MAX_COMMANDS_PER_PACKET = 7;

    private final CommandHandler commands;
    private final Quake2Counters counters;

    MessageHandler(CommandHandler commands, Quake2Counters counters) {
        this.commands = commands;
        this.counters = counters;
    }

    /** Processes a packet of a session's client. */
    void receive(long now, Quake2Session session, byte[] data) {
        Reader r = new Reader(data);
        if (!session.receive(now, r)) {
            return;
        }
        try {
            messages(now, session, r, data);
        } catch (MalformedPacketException e) {
            counters.count("malformed");
            session.drop(
                    new LeaveReason(
                            LeaveReason.Code.PROTOCOL_ERROR, "malformed message: " + e.field()));
        }
    }

    private void messages(long now, Quake2Session session, Reader r, byte[] data) {
        int commandCount = 0;
        boolean moved = false;
        while (r.remaining() > 0 && session.state() != SessionState.ZOMBIE) {
            int from = r.position();
            ClientMessage message;
            try {
                message = Quake2Codec.readClient(r);
            } catch (MalformedPacketException e) {
                if (data[from] != Quake2Codec.MOVE) {
                    throw e;
                }
                counters.count("cut-move");
                return;
            }
            switch (message) {
                case Move move -> {
                    Netchan netchan = session.channel().netchan();
                    int body = from + 2;
                    int expected =
                            MoveChecksum.of(data, body, r.position() - body, netchan.incoming());
                    if (moved || !move(now, session, move, move.checksum() == expected)) {
                        return;
                    }
                    moved = true;
                }
                case ClientMessage.StringCmd command -> {
                    String text = command.text().value();
                    boolean allowed = CommandHandler.isFree(text) || session.allowsCommand(now);
                    if (++commandCount <= MAX_COMMANDS_PER_PACKET && allowed) {
                        commands.run(now, session, text);
                    } else {
                        counters.count("command-limit");
                    }
                }
                case ClientMessage.UserInfo info -> userInfo(now, session, info.text().value());
                case ClientMessage.Nop _ -> {}
            }
        }
    }

    /**
     * Runs a move.
     *
     * @return false if the rest of its packet must be ignored
     */
    private boolean move(long now, Quake2Session session, Move move, boolean valid) {
        if (!session.isInGame()) {
            session.requestFullFrame();
            return true;
        }
        session.acknowledgeFrame(now, move.lastFrame());
        if (!valid) {
            counters.count("checksum");
            return false;
        }
        session.player().run(now, move, session.channel().netchan().dropped());
        return true;
    }

    private void userInfo(long now, Quake2Session session, String text) {
        Optional<InfoString> parsed = InfoString.parse(text);
        if (text.isEmpty() || parsed.isEmpty()) {
            counters.count("userinfo");
        } else {
            ClientSettings settings = new ClientSettings(parsed.get());
            session.player().setSettings(now, settings, session::isInGame);
        }
    }
}
