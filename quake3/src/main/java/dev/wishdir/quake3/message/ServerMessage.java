package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A message from server to client: docs/protocols/quake3.md#server-message.
 *
 * @param reliableAcknowledge number of the last client command that the server has executed
 */
public record ServerMessage(int reliableAcknowledge, List<Op> ops) {
    /** Maximum bytes of a message in either direction, before fragmentation. */
    public static final int MAX_LENGTH = 16_384;

    /** A message for a reader to ignore. */
    public static final ServerMessage BLANK = new ServerMessage(0, List.of());

    private static final int NOP = 1;
    private static final int GAMESTATE = 2;
    private static final int CONFIGSTRING = 3;
    private static final int BASELINE = 4;
    private static final int SERVER_COMMAND = 5;
    private static final int DOWNLOAD = 6;
    private static final int SNAPSHOT = 7;
    private static final int EOF = 8;
    private static final int VOIP_SPEEX = 9;
    private static final int VOIP_OPUS = 10;

    /** Keeps a copy of the operations. */
    public ServerMessage {
        ops = List.copyOf(ops);
    }

    /** One operation of a message. */
    public sealed interface Op extends Quake3Message {
        /** The operation's code. */
        default int code() {
            return switch (this) {
                case Nop _ -> NOP;
                case Gamestate _ -> GAMESTATE;
                case ServerCommand _ -> SERVER_COMMAND;
                case Download _ -> DOWNLOAD;
                case Snapshot _ -> SNAPSHOT;
                case Voip v -> v.code;
            };
        }

        @Override
        default String name() {
            return switch (this) {
                case Nop _ -> "nop";
                case Gamestate _ -> "gamestate";
                case ServerCommand _ -> "serverCommand";
                case Download _ -> "download";
                case Snapshot _ -> "snapshot";
                case Voip _ -> "voip";
            };
        }
    }

    /** No operation. */
    public record Nop() implements Op {}

    /**
     * The state that a client needs before the first snapshot of a level.
     *
     * @param serverCommandSequence number of the last server command, from which the client
     *     continues
     * @param configstrings by index, without empty ones; together below 16000 bytes
     * @param baselines the bases of entities that are not in a snapshot's base
     * @param clientNum the client's own slot
     * @param checksumFeed input of usercmd keys and pure checksums
     */
    public record Gamestate(
            int serverCommandSequence,
            SortedMap<Integer, String> configstrings,
            List<EntityDelta> baselines,
            int clientNum,
            int checksumFeed)
            implements Op {
        /** Maximum number of configstrings. */
        public static final int MAX_CONFIGSTRINGS = 1024;

        /** Maximum bytes of all configstrings, with a final zero each. */
        public static final int MAX_CHARS = 16_000;

        private static final Gamestate BLANK = new Gamestate(0, new TreeMap<>(), List.of(), 0, 0);

        /** Keeps copies. */
        public Gamestate {
            configstrings =
                    java.util.Collections.unmodifiableSortedMap(new TreeMap<>(configstrings));
            baselines = List.copyOf(baselines);
        }

        private static Gamestate wire(BitWire w, Gamestate m) {
            int sequence = w.i32("serverCommandSequence", m.serverCommandSequence);
            SortedMap<Integer, String> configstrings = new TreeMap<>();
            List<EntityDelta> baselines = new ArrayList<>();
            List<Integer> indices = List.copyOf(m.configstrings.keySet());
            int chars = 0;
            for (int i = 0; ; i++) {
                int of = i - indices.size();
                int code =
                        w.u8(
                                "item",
                                of < 0 ? CONFIGSTRING : of < m.baselines.size() ? BASELINE : EOF);
                if (code == EOF) {
                    break;
                }
                if (code == CONFIGSTRING) {
                    int given = Wire.item(indices, i, 0);
                    int index = w.bounded("index", w.i16("index", given), MAX_CONFIGSTRINGS - 1);
                    String text =
                            FieldCodecs.string(
                                    w,
                                    "configstring",
                                    m.configstrings.getOrDefault(given, ""),
                                    FieldCodecs.MAX_BIG_STRING_BYTES);
                    chars += text.length() + 1;
                    w.bounded("configstrings", chars, MAX_CHARS);
                    configstrings.put(index, text);
                } else if (code == BASELINE) {
                    EntityDelta baseline =
                            Wire.item(m.baselines, Math.max(of, 0), EntityDelta.BLANK);
                    int number = w.bits("number", baseline.number(), EntityState.NUMBER_BITS);
                    w.pushScope("baseline.", number);
                    baselines.add(EntityDelta.wire(w, number, baseline));
                    w.bounded("baselines", baselines.size(), EntityState.NONE + 1);
                    w.popScope();
                } else {
                    throw w.malformed("item", "is " + code + ", must be 3, 4 or 8");
                }
            }
            return new Gamestate(
                    sequence,
                    configstrings,
                    baselines,
                    w.i32("clientNum", m.clientNum),
                    w.i32("checksumFeed", m.checksumFeed));
        }
    }

