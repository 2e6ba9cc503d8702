package dev.wishdir.quake3;

import dev.wishdir.arena.Player;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.Quake3Player.State;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The server side: unmodified clients of protocol 68 and of both protocols 71 join the arena, walk
 * with their game's own physics and see the others. The server moves the player; nobody does
 * damage.
 */
final class Quake3Endpoint implements Endpoint, DatagramHandler {
    private static final long MILLI = 1_000_000;
    private static final int FPS = 40;
    private static final long FRAME = 1_000 * MILLI / FPS;
    private static final long RECONNECT = 3_000 * MILLI;
    private static final long TIMEOUT = 60_000 * MILLI;
    private static final long ZOMBIE = 2_000 * MILLI;
    private static final int START_TIME = 5_000;
    private static final int AN_ADDRESS = 8;
    private static final int MAX_TOKEN = 128;
    private static final int SPECTATOR_TEAM = 3;
    private static final int LAG = 1_000;
    private static final int AHEAD = 200;
    private static final int OVERHEAD = 28;

    private final Serving serving;
    private final UdpSocket socket;
    private final Challenges challenges;
    private final Level level;
    private final Mover mover;
    private final String game;
    private final @Nullable Quake3Player[] clients;
    private final Map<Player, Quake3Player> family = new HashMap<>();
    private final long started;
    private int serverId;
    private int checksumFeed;
    private int levelStart;
    private boolean serverCount;
    private long nextFrame;
    private int frames;

    /**
     * Opens the socket.
     *
     * @param game the folder of the game that clients must have: {@code baseoa} or {@code baseq3}
     * @throws IOException if the port can't be bound
     */
    Quake3Endpoint(Serving serving, Level level, String game) throws IOException {
        this.serving = serving;
        this.level = level;
        this.game = game;
        mover = new Mover(level.brushes(), openArena());
        challenges = new Challenges(serving.random());
        clients = new Quake3Player[Math.clamp(serving.maxPlayers(), 1, VisiblePlayers.SLOTS)];
        started = serving.cycle().now();
        nextFrame = started;
        socket = serving.cycle().open(serving.address(), this);
        newLevel();
    }

    private boolean openArena() {
        return game.equals("baseoa");
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    private int time(long now) {
        return START_TIME + (int) ((now - started) / MILLI);
    }

    private void newLevel() {
        long now = serving.cycle().now();
        serverId = Math.max(serverId + 1, time(now) & 0x7FFFFF);
        checksumFeed = serving.random().nextInt();
        levelStart = time(now);
    }

    private void count(String what) {
        serving.counters().count("quake3." + what);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (from.getPort() == 0) {
            count("drop.address");
            return;
        }
        try {
            Bytes bytes = Bytes.wrap(data);
            if (OutOfBand.is(bytes)) {
                outOfBand(now, from, OutOfBand.read(bytes));
            } else {
                inBand(now, from, data);
            }
        } catch (MalformedPacketException _) {
            count("drop.malformed");
        }
    }

    // Out of band

    private void outOfBand(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "getchallenge" -> getChallenge(now, from, words);
            case "connect" -> connect(now, from, words);
            case "getinfo" -> {
                if (words.size() < 2 || words.get(1).length() <= MAX_TOKEN) {
                    reply(now, from, "infoResponse\n" + info(words));
                }
            }
            case "getstatus" -> {
                if (words.size() < 2 || words.get(1).length() <= MAX_TOKEN) {
                    reply(now, from, "statusResponse\n" + status(words));
                }
            }
            case "rcon" -> rcon(now, from, words);
            default -> count("drop.unknown");
        }
    }

    private boolean reply(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        if (!serving.budget().spend(now, to.getAddress(), bytes.length)) {
            count("drop.budget");
            return false;
        }
        socket.send(to, bytes, 0, bytes.length);
        return true;
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
        // The second number: an OpenArena client takes it for its own old protocol 71, an
        // ioquake3 for the new one; our answer follows the client's first packet.
        reply(
                now,
                from,
                "challengeResponse "
                        + challenges.give(from)
                        + " "
                        + clientChallenge
                        + " "
                        + Protocol.IOQUAKE3_71.number());
    }

    private InfoString token(List<String> words) {
        InfoString info = new InfoString();
        return words.size() > 1 ? info.put("challenge", words.get(1)) : info;
    }

