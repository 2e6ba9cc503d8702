package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.List;
import java.util.Map;

/** A dissected message without its time and addresses. */
record DissectedFields(String name, Map<String, ?> fields, Bytes bytes, List<Traced> trace) {
    DissectedFields(String name, Map<String, ?> fields, List<Traced> trace) {
        this(name, fields, Bytes.EMPTY, trace);
    }

    /** Malformed bytes, and the problem. */
    static DissectedFields malformed(MalformedPacketException problem, Bytes bytes) {
        return new DissectedFields(
                "malformed", DissectedMessage.malformed(problem, bytes), List.of());
    }
}
