package dev.wishdir.examples;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.RakNetSocket;
import dev.wishdir.raknet.Reliability;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Scanner;
import java.util.Set;
import java.util.function.Consumer;

/** A chat over RakNet: who is connected hears what anybody says. */
public final class RakNetChat {
    private RakNetChat() {}

    /** A message of the chat: an id that is none of RakNet's own, and text. */
    static Bytes line(String text) {
        byte[] bytes = (" " + text).getBytes(StandardCharsets.UTF_8);
        bytes[0] = (byte) RakNetSettings.USER_PACKET;
        return Bytes.wrap(bytes);
    }

    /** The server's side: passes on what it hears. */
    static final class Room implements RakNetPeer.Listener {
        private final Set<RakNetPeer> here = new LinkedHashSet<>();

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            tell(line(peer.remote() + " came"));
            here.add(peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            tell(message);
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
            if (here.remove(peer)) {
                tell(line(peer.remote() + " went: " + reason));
            }
        }

        private void tell(Bytes message) {
            here.forEach(peer -> peer.send(Reliability.RELIABLE_ORDERED, 0, message));
        }
    }

    /** A client's side: says something as soon as it is in. */
    static final class Guest implements RakNetPeer.Listener {
        private final Consumer<String> screen;
        private final String greeting;
        private RakNetPeer server;

        Guest(String greeting, Consumer<String> screen) {
            this.greeting = greeting;
            this.screen = screen;
        }

        void say(String text) {
            if (server != null) {
                server.send(Reliability.RELIABLE_ORDERED, 0, line(text));
            }
        }

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            server = peer;
            say(greeting);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            byte[] text = message.slice(1, message.length() - 1).toArray();
            screen.accept(new String(text, StandardCharsets.UTF_8));
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
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
            try {
                if (guest == null) {
                    InetSocketAddress at = new InetSocketAddress(port);
                    RakNetSocket.listen(cycle, at, RakNetSettings.server(100), new Room());
                } else {
                    InetSocketAddress to = new InetSocketAddress(arguments[0], port);
                    RakNetSocket.connect(cycle, to, RakNetSettings.client(), guest);
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
