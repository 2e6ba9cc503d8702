package dev.wishdir.quake3;

import dev.wishdir.arena.Player;
import dev.wishdir.game.Serving;
import dev.wishdir.net.Budget;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.Quake3Player.State;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * Answers what comes outside of any connection: Quake III, out-of-band packets and connect. Every
 * answer is paid from the budget for unproven addresses.
 */
final class Connectionless {
    private static final long RECONNECT = 3_000_000_000L;
    private static final int AN_ADDRESS = 8;
    private static final int LONGEST_TOKEN = 128;
    private static final int LONGEST_STATUS = 1_300;

    private final Serving serving;
    private final UdpSocket socket;
    private final Challenges challenges;
    private final Clients clients;
    private final RunningLevel running;
    private final Console console;

    /** Passwords that may be tried: ten at once, one a second, from one network. */
    private final Budget guesses;

    Connectionless(
            Serving serving,
            UdpSocket socket,
            Challenges challenges,
            Clients clients,
            RunningLevel running,
            Console console) {
        this.serving = serving;
        this.socket = socket;
        this.challenges = challenges;
        this.clients = clients;
        this.running = running;
        this.console = console;
        guesses = new Budget(1, 10, 100, serving.random().nextLong());
    }

    void receive(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "getchallenge" -> getChallenge(now, from, words);
            case "connect" -> connect(now, from, words);
            case "getinfo" -> {
                if (isBounded(words)) {
                    reply(now, from, "infoResponse\n" + info(words));
                }
            }
            case "getstatus" -> {
                if (isBounded(words)) {
                    reply(now, from, "statusResponse\n" + status(words));
                }
            }
            case "rcon" -> rcon(now, from, words);
            default -> serving.counters().count("quake3.drop.unknown");
        }
    }

    private static boolean isBounded(List<String> words) {
        return words.size() < 2 || words.get(1).length() <= LONGEST_TOKEN;
    }

    private void reply(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        if (serving.budget().spend(now, to.getAddress(), bytes.length)) {
            socket.send(to, bytes, 0, bytes.length);
        } else {
            serving.counters().count("quake3.drop.budget");
        }
    }

    private void getChallenge(long now, InetSocketAddress from, List<String> words) {
        if (words.size() > 2 && !words.get(2).equals(Protocol.GAME_NAME)) {
            reply(now, from, "print\nGame mismatch: This is a " + Protocol.GAME_NAME + " server\n");
            return;
        }
        int clientChallenge = 0;
        if (words.size() > 1 && words.get(1).matches("-?\\d{1,10}")) {
            clientChallenge = (int) Long.parseLong(words.get(1));
        }
        // The third word: an OpenArena client takes it for its own old protocol 71, an
        // ioquake3 for the new one; our answer follows the client's first packet.
        reply(
                now,
                from,
                "challengeResponse "
                        + challenges.give(now, from)
                        + " "
                        + clientChallenge
                        + " "
                        + Protocol.IOQUAKE3_71.number());
    }

    private static InfoString token(List<String> words) {
        InfoString info = new InfoString();
        return words.size() > 1 ? info.put("challenge", words.get(1)) : info;
    }

    private InfoString info(List<String> words) {
        return token(words)
                .put("gamename", Protocol.GAME_NAME)
                .put("protocol", Protocol.IOQUAKE3_71.number())
                .put("hostname", serving.name())
                .put("mapname", running.level().name())
                .put("clients", clients.playing())
                .put("g_humanplayers", clients.playing())
                .put("sv_maxclients", clients.capacity())
                .put("gametype", 0)
                .put("pure", running.purity().wanted() ? 1 : 0)
                .put("g_needpass", serving.password().isEmpty() ? 0 : 1);
    }

    private String status(List<String> words) {
        StringBuilder text = new StringBuilder();
        text.append(running.serverinfo()).append(token(words)).append('\n');
        for (Player player : serving.arena().players()) {
            String line = "0 0 \"" + Quake3Player.plain(player.name(), 31) + "\"\n";
            if (text.length() + line.length() > LONGEST_STATUS) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }

    private void rcon(long now, InetSocketAddress from, List<String> words) {
        if (!guesses.spend(now, from.getAddress(), 1)) {
            serving.counters().count("quake3.drop.rcon");
            return;
        }
        String password = serving.adminPassword();
        if (password.isEmpty()) {
            reply(now, from, "print\nNo rconpassword set on the server.\n");
        } else if (words.size() < 3 || !same(password, words.get(1))) {
            reply(now, from, "print\nBad rconpassword.\n");
        } else {
            reply(now, from, "print\n" + console.execute(now, words.subList(2, words.size())));
        }
    }

    /** In constant time, so that an answer's delay tells nothing. */
    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private void connect(long now, InetSocketAddress from, List<String> words) {
        InfoString userinfo = InfoString.parse(words.size() > 1 ? words.get(1) : "");
        int protocol = userinfo.number("protocol", 0);
        if (protocol != Protocol.QUAKE3_68.number() && protocol != Protocol.IOQUAKE3_71.number()) {
            reply(
                    now,
                    from,
                    "print\nServer uses protocol version 71 (yours is " + protocol + ").\n");
            return;
        }
        int challenge = userinfo.number("challenge", 0);
        int qport = userinfo.number("qport", 0) & 0xFFFF;
        Quake3Player old = null;
        int here = 0;
        for (Quake3Player client : clients) {
            if (!client.address.getAddress().equals(from.getAddress())) {
                continue;
            }
            here++;
            if (client.qport == qport || client.address.getPort() == from.getPort()) {
                if (now - client.connectedAt < RECONNECT && client.state != State.ZOMBIE) {
                    repeat(now, from, client, challenge);
                    return;
                }
                old = client;
            }
        }
        if (!challenges.check(now, from, challenge)) {
            reply(now, from, "print\nNo or bad challenge for your address.\n");
        } else if (!serving.password().isEmpty()
                && !same(serving.password(), userinfo.get("password"))) {
            reply(now, from, "print\nInvalid password\n");
        } else {
            accept(now, from, userinfo, old, here);
        }
    }

    /** An answer was lost: the same one again, but no second connection. */
    private void repeat(long now, InetSocketAddress from, Quake3Player client, int challenge) {
        if (client.address.equals(from)
                && client.challenge == challenge
                && client.gamestateMessage < 0) {
            reply(now, from, "connectResponse " + challenge);
        }
    }

    private void accept(
            long now,
            InetSocketAddress from,
            InfoString userinfo,
            @Nullable Quake3Player old,
            int here) {
        if (old != null) {
            clients.remove(old);
        }
        int slot = old == null ? clients.free() : old.clientNum;
        if (here >= AN_ADDRESS && !from.getAddress().isLoopbackAddress()) {
            reply(now, from, "print\nToo many players of your address\n");
            return;
        }
        if (slot < 0 || serving.arena().isFull()) {
            reply(now, from, "print\nServer is full\n");
            return;
        }
        int challenge = userinfo.number("challenge", 0);
        Quake3Player client =
                new Quake3Player(
                        slot,
                        from,
                        challenge,
                        userinfo,
                        clients.family(),
                        running.openArena(),
                        now);
        if (userinfo.number("protocol", 0) == Protocol.QUAKE3_68.number()) {
            client.connection = new ServerConnection(Protocol.QUAKE3_68, challenge, client.qport);
        }
        clients.add(now, client);
        reply(now, from, "connectResponse " + challenge);
    }
}
