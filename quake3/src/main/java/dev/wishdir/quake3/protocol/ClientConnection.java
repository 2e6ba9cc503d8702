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
 * The client's end of a connection: netchan, reliable commands, keys and snapshot delta bases. A
 * pure state machine.
 */
public final class ClientConnection {
    /**
     * A received message.
     *
     * @param commands new reliable commands of the server, in order
     * @param frame of the message's snapshot; null if it has none, or its delta base is lost
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

    /** The protocol that it speaks. */
    public Protocol protocol() {
        return codec.protocol();
    }

    /** Sets the server id of further messages. */
    public void serverId(int id) {
        serverId = id;
    }

    public int serverId() {
        return serverId;
    }

    public int checksumFeed() {
        return codec.checksumFeed();
    }

    /** The number of commands that the server has not acknowledged. */
    int unacknowledged() {
        return codec.clientCommands().last() - acknowledged;
    }

    /**
     * Queues a reliable command, repeated in every message until acknowledged.
     *
     * @return false, without effect, if 63 are unacknowledged
     */
    public boolean command(String text) {
        // The last acknowledged one must stay in the ring: keys are derived from it.
        if (unacknowledged() >= ReliableCommands.SIZE - 1) {
            return false;
        }
        codec.clientCommands().add(text);
        return true;
    }

    /** Whether the last received message may be a delta base. */
    public boolean delta() {
        return delta;
    }

    /**
     * Sends a message with all unacknowledged commands.
     *
     * @param ops after the commands
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
        while (netchan.hasPendingFragments()) {
            netchan.sendFragment(sink);
        }
    }

    /**
     * Receives a packet.
     *
     * @return null if it completes no message, or is old
     * @throws MalformedPacketException if the message does not follow the protocol
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
                    0,
                    "reliableAcknowledge",
                    "is "
                            + reliable
                            + ", must be "
                            + acknowledged
                            + ".."
                            + codec.clientCommands().last());
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
                    if (codec.serverCommands().receive(c.id(), c.text())) {
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
