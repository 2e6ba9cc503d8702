package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The captures of real games, and what a separate decoder found in them. */
public final class Captures {
    public static final List<String> NAMES =
            List.of(
                    "client_vanish_timeout",
                    "combat_damage",
                    "coop_edit",
                    "info_password_kick",
                    "map_change_teams",
                    "missing_map",
                    "ramp_slide",
                    "solo_walk",
                    "two_clients");

    private Captures() {}

    public static Bytes file(String name) {
        try (InputStream in = open(name)) {
            return Bytes.wrap(in.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError("cannot read " + name, e);
        }
    }

    private static InputStream open(String name) {
        InputStream in = Captures.class.getResourceAsStream("/captures/" + name);
        assertThat(in).as(name).isNotNull();
        return in;
    }

    /** The UDP datagrams of a capture: Ethernet, IPv4, microseconds, low byte first. */
    public static List<Datagram> datagrams(String name) {
        ByteBuffer in =
                ByteBuffer.wrap(file(name + ".pcap").toArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.getInt(0)).isEqualTo(0xA1B2C3D4);
        List<Datagram> datagrams = new ArrayList<>();
        double first = Double.NaN;
        int at = 24;
        for (int frame = 1; at < in.limit(); frame++) {
            double time = in.getInt(at) + in.getInt(at + 4) / 1e6;
            first = Double.isNaN(first) ? time : first;
            int ip = at + 16 + 14;
            int udp = ip + (in.get(ip) & 15) * 4;
            byte[] payload = new byte[port(in, udp + 4) - 8];
            in.get(udp + 8, payload);
            datagrams.add(
                    new Datagram(
                            frame,
                            time - first,
                            new InetSocketAddress(address(in, ip + 12), port(in, udp)),
                            new InetSocketAddress(address(in, ip + 16), port(in, udp + 2)),
                            Bytes.wrap(payload)));
            at += 16 + in.getInt(at + 8);
        }
        return datagrams;
    }

    private static int port(ByteBuffer in, int at) {
        return (in.get(at) & 0xFF) << 8 | in.get(at + 1) & 0xFF;
    }

    private static InetAddress address(ByteBuffer in, int at) {
        byte[] address = new byte[4];
        in.get(at, address);
        try {
            return InetAddress.getByAddress(address);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** All that a dissector says about a capture. */
    public static List<DissectedMessage> dissect(String name, boolean explain) {
        SauerbratenDissector dissector = new SauerbratenDissector(explain);
        List<DissectedMessage> lines = new ArrayList<>();
        for (Datagram datagram : datagrams(name)) {
            dissector
                    .recognise(datagram)
                    .ifPresent(way -> dissector.datagram(datagram, way, lines::add));
        }
        return lines;
    }

    /** The lines that a capture is expected to give. */
    public static List<JsonObject> expected(String name) {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(open(name + ".expected.jsonl.gz")),
                                StandardCharsets.UTF_8))) {
            return in.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
        } catch (IOException e) {
            throw new AssertionError("cannot read " + name, e);
        }
    }
}
