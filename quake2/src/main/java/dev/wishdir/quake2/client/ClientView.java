package dev.wishdir.quake2.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.VelocityEstimator;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.protocol.TeamSkin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The client's view of the game: its own state and the other players, from frames. */
final class ClientView {
    /** Frame rate of a server that announces none. */
    static final int DEFAULT_FRAMES_PER_SECOND = 10;

    /** A visible player: its entity and what is known of it. */
    private static final class Other {
        final int id;
        final VelocityEstimator estimator;
        EntityState entity;
        RemotePlayer remote;

        Other(int id, VelocityEstimator estimator, EntityState entity, RemotePlayer remote) {
            this.id = id;
            this.estimator = estimator;
            this.entity = entity;
            this.remote = remote;
        }
    }

    private static final int MAX_PLAYERS = 256;

    /** From the feet of a body to the base of an item with the same origin: 24 less 15 units. */
    private static final double ITEM_BASE_METRES = 9 / 32.0;

    private static final String HAND_GRENADE = "models/weapons/v_handgr/tris.md2";
    private static final int FIRST_IDLE_GRENADE_FRAME = 16;

    private final Client self;
    private final ClientListener listener;
    private final FrameHistory history = new FrameHistory(FrameHistory.FAST_REMEMBERED_FRAMES);
    private final Map<Integer, String> configStrings = new HashMap<>();
    private final FlagTracker flags = new FlagTracker(this::configString);

    /** Names by skin number, cached. */
    private final Map<Integer, String> names = new HashMap<>();

    /** Ascending by id. */
    private final List<Other> others = new ArrayList<>();

    /** Whether names may have changed since the last frame. */
    private boolean renamed;

    private FrameHistory.Snapshot snapshot = FrameHistory.Snapshot.EMPTY;
    private Movement movement = Movement.ORIGIN;

    /** Number of the last frame that the listener was notified of. */
    private int lastNotified;

    private int slot = -1;
    private int usableFrame = -1;
    private int framesPerSecond = DEFAULT_FRAMES_PER_SECOND;

