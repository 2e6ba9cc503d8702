package dev.wishdir.nethernet.discovery;

import dev.wishdir.nethernet.dissect.DissectionOutput;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Dissector of datagrams of LAN discovery, whose key is public. */
public final class LanDissector {
    private static final int OLD_LAYOUT = 6;
    private static final String ANSWER = "CONNECTRESPONSE";
    private static final String ERROR = "CONNECTERROR";

    private LanDissector() {}

    public static boolean isLan(Bytes payload) {
        return open(payload).isPresent();
    }

    private static Optional<Bytes> open(Bytes payload) {
        try {
            return Optional.of(Bytes.wrap(LanDiscoveryCipher.open(payload.toArray())));
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    /** The direction of a datagram: responses are the server's. */
    public static Optional<Direction> direction(Bytes payload) {
        try {
            return open(payload)
                    .map(plain ->
                            switch (LanMessage.read(new Reader(plain))) {
                                case LanMessage.Request _ -> Direction.C2S;
                                case LanMessage.Response _ -> Direction.S2C;
                                case LanMessage.Signal m ->
                                        m.text().startsWith(ANSWER) || m.text().startsWith(ERROR)
                                                ? Direction.S2C
                                                : Direction.C2S;
                            });
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    public static void datagram(DissectionOutput output) {
        Bytes plain = Bytes.wrap(LanDiscoveryCipher.open(output.payload().toArray()));
        Reader sealed = output.reader(output.payload());
        sealed.bytes("hash", Bytes.EMPTY, LanDiscoveryCipher.HASH);
        sealed.annotate("HMAC-SHA-256 of the text by the public key");
        sealed.rest("text", Bytes.EMPTY, sealed.remaining());
        sealed.annotate("AES-256-ECB by the public key");
        output.transport("lan", Map.of("length", plain.length()), sealed);
        Reader r = output.reader(plain);
        LanMessage message = LanMessage.read(r);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("sender", Long.toUnsignedString(message.sender()));
        switch (message) {
            case LanMessage.Request _ -> output.message("lan_request", fields, r);
            case LanMessage.Response m -> {
                output.message("lan_response", fields, r);
                advertisement(output, m.advertisement());
            }
            case LanMessage.Signal m -> {
                fields.put("recipient", Long.toUnsignedString(m.recipient()));
                signal(m.text(), fields);
                output.message("lan_message", fields, r);
            }
        }
    }

    private static void advertisement(DissectionOutput output, Bytes bytes) {
        Reader r = output.reader(bytes);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        int layout = bytes.length() == 0 ? -1 : bytes.get(0);
        fields.put("layout", layout);
        if (layout == OLD_LAYOUT) {
            oldLayout(r, fields);
        } else if (layout == LanAdvertisement.LAYOUT) {
            LanAdvertisement m = LanAdvertisement.wire(r, LanAdvertisement.BLANK);
            fields.put("name", m.name());
            fields.put("protocol", m.protocol());
            fields.put("version", m.version());
            fields.put("level", m.level());
            fields.put("players", m.players());
            fields.put("max_players", m.maxPlayers());
            fields.put("game_type", m.gameType());
            fields.put("editor", m.editor());
            fields.put("hardcore", m.hardcore());
            fields.put("online", m.online());
            fields.put("self_signed", m.selfSigned());
            fields.put("nonce", m.nonce());
        }
        output.message("lan_advertisement", fields, r);
    }

    /** The layout of version 1.26.40, which is only read. */
    private static void oldLayout(Reader r, Map<String, @Nullable Object> fields) {
        r.u8("layout", 0);
        fields.put("name", LanAdvertisement.text(r, "name", ""));
        fields.put("level", LanAdvertisement.text(r, "level", ""));
        fields.put("game_type", LanAdvertisement.varint(r, "game type", 0));
        fields.put("players", r.i32le("players", 0));
        fields.put("max_players", r.i32le("max players", 0));
        fields.put("editor", r.bool("editor", false));
        fields.put("hardcore", r.bool("hardcore", false));
        fields.put("online", r.bool("online", false));
        fields.put("self_signed", r.bool("self-signed", false));
        fields.put("nonce", LanAdvertisement.text(r, "nonce", ""));
        fields.put("transport", LanAdvertisement.varint(r, "transport", 0));
        LanAdvertisement.varint(r, "connection", 0);
    }

    private static void signal(String text, Map<String, @Nullable Object> fields) {
        String[] words = text.split(" ", 3);
        fields.put("word", words[0]);
        fields.put("connection", words.length > 1 ? words[1] : "");
        String rest = words.length > 2 ? words[2] : "";
        fields.put("text", rest);
        if (rest.startsWith("v=0")) {
            try {
                fields.put("sdp", sdp(Sdp.read(rest.getBytes(StandardCharsets.UTF_8))));
            } catch (MalformedPacketException e) {
                fields.put("error", e.getMessage());
            }
        }
    }

    private static Map<String, Object> sdp(Sdp sdp) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ufrag", sdp.ice().fragment());
        fields.put("lite", sdp.lite());
        fields.put("setup", sdp.setup().name().toLowerCase(java.util.Locale.ROOT));
        fields.put("sha256", sdp.fingerprints().getFirst().digest());
        fields.put("max_message_size", sdp.maxMessageSize());
        fields.put("candidates", sdp.candidates().stream().map(LanDissector::text).toList());
        fields.put("identity", sdp.identity() != null);
        return fields;
    }

    private static String text(InetSocketAddress address) {
        return AddressText.of(address);
    }
}
