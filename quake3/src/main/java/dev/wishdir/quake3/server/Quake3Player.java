package dev.wishdir.quake3.server;

import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Debtor;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.level.LevelEntities;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Body;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.Vec3f;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One client of the endpoint: its connection, its body, and what it sees of the arena. */
final class Quake3Player implements Debtor {
    /** How far a client has come. */
    enum State {
        /** Accepted; wants a gamestate. */
        CONNECTED,
        /** Has been sent the gamestate; loads. */
        PRIMED,
        /** Plays. */
        ACTIVE,
        /** Has been sent away; is told so for a while. */
        ZOMBIE
    }

    /** The most snapshots a second. */
    static final int MOST_SNAPS = 125;

    /** Farther than any step, units. */
    private static final float STEP = 64;

    /** Faster than anybody walks and jumps, units a second; half of what gravity adds in one. */
    private static final float WALK = 400;

    /** A snapshot that overtakes a gamestate makes it worthless: it follows so much later. */
    private static final long BEHIND_PARTS = 50_000_000;

    /** A part that overtakes the one before it is lost. */
    private static final long BETWEEN_PARTS = 15_000_000;

    /** As far apart as parts can be overtaken on a bad line. */
    private static final long MOST_BETWEEN_PARTS = 240_000_000;

    private static final long SECOND = 1_000_000_000L;

    /** The bytes of a datagram that are not ours. */
    private static final int OVERHEAD = 28;

    /** Far more than an honest client sends at a thousand frames a second. */
    private static final double MOST_PACKETS = 1_000;

    private static final double MOST_STEPS = 500;

    /** What a place in a map, a list or a queue takes, and a client's own fields with them. */
    private static final int HEAP = 4_096;

    private final Clients clients;

    /** The first message's number: only who receives messages can acknowledge it. */
    private final int firstMessage;

    final int clientNum;
    final int challenge;
    final int qport;
    final long connectedAt;
    final VisiblePlayers visible;
    final Body body = new Body();
    final News news;

    /** Among the sessions of its address, until it leaves. */
    final Addresses.Place place;

    /** Messages of it that are read. */
    final Allowance messages = new Allowance(MOST_PACKETS, MOST_PACKETS / 2);

    /** Usercmds of it that are executed; the next one takes the time of one that is not. */
    final Allowance steps = new Allowance(MOST_STEPS, MOST_STEPS);

    /** Questions of it that are answered. */
    final Allowance answers = new Allowance(8, 1);

    /** Moves to another port of its address. */
    private final Allowance ports = new Allowance(3, 0.2);

    InetSocketAddress address;
    private InfoString userinfo = new InfoString();
    private int snaps;
    private int rate;
    State state = State.CONNECTED;
    @Nullable ServerConnection connection;
    @Nullable PlayerId id;
    @Nullable Download download;
    private final boolean openArena;
    private @Nullable PlayerId following;
    int gamestateMessage = -1;
    int lastCommandTime;
    Usercmd lastCommand = Usercmd.ZERO;
    long heard;

    /** When the last usercmd came. */
    long commanded;

    long nextSnapshot;

    /** When the client's rate has paid for what was sent. */
    long nextPacket;

    /** Whether somebody has moved since the last snapshot. */
    boolean hasNews;

    /** Whether it has last said that it would watch rather than play. */
    boolean wishesToWatch;

    /** Whether it has shown that it has the paks of a pure server. */
    boolean proved;

    private int unpaid;

    /** The time between two snapshots, nanoseconds. */
    long interval = SECOND / 20;

    /** Whether it must be told of the level, as soon as that may be. */
    boolean wantsGamestate;

    /** When it may be sent a gamestate again. */
    long nextGamestate;

    /** When the next part of a message may follow. */
    private long nextPart;

    /** How far apart parts are sent: farther after each gamestate that did not arrive. */
    private long betweenParts = BETWEEN_PARTS;

    long zombieUntil;

