package dev.wishdir.record.message;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * One {@code Moves} message of at most 64 KiB while it grows. The rows are written field by field,
 * without an object for each, because this runs for each movement on the arena's thread.
 */
public final class MoveBatch {
    /** Maximum span of the rows of a message. */
    static final long MAX_SPAN_NANOS = 50_000_000;

    /** Maximum number of native bytes; a longer form is recorded without them. */
    public static final int MAX_NATIVE_BYTES = 1024;

    private static final int CAPACITY_BYTES = 1 << 16;
    private static final int MAX_ROW_BYTES = MAX_NATIVE_BYTES + 128;

    private final byte[] bytes = new byte[CAPACITY_BYTES];
    private final byte[] nativeBytes = new byte[MAX_NATIVE_BYTES];
    private CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    private long start;

    public boolean isEmpty() {
        return out.getTotalBytesWritten() == 0;
    }

    /** Whether a movement at this time fits into the message. */
    public boolean fits(long time) {
        return isEmpty()
                || time >= start
                        && time - start < MAX_SPAN_NANOS
                        && out.spaceLeft() >= MAX_ROW_BYTES;
    }

    /** Time of the first row, the log time of the message. */
    public long start() {
        return start;
    }

    /** The array with the message, of which the first {@link #length} bytes are valid. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return out.getTotalBytesWritten();
    }

    public void clear() {
        out = CodedOutputStream.newInstance(bytes);
    }

    /**
     * Appends a row; it must {@linkplain #fits fit}.
     *
     * @param form number of the native form, 0 for none
     */
    public void add(long time, PlayerId id, Movement movement, int form, Bytes nativeForm) {
        if (isEmpty()) {
            start = time;
        }
        try {
            write(id, (int) ((time - start) / 1000), movement, form, nativeForm);
        } catch (IOException e) {
            throw new UncheckedIOException("a row of " + id + " exceeds its bound", e);
        }
    }

    private void write(PlayerId id, int afterMicros, Movement movement, int form, Bytes nativeForm)
            throws IOException {
        Vec3 p = movement.position();
        Vec3 v = movement.velocity();
        float px = Quantum.position(p.x());
        float py = Quantum.position(p.y());
        float pz = Quantum.position(p.z());
        float vx = Quantum.velocity(v.x());
        float vy = Quantum.velocity(v.y());
        float vz = Quantum.velocity(v.z());
        float yaw = Quantum.yaw(movement.yaw());
        float pitch = Quantum.pitch(movement.pitch());
        int stance = movement.stance().bits();
        int length =
                uint32Bytes(id.number())
                        + uint32Bytes(id.node())
                        + uint32Bytes(afterMicros)
                        + 2
                        + vectorBytes(px, py, pz)
                        + floatBytes(yaw)
                        + floatBytes(pitch)
                        + 2
                        + vectorBytes(vx, vy, vz)
                        + uint32Bytes(stance)
                        + uint32Bytes(form);
        int nativeLength = form == 0 ? 0 : nativeForm.length();
        if (nativeLength > 0) {
            length += 1 + CodedOutputStream.computeUInt32SizeNoTag(nativeLength) + nativeLength;
        }
        message(Moves.MOVES_FIELD_NUMBER, length);
        uint32(Move.PLAYER_FIELD_NUMBER, id.number());
        uint32(Move.NODE_FIELD_NUMBER, id.node());
        uint32(Move.AFTER_US_FIELD_NUMBER, afterMicros);
        vector(Move.POSITION_FIELD_NUMBER, px, py, pz);
        real(Move.YAW_FIELD_NUMBER, yaw);
        real(Move.PITCH_FIELD_NUMBER, pitch);
        vector(Move.VELOCITY_FIELD_NUMBER, vx, vy, vz);
        uint32(Move.STANCE_FIELD_NUMBER, stance);
        uint32(Move.FORM_FIELD_NUMBER, form);
        if (nativeLength > 0) {
            nativeForm.copyTo(nativeBytes, 0);
            message(Move.NATIVE_FIELD_NUMBER, nativeLength);
            out.writeRawBytes(nativeBytes, 0, nativeLength);
        }
    }

    private void message(int field, int length) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(length);
    }

    private void uint32(int field, int value) throws IOException {
        if (value != 0) {
            out.writeUInt32(field, value);
        }
    }

    private void real(int field, float value) throws IOException {
        if (value != 0) {
            out.writeFloat(field, value);
        }
    }

    private void vector(int field, float x, float y, float z) throws IOException {
        message(field, vectorBytes(x, y, z));
        real(Vector.X_FIELD_NUMBER, x);
        real(Vector.Y_FIELD_NUMBER, y);
        real(Vector.Z_FIELD_NUMBER, z);
    }

    /** All fields have numbers below 16, so that a tag is one byte. */
    private static int uint32Bytes(int value) {
        return value == 0 ? 0 : 1 + CodedOutputStream.computeUInt32SizeNoTag(value);
    }

    private static int floatBytes(float value) {
        return value == 0 ? 0 : 5;
    }

    private static int vectorBytes(float x, float y, float z) {
        return floatBytes(x) + floatBytes(y) + floatBytes(z);
    }
}
