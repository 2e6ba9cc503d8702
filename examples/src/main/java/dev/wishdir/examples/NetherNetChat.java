package dev.wishdir.examples;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.nethernet.NetherNetPeer.EndReason;
import dev.wishdir.nethernet.NetherNetSocket;
import dev.wishdir.nethernet.identity.IdentityKey;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Scanner;
import java.util.Set;
import java.util.function.Consumer;

/** A chat over NetherNet: who is connected hears what anybody says. */
public final class NetherNetChat {
    private NetherNetChat() {}

    private static void send(NetherNetPeer peer, String text) {
        byte[] line = text.getBytes(StandardCharsets.UTF_8);
        peer.send(line, 0, line.length);
    }

    /** The server's side: passes on what it hears. */
    static final class Room implements NetherNetPeer.Listener {
        private final Set<NetherNetPeer> here = new LinkedHashSet<>();

        /** Answer to a query of the server, as JSON. */
        String status() {
            return "{\"name\":\"chat\",\"players\":" + here.size() + "}";
        }

        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            tell(peer.remote() + " came");
            here.add(peer);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            tell(new String(packet, StandardCharsets.UTF_8));
        }

        @Override
        public void onEnded(long now, NetherNetPeer peer, EndReason ending, String reason) {
            if (here.remove(peer)) {
                tell(peer.remote() + " went: " + reason);
            }
        }

        private void tell(String text) {
            here.forEach(peer -> send(peer, text));
        }
    }

    /** A client's side: says something as soon as it is in. */
    static final class Guest implements NetherNetClient.Listener {
        private final Consumer<String> screen;
        private final String greeting;
        private NetherNetPeer server;

        Guest(String greeting, Consumer<String> screen) {
            this.greeting = greeting;
            this.screen = screen;
        }

        void say(String text) {
            if (server != null) {
                send(server, text);
            }
        }

        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            server = peer;
            say(greeting);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            screen.accept(new String(packet, StandardCharsets.UTF_8));
        }

        @Override
        public void onEnded(long now, NetherNetPeer peer, EndReason ending, String reason) {
            onFailed(now, ending, reason);
        }

        @Override
        public void onFailed(long now, EndReason ending, String reason) {
            screen.accept(ending + ": " + reason);
        }
    }

    /**
     * {@code PORT}: a server; {@code HOST PORT NAME}: a client, which says each line that you type.
     */
    public static void main(String[] arguments) {
        NettyLoop loop = new NettyLoop("chat");
        DutyCycle cycle = loop.cycle();
        int port = Integer.parseInt(arguments[arguments.length == 1 ? 0 : 1]);
        Guest guest =
                arguments.length == 1
                        ? null
                        : new Guest(arguments[2] + " is here", System.out::println);
        cycle.execute(() -> {
            IdentityKey key = IdentityKey.generate();
            try {
                if (guest == null) {
                    Room room = new Room();
                    InetSocketAddress at = new InetSocketAddress(port);
                    NetherNetSocket.listen(cycle, at, 100, key, room::status, room);
                } else {
                    InetSocketAddress to = new InetSocketAddress(arguments[0], port);
                    NetherNetSocket.connect(cycle, to, key, guest);
                }
            } catch (IOException | RuntimeException e) {
                System.err.println(e.getMessage());
                loop.close();
            }
        });
        Scanner typed = new Scanner(System.in, StandardCharsets.UTF_8);
        while (typed.hasNextLine()) {
            String text = typed.nextLine();
            if (guest != null) {
                cycle.execute(() -> guest.say(arguments[2] + ": " + text));
            }
        }
        loop.close();
    }
}
