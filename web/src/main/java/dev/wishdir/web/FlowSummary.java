package dev.wishdir.web;

import dev.wishdir.wire.Datagram;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.Line;
import dev.wishdir.wire.Newest;

import java.util.List;
import java.util.Map;

/**
 * What went between one client and its server. Round trips, as seen where the capture was taken,
 * and what was sent again or is missing come from the lines of the transports that say so: ENet's
 * commands and acknowledgements, RakNet's, and the sequences of both Quakes.
 */
final class FlowSummary {
    /** Spans of time that rates are told of, each way. */
    static final int SPANS = 256;

    /** Packets that are remembered, to know when they are acknowledged or sent again, each way. */
    private static final int MOST_OPEN = 512;

    /** One way's figures. */
    static final class Way {
        long packets;
        long bytes;
        long resent;
        long lost;
        private final int[] spans = new int[SPANS];
        private final transient Map<List<Object>, Double> open = Newest.byUse(MOST_OPEN);
        private transient long newest = -1;
    }

    final String file;
    final String game;
    final String client;
    final int player;
    final String server;
    private final double from;
    private double to;
    private final Way c2s = new Way();
    private final Way s2c = new Way();
    private double span = 0.125;
    private long roundTrips;
    private double leastMillis = Double.MAX_VALUE;
    private double mostMillis;
    private double sumMillis;

    FlowSummary(String file, Line first, Datagram datagram) {
        this.file = file;
        game = first.game();
        var flow = datagram.flow(first.direction());
        client = flow.client().getAddress().getHostAddress() + ":" + flow.client().getPort();
        player = flow.client().getPort();
        server = flow.server().getAddress().getHostAddress() + ":" + flow.server().getPort();
        from = datagram.time();
    }

    /** The way that a datagram goes. */
    private Way way(Direction direction) {
        return direction == Direction.C2S ? c2s : s2c;
    }

    /** Which way a datagram of this flow goes. */
    Direction direction(Datagram datagram) {
        String source =
                datagram.source().getAddress().getHostAddress() + ":" + datagram.source().getPort();
        return source.equals(client) ? Direction.C2S : Direction.S2C;
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

    /** Counts what a line of the transport tells. */
    void line(Line line) {
        if (line.layer() != Line.Layer.TRANSPORT) {
            return;
        }
        Way way = way(line.direction());
        Way back = line.direction() == Direction.C2S ? s2c : c2s;
        Map<String, ?> fields = line.fields();
        double time = line.time();
        switch (line.name()) {
            case "ACK" ->
                    acknowledged(
                            back,
                            List.of(number(fields, "channel"), number(fields, "recvSeq")),
                            time);
            case "data" -> {
                put(way, List.of("data", number(fields, "seq")), time);
                if (fields.get("frames") instanceof List<?> frames) {
                    frames.forEach(frame -> {
                        if (frame instanceof Map<?, ?> each
                                && each.get("msg") instanceof Number msg) {
                            put(way, List.of("msg", msg.longValue()), time);
                        }
                    });
                }
            }
            case "ack" ->
                    ranges(fields)
                            .forEach(range ->
                                    acknowledged(back, List.of("data", range.getLast()), time));
            case "nack" ->
                    ranges(fields)
                            .forEach(range -> back.lost += range.getLast() - range.getFirst() + 1);
            case "netchan" -> {
                long sequence = number(fields, "seq");
                if (way.newest >= 0 && sequence > way.newest + 1) {
                    way.lost += sequence - way.newest - 1;
                }
                way.newest = Math.max(way.newest, sequence);
                way.open.putIfAbsent(List.of("seq", sequence), time);
                for (String ack : List.of("ack", "messageAck")) {
                    if (fields.get(ack) instanceof Number number) {
                        acknowledged(back, List.of("seq", number.longValue()), time);
                    }
                }
            }
            default -> {
                if (fields.get("flags") instanceof String flags && flags.contains("A")) {
                    put(way, List.of(number(fields, "channel"), number(fields, "seq")), time);
                }
            }
        }
    }

    /** What was sent before is sent again: its acknowledgement would tell nothing. */
    private static void put(Way way, List<Object> key, double time) {
        if (way.open.put(key, way.open.containsKey(key) ? Double.NaN : time) != null) {
            way.resent++;
        }
    }

    private void acknowledged(Way way, List<Object> key, double time) {
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

    /** The mean round trip, milliseconds; NaN where none was seen. */
    double meanMillis() {
        return sumMillis / roundTrips;
    }

    Way c2s() {
        return c2s;
    }

    Way s2c() {
        return s2c;
    }

    long roundTrips() {
        return roundTrips;
    }
}
