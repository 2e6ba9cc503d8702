package dev.wishdir.quake3.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.ProxySession.Output;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ClientMessage.ClientCommand;
import dev.wishdir.quake3.message.ClientMessage.Move;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.ServerCommand;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.FrameHistory;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one connection through a proxy, between the state that the server has of it and
 * the state that the client has: commands, keys, and the frames of snapshots.
 */
final class ProxiedMessages {
    private static final int MAX_COMMAND_CHARS = 1_022;

    private final GuardedInterceptor<Quake3Message> interceptor;
    private final Output out;
    private final EntityDeltaCache deltaCache;

    /** As the client numbers and received everything. */
    private final Quake3Codec client;

    /** As the server numbers and received everything. */
    private final Quake3Codec server;

    private final ProxiedCommands clientCommands;
    private final ProxiedCommands serverCommands;
    private final FrameHistory serverFrames = new FrameHistory();
    private final FrameHistory clientFrames = new FrameHistory();

    /** The netchan sequence of the last gamestate. */
    private int gamestate;

    private boolean hasSameBaselines = true;
    private boolean congested;
    private boolean oversized;

    ProxiedMessages(
            Protocol protocol,
            int challenge,
            GuardedInterceptor<Quake3Message> interceptor,
            Output out,
            EntityDeltaCache deltaCache) {
        this.interceptor = interceptor;
        this.out = out;
        this.deltaCache = deltaCache;
        client = new Quake3Codec(protocol, challenge);
        server = new Quake3Codec(protocol, challenge);
        clientCommands = new ProxiedCommands(client.clientCommands(), server.clientCommands());
        serverCommands = new ProxiedCommands(server.serverCommands(), client.serverCommands());
    }

    boolean isModern() {
        return client.protocol().modern();
    }

    private boolean isRenumbered() {
        return clientCommands.isChanged() || serverCommands.isChanged();
    }

    private static int acknowledgement(int number, ProxiedCommands commands) {
        if (!commands.isValid(number)) {
            throw new MalformedPacketException(
                    0, "reliableAcknowledge", "is " + number + ", which was not sent");
        }
        return number;
    }