    private InfoString info(List<String> words) {
        return token(words)
                .put("gamename", Protocol.GAME_NAME)
                .put("protocol", Protocol.IOQUAKE3_71.number())
                .put("hostname", serving.name())
                .put("mapname", level.name())
                .put("clients", playing())
                .put("g_humanplayers", playing())
                .put("sv_maxclients", clients.length)
                .put("gametype", 0)
                .put("pure", 0)
                .put("g_needpass", serving.password().isEmpty() ? 0 : 1);
    }

    private int playing() {
        return family.size();
    }

    private String status(List<String> words) {
        StringBuilder text = new StringBuilder();
        text.append(serverinfo()).append(token(words)).append('\n');
        for (Player player : serving.arena().players()) {
            String line = "0 0 \"" + Quake3Player.plain(player.name(), 31) + "\"\n";
            if (text.length() + line.length() > 1_300) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }

    private void rcon(long now, InetSocketAddress from, List<String> words) {
        String password = serving.adminPassword();
        if (password.isEmpty()) {
            reply(now, from, "print\nNo rconpassword set on the server.\n");
        } else if (words.size() < 3 || !same(password, words.get(1))) {
            reply(now, from, "print\nBad rconpassword.\n");
        } else {
            reply(now, from, "print\n" + console(now, words.subList(2, words.size())));
        }
    }

    /** In constant time, so that an answer's delay tells nothing. */
    private static boolean same(String a, String b) {
        return java.security.MessageDigest.isEqual(
                a.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                b.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private String console(long now, List<String> words) {
        String rest = String.join(" ", words.subList(1, words.size()));
        return switch (words.getFirst()) {
            case "status" -> clientList();
            case "map" -> {
                if (!rest.equals(level.name())) {
                    yield "there is only the map " + level.name() + "\n";
                }
                mapChange(now);
                yield "map: " + level.name() + "\n";
            }
            case "kick", "clientkick" -> kick(now, rest);
            case "say" -> {
                serving.arena().announce(rest);
                yield "said\n";
            }
            default -> "commands: status, map NAME, kick NAME|NUMBER, say TEXT\n";
        };
    }

    private String clientList() {
        StringBuilder text = new StringBuilder("map: " + level.name() + "\n");
        for (Quake3Player client : clients) {
            if (client != null) {
                text.append(client.clientNum)
                        .append(' ')
                        .append(client.state)
                        .append(' ')
                        .append(Quake3Player.plain(client.userinfo.get("name"), 31))
                        .append(' ')
                        .append(client.address)
                        .append('\n');
            }
        }
        return text.toString();
    }

    private String kick(long now, String who) {
        for (Quake3Player client : clients) {
            if (client != null
                    && client.state != State.ZOMBIE
                    && (client.userinfo.get("name").equalsIgnoreCase(who)
                            || Integer.toString(client.clientNum).equals(who))) {
                drop(now, client, "was kicked");
                return Quake3Player.plain(who, 31) + " was kicked\n";
            }
        }
        return "nobody is called " + Quake3Player.plain(who, 31) + "\n";
    }

    /** Starts the level anew: every client loads it again. */
    private void mapChange(long now) {
        newLevel();
        serverCount = !serverCount;
        for (Quake3Player client : clients) {
            if (client != null && client.state != State.ZOMBIE) {
                Player player = client.player;
                if (player != null) {
                    serving.arena().despawn(player);
                }
                client.state = State.CONNECTED;
                client.gamestateMessage = -1;
                client.nextSnapshot = now;
            }
        }
    }

    private void connect(long now, InetSocketAddress from, List<String> words) {
        InfoString userinfo = InfoString.parse(words.size() > 1 ? words.get(1) : "");
        int protocol = userinfo.number("protocol", 0);
        if (protocol != 68 && protocol != 71) {
            reply(
                    now,
                    from,
                    "print\nServer uses protocol version 71 (yours is " + protocol + ").\n");
            return;
        }
        int qport = userinfo.number("qport", 0) & 0xFFFF;
        int slot = -1;
        int here = 0;
        for (int i = 0; i < clients.length; i++) {
            Quake3Player client = clients[i];
            if (client == null || !client.address.getAddress().equals(from.getAddress())) {
                continue;
            }
            here++;
            if (client.qport == qport || client.address.getPort() == from.getPort()) {
                if (now - client.connectedAt < RECONNECT && client.state != State.ZOMBIE) {
                    // Its answer was lost: the same one again, but no second connection.
                    if (client.address.equals(from)
                            && client.challenge == userinfo.number("challenge", 0)
                            && client.connection == null) {
                        reply(now, from, "connectResponse " + client.challenge);
                    }
                    return;
                }
                slot = i;
            }
        }
        int challenge = userinfo.number("challenge", 0);
        if (!challenges.check(from, challenge)) {
            reply(now, from, "print\nNo or bad challenge for your address.\n");
            return;
        }
        if (!serving.password().isEmpty() && !same(serving.password(), userinfo.get("password"))) {
            reply(now, from, "print\nInvalid password\n");
            return;
        }
        Quake3Player old = slot < 0 ? null : clients[slot];
        if (old != null) {
            remove(old);
        }
        for (int i = 0; slot < 0 && i < clients.length; i++) {
            slot = clients[i] == null ? i : -1;
        }
        if (slot < 0
                || serving.arena().isFull()
                || here >= AN_ADDRESS && !from.getAddress().isLoopbackAddress()) {
            reply(now, from, "print\nServer is full\n");
            return;
        }
        Quake3Player client = new Quake3Player(slot, from, challenge, userinfo, family, now);
        if (protocol == Protocol.QUAKE3_68.number()) {
            client.connection = new ServerConnection(Protocol.QUAKE3_68, challenge, qport);
        }
        clients[slot] = client;
        Player player = serving.arena().join(now, Quake3Dissector.GAME, name(userinfo), client);
        client.player = player;
        family.put(player, client);
        for (Player other : serving.arena().players()) {
            if (other != player) {
                Quake3Player same = family.get(other);
                client.visible.add(other, same == null ? -1 : same.clientNum);
            }
        }
        // The others have been told of it before it was known to be of their game.
        tellOthers(client);
        reply(now, from, "connectResponse " + challenge);
    }

    private void tellOthers(Quake3Player client) {
        Player player = client.player;
        for (Quake3Player other : clients) {
            if (other != null && other != client && player != null) {
                other.changed(player);
            }
        }
    }

    private static String name(InfoString userinfo) {
        return userinfo.get("name").replaceAll("\\^[^^]", "");
    }

    // In band

    private void inBand(long now, InetSocketAddress from, byte[] data) {
        if (data.length < 6) {
            count("drop.short");
            return;
        }
        int qport = data[4] & 0xFF | (data[5] & 0xFF) << 8;
        Quake3Player client = client(from, qport);
        if (client == null || client.state == State.ZOMBIE) {
            count("drop.stranger");
            return;
        }
        ServerConnection c = client.connection;
        if (c == null) {
            Protocol protocol =
                    Quake3Dissector.isModern(data, Side.CLIENT, client.challenge)
                            ? Protocol.IOQUAKE3_71
                            : Protocol.OPENARENA_71;
            c = new ServerConnection(protocol, client.challenge, client.qport);
            client.connection = c;
        }
        ClientMessage message = c.receive(data);
        if (message == null) {
            count("drop.packet");
            return;
        }
        client.address = from;
        client.heard = now;
        for (String command : c.commands(message)) {
            clientCommand(now, client, command);
            if (client.state == State.ZOMBIE || clients[client.clientNum] != client) {
                return;
            }
        }
        if (c.lostCommands()) {
            drop(now, client, "Lost reliable commands");
            return;
        }
        if (message.serverId() != serverId) {
            if (client.download == null
                    && client.state != State.ACTIVE
                    && message.messageAcknowledge() > client.gamestateMessage) {
                gamestate(client, c);
            }
            return;
        }
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.Move m) {
                move(now, client, c, message, m);
            }
        }
    }

    private @Nullable Quake3Player client(InetSocketAddress from, int qport) {
        for (Quake3Player client : clients) {
            if (client != null
                    && client.qport == qport
                    && client.address.getAddress().equals(from.getAddress())) {
                return client;
            }
        }
        return null;
    }

    private InfoString serverinfo() {
        return new InfoString()
                .put("sv_hostname", serving.name())
                .put("mapname", level.name())
                .put("sv_maxclients", clients.length)
                .put("gamename", game)
                .put("g_gametype", 0)
                .put("dmflags", 0)
                .put("fraglimit", 0)
                .put("timelimit", 0)
                .put("capturelimit", 0)
                .put("version", "Wishdir");
    }

    private InfoString systeminfo() {
        return new InfoString()
                .put("sv_serverid", serverId)
                .put("sv_pure", 0)
                .put("sv_cheats", 0)
                .put("sv_fps", FPS)
                .put("pmove_fixed", 0)
                .put("pmove_msec", 8)
                .put("pmove_float", openArena() ? 1 : 0)
                .put("g_synchronousClients", 0)
                .put("timescale", 1)
                .put("sv_paks", "")
                .put("sv_pakNames", "")
                .put("sv_referencedPaks", level.pakChecksum())
                .put("sv_referencedPakNames", game + "/" + level.pakName());
    }

    private void gamestate(Quake3Player client, ServerConnection c) {
        if (c.sending()) {
            return;
        }
        SortedMap<Integer, String> strings = new TreeMap<>();
        strings.put(Configstrings.SERVERINFO, serverinfo().toString());
        strings.put(Configstrings.SYSTEMINFO, systeminfo().toString());
        strings.put(Configstrings.GAME_VERSION, game + "-1");
        strings.put(Configstrings.LEVEL_START_TIME, Integer.toString(levelStart));
        strings.put(Configstrings.ITEMS, "0");
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = client.visible.at(slot);
            if (other != null) {
                strings.put(
                        Configstrings.PLAYERS + slot, Quake3Player.info(other, family.get(other)));
            }
        }
        Player own = client.player;
        if (own != null) {
            strings.put(Configstrings.PLAYERS + client.clientNum, Quake3Player.info(own, client));
        }
        trim(strings);
        c.level(checksumFeed);
        client.state = State.PRIMED;
        client.lastCommandTime = 0;
        client.gamestateMessage = c.outgoing();
        c.send(
                List.of(
                        new ServerMessage.Gamestate(
                                c.lastCommand(),
                                strings,
                                List.of(),
                                client.clientNum,
                                checksumFeed)),
                sink(client));
    }

