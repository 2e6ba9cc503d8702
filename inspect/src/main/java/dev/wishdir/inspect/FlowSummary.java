package dev.wishdir.inspect;

import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The totals of one connection between a client and its server. Round trips, as seen at the place
 * of the capture, retransmissions and losses are derived from the transports: commands and
 * acknowledgements of ENet and RakNet, and the sequence numbers of netchan.
 */
public final class FlowSummary {
    /** Number of intervals with rates, in each direction. */
    static final int SPANS = 256;

    /** Packets that are remembered until acknowledged or retransmitted, in each direction. */
    private static final int MAX_UNACKNOWLEDGED_PACKETS = 512;

    /** A shorter connection has no meaningful rates. */
    private static final double MIN_RATE_SECONDS = 1;

    /** The totals of one direction. */
    public static final class Way {
        private long packets;
        private long bytes;
        private long resent;
        private long lost;
        private boolean numbered;
        private final int[] spans = new int[SPANS];
        private final transient Map<List<Object>, Double> open =
                EvictingMap.leastRecentlyUsed(MAX_UNACKNOWLEDGED_PACKETS);
        private transient long newest = -1;

        public long packets() {
            return packets;
        }

        /** Bytes of the datagrams' payloads. */
        public long bytes() {
            return bytes;
        }

        /** Number of retransmissions: packets with a number that was seen before. */
        public long resent() {
            return resent;
        }

        /** Number of packets that are known to be missing. */
        public long lost() {
            return lost;
        }

        /** Whether its datagrams are numbered, so that losses are known. */
        public boolean isNumbered() {
            return numbered;
        }

