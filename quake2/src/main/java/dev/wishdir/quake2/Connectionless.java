package dev.wishdir.quake2;

import dev.wishdir.arena.Player;
import dev.wishdir.game.Serving;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Packets out of band: questions about the server, ways in, and the operator's commands. */
final class Connectionless {
    private final Serving serving;
    private final Quake2Endpoint endpoint;
    private final Challenges challenges;
    private final Console console;

    Connectionless(Serving serving, Quake2Endpoint endpoint) {
        this.serving = serving;
        this.endpoint = endpoint;
        challenges = new Challenges(serving.random());
        console = new Console(endpoint);
    }

    /** Takes in a packet. */
    void receive(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "getchallenge" ->
                    reply(
                            now,
                            from,
                            "challenge " + challenges.give(now, from.getAddress()) + " p=34");
            case "connect" -> connect(now, from, words);
            case "info" -> info(now, from, words);
            case "status" ->
                    reply(now, from, "print\n" + endpoint.serverInfo() + "\n" + playerLines());
            case "ping" -> reply(now, from, "ack");
            case "rcon" -> rcon(now, from, words, packet.text());
            default -> endpoint.count("drop.command");
        }
    }

    private void reply(long now, InetSocketAddress to, String text) {
        byte[] packet = new OutOfBand(text).packet();
        if (packet.length > Netchan.MOST_PACKET) {
            endpoint.count("drop.long-reply");
        } else if (serving.budget().spend(now, to.getAddress(), packet.length)) {
            endpoint.send(to, packet, packet.length);
        } else {
            endpoint.count("drop.budget");
        }
    }

    private void info(long now, InetSocketAddress from, List<String> words) {
        if (words.size() < 2) {
            // An answer of the same name, perhaps our own come back.
            endpoint.count("drop.command");
            return;
        }
        int version = Numbers.parse(words.get(1)).orElse(-1);
        String name = Roster.text(serving.name(), 16);
        if (version != Quake2Codec.PROTOCOL) {
            reply(now, from, "info\n" + name + ": wrong version\n");
            return;
        }
        reply(
                now,
                from,
                String.format(
                        Locale.ROOT,
                        "info\n%16s %8s %2d/%2d\n",
                        name,
                        endpoint.level().name(),
                        endpoint.entered(),
                        serving.maxPlayers()));
    }

    /** Lines of score, ping and name, as many as fit into a packet. */
    private String playerLines() {
        StringBuilder lines = new StringBuilder();
        for (Quake2Session session : endpoint.sessions()) {
            String name = session.player().map(Player::name).orElse("");
            if (!name.isEmpty() && lines.length() < 900) {
                lines.append("0 ").append(session.ping());
                lines.append(" \"").append(Roster.name(name)).append("\"\n");
            }
        }
        return lines.toString();
    }

    private void connect(long now, InetSocketAddress from, List<String> words) {
        int protocol = words.size() < 2 ? -1 : Numbers.parse(words.get(1)).orElse(-1);
        if (protocol != Quake2Codec.PROTOCOL) {
            refuse(now, from, "Server is protocol version 34.");
            return;
        }
        int challenge = words.size() < 4 ? -1 : Numbers.parse(words.get(3)).orElse(-1);
        OptionalInt given = words.size() < 3 ? OptionalInt.empty() : Numbers.parse(words.get(2));
        Optional<InfoString> userInfo =
                words.size() < 5 ? Optional.empty() : InfoString.parse(words.get(4));
        if (given.isEmpty() || userInfo.isEmpty()) {
            refuse(now, from, "Connection refused.");
            return;
        }
        int qport = given.getAsInt() & 0xFFFF;
        boolean again =
                endpoint.session(from.getAddress(), qport)
                        .filter(same -> same.challenge == challenge)
                        .filter(same -> !same.heard && same.address.equals(from))
                        .isPresent();
        if (again) {
            reply(now, from, "client_connect");
            return;
        }
        if (!challenges.isFresh(now, from.getAddress(), qport, challenge)) {
            refuse(now, from, "Bad challenge.");
            return;
        }
        if (!isPassword(userInfo.get())) {
            refuse(now, from, "Password required or incorrect.");
            return;
        }
        Optional<String> refusal = endpoint.accept(now, from, qport, challenge, userInfo.get());
        if (refusal.isPresent()) {
            refuse(now, from, refusal.get());
            return;
        }
        challenges.use(from.getAddress(), qport, challenge);
        reply(now, from, "client_connect");
    }

    private void refuse(long now, InetSocketAddress to, String reason) {
        endpoint.count("refused");
        reply(now, to, "print\n" + reason + "\n");
    }

    private boolean isPassword(InfoString userInfo) {
        return serving.password().isEmpty() || equal(serving.password(), userInfo.get("password"));
    }

    private static boolean equal(String secret, String given) {
        return MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private void rcon(long now, InetSocketAddress from, List<String> words, String text) {
        if (serving.adminPassword().isEmpty()
                || words.size() < 2
                || !equal(serving.adminPassword(), words.get(1))) {
            endpoint.count("rcon.refused");
            reply(now, from, "print\nBad rcon_password.\n");
            return;
        }
        String line = Words.afterFirst(Words.afterFirst(text.split("[\n\0]", 2)[0]));
        reply(now, from, "print\n" + console.execute(now, line) + "\n");
    }
}