    /** Keeps a gamestate below what a client takes: the last players go first. */
    private static void trim(SortedMap<Integer, String> strings) {
        int chars = 0;
        for (String text : strings.values()) {
            chars += text.length() + 1;
        }
        while (chars >= ServerMessage.Gamestate.MAX_CHARS / 2
                && strings.lastKey() >= Configstrings.PLAYERS) {
            String last = strings.remove(strings.lastKey());
            chars -= last == null ? 0 : last.length() + 1;
        }
    }

    private Netchan.Sink sink(Quake3Player client) {
        return (data, offset, length) -> socket.send(client.address, data, offset, length);
    }

    private void move(
            long now,
            Quake3Player client,
            ServerConnection c,
            ClientMessage message,
            ClientMessage.Move move) {
        c.moved(message, move.delta());
        List<Usercmd> commands = move.commands();
        Usercmd last = commands.getLast();
        if (client.state == State.PRIMED) {
            client.state = State.ACTIVE;
            client.lastCommandTime = last.serverTime();
            client.nextSnapshot = now;
            spawn(now, client, last);
            return;
        }
        if (client.state != State.ACTIVE) {
            return;
        }
        boolean moved = false;
        for (Usercmd command : commands) {
            int time = command.serverTime();
            if (time > last.serverTime() || time <= client.lastCommandTime) {
                continue;
            }
            client.lastCommandTime = time;
            int clamped = Math.clamp(time, time(now) - LAG, time(now) + AHEAD);
            if (clamped > client.body.commandTime) {
                run(client, at(command, clamped));
                moved = true;
            }
        }
        if (moved) {
            report(client);
        }
    }