    /**
     * A reliable command: repeated in every message until the client acknowledges it.
     *
     * @param id from 1 on
     */
    public record ServerCommand(int id, String text) implements Op {}

    /**
     * A block of a file.
     *
     * @param block from 0 on, 16 bits
     * @param size in block 0 the file's bytes, or negative for a refusal; otherwise 0
     * @param refusal reason of a refusal, otherwise empty
     * @param data at most 1024 bytes, none in the block after the last
     */
    public record Download(int block, int size, String refusal, Bytes data) implements Op {
        /** Maximum bytes of a block. */
        public static final int BLOCK = 1024;

        private static final Download BLANK = new Download(0, 0, "", Bytes.EMPTY);

        private static Download wire(BitWire w, Download m) {
            int block = w.bits("block", m.block, 16);
            int size = block == 0 ? w.i32("size", m.size) : 0;
            if (size < 0) {
                return new Download(
                        block,
                        size,
                        FieldCodecs.string(w, "refusal", m.refusal, FieldCodecs.MAX_STRING_BYTES),
                        Bytes.EMPTY);
            }
            int length = w.bounded("length", w.i16("length", m.data.length()), MAX_LENGTH);
            return new Download(block, size, "", FieldCodecs.bytes(w, "data", m.data, length));
        }
    }

    /**
     * The state that a client sees at one time.
     *
     * @param serverTime milliseconds
     * @param deltaNum distance to the base in messages; 0 for a full snapshot
     * @param flags 1 rate delayed, 2 not active, 4 toggles at every start of the map
     * @param areabits one bit per hidden area, at most 32 bytes; empty if none is hidden
     * @param entities ascending by number; missing entities of the base are unchanged
     */
    public record Snapshot(
            int serverTime,
            int deltaNum,
            int flags,
            Bytes areabits,
            PlayerDelta playerState,
            List<EntityDelta> entities)
            implements Op {
        /** The flag of a snapshot that waited for the client's rate. */
        public static final int RATE_DELAYED = 1;

        /** The flag of a snapshot for a client that has not entered the level. */
        public static final int NOT_ACTIVE = 2;

        /** The flag that toggles at every start of the map. */
        public static final int SERVER_COUNT = 4;

        /** Maximum bytes of area bits. */
        public static final int MAX_AREA_BYTES = 32;

        /** Maximum number of entities. */
        public static final int MAX_ENTITIES = 256;

        private static final Snapshot BLANK =
                new Snapshot(0, 0, 0, Bytes.EMPTY, PlayerDelta.NONE, List.of());

        /** Keeps a copy of the entities. */
        public Snapshot {
            entities = List.copyOf(entities);
        }

        private static Snapshot wire(BitWire w, Snapshot m) {
            int serverTime = w.i32("serverTime", m.serverTime);
            int deltaNum = w.u8("deltaNum", m.deltaNum);
            int flags = w.u8("flags", m.flags);
            int areas =
                    w.bounded("areaBytes", w.u8("areaBytes", m.areabits.length()), MAX_AREA_BYTES);
            Bytes areabits =
                    areas == 0 ? Bytes.EMPTY : FieldCodecs.bytes(w, "areabits", m.areabits, areas);
            w.pushScope("ps");
            PlayerDelta playerState = PlayerDelta.wire(w, m.playerState);
            w.popScope();
            boolean reading = w.reading();
            List<EntityDelta> entities = reading ? new ArrayList<>() : m.entities;
            for (int at = 0; ; at++) {
                boolean more = at < m.entities.size();
                EntityDelta entity = more ? m.entities.get(at) : EntityDelta.BLANK;
                int number =
                        w.bits(
                                "number",
                                more ? entity.number() : EntityState.NONE,
                                EntityState.NUMBER_BITS);
                if (number == EntityState.NONE) {
                    break;
                }
                w.bounded("entities", at + 1, EntityState.NONE);
                w.pushScope("entity.", number);
                EntityDelta walked = EntityDelta.wire(w, number, entity);
                if (reading) {
                    entities.add(walked);
                }
                w.popScope();
            }
            return new Snapshot(serverTime, deltaNum, flags, areabits, playerState, entities);
        }
    }

