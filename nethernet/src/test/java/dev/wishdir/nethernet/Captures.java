package dev.wishdir.nethernet;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What was captured between two peers of another make, and vectors made by them. */
final class Captures {
    private Captures() {}

    /** A UDP datagram of a capture. */
    static final class Udp {
        final int from;
        final int to;
        final byte[] data;

        Udp(int from, int to, byte[] data) {
            this.from = from;
            this.to = to;
            this.data = data;
        }
    }

    static byte[] bytes(String name) {
        try (InputStream in = Captures.class.getResourceAsStream("/nethernet/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<JsonObject> lines(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8)
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }

    static List<JsonObject> vectors(String kind) {
        return lines("vectors.jsonl").stream()
                .filter(line -> line.get("kind").getAsString().equals(kind))
                .toList();
    }

    /** The UDP datagrams over IPv4 of a pcap with Ethernet frames. */
    static List<Udp> udp(String name) {
        ByteBuffer file = ByteBuffer.wrap(bytes(name)).order(ByteOrder.LITTLE_ENDIAN);
        file.position(24);
        List<Udp> all = new ArrayList<>();
        while (file.remaining() >= 16) {
            int length = file.getInt(file.position() + 8);
            byte[] frame = new byte[length];
            file.position(file.position() + 16);
            file.get(frame);
            ByteBuffer packet = ByteBuffer.wrap(frame);
            if (packet.getShort(12) != 0x0800 || frame[23] != 17) {
                continue;
            }
            int udp = 14 + (frame[14] & 15) * 4;
            int end = udp + (packet.getShort(udp + 4) & 0xFFFF);
            all.add(
                    new Udp(
                            packet.getShort(udp) & 0xFFFF,
                            packet.getShort(udp + 2) & 0xFFFF,
                            Arrays.copyOfRange(frame, udp + 8, end)));
        }
        return all;
    }
}
