package dev.wishdir.app.machine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A used port of this machine, from {@code /proc/net}.
 *
 * @param user the id of the user whose process uses it
 * @param inode the inode of its socket
 */
public record OpenPort(InetAddress address, String user, String inode) {
    private static final Path NET = Path.of("/proc/net");

    /** Finds a port that is in use at any address. */
    public static Optional<OpenPort> find(Machine machine, boolean tcp, int port) {
        return all(machine, tcp, port).findFirst();
    }

    /** Finds the UDP socket that receives what is sent to an address. */
    static Optional<OpenPort> listening(Machine machine, InetSocketAddress at) {
        return all(machine, false, at.getPort())
                .filter(open ->
                        open.address.isAnyLocalAddress() || open.address.equals(at.getAddress()))
                .findFirst();
    }

    private static Stream<OpenPort> all(Machine machine, boolean tcp, int port) {
        String hex = String.format(Locale.ROOT, ":%04X", port);
        String table = tcp ? "tcp" : "udp";
        return List.of(table, table + "6").stream()
                .flatMap(file -> machine.read(NET.resolve(file)).orElse("").lines())
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length > 9 && fields[1].endsWith(hex))
                .flatMap(fields ->
                        address(fields[1].substring(0, fields[1].length() - hex.length()))
                                .map(address -> new OpenPort(address, fields[7], fields[9]))
                                .stream());
    }

    /** Parses an address from the kernel: hexadecimal words of 32 bits in native byte order. */
    private static Optional<InetAddress> address(String hex) {
        try {
            ByteBuffer read = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
            ByteBuffer address = ByteBuffer.allocate(read.capacity());
            read.order(ByteOrder.nativeOrder());
            while (read.remaining() >= Integer.BYTES) {
                address.putInt(read.getInt());
            }
            return Optional.of(InetAddress.getByAddress(address.array()));
        } catch (IllegalArgumentException | UnknownHostException e) {
            return Optional.empty();
        }
    }
}
