package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A message from client to server: docs/protocols/quake3.md#client-message.
 *
 * @param serverId the level of the client, {@code sv_serverid}; 0 before any
 * @param messageAcknowledge the netchan sequence of the last server message received
 * @param reliableAcknowledge the number of the last server command received
 */
public record ClientMessage(
        int serverId, int messageAcknowledge, int reliableAcknowledge, List<Op> ops) {
    /** A message for a reader to ignore. */
    public static final ClientMessage BLANK = new ClientMessage(0, 0, 0, List.of());

    /** Maximum number of usercmds in a move. */
    public static final int MAX_USERCMDS = 32;

    private static final int NOP = 1;
    private static final int MOVE = 2;
    private static final int MOVE_NO_DELTA = 3;
    private static final int CLIENT_COMMAND = 4;
    private static final int EOF = 5;
    private static final int VOIP_SPEEX = 6;
    private static final int VOIP_OPUS = 7;
    private static final int VOIP_TARGETS = 8;

    /** Keeps a copy of the operations. */
    public ClientMessage {
        ops = List.copyOf(ops);
    }

    /** Computes the key of a message's usercmds from what the message acknowledges. */
    @FunctionalInterface
    public interface MoveKey {
        int key(int messageAcknowledge, int reliableAcknowledge);
    }

    /** One operation of a message. */
    public sealed interface Op extends Quake3Message {
        /** The operation's code. */
        default int code() {
            return switch (this) {
                case Nop _ -> NOP;
                case Move m -> m.delta ? MOVE : MOVE_NO_DELTA;
                case ClientCommand _ -> CLIENT_COMMAND;
                case Voip v -> v.code;
            };
        }

        @Override
        default String name() {
            return switch (this) {
                case Nop _ -> "nop";
                case Move m -> m.delta ? "move" : "moveNoDelta";
                case ClientCommand _ -> "clientCommand";
                case Voip _ -> "voip";
            };
        }
    }

    /** No operation. */
    public record Nop() implements Op {}

    /**
     * The player's newest commands, oldest first; earlier messages may have carried them.
     *
     * @param delta whether snapshots may be deltas against the acknowledged message
     */
    public record Move(boolean delta, List<Usercmd> commands) implements Op {
        /** Keeps a copy of the commands. */
        public Move {
            commands = List.copyOf(commands);
        }

        private static Move wire(BitWire w, boolean delta, List<Usercmd> m, int key) {
            int count = w.u8("count", m.size());
            if (count == 0) {
                throw w.malformed("count", "is 0, must be 1.." + MAX_USERCMDS);
            }
            w.bounded("count", count, MAX_USERCMDS);
            List<Usercmd> commands = new ArrayList<>(count);
            Usercmd from = Usercmd.ZERO;
            for (int i = 0; i < count; i++) {
                w.pushScope("cmds.", i);
                from = Usercmd.wire(w, from, Wire.item(m, i, Usercmd.ZERO), key);
                w.popScope();
                commands.add(from);
            }
            return new Move(delta, commands);
        }
    }

    /**
     * A reliable command: repeated in every message until the server acknowledges it.
     *
     * @param id from 1 on
     */
    public record ClientCommand(int id, String text) implements Op {}

    /**
     * A part of a player's voice, which the server and the client ignore.
     *
     * @param code 6 for Speex, 7 for Opus
     * @param targets one bit per receiving client; 8 bytes
     */
    public record Voip(
            int code,
            int generation,
            int sequence,
            int frames,
            Bytes targets,
            int flags,
            Bytes data)
            implements Op {
        private static final Voip BLANK =
                new Voip(VOIP_OPUS, 0, 0, 0, Bytes.of(new byte[VOIP_TARGETS]), 0, Bytes.EMPTY);

        private static Voip wire(BitWire w, int code, Voip m) {
            int generation = w.u8("generation", m.generation);
            int sequence = w.i32("sequence", m.sequence);
            int frames = w.u8("frames", m.frames);
            Bytes targets = FieldCodecs.bytes(w, "targets", m.targets, VOIP_TARGETS);
            int flags = w.u8("flags", m.flags);
            int size = w.bounded("size", w.i16("size", m.data.length()), ServerMessage.MAX_LENGTH);
            Bytes data = FieldCodecs.bytes(w, "data", m.data, size);
            return new Voip(code, generation, sequence, frames, targets, flags, data);
        }
    }

    /** Walks a message up to the end of its operations. */
    public static ClientMessage wire(BitWire w, ClientMessage m, MoveKey keys) {
        int serverId = w.i32("serverId", m.serverId);
        int messageAcknowledge = w.i32("messageAcknowledge", m.messageAcknowledge);
        int reliableAcknowledge = w.i32("reliableAcknowledge", m.reliableAcknowledge);
        List<Op> ops = new ArrayList<>();
        while (true) {
            Op op = Wire.item(m.ops, ops.size(), new Nop());
            int code = w.u8("op", ops.size() < m.ops.size() ? op.code() : EOF);
            if (code == EOF) {
                if (w.tracing()) {
                    w.annotate("EOF");
                }
                return new ClientMessage(serverId, messageAcknowledge, reliableAcknowledge, ops);
            }
            Op walked;
            try {
                walked = body(w, code, op, keys, messageAcknowledge, reliableAcknowledge);
            } catch (MalformedPacketException e) {
                throw e.in(name(code));
            }
            ops.add(walked);
        }
    }

    private static String name(int code) {
        return switch (code) {
            case NOP -> "nop";
            case MOVE -> "move";
            case MOVE_NO_DELTA -> "moveNoDelta";
            case CLIENT_COMMAND -> "clientCommand";
            case VOIP_SPEEX, VOIP_OPUS -> "voip";
            default -> "unknown";
        };
    }

    private static Op body(
            BitWire w, int code, Op m, MoveKey keys, int messageAcknowledge, int reliable) {
        return switch (code) {
            case NOP -> new Nop();
            case MOVE, MOVE_NO_DELTA -> {
                int key = keys.key(messageAcknowledge, reliable);
                if (w.tracing()) {
                    w.annotate(name(code) + ", key " + Integer.toHexString(key));
                }
                yield Move.wire(w, code == MOVE, m instanceof Move v ? v.commands : List.of(), key);
            }
            case CLIENT_COMMAND -> {
                if (w.tracing()) {
                    w.annotate(name(code));
                }
                ClientCommand c = m instanceof ClientCommand v ? v : new ClientCommand(0, "");
                yield new ClientCommand(
                        w.i32("id", c.id),
                        FieldCodecs.string(w, "text", c.text, FieldCodecs.MAX_STRING_BYTES));
            }
            case VOIP_SPEEX, VOIP_OPUS -> {
                if (w.tracing()) {
                    w.annotate(name(code));
                }
                yield Voip.wire(w, code, m instanceof Voip v ? v : Voip.BLANK);
            }
            default -> throw w.malformed("op", "is " + code + ", must be 1.." + VOIP_OPUS);
        };
    }
}
