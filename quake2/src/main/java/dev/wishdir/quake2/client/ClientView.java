package dev.wishdir.quake2.client;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a client sees: itself and the others, as the frames show them. */
final class ClientView {
    /** Frames a second of a server that says nothing else. */
    static final int DEFAULT_FRAMES_PER_SECOND = 10;

    /** One who is seen: by which entity, and what that says of it. */
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

    private final Client self;
    private final ClientListener listener;
    private final FrameHistory history = new FrameHistory(FrameHistory.REMEMBERED_OF_MORE);
    private final Map<Integer, String> configStrings = new HashMap<>();

    /** The names of players by their skins' numbers, as far as they have been asked for. */
    private final Map<Integer, String> names = new HashMap<>();

    /** By their ids. */
    private final List<Other> others = new ArrayList<>();

    /** Somebody may be called otherwise in the next frame. */
    private boolean renamed;

    private FrameHistory.Snapshot snapshot = FrameHistory.Snapshot.EMPTY;
    private Movement movement = Movement.ORIGIN;

    /** The frame before, that the listener was told of. */
    private int looked;

    private int slot = -1;
    private int usable = -1;
    private int framesASecond = DEFAULT_FRAMES_PER_SECOND;

    ClientView(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    /** Another map begins, where the client has a slot. */
    void begin(int slot) {
        this.slot = slot;
        framesASecond = DEFAULT_FRAMES_PER_SECOND;
        forget();
    }

    /** Forgets what it saw. */
    void forget() {
        configStrings.clear();
        names.clear();
        history.reset();
        snapshot = FrameHistory.Snapshot.EMPTY;
        usable = -1;
        vanish(0, Integer.MAX_VALUE);
    }

    /** The server says how many frames a second it sends. */
    void framesASecond(int frames) {
        framesASecond = frames;
    }

    /** The server describes the map, or who is on it. */
    void configure(int index, String text) {
        configStrings.put(index, text);
        renamed |= names.remove(index - ConfigString.SKINS) != null;
    }

    /** One of those descriptions, empty where there is none. */
    String configString(int index) {
        return configStrings.getOrDefault(index, "");
    }

    /** The server says what an entity looks like when it is new. */
    void baseline(EntityDelta entity) {
        history.baseline(entity);
    }

    int slot() {
        return slot;
    }

    /** The newest frame, if the next one can be a delta of it, else -1. */
    int usable() {
        return usable;
    }

    /** Whether a frame of this map came. */
    boolean hasFrame() {
        return snapshot.number() > 0;
    }

    /** The client's own state in the newest frame. */
    PlayerState state() {
        return snapshot.player();
    }

    /** Where the client is, by the newest frame. */
    Movement movement() {
        return movement;
    }

    /** The others, as they were seen last. */
    Collection<RemotePlayer> others() {
        return others.stream().map(other -> other.remote).toList();
    }

    /**
     * Takes in a frame.
     *
     * @return whether it tells anything: what it is a delta of was not lost
     */
    boolean apply(Frame frame) {
        FrameHistory.Snapshot next = history.apply(frame);
        if (!next.usable()) {
            usable = -1;
            return false;
        }
        // A server makes no delta of an older frame than of the newest that it was told of.
        history.forgetBefore(frame.delta());
        snapshot = next;
        usable = next.number();
        movement = Quake2Motion.toCanonical(next.player());
        return true;
    }

    /** Tells the listener of the others in the newest frame. */
    void look(long now) {
        int at = 0;
        int last = -1;
        for (FrameHistory.Numbered entity : snapshot.entities()) {
            int id = entity.number() - 1;
            // Out of order is nobody whom an honest server shows.
            if (entity.state().model() != EntityState.PLAYER_MODEL || id == slot || id <= last) {
                continue;
            }
            last = id;
            vanish(at, id);
            if (at < others.size() && others.get(at).id == id) {
                see(now, others.get(at++), entity.state());
            } else if (hasName(entity.state())) {
                // A frame may overtake the name, which waits for what else must arrive.
                appear(at++, id, entity.state());
            }
        }
        vanish(at, Integer.MAX_VALUE);
        renamed = false;
        looked = snapshot.number();
    }

    /** Those from an index on who are not in the frame, up to who has an id, vanish. */
    private void vanish(int at, int id) {
        while (at < others.size() && others.get(at).id < id) {
            listener.onVanished(self, others.remove(at).remote);
        }
    }

    private boolean hasName(EntityState entity) {
        return !configString(ConfigString.SKINS + skin(entity)).isEmpty();
    }

    private void appear(int at, int id, EntityState entity) {
        Vec3 position = Quake2Motion.toCanonical(entity.origin());
        RemotePlayer remote =
                new RemotePlayer(id, name(entity), movement(entity, position, Vec3.ZERO));
        others.add(
                at,
                new Other(id, new VelocityEstimator(snapshot.number(), position), entity, remote));
        listener.onAppeared(self, remote);
        act(entity.frame()).ifPresent(action -> listener.onAction(self, remote, action));
    }

    private void see(long now, Other other, EntityState entity) {
        EntityState was = other.entity;
        Movement before = other.remote.movement();
        Vec3 position = before.position();
        Vec3 velocity = before.velocity();
        if (!entity.equals(was)) {
            position = Quake2Motion.toCanonical(entity.origin());
            velocity = other.estimator.shown(looked, snapshot.number(), framesASecond, position);
        } else if (other.estimator.stops(snapshot.number(), framesASecond)) {
            velocity = Vec3.ZERO;
        } else if (!renamed) {
            return;
        }
        boolean called = renamed || was.skin() != entity.skin();
        RemotePlayer remote =
                new RemotePlayer(
                        other.id,
                        called ? name(entity) : other.remote.name(),
                        movement(entity, position, velocity));
        other.entity = entity;
        other.remote = remote;
        if (!before.equals(remote.movement())) {
            listener.onMoved(self, now, remote);
        }
        if (was.frame() != entity.frame()) {
            act(entity.frame())
                    .filter(action -> !act(was.frame()).equals(Optional.of(action)))
                    .ifPresent(action -> listener.onAction(self, remote, action));
        }
    }

    private static Optional<PlayerAction> act(int frame) {
        boolean attacks = frame >= 46 && frame <= 53 || frame >= 160 && frame <= 168;
        boolean taunts = frame >= 72 && frame <= 134;
        return attacks
                ? Optional.of(PlayerAction.ATTACK)
                : taunts ? Optional.of(PlayerAction.TAUNT) : Optional.empty();
    }

    /** The number of a player's skin, beside its weapon's. */
    private static int skin(EntityState entity) {
        return entity.skin() & 0xFF;
    }

    private String name(EntityState entity) {
        return names.computeIfAbsent(skin(entity), this::name);
    }

    private static Movement movement(EntityState entity, Vec3 position, Vec3 velocity) {
        boolean crouched = entity.frame() >= 135 && entity.frame() <= 168;
        boolean jumping = entity.frame() >= 66 && entity.frame() <= 71;
        Stance stance =
                Stance.NONE
                        .with(Flag.ON_GROUND, !jumping)
                        .with(Flag.CROUCHED, crouched)
                        .with(Flag.JUMPING, jumping && velocity.z() > 0);
        return new Movement(
                position,
                Angles.turn(Quake2Motion.degrees8(entity.angles().y())),
                Math.clamp(-3 * Quake2Motion.degrees8(entity.angles().x()), -90, 90),
                velocity,
                stance);
    }

    private String name(int skin) {
        String text = configString(ConfigString.SKINS + skin);
        int end = text.indexOf('\\');
        return Quake2Text.plain(end < 0 ? text : text.substring(0, end));
    }
}
