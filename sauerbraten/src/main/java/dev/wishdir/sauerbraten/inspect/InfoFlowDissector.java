package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.sauerbraten.message.InfoMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Dissects the datagrams between one client and one info port. */
final class InfoFlowDissector {
    private static final int MIN_PROTOCOL = 250;
    private static final int MAX_PROTOCOL = 270;

    private final boolean traces;
    private @Nullable Bytes lastRequest;

    InfoFlowDissector(boolean traces) {
        this.traces = traces;
    }

    /** Whether a datagram is exactly a request in its shortest form. */
    static boolean isRequest(Bytes datagram) {
        try {
            Reader r = new Reader(datagram);
            InfoMessage.Request.wireInts(r, InfoMessage.Request.BLANK);
            return r.remaining() == 0;
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /** Whether a datagram is an answer to a request in its shortest form. */
    static boolean isAnswer(Bytes datagram) {
        try {
            Reader r = new Reader(datagram);
            InfoMessage answer =
                    InfoMessage.answer(
                            r, InfoMessage.Request.wireInts(r, InfoMessage.Request.BLANK));
            return r.remaining() == 0
                    && (!(answer instanceof InfoMessage.Status status) || isPlausible(status));
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    private static boolean isPlausible(InfoMessage.Status status) {
        List<Integer> attrs = status.attrs();
        return (attrs.size() == 5 || attrs.size() == 7)
                && attrs.getFirst() >= MIN_PROTOCOL
                && attrs.getFirst() <= MAX_PROTOCOL;
    }

    DissectedFields request(Bytes datagram) {
        lastRequest = datagram;
        SequencedMap<String, Object> fields = fields(datagram);
        if (datagram.length() == 0) {
            fields.put("req", null);
            fields.put("note", "empty request (deliberately malformed)");
            return new DissectedFields("info", fields, List.of());
        }
        Reader r = Reader.of(datagram, traces);
        try {
            InfoMessage.Request request = InfoMessage.Request.wire(r, InfoMessage.Request.BLANK);
            fields.putAll(request.fields());
            fields.put("rest", request.rest().length());
            return dissected(fields, r);
        } catch (MalformedPacketException e) {
            return DissectedFields.malformed(e, datagram);
        }
    }

    DissectedFields answer(Bytes datagram) {
        SequencedMap<String, Object> fields = fields(datagram);
        Reader r = Reader.of(datagram, traces);
        try {
            InfoMessage.Request request = echo(r);
            InfoMessage answer = InfoMessage.answer(r, request);
            if (lastRequest != null && lastRequest.length() == 0) {
                fields.put("req", null);
                fields.put("note", "answer to an empty request: no echo");
            } else {
                fields.putAll(request.fields());
            }
            if (!(answer instanceof InfoMessage.Status)) {
                fields.put("ack", InfoMessage.ACK);
                fields.put("version", InfoMessage.VERSION);
            }
            fields.putAll(answer.fields());
            int rest = r.rest("rest", Bytes.EMPTY, 0xFFFF).length();
            if (rest > 0) {
                fields.put("rest", rest);
            }
            return dissected(fields, r);
        } catch (MalformedPacketException e) {
            return DissectedFields.malformed(e, datagram);
        }
    }

    /** Reads the copy of the request in an answer; if the request was not seen, only its ints. */
    private InfoMessage.Request echo(Reader r) {
        if (lastRequest == null) {
            return InfoMessage.Request.wireInts(r, InfoMessage.Request.BLANK);
        }
        if (lastRequest.length() == 0) {
            return InfoMessage.Request.BLANK;
        }
        int mark = r.pushLimit("echo", lastRequest.length());
        InfoMessage.Request request = InfoMessage.Request.wire(r, InfoMessage.Request.BLANK);
        r.popLimit(mark);
        return request;
    }

    private static SequencedMap<String, Object> fields(Bytes datagram) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("hex", datagram.hex());
        return fields;
    }

    private static DissectedFields dissected(SequencedMap<String, Object> fields, Reader r) {
        return new DissectedFields("info", fields, r.traced());
    }
}