    Quake3Player(
            int clientNum,
            InetSocketAddress address,
            int challenge,
            InfoString userinfo,
            Clients clients,
            Addresses.Place place,
            boolean openArena,
            int firstMessage,
            long now) {
        this.openArena = openArena;
        this.clients = clients;
        this.place = place;
        this.firstMessage = firstMessage;
        this.clientNum = clientNum;
        this.address = address;
        this.challenge = challenge;
        userinfo(userinfo);
        qport = userinfo.number("qport", 0) & 0xFFFF;
        connectedAt = now;
        heard = now;
        visible = new VisiblePlayers(clientNum);
        news = new News(clients.arena(), clients, this);
        if (userinfo.number("protocol", 0) == Protocol.QUAKE3_68.number()) {
            connection = connection(Protocol.QUAKE3_68);
        }
    }

    private ServerConnection connection(Protocol protocol) {
        return new ServerConnection(protocol, challenge, qport, firstMessage, clients.made());
    }

    /**
     * The connection. Where there is none yet, one for the protocol that this packet shows, to be
     * kept if the packet is a message.
     */
    ServerConnection connection(byte[] datagram) {
        ServerConnection c = connection;
        return c != null
                ? c
                : connection(
                        NetchanHeader.isModern(datagram, Side.CLIENT, challenge)
                                ? Protocol.IOQUAKE3_71
                                : Protocol.OPENARENA_71);
    }

    /**
     * Whether a packet may come from a port: from another one than before it must have one of the
     * next numbers, and a client does not move often.
     */
    boolean isFrom(long now, int port, byte[] datagram) {
        ServerConnection c = connection;
        return port == address.getPort() || c != null && c.isNext(datagram) && ports.take(now);
    }

    /** Whether it has the newest gamestate. */
    boolean hasGamestate() {
        ServerConnection c = connection;
        return c != null && gamestateMessage >= 0 && c.messageAcknowledge() >= gamestateMessage;
    }

    /** Whether it has shown that it receives what it is sent. */
    boolean listens() {
        ServerConnection c = connection;
        return c != null && c.messageAcknowledge() >= firstMessage;
    }

    /** Sends to this client. */
    Netchan.Sink sink(UdpSocket socket) {
        return (data, offset, length) -> {
            socket.send(address, data, offset, length);
            unpaid += length + OVERHEAD;
        };
    }

    /** Lets the client's rate pay for what was sent; on the same network it has no rate. */
    void pay(long now) {
        InetAddress a = address.getAddress();
        if (!a.isLoopbackAddress() && !a.isSiteLocalAddress() && unpaid > 0) {
            nextPacket = Math.max(nextPacket, now) + unpaid * SECOND / rate;
        }
        unpaid = 0;
    }

    /** How many snapshots a second the client wants, as far as there are so many. */
    int snaps() {
        return snaps;
    }

    /** What it says of itself. */
    InfoString userinfo() {
        return userinfo;
    }

    void userinfo(InfoString info) {
        userinfo = info;
        snaps = Math.clamp(info.number("snaps", 20), 1, MOST_SNAPS);
        rate = Math.clamp(info.number("rate", 25_000), 1_000, 90_000);
    }

    /**
     * Tells the client all that it must know of a level, if it wants that; not while it is being
     * told something, and not again within a second.
     */
    void sendGamestate(long now, RunningLevel running, UdpSocket socket) {
        ServerConnection c = connection;
        if (c == null || !wantsGamestate || c.sending() || now < nextGamestate) {
            return;
        }
        wantsGamestate = false;
        nextGamestate = now + SECOND;
        c.level(running.checksumFeed(), running.entities().states());
        state = State.PRIMED;
        lastCommandTime = 0;
        proved = false;
        gamestateMessage = c.outgoing();
        news.settle(now, shown());
        ServerMessage.Gamestate gamestate = running.gamestate(this, c.lastCommand(), clients);
        news.gamestate(gamestate.configstrings().keySet());
        c.send(List.of(gamestate), sink(socket));
        sentPart(now);
        nextSnapshot = now + Math.max(BEHIND_PARTS, betweenParts);
    }

