package dev.wishdir.enet;

import dev.wishdir.inspect.capture.Captures;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The ENet datagrams of a capture among the test resources.
 *
 * @param server the server's game port
 */
public record EnetCapture(InetSocketAddress server, List<Packet> packets) {
    /** One datagram; the time is in nanoseconds since the first packet of the capture. */
    public record Packet(long time, InetSocketAddress from, InetSocketAddress to, Bytes data) {
        public EnetDatagram decoded() {
            return EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK);
        }

        public long millis() {
            return time / EnetNode.MILLI;
        }
    }

    public static EnetCapture read(String name) {
        List<Packet> packets = new ArrayList<>();
        for (Datagram each : Captures.in("captures").datagrams(name)) {
            packets.add(
                    new Packet(
                            Math.round(each.time() * 1e6) * 1000,
                            each.source(),
                            each.destination(),
                            each.payload()));
        }
        InetSocketAddress server =
                packets.stream()
                        .filter(packet -> packet.data.hex().startsWith("8fff"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no CONNECT in " + name))
                        .to();
        packets.removeIf(packet -> !packet.from.equals(server) && !packet.to.equals(server));
        return new EnetCapture(server, packets);
    }
}
