package dev.wishdir.record.mcap;

import dev.wishdir.wire.Bytes;

/**
 * Schema by which the messages of a channel are decoded.
 *
 * @param id 1..65535
 * @param encoding of {@code data}: "protobuf", "jsonschema", ...
 */
public record Schema(int id, String name, String encoding, Bytes data) {
    void write(RecordBuffer out) {
        int record = out.begin(Opcode.SCHEMA);
        out.u16(id);
        out.text("name", name);
        out.text("encoding", encoding);
        out.u32(data.length());
        out.bytes(data.toArray(), 0, data.length());
        out.end(record);
    }

    static Schema read(RecordFields in) throws McapException {
        int id = in.u16("schema.id");
        if (id == 0) {
            throw in.malformed("schema.id", "is 0, allowed are 1 to 65535");
        }
        return new Schema(
                id, in.text("schema.name"), in.text("schema.encoding"), in.data("schema.data"));
    }
}