    /** It has received a later message and not the gamestate: a part was lost, or overtaken. */
    void missesGamestate() {
        if (!wantsGamestate && gamestateMessage >= 0) {
            betweenParts = Math.min(2 * betweenParts, MOST_BETWEEN_PARTS);
        }
        wantsGamestate = true;
    }

    /** Sends the next part of a message, if it is time. */
    void sendPart(long now, ServerConnection c, UdpSocket socket) {
        if (now >= nextPart) {
            c.sendPart(sink(socket));
            sentPart(now);
            nextSnapshot = now + Math.max(BEHIND_PARTS, betweenParts);
        }
    }

    /** The first part of a message was sent, or another. */
    void sentPart(long now) {
        nextPart = now + betweenParts;
    }

    /** Adds a reliable command, for a client that has a level and listens. */
    void command(String text) {
        ServerConnection c = connection;
        if (c != null && listens() && state != State.ZOMBIE && state != State.CONNECTED) {
            c.command(text);
        }
    }

    /** The name that a client wishes. */
    static String name(InfoString userinfo) {
        return Quake3Text.plain(userinfo.get("name"));
    }

    /** Whether it is a client of OpenArena, rather than of Quake III. */
    boolean openArena() {
        return openArena;
    }

    boolean spectates() {
        return body.spectates();
    }

    /** The state of the own body. */
    PlayerState state() {
        return body.playerState(clientNum, openArena);
    }

    /** The player that it is, if it is in the arena. */
    Optional<Player> player() {
        return id == null ? Optional.empty() : clients.arena().find(id);
    }

    /** Whom it is shown with a body. */
    List<Player> shown() {
        return id == null ? List.of() : clients.arena().shown(id);
    }

    /** Whether it sees with another's eyes. */
    boolean follows() {
        return following != null;
    }

    /** The other player in the slot of this number, or of this name as it is shown. */
    Optional<Player> named(String who) {
        if (who.matches("\\d{1,2}") && Integer.parseInt(who) < VisiblePlayers.SLOTS) {
            PlayerId there = at(Integer.parseInt(who));
            return there == null ? Optional.empty() : clients.arena().find(there);
        }
        return clients.arena().players().stream().filter(other -> isCalled(other, who)).findFirst();
    }

    private static boolean isCalled(Player player, String name) {
        return name.equalsIgnoreCase(player.name())
                || name.equalsIgnoreCase(Quake3Text.name(player.name()));
    }

    /** Sees with a player's eyes who is named or numbered so. */
    void follow(String who) {
        named(who)
                .map(Player::id)
                .filter(other -> shown().stream().anyMatch(each -> each.id().equals(other)))
                .ifPresent(other -> following = other);
    }

    /**
     * Sees with the next player's eyes.
     *
     * @param step 1, or -1 for the one before
     */
    void followNext(int step) {
        int from = following == null ? -1 : visible.slot(following);
        @Nullable Player[] shown = inSlots(shown());
        for (int i = 1; i <= VisiblePlayers.SLOTS; i++) {
            Player other = shown[Math.floorMod(from + i * step, VisiblePlayers.SLOTS)];
            if (other != null) {
                following = other.id();
                return;
            }
        }
    }

    /** Who is in a slot, itself in its own; or null. */
    @Nullable PlayerId at(int slot) {
        return slot == clientNum ? id : visible.at(slot);
    }

    /** Players by their slots; those who have none are left out. */
    private @Nullable Player[] inSlots(List<Player> players) {
        @Nullable Player[] inSlots = new Player[VisiblePlayers.SLOTS];
        for (int i = 0; i < players.size(); i++) {
            int slot = visible.slot(players.get(i).id());
            if (slot >= 0) {
                inSlots[slot] = players.get(i);
            }
        }
        return inSlots;
    }

