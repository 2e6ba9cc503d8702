package dev.wishdir.raknet.example;

import dev.wishdir.raknet.RakNetListener;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.Reliability;
import dev.wishdir.wire.Bytes;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** A chat: who is connected hears what anybody says. */
final class Chat {
    static Bytes line(String text) {
        byte[] bytes = (" " + text).getBytes(StandardCharsets.UTF_8);
        bytes[0] = (byte) RakNetSettings.USER_PACKET;
        return Bytes.wrap(bytes);
    }

    /** The server's side: passes on what it hears. */
    static final class Room implements RakNetListener {
        private final Set<RakNetPeer> here = new LinkedHashSet<>();

        @Override
        public void connected(long now, RakNetPeer peer) {
            tell(line(peer.remote() + " came"));
            here.add(peer);
        }

        @Override
        public void received(long now, RakNetPeer peer, Bytes message) {
            tell(message);
        }

        @Override
        public void ended(long now, RakNetPeer peer, Ending ending, String reason) {
            if (here.remove(peer)) {
                tell(line(peer.remote() + " went: " + reason));
            }
        }

        private void tell(Bytes message) {
            here.forEach(peer -> peer.send(Reliability.RELIABLE_ORDERED, 0, message));
        }
    }

    /** A client's side. */
    record Guest(String greeting, Consumer<String> screen) implements RakNetListener {
        @Override
        public void connected(long now, RakNetPeer server) {
            server.send(Reliability.RELIABLE_ORDERED, 0, line(greeting));
        }

        @Override
        public void received(long now, RakNetPeer server, Bytes message) {
            byte[] text = message.slice(1, message.length() - 1).toArray();
            screen.accept(new String(text, StandardCharsets.UTF_8));
        }

        @Override
        public void ended(long now, RakNetPeer server, Ending ending, String reason) {
            screen.accept(ending + ": " + reason);
        }
    }

    private Chat() {}
}
