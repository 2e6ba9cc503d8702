package dev.wishdir.record.mcap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Texts about a file, under a name. */
public record Metadata(String name, Map<String, String> values) {
    public Metadata {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    void write(RecordBuffer out) {
        int record = out.begin(Opcode.METADATA);
        out.text("name", name);
        out.map("metadata", values);
        out.end(record);
    }

    static Metadata read(RecordFields in) throws McapException {
        return new Metadata(in.text("metadata.name"), in.map("metadata.metadata"));
    }
}
