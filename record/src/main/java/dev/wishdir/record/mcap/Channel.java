package dev.wishdir.record.mcap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages of one kind.
 *
 * @param id 0..65535
 * @param schema id of the {@link Schema}; 0 if there is none
 * @param messageEncoding of the messages: "protobuf", "json", ...
 */
public record Channel(
        int id, int schema, String topic, String messageEncoding, Map<String, String> metadata) {
    public Channel {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    void write(RecordBuffer out) {
        int record = out.begin(Opcode.CHANNEL);
        out.u16(id);
        out.u16(schema);
        out.text("topic", topic);
        out.text("message_encoding", messageEncoding);
        out.map("metadata", metadata);
        out.end(record);
    }

    static Channel read(RecordFields in) throws McapException {
        return new Channel(
                in.u16("channel.id"),
                in.u16("channel.schema_id"),
                in.text("channel.topic"),
                in.text("channel.message_encoding"),
                in.map("channel.metadata"));
    }
}
