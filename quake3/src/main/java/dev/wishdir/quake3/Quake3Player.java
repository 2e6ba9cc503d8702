package dev.wishdir.quake3;

import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Debtor;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.Vec3f;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

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

    private static final int SPECTATORS = 3;

    /** Farther than any step, units. */
    private static final float STEP = 64;

    /** Faster than anybody walks and jumps, units a second; half of what gravity adds in one. */
    private static final float WALK = 400;

    /** A snapshot that overtakes a gamestate makes it worthless: it follows so much later. */
    static final long BEHIND_PARTS = 50_000_000;

    /** A part that overtakes the one before it is lost. */
    static final long BETWEEN_PARTS = 15_000_000;

    private static final long SECOND = 1_000_000_000L;

    /** The bytes of a datagram that are not ours. */
    private static final int OVERHEAD = 28;

    /** What a player entity of another game holds: the gauntlet. */
    private static final int WEAPON = 1;

    private static final int TORSO_STAND2 = 12;
    private static final int LEGS_WALKCR = 13;
    private static final int LEGS_RUN = 15;
    private static final int LEGS_IDLE = 22;
    private static final int LEGS_IDLECR = 23;

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
    InfoString userinfo;
    State state = State.CONNECTED;
    @Nullable ServerConnection connection;
    @Nullable Player player;
    @Nullable Download download;
    private final boolean openArena;
    private @Nullable Player following;
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

    /** Whether it must be told of the level, as soon as that may be. */
    boolean wantsGamestate;

    /** When it may be sent a gamestate again. */
    long nextGamestate;

    /** When the next part of a message may follow. */
    long nextPart;

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
        this.userinfo = userinfo;
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
        return new ServerConnection(protocol, challenge, qport, firstMessage);
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
                        Quake3Dissector.isModern(datagram, Side.CLIENT, challenge)
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
            int rate = Math.clamp(userinfo.number("rate", 25_000), 1_000, 90_000);
            nextPacket = Math.max(nextPacket, now) + unpaid * SECOND / rate;
        }
        unpaid = 0;
    }

    /** How many snapshots a second the client wants, as far as there are so many. */
    int snaps() {
        return Math.clamp(userinfo.number("snaps", 20), 1, MOST_SNAPS);
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
        nextPart = now + BETWEEN_PARTS;
        c.level(running.checksumFeed(), running.entities().states());
        state = State.PRIMED;
        nextSnapshot = now + BEHIND_PARTS;
        lastCommandTime = 0;
        proved = false;
        gamestateMessage = c.outgoing();
        news.settle();
        ServerMessage.Gamestate gamestate = running.gamestate(this, c.lastCommand(), clients);
        news.gamestate(gamestate.configstrings().keySet());
        c.send(List.of(gamestate), sink(socket));
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
        return body.team == SPECTATORS;
    }

    /** The nearest players get the slots where there are more of them than slots. */
    void nearest(Iterable<Player> all) {
        for (Player other : all) {
            if (other == player || visible.slot(other) >= 0 || !other.spawned()) {
                continue;
            }
            dev.wishdir.motion.Vec3 here = Quake3Motion.movement(state()).position();
            int far = visible.farthest(here);
            Player farthest = far < 0 ? null : visible.at(far);
            if (farthest == null
                    || !farthest.spawned()
                    || farthest.movement().position().distance(here)
                            > other.movement().position().distance(here) + 1) {
                if (farthest != null) {
                    news.changed(visible.remove(farthest));
                }
                news.see(other);
            }
        }
    }

    /** The state of the own body. */
    PlayerState state() {
        return body.playerState(clientNum, openArena);
    }

    /** Whether it sees with another's eyes. */
    boolean follows() {
        return following != null;
    }

    /** The other player in the slot of this number, or of this name as it is shown; or null. */
    @Nullable Player named(String who) {
        Player named = null;
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = visible.at(slot);
            if (other != null && who.equals(Integer.toString(slot))) {
                return other;
            }
            if (other != null
                    && (who.equalsIgnoreCase(other.name())
                            || who.equalsIgnoreCase(Quake3Text.name(other.name())))) {
                named = other;
            }
        }
        return named;
    }

    /** Sees with a player's eyes who is named or numbered so. */
    void follow(String who) {
        Player other = named(who);
        if (other != null && other.spawned()) {
            following = other;
        }
    }

    /**
     * Sees with the next player's eyes.
     *
     * @param step 1, or -1 for the one before
     */
    void followNext(int step) {
        int from = following == null ? -1 : visible.slot(following);
        for (int i = 1; i <= VisiblePlayers.SLOTS; i++) {
            Player other = followable(Math.floorMod(from + i * step, VisiblePlayers.SLOTS));
            if (other != null) {
                following = other;
                return;
            }
        }
    }

    private @Nullable Player followable(int slot) {
        Player other = visible.at(slot);
        return other != null && other.spawned() ? other : null;
    }

    /** The body with whose eyes one sees who follows a player: of another game, one made up. */
    private Body eyes(Player followed) {
        Quake3Player same = clients.of(followed);
        return same == null
                ? Body.seen(followed.movement(), foreign(followed.movement()).build())
                : same.body;
    }

    /** Sees with its own eyes again, from where it has seen last. */
    void stopFollowing() {
        if (following != null) {
            body.origin = eyes(following).origin;
            body.velocity = Vec3f.ZERO;
        }
        following = null;
    }

    /** Stops seeing with a player's eyes, if it does. */
    void stopFollowing(Player followed) {
        if (following == followed) {
            stopFollowing();
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
        return Quake3Text.name(name(userinfo)) + " (" + Quake3Dissector.GAME + " " + address + ")";
    }

    /** What this client sees at a moment. */
    Frame frame(int serverTime, LevelEntities level) {
        if (state != State.ACTIVE) {
            return new Frame(
                    serverTime, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
        }
        PlayerState own = state();
        int hidden = clientNum;
        Player followed = following;
        if (followed != null && visible.slot(followed) >= 0) {
            hidden = visible.slot(followed);
            Body eyes = eyes(followed);
            if (clients.of(followed) == null) {
                // It has no commands: a client whose own are all newer takes its line for dead.
                eyes.commandTime = serverTime;
            }
            own =
                    eyes.playerState(hidden, openArena)
                            .with(PlayerField.PM_FLAGS, eyes.pmFlags | FOLLOW);
        }
        int count = 0;
        int most = VisiblePlayers.SLOTS + level.told().size();
        int[] numbers = new int[most];
        EntityState[] states = new EntityState[most];
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = visible.at(slot);
            if (other != null && other.spawned() && slot != hidden && slot != clientNum) {
                numbers[count] = slot;
                EntityState seen = entity(other, slot);
                states[count++] = blocks(other) ? seen : seen.with(EntityField.SOLID, 0);
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
     * Whether a player is in this one's way. Those of other games walk through everyone, so nobody
     * could stop at them; and two who stand in each other may part.
     */
    private boolean blocks(Player other) {
        Quake3Player same = clients.of(other);
        return same != null && other.spawned() && !body.meets(same.body, 0);
    }

    /**
     * What is in this player's way beside the level itself.
     *
     * @param millis how long it is going to move
     */
    List<Obstacle> obstacles(int millis) {
        List<Obstacle> near = new ArrayList<>();
        float seconds = Math.clamp(millis, 0, 1_000) / 1_000f;
        float reach = STEP + seconds * (body.velocity.length() + WALK + WALK * seconds);
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            Player other = visible.at(slot);
            Quake3Player same = other == null || other == player ? null : clients.of(other);
            if (other != null && same != null && body.meets(same.body, reach) && blocks(other)) {
                near.add(same.body.obstacle(slot));
            }
        }
        return near;
    }

    private static EntityState entity(Player other, int slot) {
        if (other.nativeMovement() instanceof EntityState state) {
            // Nearly always it has this number already, and all who see it share one state.
            return state.with(EntityField.CLIENT_NUM, slot);
        }
        return foreign(other.movement()).set(EntityField.CLIENT_NUM, slot).build();
    }

    /** A player of another game as an entity. */
    static EntityState.Builder foreign(Movement m) {
        dev.wishdir.motion.Vec3 origin = Quake3Motion.origin(m.position());
        boolean crouched = m.stance().crouched();
        boolean ground = m.stance().onGround();
        boolean moves = m.velocity().horizontal() * Quake3Motion.SCALE > 20;
        int legs =
                m.stance().has(Stance.Flag.IN_WATER)
                        ? Quake3Motion.LEGS_SWIM
                        : !ground
                                ? Quake3Motion.LEGS_JUMP
                                : crouched
                                        ? moves ? LEGS_WALKCR : LEGS_IDLECR
                                        : moves ? LEGS_RUN : LEGS_IDLE;
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.POS_TR_TYPE, 1)
                .real(EntityField.POS_TR_BASE_0, (int) origin.x())
                .real(EntityField.POS_TR_BASE_1, (int) origin.y())
                .real(EntityField.POS_TR_BASE_2, (int) origin.z())
                .real(EntityField.POS_TR_DELTA_0, m.velocity().x() * Quake3Motion.SCALE)
                .real(EntityField.POS_TR_DELTA_1, m.velocity().y() * Quake3Motion.SCALE)
                .real(EntityField.POS_TR_DELTA_2, m.velocity().z() * Quake3Motion.SCALE)
                .set(EntityField.APOS_TR_TYPE, 1)
                .real(EntityField.APOS_TR_BASE_0, (int) -m.pitch())
                .real(EntityField.APOS_TR_BASE_1, (int) dev.wishdir.motion.Angles.signed(m.yaw()))
                .real(EntityField.ANGLES2_1, direction(m))
                .set(EntityField.LEGS_ANIM, legs)
                .set(EntityField.TORSO_ANIM, TORSO_STAND2)
                .set(EntityField.WEAPON, WEAPON)
                .set(EntityField.GROUND_ENTITY_NUM, ground ? EntityState.WORLD : EntityState.NONE)
                .set(
                        EntityField.SOLID,
                        crouched ? Quake3Motion.SOLID_CROUCHED : Quake3Motion.SOLID_STANDING);
    }

    private static int direction(Movement m) {
        if (m.velocity().horizontal() < 0.1) {
            return 0;
        }
        double heading = dev.wishdir.motion.Angles.yaw(m.velocity().x(), m.velocity().y());
        return (int) Math.round(dev.wishdir.motion.Angles.turn(heading - m.yaw()) / 45) % 8;
    }
}
