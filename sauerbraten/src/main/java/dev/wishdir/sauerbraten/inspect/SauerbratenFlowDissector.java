package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.enet.EnetFlowDissector;
import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Dissects one connection: ENet commands, and the game's messages in them. */
final class SauerbratenFlowDissector {
    private final boolean traces;
    private final @Nullable Supplier<CapturedConnection> connections;
    private final EnetFlowDissector enet;
    private @Nullable CapturedClient client;
    private MessageDissector messages;

    /**
     * @param connections opens a connection that receives the movement of players instead of lines;
     *     null for lines
     */
    SauerbratenFlowDissector(boolean traces, @Nullable Supplier<CapturedConnection> connections) {
        this.traces = traces;
        this.connections = connections;
        enet = new EnetFlowDissector(traces);
        messages = start();
    }

    /** Starts a connection. */
    private MessageDissector start() {
        if (client != null) {
            client.close(LeaveReason.TIMED_OUT);
        }
        client = connections == null ? null : new CapturedClient(connections.get());
        return new MessageDissector(SauerbratenCodec.V260, traces, client);
    }

    /**
     * The direction of a datagram of the game, if its commands or messages are sent only by one
     * side.
     */
    static Optional<Direction> direction(Bytes datagram) {
        EnetDatagram decoded = EnetFlowDissector.decode(datagram).orElse(null);
        if (decoded == null
                || decoded.commands().stream().anyMatch(command -> !isOnGameChannel(command))) {
            return Optional.empty();
        }
        return decoded.commands().stream()
                .flatMap(command ->
                        EnetFlowDissector.direction(decoded.header(), command)
                                .or(() -> direction(command))
                                .stream())
                .findFirst();
    }

    private static boolean isOnGameChannel(EnetCommand command) {
        return switch (command) {
            case EnetCommand.Connect connect -> hasGameChannels(connect.terms());
            case EnetCommand.VerifyConnect verify -> hasGameChannels(verify.terms());
            default ->
                    command.channel() <= SauerbratenTransport.FILES
                            || command.channel() == EnetCommand.NO_CHANNEL;
        };
    }

    private static boolean hasGameChannels(EnetCommand.Terms terms) {
        return terms.channels() == SauerbratenTransport.FILES + 1;
    }

    private static Optional<Direction> direction(EnetCommand command) {
        return switch (command) {
            case EnetCommand.SendReliable c -> direction(c.channel(), c.payload());
            case EnetCommand.SendUnreliable c -> direction(c.channel(), c.payload());
            default -> Optional.empty();
        };
    }

    private static Optional<Direction> direction(int channel, Bytes packet) {
        boolean c2s = isPacket(Direction.C2S, channel, packet);
        boolean s2c = isPacket(Direction.S2C, channel, packet);
        return c2s == s2c ? Optional.empty() : Optional.of(c2s ? Direction.C2S : Direction.S2C);
    }

    private static boolean isPacket(Direction direction, int channel, Bytes packet) {
        if (channel == SauerbratenTransport.FILES) {
            return false;
        }
        try {
            SauerbratenCodec.V260.readPacket(direction, channel, new Reader(packet));
            return true;
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /**
     * Dissects a datagram up to the first malformed part.
     *
     * @param seconds since the start of the capture
     */
    void datagram(
            double seconds,
            Direction direction,
            Bytes datagram,
            BiConsumer<Layer, DissectedFields> dissected) {
        if (client != null) {
            client.setTime(seconds);
        }
        enet.datagram(
                direction,
                datagram,
                new EnetFlowDissector.Sink() {
                    @Override
                    public boolean wantsCommands() {
                        return connections == null;
                    }

                    @Override
                    public void command(String name, Map<String, ?> fields, List<Traced> trace) {
                        dissected.accept(Layer.TRANSPORT, new DissectedFields(name, fields, trace));
                    }

                    @Override
                    public void connecting() {
                        messages = start();
                    }

                    @Override
                    public void disconnecting(Direction side, long reason) {
                        if (client != null) {
                            client.onDisconnected(side, reason);
                            client = null;
                            messages = start();
                        }
                    }

                    @Override
                    public void message(
                            Direction messageDirection,
                            int channel,
                            boolean reliable,
                            Bytes payload) {
                        messages.packet(
                                messageDirection,
                                channel,
                                reliable,
                                payload,
                                message -> dissected.accept(Layer.MESSAGE, message));
                    }

                    @Override
                    public void malformed(MalformedPacketException problem, Bytes rest) {
                        dissected.accept(Layer.TRANSPORT, DissectedFields.malformed(problem, rest));
                    }
                });
    }
}