    /**
     * A part of a player's voice, which the server and the client ignore.
     *
     * @param code 9 for Speex, 10 for Opus
     */
    public record Voip(
            int code, int sender, int generation, int sequence, int frames, int flags, Bytes data)
            implements Op {
        private static final Voip BLANK = new Voip(VOIP_OPUS, 0, 0, 0, 0, 0, Bytes.EMPTY);

        private static Voip wire(BitWire w, int code, Voip m) {
            int sender = w.i16("sender", m.sender);
            int generation = w.u8("generation", m.generation);
            int sequence = w.i32("sequence", m.sequence);
            int frames = w.u8("frames", m.frames);
            int size = w.bounded("size", w.i16("size", m.data.length()), MAX_LENGTH);
            int flags = w.bits("flags", m.flags, 2);
            Bytes data = FieldCodecs.bytes(w, "data", m.data, size);
            return new Voip(code, sender, generation, sequence, frames, flags, data);
        }
    }

    /** Walks a message up to the end of its operations; a message with a download has two ends. */
    public static ServerMessage wire(BitWire w, ServerMessage m) {
        int reliableAcknowledge = w.i32("reliableAcknowledge", m.reliableAcknowledge);
        List<Op> ops = new ArrayList<>();
        boolean download = false;
        while (true) {
            Op op = Wire.item(m.ops, ops.size(), new Nop());
            int code = w.u8("op", ops.size() < m.ops.size() ? op.code() : EOF);
            if (w.tracing()) {
                w.annotate(code == EOF ? "EOF" : name(code));
            }
            if (code == EOF) {
                break;
            }
            Op walked;
            try {
                walked = body(w, code, op);
            } catch (MalformedPacketException e) {
                throw e.in(name(code));
            }
            download |= walked instanceof Download;
            ops.add(walked);
        }
        if (download && w.u8("secondEOF", EOF) != EOF) {
            throw w.malformed("secondEOF", "must be " + EOF);
        }
        return new ServerMessage(reliableAcknowledge, ops);
    }

    private static Op body(BitWire w, int code, Op m) {
        return switch (code) {
            case NOP -> new Nop();
            case GAMESTATE -> Gamestate.wire(w, m instanceof Gamestate g ? g : Gamestate.BLANK);
            case SERVER_COMMAND -> {
                ServerCommand c = m instanceof ServerCommand v ? v : new ServerCommand(0, "");
                yield new ServerCommand(
                        w.i32("id", c.id),
                        FieldCodecs.string(w, "text", c.text, FieldCodecs.MAX_STRING_BYTES));
            }
            case DOWNLOAD -> Download.wire(w, m instanceof Download d ? d : Download.BLANK);
            case SNAPSHOT -> Snapshot.wire(w, m instanceof Snapshot s ? s : Snapshot.BLANK);
            case VOIP_SPEEX, VOIP_OPUS -> Voip.wire(w, code, m instanceof Voip v ? v : Voip.BLANK);
            default -> throw w.malformed("op", "is " + code + ", must be 1, 2 or 5.." + VOIP_OPUS);
        };
    }

    private static String name(int code) {
        return switch (code) {
            case NOP -> "nop";
            case GAMESTATE -> "gamestate";
            case SERVER_COMMAND -> "serverCommand";
            case DOWNLOAD -> "download";
            case SNAPSHOT -> "snapshot";
            case VOIP_SPEEX, VOIP_OPUS -> "voip";
            default -> "unknown";
        };
    }
}