    private static Usercmd at(Usercmd c, int time) {
        return new Usercmd(
                time,
                c.pitch(),
                c.yaw(),
                c.roll(),
                c.forward(),
                c.right(),
                c.up(),
                c.buttons(),
                c.weapon());
    }

    private void run(Quake3Player client, Usercmd command) {
        Body body = client.body;
        body.type = client.spectates() ? Mover.SPECTATOR : Quake3Motion.PM_NORMAL;
        body.gravity = 800;
        body.speed = client.spectates() ? 400 : 320;
        mover.move(body, command);
        if (client.spectates() && command.up() > 0) {
            client.following = null;
        }
    }

    /** Tells the arena where a client's body is now. */
    private void report(Quake3Player client) {
        Player player = client.player;
        if (player != null && player.spawned()) {
            serving.arena()
                    .move(
                            player,
                            Quake3Motion.movement(client.state()),
                            client.body.entity().build());
        }
    }

    private void spawn(long now, Quake3Player client, Usercmd command) {
        Level.Spawn spawn = level.spawns().get(serving.random().nextInt(level.spawns().size()));
        Body body = client.body;
        body.origin[0] = spawn.x();
        body.origin[1] = spawn.y();
        body.origin[2] = spawn.z() + 9;
        java.util.Arrays.fill(body.velocity, 0);
        int[] wanted = {0, Quake3Motion.commandAngle(spawn.yaw()), 0};
        int[] given = {command.pitch(), command.yaw(), command.roll()};
        for (int i = 0; i < 3; i++) {
            body.deltaAngles[i] = wanted[i] - given[i] & 0xFFFF;
        }
        body.flags = Mover.RESPAWNED | Mover.TIME_KNOCKBACK;
        body.time = 100;
        body.eFlags ^= 4;
        body.spawnCount++;
        body.health = 125;
        body.maxHealth = 100;
        body.weapons = 1 << 1;
        body.weapon = 1;
        body.weaponState = 0;
        body.weaponTime = 0;
        body.ground = EntityState.NONE;
        body.legsAnim = 22;
        body.torsoAnim = 12;
        body.commandTime = time(now) - 100;
        run(client, at(command, time(now)));
        Player player = client.player;
        if (player != null && !client.spectates()) {
            serving.arena().spawn(player, Quake3Motion.movement(client.state()));
            report(client);
        }
    }

