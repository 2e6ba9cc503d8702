package dev.wishdir.app.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The processes behind the sockets of this machine. */
final class OpenPortTest {
    private final Machine machine = new ThisMachine();

    @Test
    void findsOwnProcessBySocketAddress() throws Exception {
        for (String address : new String[] {"127.0.0.1", "::1", "0.0.0.0"}) {
            try (DatagramSocket socket =
                    new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0))) {
                InetAddress asked =
                        InetAddress.getByName(address.equals("0.0.0.0") ? "127.0.0.1" : address);

                assertThat(
                                ProcessCpu.listening(
                                        machine,
                                        new InetSocketAddress(asked, socket.getLocalPort())))
                        .as(address)
                        .map(Machine.Owner::pid)
                        .contains(ProcessHandle.current().pid());
            }
        }
    }

    @Test
    void ignoresSocketOfAnotherAddress() throws Exception {
        try (DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            InetAddress other = InetAddress.getByName("127.0.0.2");

            assertThat(
                            OpenPort.listening(
                                    machine, new InetSocketAddress(other, socket.getLocalPort())))
                    .isEmpty();
        }
    }

    @Test
    void findsNoProcessForServerElsewhere() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            InetAddress elsewhere = InetAddress.getByName("192.0.2.1");

            assertThat(
                            ProcessCpu.listening(
                                    machine,
                                    new InetSocketAddress(elsewhere, socket.getLocalPort())))
                    .isEmpty();
        }
    }
}
