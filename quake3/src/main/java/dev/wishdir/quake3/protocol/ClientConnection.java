package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A client's end of a connection: the netchan with what its messages need, reliable commands, keys
 * and the frames that snapshots are against. A pure state machine.
 */
public final class ClientConnection {
    /**
     * What a packet brought.
     *
     * @param commands the server's commands that are new, in order
     * @param frame where the message's snapshot leads; null where it has none, or its base is lost
     */
    public record Received(ServerMessage message, List<String> commands, @Nullable Frame frame) {}

    private final Quake3Codec codec;
    private final Netchan netchan;
    private final FrameHistory frames = new FrameHistory();
    private int acknowledged;
    private int serverId;
    private boolean delta;

    public ClientConnection(Protocol protocol, int challenge, int qport) {
        codec = new Quake3Codec(protocol, challenge);
        netchan = new Netchan(Side.CLIENT, protocol.modern(), qport, challenge);
    }

    Protocol protocol() {
        return codec.protocol();
    }

    /** The level that messages are for from now on. */
    public void serverId(int id) {
        serverId = id;
    }

    public int serverId() {
        return serverId;
    }

    public int checksumFeed() {
        return codec.checksumFeed();
    }

    /** How many commands the server has not acknowledged. */
    int unacknowledged() {
        return codec.clientCommands().last() - acknowledged;
    }

    /**
     * Adds a reliable command: every message carries it until the server has acknowledged it.
     *
     * @return false if 63 wait already; nothing is added then
     */
    public boolean command(String text) {
        // The last one that the server has must stay in the ring: its messages' keys are of it.
        if (unacknowledged() >= ReliableCommands.RING - 1) {
            return false;
        }
        codec.clientCommands().add(text);
        return true;
    }

    /** Whether snapshots may be against the last message received. */
    public boolean delta() {
        return delta;
    }

    /**
     * Sends a message with all commands that wait.
     *
     * @param ops what follows the commands
     */
    public void send(List<ClientMessage.Op> ops, Netchan.Sink sink) {
        List<ClientMessage.Op> all = new ArrayList<>();
        for (int id = acknowledged + 1; id <= codec.clientCommands().last(); id++) {
            all.add(new ClientMessage.ClientCommand(id, codec.clientCommands().text(id)));
        }
        all.addAll(ops);
        netchan.send(
                codec.encode(
                        new ClientMessage(
                                serverId, netchan.incoming(), codec.serverCommands().last(), all)),
                sink);
        while (netchan.sending()) {
            netchan.sendPart(sink);
        }
    }

    /**
     * Takes a packet in.
     *
     * @return null where it completes no message, or is not the next one
     * @throws MalformedPacketException if its message does not follow the protocol
     */
    public @Nullable Received receive(byte[] datagram) {
        byte[] message = netchan.receive(datagram);
        if (message == null) {
            return null;
        }
        int sequence = netchan.incoming();
        int reliable = Quake3Codec.head(message, 1)[0];
        if (reliable < acknowledged || reliable > codec.clientCommands().last()) {
            throw new MalformedPacketException(
                    0, "reliableAcknowledge", "is " + reliable + ", which was never sent");
        }
        ServerMessage read = codec.decodeServer(message, sequence);
        acknowledged = reliable;
        List<String> commands = new ArrayList<>();
        Frame frame = null;
        for (ServerMessage.Op op : read.ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                    frames.gamestate(g);
                }
                case ServerMessage.ServerCommand c -> {
                    if (codec.serverCommands().hear(c.id(), c.text())) {
                        commands.add(c.text());
                    }
                }
                case ServerMessage.Snapshot s -> frame = frames.add(sequence, s);
                case ServerMessage.Download _, ServerMessage.Voip _, ServerMessage.Nop _ -> {}
            }
        }
        delta = frame != null;
        return new Received(read, commands, frame);
    }
}
