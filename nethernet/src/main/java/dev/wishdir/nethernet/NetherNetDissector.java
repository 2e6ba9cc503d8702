package dev.wishdir.nethernet;

import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Dissector of NetherNet captures and of recordings of data-channel messages. Of a capture it
 * explains the ICE checks, the unencrypted part of DTLS and discovery in a local network; the
 * packets of a recording are passed to {@link Above}. Encrypted DTLS records are not opened: of
 * SCTP and the channels of a capture, only the lengths of the records are shown.
 */
public final class NetherNetDissector implements Dissector {
    /** What an application's packets mean; one for each session of a recording. */
    @FunctionalInterface
    public interface Above {
        /**
         * Explains a packet.
         *
         * @param datagram when it came; of a recording, its frame is the number of the line
         */
        void packet(
                Datagram datagram,
                Direction direction,
                Bytes packet,
                Consumer<DissectedMessage> lines);
    }

    private static final int MAX_SESSIONS = 4096;

    private final String name;
    private final boolean explain;
    private final Supplier<? extends Above> above;
    private final Map<Flow, DtlsFlowDissector> sessions =
            EvictingMap.leastRecentlyUsed(MAX_SESSIONS);

    /**
     * @param name what lines say that they are of
     * @param explain whether lines have a trace
     * @param above makes one for each recording
     */
    public NetherNetDissector(String name, boolean explain, Supplier<? extends Above> above) {
        this.name = name;
        this.explain = explain;
        this.above = above;
    }

    /** Explains only NetherNet; of an application's packets, only the length is reported. */
    public NetherNetDissector(String name, boolean explain) {
        this(
                name,
                explain,
                () ->
                        (datagram, direction, packet, lines) ->
                                lines.accept(
                                        DissectedMessage.of(
                                                datagram,
                                                direction,
                                                name,
                                                Layer.MESSAGE,
                                                "packet",
                                                Map.of("length", packet.length()))));
    }

    /** One datagram, and how lines about it are made. */
    static final class Said {
        private final String name;
        private final boolean explain;
        private final Datagram datagram;
        private final Direction direction;
        private final Consumer<DissectedMessage> lines;

        private Said(
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

        Bytes payload() {
            return datagram.payload();
        }

        Direction direction() {
            return direction;
        }

        Reader reader(Bytes bytes) {
            return Reader.of(bytes, explain);
        }

        void transport(String what, Map<String, ? extends @Nullable Object> fields, Reader read) {
            line(Layer.TRANSPORT, what, fields, read);
        }

        void message(String what, Map<String, ? extends @Nullable Object> fields, Reader read) {
            line(Layer.MESSAGE, what, fields, read);
        }

        private void line(
                Layer layer,
                String what,
                Map<String, ? extends @Nullable Object> fields,
                Reader read) {
            // Whatever a walk did not look at is shown all the same.
            if (read.remaining() > 0) {
                read.rest("more", Bytes.EMPTY, read.remaining());
            }
            lines.accept(
                    DissectedMessage.of(datagram, direction, name, layer, what, fields)
                            .withTrace(read.traced()));
        }

        void malformed(MalformedPacketException e) {
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

    /** Whether a datagram has the form of NetherNet's, whatever else its flow may carry. */
    public boolean takes(Datagram datagram) {
        Bytes payload = datagram.payload();
        return Stun.isStun(payload)
                || DtlsFlowDissector.isDtls(payload)
                || LanDissector.isLan(payload);
    }

    /**
     * By a check, whose sender says on which side of ICE it is, or by discovery. A server's end may
     * be a full agent that checks as well; the client is the one that controls.
     */
    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        Bytes payload = datagram.payload();
        if (!Stun.isStun(payload)) {
            return LanDissector.direction(payload);
        }
        try {
            return switch (Stun.walk(new Reader(payload)).role()) {
                case CONTROLLING -> Optional.of(Direction.C2S);
                case CONTROLLED -> Optional.of(Direction.S2C);
                case NONE -> Optional.empty();
            };
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        Said said = new Said(name, explain, datagram, direction, lines);
        Bytes payload = datagram.payload();
        try {
            if (Stun.isStun(payload)) {
                stun(said);
            } else if (DtlsFlowDissector.isDtls(payload)) {
                sessions.computeIfAbsent(datagram.flow(direction), _ -> new DtlsFlowDissector())
                        .datagram(said);
            } else if (LanDissector.isLan(payload)) {
                LanDissector.datagram(said);
            } else {
                said.transport("unknown", Map.of("length", payload.length()), said.reader(payload));
            }
        } catch (MalformedPacketException e) {
            said.malformed(e);
        }
    }

    private static void stun(Said said) {
        Reader r = said.reader(said.payload());
        Stun message = Stun.walk(r);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("transaction", message.transaction().hex());
        if (!message.username().isEmpty()) {
            fields.put("username", message.username());
        }
        if (message.role() != Stun.Role.NONE) {
            fields.put("controlling", message.role() == Stun.Role.CONTROLLING);
        }
        if (message.nominates()) {
            fields.put("nominates", true);
        }
        InetSocketAddress mapped = message.mapped();
        if (mapped != null) {
            fields.put("mapped", AddressText.of(mapped));
        }
        fields.put("signed", message.integrityAt() >= 0);
        String type =
                switch (message.type()) {
                    case Stun.REQUEST -> "binding_request";
                    case Stun.SUCCESS -> "binding_success";
                    case Stun.ERROR -> "binding_error";
                    case Stun.INDICATION -> "binding_indication";
                    default -> "stun_" + Integer.toHexString(message.type());
                };
        said.transport(type, fields, r);
    }

    @Override
    public boolean recogniseFile(String file, Bytes content) {
        return ChannelRecording.recognises(content);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> lines) {
        new ChannelRecording(name, above.get(), lines).explain(content);
    }
}
