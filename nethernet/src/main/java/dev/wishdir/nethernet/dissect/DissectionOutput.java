package dev.wishdir.nethernet.dissect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Consumer;

/** The output of one datagram's dissection. */
public final class DissectionOutput {
    private final String name;
    private final boolean explain;
    private final Datagram datagram;
    private final Direction direction;
    private final Consumer<DissectedMessage> lines;

    public DissectionOutput(
            String name,
            boolean explain,
            Datagram datagram,
            Direction direction,
            Consumer<DissectedMessage> lines) {
        this.name = name;
        this.explain = explain;
        this.datagram = datagram;
        this.direction = direction;
        this.lines = lines;
    }

    public Bytes payload() {
        return datagram.payload();
    }

    public Direction direction() {
        return direction;
    }

    public Reader reader(Bytes bytes) {
        return Reader.of(bytes, explain);
    }

    public void transport(
            String what, Map<String, ? extends @Nullable Object> fields, Reader read) {
        line(Layer.TRANSPORT, what, fields, read);
    }

    public void message(String what, Map<String, ? extends @Nullable Object> fields, Reader read) {
        line(Layer.MESSAGE, what, fields, read);
    }

    private void line(
            Layer layer, String what, Map<String, ? extends @Nullable Object> fields, Reader read) {
        // Unread bytes are reported as well.
        if (read.remaining() > 0) {
            read.rest("more", Bytes.EMPTY, read.remaining());
        }
        lines.accept(
                DissectedMessage.of(datagram, direction, name, layer, what, fields)
                        .withTrace(read.traced()));
    }

    public void malformed(MalformedPacketException e) {
        lines.accept(
                DissectedMessage.of(
                        datagram,
                        direction,
                        name,
                        Layer.TRANSPORT,
                        "malformed",
                        Map.of("error", String.valueOf(e.getMessage()))));
    }
}