    // Client commands

    private void clientCommand(long now, Quake3Player client, String text) {
        List<String> words = OutOfBand.words(text);
        String word = words.isEmpty() ? "" : words.getFirst();
        switch (word) {
            case "disconnect" -> drop(now, client, "disconnected");
            case "userinfo" -> userinfo(now, client, words.size() > 1 ? words.get(1) : "");
            case "download" -> download(now, client, words.size() > 1 ? words.get(1) : "");
            case "nextdl" -> nextBlock(now, client, words.size() > 1 ? words.get(1) : "");
            case "stopdl" -> client.download = null;
            case "donedl" -> {
                client.download = null;
                ServerConnection c = client.connection;
                if (client.state != State.ACTIVE && c != null) {
                    gamestate(client, c);
                }
            }
            case "cp", "vdr", "" -> {}
            default -> {
                if (client.state == State.ACTIVE && now >= client.nextGameCommand) {
                    client.nextGameCommand = now + 1_000 * MILLI;
                    gameCommand(now, client, words, text);
                }
            }
        }
    }

    private void userinfo(long now, Quake3Player client, String text) {
        if (now - client.userinfoSecond > 1_000 * MILLI) {
            client.userinfoSecond = now;
            client.userinfos = 0;
        }
        if (++client.userinfos > 5) {
            count("drop.userinfo");
            return;
        }
        client.userinfo = InfoString.parse(text);
        Player player = client.player;
        if (player != null) {
            serving.arena().rename(player, name(client.userinfo));
            tellOthers(client);
            client.tell(client.clientNum, Quake3Player.info(player, client));
        }
    }

    private void gameCommand(long now, Quake3Player client, List<String> words, String text) {
        Player player = client.player;
        if (player == null) {
            return;
        }
        String first = words.size() > 1 ? words.get(1) : "";
        switch (words.getFirst()) {
            case "say", "say_team" -> {
                String said = text.substring(words.getFirst().length()).strip();
                if (said.startsWith("\"") && said.endsWith("\"") && said.length() > 1) {
                    said = said.substring(1, said.length() - 1);
                }
                serving.arena().say(player, said);
                // A client shows its own words when they come back.
                client.said(player, said);
            }
            case "team" -> team(now, client, first);
            case "follow" -> {
                if (client.spectates()) {
                    client.following = find(client, first);
                }
            }
            case "kill" -> spawn(now, client, Usercmd.ZERO);
            case "score" -> client.command("scores 0 0 0");
            default -> {}
        }
    }