    /** The body with whose eyes one sees who follows a player: one of elsewhere is made up. */
    private Body eyes(Player followed, int serverTime) {
        Quake3Player same = clients.of(followed.id());
        return same == null
                ? Body.seen(followed.movement(), clients.entities().of(followed, 0), serverTime)
                : same.body;
    }

    /** Sees with its own eyes again, from where it has seen last. */
    void stopFollowing() {
        if (following != null) {
            clients.arena()
                    .find(following)
                    .ifPresent(followed -> body.place(eyes(followed, 0).origin()));
        }
        following = null;
    }

    /** Stops seeing with the eyes of a player who has left, or has no body any more. */
    void stopFollowing(Player followed) {
        if (followed.id().equals(following)) {
            body.place(eyes(followed, 0).origin());
            following = null;
        }
    }

    @Override
    public long held() {
        ServerConnection c = connection;
        return HEAP + (c == null ? 0 : c.held());
    }

    @Override
    public void end(long now, String reason) {
        clients.drop(now, this, Departure.sentAway(reason));
    }

    @Override
    public String toString() {
        return Quake3Text.name(name(userinfo)) + " (" + Quake3Codec.GAME + " " + address + ")";
    }

    /**
     * What this client sees at a moment.
     *
     * @param shown whom it is shown with a body
     */
    Frame frame(long now, int serverTime, LevelEntities level, List<Player> shown) {
        if (state != State.ACTIVE) {
            return new Frame(
                    serverTime, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
        }
        PlayerState own = state();
        int hidden = clientNum;
        @Nullable Player[] others = inSlots(shown);
        int followedSlot = following == null ? -1 : visible.slot(following);
        Player followed = followedSlot < 0 ? null : others[followedSlot];
        if (followed != null) {
            hidden = followedSlot;
            PlayerState seen = eyes(followed, serverTime).playerState(hidden, openArena);
            own = seen.with(PlayerField.PM_FLAGS, seen.get(PlayerField.PM_FLAGS) | FOLLOW);
        }
        int count = 0;
        int most = VisiblePlayers.SLOTS + level.told().size();
        int[] numbers = new int[most];
        EntityState[] states = new EntityState[most];
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = others[slot];
            if (other != null && slot != hidden && news.isKnown(slot)) {
                visible.see(now, slot);
                numbers[count] = slot;
                EntityState seen = clients.entities().of(other, slot);
                states[count++] = body.meets(seen, 0) ? seen.with(EntityField.SOLID, 0) : seen;
            }
        }
        for (LevelEntities.Told each : level.told()) {
            numbers[count] = each.number();
            states[count++] = each.state().get();
        }
        Vec3f eye =
                new Vec3f(
                        own.real(PlayerField.ORIGIN_0),
                        own.real(PlayerField.ORIGIN_1),
                        own.real(PlayerField.ORIGIN_2) + own.get(PlayerField.VIEWHEIGHT));
        return new Frame(
                serverTime,
                level.hiddenAreas(eye),
                own,
                java.util.Arrays.copyOf(numbers, count),
                java.util.Arrays.copyOf(states, count));
    }

    private static final int FOLLOW = 4096;

    /**
     * What is in this player's way beside the level itself.
     *
     * @param millis how long it is going to move
     */
    List<Obstacle> obstacles(int millis) {
        List<Obstacle> near = new ArrayList<>();
        float seconds = Math.clamp(millis, 0, 1_000) / 1_000f;
        float reach = STEP + seconds * (body.velocity().length() + WALK + WALK * seconds);
        for (Player other : shown()) {
            int slot = visible.slot(other.id());
            if (slot < 0
                    || Quake3Motion.feet(body.origin().x(), body.origin().y(), body.origin().z())
                                            .distance(other.movement().position())
                                    * Quake3Motion.SCALE
                            > 2 * reach) {
                continue;
            }
            EntityState seen = clients.entities().of(other, slot);
            // Two who stand in each other may part.
            if (body.meets(seen, reach) && !body.meets(seen, 0)) {
                near.add(Body.obstacle(slot, seen));
            }
        }
        return near;
    }
}
