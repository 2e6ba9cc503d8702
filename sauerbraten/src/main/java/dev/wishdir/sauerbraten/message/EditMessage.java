package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.SequencedMap;

/**
 * Cooperative map editing. All but {@link GetMap}, the files, undo, redo and clipboard are relayed
 * unchanged.
 */
public sealed interface EditMessage extends SauerbratenMessage {
    /** Maximum size of a map file, bytes. */
    int MAX_FILE = 4 << 20;

    private static Bytes extraBytes(Wire w, Bytes extra) {
        int length = w.u16le("extralen", w.bounded("extra", extra.length(), 0xFFFF));
        return w.bytes("extra", extra, length);
    }

    /** {@code N_EDITMODE}: the sender enters or leaves edit mode. */
    record EditMode(boolean on) implements EditMessage {
        public static final EditMode BLANK = new EditMode(false);

        public static EditMode wire(Wire w, EditMode m) {
            return new EditMode(bool(w, "on", m.on));
        }
    }

    /**
     * {@code N_EDITENT}: set an entity.
     *
     * @param ent its index
     * @param x sixteenths of a unit, like {@code y} and {@code z}
     */
    record EditEnt(int ent, int x, int y, int z, int type, int a1, int a2, int a3, int a4, int a5)
            implements EditMessage {
        public static final EditEnt BLANK = new EditEnt(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Removes an entity. */
        public static EditEnt none(int ent) {
            return new EditEnt(ent, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }

        public static EditEnt wire(Wire w, EditEnt m) {
            int ent = integer(w, "ent", m.ent);
            int x = Point.coordinate(w, "x", m.x);
            int y = Point.coordinate(w, "y", m.y);
            int z = Point.coordinate(w, "z", m.z);
            int type = named(w, "type", m.type, 0, ProtocolNames.ENTITIES);
            int a1 = integer(w, "a1", m.a1);
            int a2 = integer(w, "a2", m.a2);
            int a3 = integer(w, "a3", m.a3);
            int a4 = integer(w, "a4", m.a4);
            int a5 = integer(w, "a5", m.a5);
            return new EditEnt(ent, x, y, z, type, a1, a2, a3, a4, a5);
        }
    }

    /** {@code N_EDITF}: push or pull faces. */
    record EditF(Selection sel, int dir, int mode) implements EditMessage {
        public static final EditF BLANK = new EditF(Selection.BLANK, 0, 0);

        public static EditF wire(Wire w, EditF m) {
            Selection sel = Selection.wire(w, m.sel);
            int dir = integer(w, "dir", m.dir);
            int mode = integer(w, "mode", m.mode);
            return new EditF(sel, dir, mode);
        }
    }

    /**
     * {@code N_EDITT}: set a texture.
     *
     * @param extra changes of the texture; empty in protocol 259, which has none
     */
    record EditT(Selection sel, int a, int allfaces, Bytes extra) implements EditMessage {
        public static final EditT BLANK = new EditT(Selection.BLANK, 0, 0, Bytes.EMPTY);

        public static EditT wire(Wire w, EditT m) {
            Selection sel = Selection.wire(w, m.sel);
            int a = integer(w, "a", m.a);
            int allfaces = integer(w, "allfaces", m.allfaces);
            Bytes extra = extraBytes(w, m.extra);
            return new EditT(sel, a, allfaces, extra);
        }

        /** The walk of protocol 259: without extra bytes. */
        public static EditT wire259(Wire w, EditT m) {
            Selection sel = Selection.wire(w, m.sel);
            int a = integer(w, "a", m.a);
            int allfaces = integer(w, "allfaces", m.allfaces);
            return new EditT(sel, a, allfaces, Bytes.EMPTY);
        }
    }

    /** {@code N_EDITM}: set a material, where the filter matches. */
    record EditM(Selection sel, int mat, int filter) implements EditMessage {
        public static final EditM BLANK = new EditM(Selection.BLANK, 0, 0);

        public static EditM wire(Wire w, EditM m) {
            Selection sel = Selection.wire(w, m.sel);
            int mat = integer(w, "mat", m.mat);
            int filter = integer(w, "filter", m.filter);
            return new EditM(sel, mat, filter);
        }
    }

    /** {@code N_FLIP}: mirror. */
    record Flip(Selection sel) implements EditMessage {
        public static final Flip BLANK = new Flip(Selection.BLANK);

        public static Flip wire(Wire w, Flip m) {
            return new Flip(Selection.wire(w, m.sel));
        }
    }

    /** {@code N_COPY}: copy for {@link Paste}. */
    record Copy(Selection sel) implements EditMessage {
        public static final Copy BLANK = new Copy(Selection.BLANK);

        public static Copy wire(Wire w, Copy m) {
            return new Copy(Selection.wire(w, m.sel));
        }
    }

    /** {@code N_PASTE}: paste the copy. */
    record Paste(Selection sel) implements EditMessage {
        public static final Paste BLANK = new Paste(Selection.BLANK);

        public static Paste wire(Wire w, Paste m) {
            return new Paste(Selection.wire(w, m.sel));
        }
    }

    /** {@code N_ROTATE}: rotate. */
    record Rotate(Selection sel, int dir) implements EditMessage {
        public static final Rotate BLANK = new Rotate(Selection.BLANK, 0);

        public static Rotate wire(Wire w, Rotate m) {
            Selection sel = Selection.wire(w, m.sel);
            int dir = integer(w, "dir", m.dir);
            return new Rotate(sel, dir);
        }
    }

    /**
     * {@code N_REPLACE}: replace a texture.
     *
     * @param old texture to replace
     * @param by new texture, {@code new} in the protocol
     * @param insel whether only inside the selection
     * @param extra changes of the texture; empty in protocol 259, which has none
     */
    record Replace(Selection sel, int old, int by, int insel, Bytes extra) implements EditMessage {
        public static final Replace BLANK = new Replace(Selection.BLANK, 0, 0, 0, Bytes.EMPTY);

        public static Replace wire(Wire w, Replace m) {
            Selection sel = Selection.wire(w, m.sel);
            int old = integer(w, "old", m.old);
            int by = integer(w, "new", m.by);
            int insel = integer(w, "insel", m.insel);
            Bytes extra = extraBytes(w, m.extra);
            return new Replace(sel, old, by, insel, extra);
        }

        /** The walk of protocol 259: without extra bytes. */
        public static Replace wire259(Wire w, Replace m) {
            Selection sel = Selection.wire(w, m.sel);
            int old = integer(w, "old", m.old);
            int by = integer(w, "new", m.by);
            int insel = integer(w, "insel", m.insel);
            return new Replace(sel, old, by, insel, Bytes.EMPTY);
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = Fields.of(this);
            fields.remove("by");
            fields.put("new", by);
            return fields;
        }
    }

    /** {@code N_DELCUBE}: delete. */
    record DelCube(Selection sel) implements EditMessage {
        public static final DelCube BLANK = new DelCube(Selection.BLANK);

        public static DelCube wire(Wire w, DelCube m) {
            return new DelCube(Selection.wire(w, m.sel));
        }
    }

    /** {@code N_REMIP}: simplify the whole map. */
    record Remip() implements EditMessage {
        public static final Remip BLANK = new Remip();

        public static Remip wire(Wire w, Remip m) {
            return BLANK;
        }
    }

    /** {@code N_EDITVSLOT}: change a texture. */
    record EditVSlot(Selection sel, int a, int allfaces, Bytes extra) implements EditMessage {
        public static final EditVSlot BLANK = new EditVSlot(Selection.BLANK, 0, 0, Bytes.EMPTY);

        public static EditVSlot wire(Wire w, EditVSlot m) {
            Selection sel = Selection.wire(w, m.sel);
            int a = integer(w, "a", m.a);
            int allfaces = integer(w, "allfaces", m.allfaces);
            Bytes extra = extraBytes(w, m.extra);
            return new EditVSlot(sel, a, allfaces, extra);
        }
    }

    /** {@code N_UNDO} from a client: undo its edit. */
    record ClientUndo(CompressedEdit packed) implements EditMessage {
        public static final ClientUndo BLANK = new ClientUndo(CompressedEdit.BLANK);

        public static ClientUndo wire(Wire w, ClientUndo m) {
            return new ClientUndo(CompressedEdit.wire(w, m.packed));
        }
    }

    /** {@code N_UNDO}: a player has undone an edit. */
    record Undo(int cn, CompressedEdit packed) implements EditMessage {
        public static final Undo BLANK = new Undo(0, CompressedEdit.BLANK);

        public static Undo wire(Wire w, Undo m) {
            int cn = integer(w, "cn", m.cn);
            CompressedEdit packed = CompressedEdit.wire(w, m.packed);
            return new Undo(cn, packed);
        }
    }

    /** {@code N_REDO} from a client: redo its edit. */
    record ClientRedo(CompressedEdit packed) implements EditMessage {
        public static final ClientRedo BLANK = new ClientRedo(CompressedEdit.BLANK);

        public static ClientRedo wire(Wire w, ClientRedo m) {
            return new ClientRedo(CompressedEdit.wire(w, m.packed));
        }
    }

    /** {@code N_REDO}: a player has redone an edit. */
    record Redo(int cn, CompressedEdit packed) implements EditMessage {
        public static final Redo BLANK = new Redo(0, CompressedEdit.BLANK);

        public static Redo wire(Wire w, Redo m) {
            int cn = integer(w, "cn", m.cn);
            CompressedEdit packed = CompressedEdit.wire(w, m.packed);
            return new Redo(cn, packed);
        }
    }

    /**
     * {@code N_NEWMAP}: an empty map with a side of 2^{@code size} units; -1 doubles the current
     * one.
     */
    record NewMap(int size) implements EditMessage {
        public static final NewMap BLANK = new NewMap(0);

        public static NewMap wire(Wire w, NewMap m) {
            return new NewMap(integer(w, "size", m.size));
        }
    }

    /** {@code N_GETMAP}: the client requests the edited map. */
    record GetMap() implements EditMessage {
        public static final GetMap BLANK = new GetMap();

        public static GetMap wire(Wire w, GetMap m) {
            return BLANK;
        }
    }

    /**
     * {@code N_SENDMAP}, on channel 2: the edited map.
     *
     * @param file the .ogz file
     */
    record SendMap(Bytes file) implements EditMessage {
        public static final SendMap BLANK = new SendMap(Bytes.EMPTY);

        public static SendMap wire(Wire w, SendMap m) {
            return new SendMap(w.rest("file", m.file, MAX_FILE));
        }

        @Override
        public SequencedMap<String, Object> fields() {
            return Fields.ofFile(file);
        }
    }

    /**
     * A map from a client, on channel 2, without a code: the packet is the file.
     *
     * @param file the .ogz file
     */
    record MapData(Bytes file) implements EditMessage {
        public static final MapData BLANK = new MapData(Bytes.EMPTY);

        public static MapData wire(Wire w, MapData m) {
            return new MapData(w.rest("file", m.file, MAX_FILE));
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = Fields.ofFile(file);
            fields.put("len", file.length());
            fields.put("note", "raw ogz file, no message code, client to server");
            return fields;
        }
    }

    /** {@code N_CLIPBOARD} from a client: its clipboard, for players that join later. */
    record ClientClipboard(CompressedEdit packed) implements EditMessage {
        public static final ClientClipboard BLANK = new ClientClipboard(CompressedEdit.BLANK);

        public static ClientClipboard wire(Wire w, ClientClipboard m) {
            return new ClientClipboard(CompressedEdit.wire(w, m.packed));
        }
    }

    /** {@code N_CLIPBOARD}: the clipboard of a player. */
    record Clipboard(int cn, CompressedEdit packed) implements EditMessage {
        public static final Clipboard BLANK = new Clipboard(0, CompressedEdit.BLANK);

        public static Clipboard wire(Wire w, Clipboard m) {
            int cn = integer(w, "cn", m.cn);
            CompressedEdit packed = CompressedEdit.wire(w, m.packed);
            return new Clipboard(cn, packed);
        }
    }

    /** {@code N_EDITVAR}: set a map variable. */
    record EditVar(String name, Value value) implements EditMessage {
        public static final EditVar BLANK = new EditVar("", new IntValue(0));

        public static EditVar wire(Wire w, EditVar m) {
            int vtype = named(w, "vtype", m.value.vtype(), 0, List.of("int", "float", "string"));
            String name = string(w, "name", m.name);
            Value value =
                    switch (vtype) {
                        case 0 ->
                                new IntValue(
                                        integer(
                                                w,
                                                "value",
                                                m.value instanceof IntValue v ? v.value : 0));
                        case 1 ->
                                new FloatValue(
                                        w.f32le(
                                                "value",
                                                m.value instanceof FloatValue v ? v.value : 0));
                        case 2 ->
                                new TextValue(
                                        string(
                                                w,
                                                "value",
                                                m.value instanceof TextValue v ? v.value : ""));
                        default -> throw w.malformed("vtype", "is " + vtype + ", must be 0..2");
                    };
            return new EditVar(name, value);
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = Fields.of(value);
            fields.putFirst("name", name);
            fields.putFirst("vtype", value.vtype());
            return fields;
        }
    }

    /** The value of a map variable. */
    sealed interface Value {
        /** The type of the value on the wire. */
        default int vtype() {
            return switch (this) {
                case IntValue _ -> 0;
                case FloatValue _ -> 1;
                case TextValue _ -> 2;
            };
        }
    }

    record IntValue(int value) implements Value {}

    record FloatValue(float value) implements Value {}

    record TextValue(String value) implements Value {}
}
