package dev.wishdir.nethernet;

import dev.wishdir.nethernet.discovery.LanDissector;
import dev.wishdir.nethernet.dissect.DissectionOutput;
import dev.wishdir.nethernet.dtls.DtlsFlowDissector;
import dev.wishdir.nethernet.ice.Stun;
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
 * Dissector of NetherNet captures and of recordings of data-channel messages.
 *
 * <p>Of a capture it reports the ICE checks, the unencrypted part of DTLS and LAN discovery.
 * Encrypted DTLS records are not opened: of SCTP and the channels, only the lengths of the records
 * are reported. The packets of a recording are passed to an {@link ApplicationDissector}.
 */
public final class NetherNetDissector implements Dissector {
    private static final int MAX_SESSIONS = 4096;

    private final String name;
    private final boolean explain;
    private final Supplier<? extends ApplicationDissector> application;
    private final Map<Flow, DtlsFlowDissector> sessions =
            EvictingMap.leastRecentlyUsed(MAX_SESSIONS);

    /**
     * @param name of the protocol in the output
     * @param explain whether messages have the trace of their fields
     * @param application creates one for each recording
     */
    public NetherNetDissector(
            String name, boolean explain, Supplier<? extends ApplicationDissector> application) {
        this.name = name;
        this.explain = explain;
        this.application = application;
    }

    /** Dissects only NetherNet; of an application's packets, only the length is reported. */
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

    /** Whether a datagram has the form of one of NetherNet's; its flow may carry others. */
    public boolean takes(Datagram datagram) {
        Bytes payload = datagram.payload();
        return Stun.isStun(payload)
                || DtlsFlowDissector.isDtls(payload)
                || LanDissector.isLan(payload);
    }

    /**
     * Recognises an ICE check by its sender's role, or a datagram of discovery. A server may be a
     * full agent that checks as well; the client is the controlling one.
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
        DissectionOutput output = new DissectionOutput(name, explain, datagram, direction, lines);
        Bytes payload = datagram.payload();
        try {
            if (Stun.isStun(payload)) {
                stun(output);
            } else if (DtlsFlowDissector.isDtls(payload)) {
                sessions.computeIfAbsent(datagram.flow(direction), _ -> new DtlsFlowDissector())
                        .datagram(output);
            } else if (LanDissector.isLan(payload)) {
                LanDissector.datagram(output);
            } else {
                output.transport(
                        "unknown", Map.of("length", payload.length()), output.reader(payload));
            }
        } catch (MalformedPacketException e) {
            output.malformed(e);
        }
    }

    private static void stun(DissectionOutput output) {
        Reader r = output.reader(output.payload());
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
        output.transport(type, fields, r);
    }

    @Override
    public boolean recogniseFile(String file, Bytes content) {
        return ChannelRecording.recognises(content);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> lines) {
        new ChannelRecording(name, application.get(), lines).explain(content);
    }
}