    private @Nullable Player find(Quake3Player client, String who) {
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = client.visible.at(slot);
            if (other != null
                    && family.containsKey(other)
                    && other.spawned()
                    && (who.equals(Integer.toString(slot)) || who.equalsIgnoreCase(other.name()))) {
                return other;
            }
        }
        return null;
    }

    private void team(long now, Quake3Player client, String team) {
        Player player = client.player;
        if (player == null) {
            return;
        }
        boolean spectate = team.startsWith("s");
        if (spectate == client.spectates()) {
            return;
        }
        client.body.team = spectate ? SPECTATOR_TEAM : 0;
        client.following = null;
        if (spectate) {
            serving.arena().despawn(player);
            client.body.type = Mover.SPECTATOR;
        } else {
            spawn(now, client, Usercmd.ZERO);
        }
        tellOthers(client);
        client.tell(client.clientNum, Quake3Player.info(player, client));
    }

    private void download(long now, Quake3Player client, String file) {
        ServerConnection c = client.connection;
        if (c == null || c.sending()) {
            return;
        }
        if (file.equals(game + "/" + level.pakName() + ".pk3")) {
            client.download = new Download(level.pak(), now);
        } else {
            count("drop.download");
            c.send(List.of(Download.refused("File is not on this server.\n")), sink(client));
        }
    }

    private void nextBlock(long now, Quake3Player client, String block) {
        Download download = client.download;
        if (download != null
                && block.matches("\\d{1,5}")
                && download.acknowledge(now, Integer.parseInt(block))
                && download.finished()) {
            client.download = null;
        }
    }

    // Frames

    @Override
    public long advance(long now) {
        if (now >= nextFrame) {
            nextFrame = Math.max(nextFrame + FRAME, now - FRAME);
            frames++;
            for (Quake3Player client : clients) {
                if (client != null) {
                    frame(now, client);
                }
            }
        }
        return nextFrame;
    }

    private void frame(long now, Quake3Player client) {
        if (client.state == State.ZOMBIE && now >= client.zombieUntil) {
            remove(client);
            return;
        }
        if (client.state != State.ZOMBIE && now - client.heard > TIMEOUT) {
            drop(now, client, "timed out");
            return;
        }
        ServerConnection c = client.connection;
        if (c == null) {
            return;
        }
        if (c.overflowed() && client.state != State.ZOMBIE) {
            drop(now, client, "Server command overflow");
            return;
        }
        if (c.sending()) {
            c.sendPart(sink(client));
            return;
        }
        Download download = client.download;
        if (download != null) {
            ServerMessage.Download block = download.next(now);
            if (block != null) {
                c.send(List.of(block), sink(client));
            }
            return;
        }
        if (now < client.nextSnapshot) {
            return;
        }
        if (frames % FPS == 0 && serving.arena().players().size() > VisiblePlayers.SLOTS) {
            client.nearest(serving.arena().players());
        }
        int flags =
                (serverCount ? Snapshot.SERVER_COUNT : 0)
                        | (client.state == State.ACTIVE ? 0 : Snapshot.NOT_ACTIVE);
        int bytes = c.send(client.frame(time(now)), flags, sink(client));
        client.nextSnapshot = now + interval(client, bytes);
    }

    private long interval(Quake3Player client, int bytes) {
        int snaps = Math.clamp(client.userinfo.number("snaps", 20), 1, FPS);
        // A frame's jitter must not make a snapshot wait for the next frame.
        long interval = 1_000 * MILLI / snaps - FRAME / 2;
        InetAddress address = client.address.getAddress();
        if (address.isLoopbackAddress() || address.isSiteLocalAddress()) {
            return interval;
        }
        int rate = Math.clamp(client.userinfo.number("rate", 25_000), 1_000, 90_000);
        return Math.max(interval, (bytes + OVERHEAD) * 1_000L * MILLI / rate);
    }

    /** Sends a client away: it is told why for a while, then its slot is free. */
    private void drop(long now, Quake3Player client, String reason) {
        ServerConnection c = client.connection;
        if (c != null) {
            client.command("disconnect \"" + Quake3Player.plain(reason, 200) + "\"");
        }
        client.state = State.ZOMBIE;
        client.zombieUntil = now + ZOMBIE;
        client.nextSnapshot = now;
        client.download = null;
        leave(client);
    }

    private void leave(Quake3Player client) {
        challenges.drop(client.address);
        Player player = client.player;
        if (player != null) {
            client.player = null;
            serving.arena().leave(player);
            family.remove(player);
        }
    }

    private void remove(Quake3Player client) {
        leave(client);
        clients[client.clientNum] = null;
    }

    @Override
    public void close(String reason) {
        long now = serving.cycle().now();
        for (Quake3Player client : new ArrayList<>(java.util.Arrays.asList(clients))) {
            if (client != null) {
                if (client.state != State.ZOMBIE) {
                    drop(now, client, reason);
                }
                ServerConnection c = client.connection;
                for (int i = 0; c != null && i < 2 && !c.sending(); i++) {
                    c.send(client.frame(time(now)), Snapshot.NOT_ACTIVE, sink(client));
                }
                remove(client);
            }
        }
        socket.close();
    }
}