    /**
     * Handles a client's message.
     *
     * @param bytes are overwritten
     * @return the message for the server; null if it is the same
     * @throws MalformedPacketException if it does not follow the protocol; nothing has changed then
     */
    byte @Nullable [] fromClient(byte[] bytes) {
        int acknowledged = acknowledgement(Quake3Codec.head(bytes, 3)[2], serverCommands);
        ClientMessage message = client.decodeClient(bytes);
        serverCommands.acknowledge(acknowledged);
        List<ClientMessage.Op> ops = new ArrayList<>();
        boolean changed = false;
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientCommand c) {
                if (clientCommands.isNew(c.id()) && !clientCommands.isFull()) {
                    changed |= onClientCommand(c, ops);
                } else {
                    ops.add(c);
                }
            } else if (op instanceof Move && message.messageAcknowledge() < gamestate) {
                // Its key is of the level before: the server ignores it.
                ops.add(op);
            } else {
                List<Quake3Message> results = clientResults(op);
                changed |= !GuardedInterceptor.isUnchanged(op, results);
                for (Quake3Message result : results) {
                    addClient(result, ops);
                }
            }
        }
        if (!changed && !isRenumbered()) {
            return null;
        }
        if (isRenumbered()) {
            ops.removeIf(ClientCommand.class::isInstance);
            List<ClientMessage.Op> commands = new ArrayList<>();
            clientCommands
                    .unacknowledged()
                    .forEach(c -> commands.add(new ClientCommand(c.id(), c.text())));
            ops.addAll(0, commands);
        }
        int reliable = serverCommands.acknowledgedToSender();
        int ack = message.messageAcknowledge();
        return encoded(
                all -> server.encode(new ClientMessage(message.serverId(), ack, reliable, all)),
                ops,
                ClientCommand.class);
    }

    private List<Quake3Message> clientResults(ClientMessage.Op op) {
        return interceptor.onMessage(Direction.C2S, op, ProxiedMessages::checkClient);
    }

    private static void checkClient(Quake3Message message) {
        switch (message) {
            case ClientCommand c -> checkText(c.text());
            case Move m -> {
                int count = m.commands().size();
                if (count < 1 || count > ClientMessage.MAX_USERCMDS) {
                    throw new IllegalArgumentException(
                            "move of "
                                    + count
                                    + " usercmds, must be 1.."
                                    + ClientMessage.MAX_USERCMDS);
                }
            }
            case ClientMessage.Op _ -> {}
            default -> throw foreign(message, "server");
        }
    }

    private static void checkText(String text) {
        if (text.length() > MAX_COMMAND_CHARS) {
            throw new IllegalArgumentException(
                    "command of " + text.length() + " characters, limit " + MAX_COMMAND_CHARS);
        }
    }

    private static IllegalArgumentException foreign(Quake3Message message, String receiver) {
        return new IllegalArgumentException(
                message.getClass().getSimpleName() + " can't be sent to a " + receiver);
    }

    /** Asks for a new command's results; whether they are others. */
    private boolean onClientCommand(ClientCommand command, List<ClientMessage.Op> ops) {
        List<String> texts = new ArrayList<>();
        List<Quake3Message> results = clientResults(command);
        for (Quake3Message result : results) {
            if (result instanceof ClientCommand c) {
                texts.add(c.text());
            } else {
                addClient(result, ops);
            }
        }
        clientCommands.add(command.id(), command.text(), texts);
        ops.add(command);
        return results.size() != texts.size();
    }

    private void addClient(Quake3Message result, List<ClientMessage.Op> ops) {
        if (result instanceof ClientCommand c) {
            inject(clientCommands, c.text());
        } else if (result instanceof ClientMessage.Op op) {
            ops.add(op);
        }
    }

    private void inject(ProxiedCommands commands, String text) {
        if (!commands.isCongested()) {
            commands.inject(text);
        } else if (!congested) {
            congested = true;
            out.report(
                    "commands are not injected: "
                            + ProxiedCommands.MAX_INJECTED
                            + " are not acknowledged");
        }
    }

    /**
     * Handles a server's message.
     *
     * @param sequence of the message in the netchan
     * @param bytes are overwritten
     * @return the message for the client; null if it is the same
     * @throws MalformedPacketException if it does not follow the protocol; nothing has changed then
     */
    byte @Nullable [] fromServer(int sequence, byte[] bytes) {
        int acknowledged = acknowledgement(Quake3Codec.head(bytes, 1)[0], clientCommands);
        ServerMessage message = server.decodeServer(bytes, sequence);
        clientCommands.acknowledge(acknowledged);
        List<ServerMessage.Op> ops = new ArrayList<>();
        boolean changed = false;
        for (ServerMessage.Op op : message.ops()) {
            changed |=
                    switch (op) {
                        case ServerCommand c -> onServerCommand(c, ops);
                        case Snapshot s -> onSnapshot(sequence, s, ops);
                        case Gamestate g -> onGamestate(sequence, g, ops);
                        default -> onOther(op, ops);
                    };
        }
        if (!changed && !isRenumbered()) {
            return null;
        }
        if (isRenumbered()) {
            ops.removeIf(ServerCommand.class::isInstance);
            List<ServerMessage.Op> commands = new ArrayList<>();
            serverCommands
                    .unacknowledged()
                    .forEach(c -> commands.add(new ServerCommand(c.id(), c.text())));
            ops.addAll(0, commands);
        }
        int reliable = clientCommands.acknowledgedToSender();
        return encoded(
                all -> client.encode(new ServerMessage(reliable, all), sequence),
                ops,
                ServerCommand.class);
    }

    private List<Quake3Message> serverResults(ServerMessage.Op op) {
        return interceptor.onMessage(Direction.S2C, op, ProxiedMessages::checkServer);
    }

    private static void checkServer(Quake3Message message) {
        switch (message) {
            case ServerCommand c -> checkText(c.text());
            case Snapshot _, FullSnapshot _ ->
                    throw new IllegalArgumentException(
                            "a snapshot can only be replaced by another FullSnapshot");
            case ServerMessage.Op _ -> {}
            default -> throw foreign(message, "client");
        }
    }

    private static void checkSnapshot(Quake3Message message) {
        if (!(message instanceof FullSnapshot s)) {
            checkServer(message);
        } else if (s.entities().size() > Snapshot.MAX_ENTITIES) {
            throw new IllegalArgumentException(
                    "snapshot of "
                            + s.entities().size()
                            + " entities, limit "
                            + Snapshot.MAX_ENTITIES);
        }
    }

    private boolean onServerCommand(ServerCommand command, List<ServerMessage.Op> ops) {
        ops.add(command);
        if (!serverCommands.isNew(command.id()) || serverCommands.isFull()) {
            return false;
        }
        List<String> texts = new ArrayList<>();
        List<Quake3Message> results = serverResults(command);
        for (Quake3Message result : results) {
            if (result instanceof ServerCommand c) {
                texts.add(c.text());
            } else {
                addServer(result, ops);
            }
        }
        serverCommands.add(command.id(), command.text(), texts);
        return results.size() != texts.size();
    }

    private boolean onSnapshot(int sequence, Snapshot snapshot, List<ServerMessage.Op> ops) {
        int delta = snapshot.deltaNum();
        Frame serverBase = serverFrames.base(sequence, delta);
        Frame frame = serverFrames.add(sequence, snapshot);
        if (frame == null) {
            // The client can't have the base either.
            clientFrames.put(sequence, null);
            ops.add(snapshot);
            return false;
        }
        FullSnapshot full = frame.full(snapshot.flags());
        List<Quake3Message> results =
                interceptor.onMessage(Direction.S2C, full, ProxiedMessages::checkSnapshot);
        FullSnapshot sent = null;
        boolean others = false;
        for (Quake3Message result : results) {
            if (result instanceof FullSnapshot s) {
                sent = s;
            } else {
                others = true;
                addServer(result, ops);
            }
        }
        if (sent == null) {
            clientFrames.put(sequence, null);
            return true;
        }
        boolean same = sent.equals(full);
        Frame clientFrame = same ? frame : Frame.of(sent);
        clientFrames.put(sequence, clientFrame);
        Frame base = clientFrames.base(sequence, delta);
        if (same && base == serverBase && hasSameBaselines) {
            ops.add(snapshot);
            return others;
        }
        ops.add(
                clientFrame.since(
                        base,
                        base == Frame.EMPTY ? 0 : delta,
                        sent.flags(),
                        clientFrames.baselines(),
                        deltaCache));
        return true;
    }

    private boolean onGamestate(int sequence, Gamestate state, List<ServerMessage.Op> ops) {
        gamestate = sequence;
        server.checksumFeed(state.checksumFeed());
        serverFrames.gamestate(state);
        int number = serverCommands.skipTo(state.serverCommandSequence());
        List<Quake3Message> results = serverResults(state);
        for (Quake3Message result : results) {
            if (result instanceof Gamestate g) {
                client.checksumFeed(g.checksumFeed());
                clientFrames.gamestate(g);
                hasSameBaselines = g.baselines().equals(state.baselines());
                ops.add(
                        new Gamestate(
                                number,
                                g.configstrings(),
                                g.baselines(),
                                g.clientNum(),
                                g.checksumFeed()));
            } else {
                addServer(result, ops);
            }
        }
        return !GuardedInterceptor.isUnchanged(state, results);
    }

    private boolean onOther(ServerMessage.Op op, List<ServerMessage.Op> ops) {
        List<Quake3Message> results = serverResults(op);
        for (Quake3Message result : results) {
            addServer(result, ops);
        }
        return !GuardedInterceptor.isUnchanged(op, results);
    }

    private void addServer(Quake3Message result, List<ServerMessage.Op> ops) {
        if (result instanceof ServerCommand c) {
            inject(serverCommands, c.text());
        } else if (result instanceof ServerMessage.Op op) {
            ops.add(op);
        }
    }

    /** Encodes a message of operations. */
    private interface Encoder<O> {
        byte[] encode(List<O> ops);
    }

    /** Encodes a message; only its commands, if all together are too long for one. */
    private <O> byte[] encoded(Encoder<O> encoder, List<O> ops, Class<? extends O> command) {
        try {
            return encoder.encode(ops);
        } catch (IllegalStateException e) {
            if (!oversized) {
                oversized = true;
                out.report("a changed message is too long, only its commands were sent: " + e);
            }
            return encoder.encode(ops.stream().filter(command::isInstance).toList());
        }
    }
}
