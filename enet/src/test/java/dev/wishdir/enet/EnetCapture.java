package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ENet datagrams of a capture on the class path, in the folder captures: Ethernet, IPv4.
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
        byte[] file;
        try (InputStream in =
                EnetCapture.class.getResourceAsStream("/captures/" + name + ".pcap")) {
            if (in == null) {
                throw new AssertionError("no capture " + name);
            }
            file = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer pcap = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<Packet> packets = new ArrayList<>();
        InetSocketAddress server = null;
        long start = -1;
        for (int at = 24; at < file.length; ) {
            long time = pcap.getInt(at) * EnetNode.SECOND + pcap.getInt(at + 4) * 1000L;
            start = start < 0 ? time : start;
            int length = pcap.getInt(at + 8);
            int ip = at + 16 + 14;
            int udp = ip + (file[ip] & 0x0F) * 4;
            InetSocketAddress from = address(file, ip + 12, udp);
            InetSocketAddress to = address(file, ip + 16, udp + 2);
            Bytes data = Bytes.copyOf(file, udp + 8, at + 16 + length - udp - 8);
            if (server == null && data.hex().startsWith("8fff")) {
                server = to;
            }
            packets.add(new Packet(time - start, from, to, data));
            at += 16 + length;
        }
        if (server == null) {
            throw new AssertionError("no CONNECT in " + name);
        }
        InetSocketAddress port = server;
        packets.removeIf(p -> !p.from.equals(port) && !p.to.equals(port));
        return new EnetCapture(port, packets);
    }

    private static InetSocketAddress address(byte[] file, int ip, int port) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(Arrays.copyOfRange(file, ip, ip + 4)),
                    (file[port] & 0xFF) << 8 | file[port + 1] & 0xFF);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
