package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.combat.GunState;
import dev.wishdir.sauerbraten.combat.ItemClaims;
import dev.wishdir.sauerbraten.combat.LifeState;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.view.MapCopy;
import dev.wishdir.sauerbraten.server.view.MatchBoard;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import java.util.Optional;

/**
 * One client of the endpoint, from its proven connection until it is gone. Its state is in parts,
 * each changed by one kind of message.
 */
public final class SauerbratenSession implements MemoryConsumer {
    private static final PlayerId NO_PLAYER = new PlayerId(0, 0);

    public final ClientConnection connection;
    public final int cn;
    public final SauerbratenViewer viewer;
    public final LifeState life = new LifeState();
    public final GunState guns = new GunState(life);
    public final PlayerProfile profile = new PlayerProfile();
    public final MovementState movement;
    public final MapCopy mapCopy;
    public final PingState pings = new PingState();
    public final ItemClaims itemClaims = new ItemClaims();
    final RelayQueue relayQueue = new RelayQueue();
    public final TriggerQueue triggerQueue = new TriggerQueue();
    private final MatchBoard board;

    /** Limits lines of text that answer requests. */
    private final TokenBucket texts = new TokenBucket(8, 1);

    private Privilege privilege = Privilege.NONE;
    private String privilegeProof = "";
    private Optional<MapVote> vote = Optional.empty();

    /**
     * @param services what the viewers of all clients share
     */
    public SauerbratenSession(ClientConnection connection, SauerbratenViewer.Services services) {
        this.connection = connection;
        cn = connection.cn;
        viewer = new SauerbratenViewer(connection, services, this::ownAppearance);
        board = services.board();
        movement = new MovementState(services.arena().level(SauerbratenCodec.GAME));
        mapCopy = new MapCopy(connection.peer::isSendingFile);
    }

    public boolean isJoined() {
        return connection.isJoined();
    }

    /**
     * The player in the arena, also after the client has left.
     *
     * @throws IllegalStateException if the client has never joined
     */
    public ArenaPlayer player() {
        Optional<ArenaPlayer> player = connection.player();
        if (player.isEmpty()) {
            throw new IllegalStateException("client " + cn + " has not joined");
        }
        return player.get();
    }

    /** The name of the player; empty before it has joined. */
    public String name() {
        return connection.player().map(player -> CubeText.playerName(player.name())).orElse("");
    }

    public Privilege privilege() {
        return privilege;
    }

    /** The proof of the client's privilege, as operators read it; empty without one. */
    public String privilegeProof() {
        return privilegeProof;
    }

    public void setPrivilege(Privilege level, String proof) {
        privilege = level;
        privilegeProof = proof;
    }

    public boolean isMaster() {
        return privilege.isAtLeast(Privilege.MASTER);
    }

    public boolean isAdmin() {
        return privilege.isAtLeast(Privilege.ADMIN);
    }

    /** The vote for another map since the last map change. */
    public Optional<MapVote> vote() {
        return vote;
    }

    public void setVote(MapVote choice) {
        vote = Optional.of(choice);
    }

    /** Another map is played: forgets the vote and the checksum. */
    public void onMapChange() {
        vote = Optional.empty();
        guns.clear();
        mapCopy.onMapChange();
    }

    /** Answers the client, unless it is congested or asks too often. */
    public void answer(long now, SauerbratenMessage message) {
        if (connection.answers.tryAcquire(now) && !viewer.isCongested()) {
            connection.send(message);
        }
    }

    /** As {@link #answer}, with a line of text, which is limited further. */
    public void sendText(long now, String text) {
        if (texts.tryAcquire(now)) {
            answer(now, new ChatMessage.ServMsg(text));
        }
    }

    /** The appearance that the client itself is sent. */
    public PlayerAppearance ownAppearance() {
        return appearance(life.state());
    }

    /**
     * The appearance for another client: with a body once it has moved and while it is not silent.
     *
     * @param visible whether the other client may see the body
     */
    PlayerAppearance appearance(boolean visible) {
        boolean hasVisibleBody = visible && player().snapshot().spawned();
        return appearance(life.hasBody() && !hasVisibleBody ? ClientState.DEAD : life.state());
    }

    private PlayerAppearance appearance(ClientState as) {
        PlayerId id = connection.player().map(ArenaPlayer::id).orElse(NO_PLAYER);
        Optional<String> team = board.teamName(id);
        return new PlayerAppearance(
                id,
                name(),
                team.orElse(profile.team()),
                team.isPresent() ? PlayerAppearance.TEAM_REASON_SWITCHED : profile.teamReason(),
                profile.model(),
                as,
                life.body(),
                board.score(id),
                board.captures(id));
    }

    @Override
    public long retainedBytes() {
        return connection.peer.retainedBytes() + relayQueue.bytes();
    }

    @Override
    public void abort(long now, String reason) {
        relayQueue.clear();
        connection.abort(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    @Override
    public void disconnect(long now, String reason) {
        viewer.disconnect(
                DisconnectReason.KICKED, new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return nameWithoutAddress() + " at " + connection.peer.address();
    }

    @Override
    public String nameWithoutAddress() {
        return "sauerbraten " + cn + " " + name();
    }
}