    ClientView(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    /** Starts another map. */
    void start(int slot) {
        this.slot = slot;
        framesPerSecond = DEFAULT_FRAMES_PER_SECOND;
        reset();
    }

    /** Forgets everything seen. */
    void reset() {
        configStrings.clear();
        flags.forget();
        names.clear();
        history.reset();
        snapshot = FrameHistory.Snapshot.EMPTY;
        usableFrame = -1;
        removeBelow(0, Integer.MAX_VALUE);
    }

    /** Sets the server's frame rate. */
    void setFramesPerSecond(int frames) {
        framesPerSecond = frames;
    }

    /** Stores a configstring. */
    void onConfigString(int index, String text) {
        configStrings.put(index, text);
        renamed |= names.remove(index - ConfigString.SKINS) != null;
    }

    /** A configstring, empty for none. */
    String configString(int index) {
        return configStrings.getOrDefault(index, "");
    }

    /** The teams of players by slot, as their skins show them. */
    Map<Long, String> teams() {
        Map<Long, String> teams = new HashMap<>();
        for (int slot = 0; slot < MAX_PLAYERS; slot++) {
            Optional<Team> team = TeamSkin.team(configString(ConfigString.SKINS + slot));
            if (team.isPresent()) {
                teams.put((long) slot, team.get().toString());
            }
        }
        return teams;
    }

    /** Stores the baseline of an entity. */
    void baseline(EntityDelta entity) {
        history.baseline(entity);
    }

    int slot() {
        return slot;
    }

    /** The newest frame, if it can be a delta base, else -1. */
    int usableFrame() {
        return usableFrame;
    }

    /** Whether a frame of this map was received. */
    boolean hasFrame() {
        return snapshot.number() > 0;
    }

    /** The client's own state in the newest frame. */
    PlayerState state() {
        return snapshot.player();
    }

    /** The client's own movement in the newest frame. */
    Movement movement() {
        return movement;
    }

    /** Whether it has drawn a hand grenade that it has not thrown. */
    boolean isThrowing() {
        PlayerState state = state();
        return state.gunFrame() > 0
                && state.gunFrame() < FIRST_IDLE_GRENADE_FRAME
                && gunModel().equals(HAND_GRENADE);
    }

    /** Path of the model in the client's own hands; empty for none. */
    String gunModel() {
        int index = state().gunIndex();
        return index == 0 ? "" : configString(ConfigString.MAP - 1 + index);
    }

    /** The places of the items in the newest frame, metres. */
    List<Vec3> items() {
        return snapshot.entities().stream()
                .filter(entity ->
                        configString(ConfigString.MAP - 1 + entity.state().model())
                                .matches("models/(items/(?!keys/)|weapons/g_).*"))
                .map(entity ->
                        Quake2Motion.toCanonical(entity.state().origin())
                                .plus(new Vec3(0, 0, ITEM_BASE_METRES)))
                .toList();
    }

    /** The flags, red first; empty without any. */
    List<RemoteFlag> flags() {
        return flags.flags();
    }

    /** The other players as last seen. */
    Collection<RemotePlayer> others() {
        return others.stream().map(other -> other.remote).toList();
    }

    /**
     * Decodes a frame.
     *
     * @return whether it is usable: its delta base was not lost
     */
    boolean apply(Frame frame) {
        FrameHistory.Snapshot next = history.apply(frame);
        if (!next.usable()) {
            usableFrame = -1;
            return false;
        }
        // A server never uses a delta base older than the newest acknowledged frame.
        history.freeBefore(frame.delta());
        snapshot = next;
        usableFrame = next.number();
        movement = Quake2Motion.toCanonical(next.player());
        flags.frame(next);
        return true;
    }

    /** Notifies the listener of the other players in the newest frame. */
    void notifyListener(long now) {
        int at = 0;
        int last = -1;
        for (FrameHistory.Numbered entity : snapshot.entities()) {
            int id = entity.number() - 1;
            // The entities of a correct server are in order; others are ignored.
            if (entity.state().model() != EntityState.PLAYER_MODEL || id == slot || id <= last) {
                continue;
            }
            last = id;
            if (entity.state().isDeadPlayer()) {
                dieAt(at, id);
                continue;
            }
            removeBelow(at, id);
            if (at < others.size() && others.get(at).id == id) {
                update(now, others.get(at++), entity.state());
            } else if (hasName(entity.state())) {
                // A frame may arrive before the name, which is sent reliably.
                add(at++, id, entity.state());
            }
        }
        removeBelow(at, Integer.MAX_VALUE);
        renamed = false;
        lastNotified = snapshot.number();
    }

    /** Removes the players from an index on whose id is below the given one. */
    private void removeBelow(int at, int id) {
        while (at < others.size() && others.get(at).id < id) {
            listener.onVanished(self, others.remove(at).remote);
        }
    }

    /** Notifies of a death, if the player at an index is the one that lies dead now. */
    private void dieAt(int index, int id) {
        removeBelow(index, id);
        if (index < others.size() && others.get(index).id == id) {
            listener.onDeath(self, id, ClientListener.UNKNOWN_PLAYER);
            removeBelow(index, id + 1);
        }
    }

    private boolean hasName(EntityState entity) {
        return !configString(ConfigString.SKINS + skin(entity)).isEmpty();
    }

    private void add(int at, int id, EntityState entity) {
        Vec3 position = Quake2Motion.toCanonical(entity.origin());
        RemotePlayer remote =
                new RemotePlayer(
                        id, name(entity), Quake2Motion.toCanonical(entity, position, Vec3.ZERO));
        others.add(
                at,
                new Other(id, new VelocityEstimator(snapshot.number(), position), entity, remote));
        listener.onAppeared(self, remote);
        Quake2Motion.action(entity).ifPresent(action -> listener.onAction(self, remote, action));
    }

    private void update(long now, Other other, EntityState entity) {
        EntityState oldEntity = other.entity;
        Movement before = other.remote.movement();
        Vec3 position = before.position();
        Vec3 velocity = before.velocity();
        if (!entity.equals(oldEntity)) {
            position = Quake2Motion.toCanonical(entity.origin());
            velocity =
                    other.estimator.update(
                            lastNotified, snapshot.number(), framesPerSecond, position);
        } else if (other.estimator.checkStopped(snapshot.number(), framesPerSecond)) {
            velocity = Vec3.ZERO;
        } else if (!renamed) {
            return;
        }
        boolean nameChanged = renamed || oldEntity.skin() != entity.skin();
        RemotePlayer remote =
                new RemotePlayer(
                        other.id,
                        nameChanged ? name(entity) : other.remote.name(),
                        Quake2Motion.toCanonical(entity, position, velocity));
        other.entity = entity;
        other.remote = remote;
        if (!before.equals(remote.movement())) {
            listener.onMoved(self, now, remote);
        }
        if (oldEntity.frame() != entity.frame()) {
            Quake2Motion.action(entity)
                    .filter(action -> !Quake2Motion.action(oldEntity).equals(Optional.of(action)))
                    .ifPresent(action -> listener.onAction(self, remote, action));
        }
    }

    /** The skin number of a player, without its weapon's. */
    private static int skin(EntityState entity) {
        return entity.skin() & 0xFF;
    }

    private String name(EntityState entity) {
        return names.computeIfAbsent(skin(entity), this::name);
    }

    private String name(int skin) {
        String text = configString(ConfigString.SKINS + skin);
        int end = text.indexOf('\\');
        return Quake2Text.plain(end < 0 ? text : text.substring(0, end));
    }
}