        private Map<String, Object> figures(FlowSummary of) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("packets", packets);
            figures.put("bytes", bytes);
            if (of.hasRates()) {
                figures.put("packetsPerSecond", packets / of.seconds());
                figures.put("bytesPerSecond", bytes / of.seconds());
            }
            figures.put("resent", resent);
            if (numbered) {
                figures.put("lost", lost);
            }
            return figures;
        }
    }

    private final String file;
    private final String game;
    private final String client;
    private final int player;
    private final String server;
    private final double from;
    private String name = "";
    private transient Optional<PlayerName> playerName = Optional.empty();
    private double to;
    private final Way c2s = new Way();
    private final Way s2c = new Way();
    private double span = 0.125;
    private long roundTrips;
    private double leastMillis = Double.MAX_VALUE;
    private double mostMillis;
    private double sumMillis;

    FlowSummary(String file, DissectedMessage first, Datagram datagram) {
        this.file = file;
        game = first.game();
        var flow = datagram.flow(first.direction());
        client = AddressText.of(flow.client());
        player = flow.client().getPort();
        server = AddressText.of(flow.server());
        from = datagram.time();
    }

    /** The totals of a direction. */
    private Way way(Direction direction) {
        return direction == Direction.C2S ? c2s : s2c;
    }

    /** The direction of a datagram of this connection. */
    Direction direction(Datagram datagram) {
        return AddressText.of(datagram.source()).equals(client) ? Direction.C2S : Direction.S2C;
    }

    void datagram(Datagram datagram, Direction direction) {
        to = datagram.time();
        Way way = way(direction);
        way.packets++;
        way.bytes += datagram.payload().length();
        while ((to - from) / span >= SPANS) {
            widen();
        }
        way.spans[(int) (Math.max(0, to - from) / span)] += datagram.payload().length();
    }

    private void widen() {
        span *= 2;
        for (Way way : List.of(c2s, s2c)) {
            for (int i = 0; i < SPANS; i++) {
                int sum = i < SPANS / 2 ? way.spans[2 * i] + way.spans[2 * i + 1] : 0;
                way.spans[i] = sum;
            }
        }
    }

    /** Evaluates a dissected message. */
    void message(DissectedMessage message) {
        message.player()
                .ifPresent(found -> {
                    name = found.text();
                    playerName = Optional.of(found);
                });
        if (message.layer() != DissectedMessage.Layer.TRANSPORT) {
            return;
        }
        Way way = way(message.direction());
        Way back = message.direction() == Direction.C2S ? s2c : c2s;
        Map<String, ?> fields = message.fields();
        double time = message.time();
        switch (message.name()) {
            case "ACK" ->
                    recordAcknowledged(
                            back,
                            List.of(number(fields, "channel"), number(fields, "recvSeq")),
                            time);
            case "data" -> {
                way.numbered = true;
                recordSent(way, List.of("data", number(fields, "seq")), time);
                if (fields.get("frames") instanceof List<?> frames) {
                    frames.forEach(frame -> {
                        if (frame instanceof Map<?, ?> each
                                && each.get("msg") instanceof Number msg) {
                            recordSent(way, List.of("msg", msg.longValue()), time);
                        }
                    });
                }
            }
            case "ack" ->
                    ranges(fields)
                            .forEach(range ->
                                    recordAcknowledged(
                                            back, List.of("data", range.getLast()), time));
            case "nack" ->
                    ranges(fields)
                            .forEach(range -> back.lost += range.getLast() - range.getFirst() + 1);
            case "netchan" -> {
                way.numbered = true;
                long sequence = number(fields, "seq");
                if (way.newest >= 0 && sequence > way.newest + 1) {
                    way.lost += sequence - way.newest - 1;
                }
                way.newest = Math.max(way.newest, sequence);
                way.open.putIfAbsent(List.of("seq", sequence), time);
                for (String ack : List.of("ack", "messageAck")) {
                    if (fields.get(ack) instanceof Number number) {
                        recordAcknowledged(back, List.of("seq", number.longValue()), time);
                    }
                }
            }
            default -> {
                if (fields.get("flags") instanceof String flags && flags.contains("A")) {
                    recordSent(
                            way, List.of(number(fields, "channel"), number(fields, "seq")), time);
                }
            }
        }
    }

    /**
     * Records a sent packet. The round trip of a retransmitted one is ambiguous, so not measured.
     */
    private static void recordSent(Way way, List<Object> key, double time) {
        if (way.open.put(key, way.open.containsKey(key) ? Double.NaN : time) != null) {
            way.resent++;
        }
    }

    private void recordAcknowledged(Way way, List<Object> key, double time) {
        Double sent = way.open.get(key);
        if (sent == null || Double.isNaN(sent)) {
            return;
        }
        way.open.put(key, Double.NaN);
        double millis = (time - sent) * 1000;
        roundTrips++;
        sumMillis += millis;
        leastMillis = Math.min(leastMillis, millis);
        mostMillis = Math.max(mostMillis, millis);
    }

    private static long number(Map<String, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? number.longValue() : -1;
    }

    private static List<List<Long>> ranges(Map<String, ?> fields) {
        return fields.get("ranges") instanceof List<?> ranges
                ? ranges.stream()
                        .filter(range -> range instanceof List<?> ends && ends.size() == 2)
                        .map(range ->
                                ((List<?>) range)
                                        .stream().map(end -> ((Number) end).longValue()).toList())
                        .toList()
                : List.of();
    }

    /** The name of the capture. */
    public String file() {
        return file;
    }

    public String game() {
        return game;
    }

    /** The client's address and port. */
    public String client() {
        return client;
    }

    /** The client's port. */
    public int player() {
        return player;
    }

    /** The player's last name; empty if the capture does not have it. */
    public String name() {
        return name;
    }

    /** The player's last name, with and without colour codes. */
    public Optional<PlayerName> playerName() {
        return playerName;
    }

    /** The server's address and port. */
    public String server() {
        return server;
    }

    /** The time of the first datagram, in seconds since the capture's first packet. */
    public double from() {
        return from;
    }

    /** The time of the last datagram, in seconds since the capture's first packet. */
    public double to() {
        return to;
    }

    /** The duration in seconds. */
    public double seconds() {
        return to - from;
    }

    /** Whether the connection is long enough for rates. */
    public boolean hasRates() {
        return seconds() >= MIN_RATE_SECONDS;
    }

    /** The direction to the server. */
    public Way c2s() {
        return c2s;
    }

    /** The direction to the client. */
    public Way s2c() {
        return s2c;
    }

    /** The number of measured round trips. */
    public long roundTrips() {
        return roundTrips;
    }

    /** The shortest round trip in milliseconds; NaN if none was measured. */
    public double leastMillis() {
        return roundTrips == 0 ? Double.NaN : leastMillis;
    }

    /** The mean round trip in milliseconds; NaN if none was measured. */
    public double meanMillis() {
        return sumMillis / roundTrips;
    }

    /** The longest round trip in milliseconds; NaN if none was measured. */
    public double mostMillis() {
        return roundTrips == 0 ? Double.NaN : mostMillis;
    }

    /** All figures by their name in JSON, without unknown ones. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("file", file);
        figures.put("game", game);
        figures.put("client", client);
        if (!name.isEmpty()) {
            figures.put("name", name);
        }
        figures.put("server", server);
        figures.put("from", from);
        figures.put("to", to);
        figures.put("c2s", c2s.figures(this));
        figures.put("s2c", s2c.figures(this));
        figures.put("roundTrips", roundTrips);
        if (roundTrips > 0) {
            figures.put("leastMillis", leastMillis);
            figures.put("meanMillis", meanMillis());
            figures.put("mostMillis", mostMillis);
        }
        return figures;
    }
}
