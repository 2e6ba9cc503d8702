package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.Match;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.FlagModel;
import dev.wishdir.quake2.combat.GunState;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.movement.PlayerBody;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.combat.Hazards;
import dev.wishdir.quake2.server.combat.LifeHandler;
import dev.wishdir.quake2.server.combat.Shooter;
import dev.wishdir.quake2.server.match.Overlay;
import dev.wishdir.quake2.server.view.ItemEntities;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.quake2.server.view.VisibleEntities;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The player of one client: its place in the arena, its settings, and its body. */
public final class ClientPlayer {
    private final Arena arena;
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final LongSupplier sleptNanos;
    private final Quake2Counters counters;
    private final int slot;
    private final PlayerBody body = new PlayerBody();
    private final Overlay overlay = new Overlay();

    /** Whether it watches, and reads the board between two rounds. */
    private boolean readsBoard;

    private final VisibleEntities visibleEntities;
    private final LifeHandler life;
    private final Hazards hazards = new Hazards();
    private ClientSettings settings;

    /** Empty until it has entered, and after it has left. */
    private Optional<ArenaPlayer> player = Optional.empty();

    private boolean reported;

    /**
     * @param sleptNanos total time that the server has slept, which the speed check allows for
     * @param slot by which clients know it, from 0
     * @param life its part in a match
     */
    public ClientPlayer(
            Arena arena,
            PlayerEntityTable entityTable,
            RunningLevel level,
            LongSupplier sleptNanos,
            Quake2Counters counters,
            int slot,
            ClientSettings settings,
            LifeHandler life) {
        this.life = life;
        this.arena = arena;
        this.entityTable = entityTable;
        this.level = level;
        this.sleptNanos = sleptNanos;
        this.counters = counters;
        this.slot = slot;
        this.settings = settings;
        visibleEntities = new VisibleEntities(entityTable, slot + 1);
    }

    /** Its handle in the arena; empty until it has entered, and after it has left. */
    public Optional<ArenaPlayer> inArena() {
        return player;
    }

    /** Its identity in the arena; empty until it has entered, and after it has left. */
    public Optional<PlayerId> id() {
        return player.map(ArenaPlayer::id);
    }

    /** Slot by which clients know it, from 0. */
    public int slot() {
        return slot;
    }

    private PlayerState state() {
        return body.state();
    }

    /** Its player state with its overlay, as its own client sees it. */
    PlayerState view() {
        PlayerState seen = fights() ? life.view(body.state()) : body.state();
        PlayerState flagged = level.flags().show(id(), seen);
        return overlay.apply(
                seen.pmType() == PlayerState.FREEZE
                        ? level.map()
                                .intermission()
                                .map(view -> Quake2Motion.seenFrom(flagged, view))
                                .orElse(flagged)
                        : flagged);
    }

    /** Whether it takes part in a match. */
    private boolean fights() {
        return arena.match().isOn() && !body.isSpectator();
    }

    /** The line about a death. */
    Print obituary(ArenaEvent.Died died) {
        return life.obituary(died);
    }

    /** The player that killed it, as long as it is dead. */
    public Optional<PlayerId> killer() {
        return life.killer();
    }

    public Overlay overlay() {
        return overlay;
    }

    public String name() {
        return player.map(ArenaPlayer::name).orElseGet(settings::name);
    }

    /** Bytes per second that it requests. */
    int rate() {
        return settings.rate();
    }

    /** Numbers of the entities that it sees. Valid until the next call. */
    BitSet visibleEntities() {
        return visibleEntities.of(player);
    }

    /** Numbers of the entities that were in its last frame. */
    public BitSet lastEntities() {
        return visibleEntities.last();
    }

    /** The others that it sees. */
    public List<Player> visiblePlayers() {
        return player.map(ArenaPlayer::visiblePlayers).orElse(List.of());
    }

    /** Records activity of its client. */
    void recordActivity(long now) {
        player.ifPresent(here -> here.recordActivity(now));
    }

    /** Sets its ping, milliseconds. */
    void ping(int millis) {
        player.ifPresent(here -> here.setPing(millis));
    }

    /** Advances to a frame of the game's ten a second. */
    void frame(int number) {
        body.frame(number);
    }

    /**
     * Runs its gun, its pains and its death for one of the game's ten frames a second, and follows
     * the match: between rounds it stands still and reads the board, and it spawns with each round.
     */
    public void think(long now) {
        if (!fights()) {
            watch();
            return;
        }
        player.ifPresent(here -> {
            boolean frozen = state().pmType() == PlayerState.FREEZE;
            if (arena.match().phase() == Match.Phase.INTERMISSION) {
                if (!frozen) {
                    body.freeze();
                    overlay.showScores();
                }
                return;
            }
            if (here.combatant().isAlive()) {
                suffer(now, here);
            }
            boolean respawns = life.endFrame(now, shooter(here));
            boolean isNew = !body.isDead() && !here.combatant().isAlive();
            if (frozen || isNew || body.isDead() && respawns) {
                spawn(now);
            }
            entityTable.carry(here.id(), life.gun().weapon(), life.loopSound());
            entityTable.moveCorpse(here.id(), state().origin());
        });
    }

    /** A spectator reads the board between rounds, too. */
    private void watch() {
        boolean isIntermission = arena.match().phase() == Match.Phase.INTERMISSION;
        if (isIntermission != readsBoard) {
            readsBoard = isIntermission;
            if (isIntermission) {
                overlay.showScores();
            } else {
                overlay.putAway();
            }
        }
    }

    /** Takes the damage of the level, by which a player that dies loses a frag. */
    private void suffer(long now, ArenaPlayer here) {
        boolean fallsHurt = !arena.match().rules().mode().isOneHit();
        int damage = hazards.endFrame(state(), level.map().world(), fallsHurt);
        if (damage > 0) {
            here.combatant()
                    .hit(
                            now,
                            here.id(),
                            DamageMeans.SUICIDE,
                            damage,
                            Vec3.ZERO,
                            here.snapshot().movement().position());
        }
    }

    private Shooter shooter(ArenaPlayer here) {
        return new Shooter(here, slot + 1, state(), settings.side());
    }

    /** It was hit. */
    public void onHit(ArenaEvent.Hit hit) {
        life.onHit(hit);
        body.push(hit.knockback());
    }

    /** It died. */
    public void onDied(ArenaEvent.Died died) {
        life.onDied(died);
        body.die();
        overlay.showScores();
    }

    /** The gun in its hands. */
    public GunState gun() {
        return life.gun();
    }

    /** Expects the client's first command, as a sign-on starts. */
    void expectFirstCommand() {
        body.expectFirstCommand();
    }

    /**
     * Applies the client's settings.
     *
     * @param inGame whether its session is in the game, asked when a setting takes effect
     */
    public void setSettings(long now, ClientSettings newSettings, BooleanSupplier inGame) {
        ClientSettings before = settings;
        settings = newSettings;
        player.ifPresent(here -> {
            // Each change of a setting resends all of them: only those that differ count against
            // rate limits.
            if (settings.differs(before, "name")) {
                here.rename(now, settings.name());
            }
            if (settings.differs(before, "skin")
                    && entityTable.setSkin(here.id(), settings.skin())) {
                here.reportAppearanceChange(now);
            }
            if (settings.differs(before, "spectator")) {
                here.change(now, "spectator", time -> applySpectator(time, inGame));
            }
        });
    }

    private void applySpectator(long now, BooleanSupplier inGame) {
        if (inGame.getAsBoolean() && body.isSpectator() != settings.isSpectator()) {
            spawn(now);
        }
    }

    /**
     * Joins the arena.
     *
     * @param viewer passes what it gets to {@link #onJoined}
     * @return whether there was room, and it was not kicked at once
     */
    public boolean join(long now, SessionViewer viewer) {
        if (!isHere() && !arena.isFull()) {
            arena.join(now, Quake2Codec.GAME, settings.name(), viewer);
        }
        return isHere();
    }

    private boolean isHere() {
        return player.filter(ArenaPlayer::isHere).isPresent();
    }

    /** It has joined the arena. */
    void onJoined(ArenaPlayer joined) {
        player = Optional.of(joined);
        entityTable.enter(joined.snapshot(), slot, settings.skin());
    }

    /** Leaves the arena. */
    void leave(long now, LeaveReason reason) {
        player.ifPresent(here -> {
            player = Optional.empty();
            entityTable.leave(here.id(), slot);
            here.leave(now, reason);
        });
    }

    /** Spawns a new body, or becomes a spectator. */
    void spawn(long now) {
        player.ifPresent(here -> {
            overlay.putAway();
            boolean spectator = settings.isSpectator();
            Movement spawnPoint = spawnPoint(now, here, spectator);
            body.place(spawnPoint, spectator);
            hazards.clear();
            here.combatant().setWatching(now, spectator);
            if (spectator) {
                here.despawn(now);
            } else {
                if (arena.match().isOn()) {
                    life.begin(now, here, arena.match().rules().mode());
                }
                here.spawn(now, spawnPoint);
                here.move(now, spawnPoint, new Quake2Movement(state()), clientNanos());
            }
        });
    }

    /** Chooses where the next body spawns; a spectator reserves no place. */
    private Movement spawnPoint(long now, ArenaPlayer here, boolean spectator) {
        List<Movement> spawns = level.spawns();
        if (spectator) {
            return spawns.getFirst();
        }
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(here.chooseSpawnPoint(now, places));
    }

    /** Whether it only watches; watchers talk to each other. */
    public boolean watches() {
        return body.isSpectator();
    }

    /** Removes the body until the next spawn. */
    void despawn(long now) {
        player.ifPresent(here -> here.despawn(now));
    }

    /**
     * Says a chat text.
     *
     * @return whether it was said
     */
    public boolean say(long now, String text) {
        return player.filter(here -> here.say(now, text)).isPresent();
    }

    /** Whether it may say something now; if so, that is counted. */
    public boolean mayChat(long now) {
        return player.filter(here -> here.allows(now, RateLimitedAction.CHAT, 1)).isPresent();
    }

    /** Its team in a match; empty without teams. */
    public Optional<Team> team() {
        return player.flatMap(here -> here.combatant().team());
    }

    /**
     * Changes its team, and spawns again with the next frame.
     *
     * @param refused takes why it can't
     */
    public void changeTeam(long now, Team to, Consumer<TeamRefusal> refused) {
        player.ifPresent(here ->
                here.change(
                        now,
                        "team",
                        time -> here.combatant().changeTeam(time, to).ifPresent(refused)));
    }

    /**
     * Drops the flag that it carries.
     *
     * @return whether it carried one
     */
    public boolean dropFlag(long now) {
        return player.filter(here -> here.combatant().dropFlag(now)).isPresent();
    }

    /** The sound that its client hears of a change of a flag. */
    Sound flagSound(ArenaEvent.FlagChanged change) {
        String name =
                switch (change.change()) {
                    case TAKEN ->
                            team().equals(Optional.of(change.flag()))
                                    ? FlagModel.LOST
                                    : FlagModel.TAKEN;
                    case DROPPED -> FlagModel.DROPPED;
                    case RETURNED, RESET -> FlagModel.RETURNED;
                    case CAPTURED -> FlagModel.CAPTURED;
                };
        return Sound.everywhere(level.precache().sound(name), slot + 1);
    }

    /** Performs a gesture. */
    public void gesture(long now) {
        player.ifPresent(here -> here.performAction(now, PlayerAction.TAUNT));
    }

    /** Respawns at the client's request; in a match it dies. */
    public void kill(long now) {
        if (!settings.isSpectator()
                && player.filter(here -> here.allows(now, RateLimitedAction.LIFE, 1)).isPresent()) {
            if (fights()) {
                player.ifPresent(here -> here.combatant().die(now));
            } else {
                spawn(now);
            }
        }
    }

    /**
     * Runs the commands of a move.
     *
     * @param dropped number of packets missing before it
     */
    public void run(long now, Move move, int dropped) {
        Quake2Map map = level.map();
        int refused =
                body.run(
                        now + sleptNanos.getAsLong(),
                        move,
                        dropped,
                        map.physics(),
                        map.triggers(),
                        this::bodiesNear,
                        fights() ? after -> takeItems(now, after) : _ -> {});
        counters.add("time-budget", refused);
        boolean teleported = body.takeTeleported();
        player.ifPresent(here -> {
            Movement movement = Quake2Motion.toCanonical(state());
            if (teleported) {
                here.teleport(now, movement);
            }
            here.move(now, movement, new Quake2Movement(state()), clientNanos());
            if (fights()) {
                pull(now, here, move, dropped);
            } else if (move.newest().cmd().attacks()) {
                here.performAction(now, PlayerAction.ATTACK);
            }
            reportSpeeding(now, here);
        });
    }

    /** Takes the items that the body touches. */
    private void takeItems(long now, PlayerState after) {
        if (player.isPresent()) {
            Movement movement = Quake2Motion.toCanonical(after);
            ArenaPlayer here = player.get();
            here.combatant()
                    .takeItems(
                            now,
                            movement.position(),
                            ItemEntities.reach(movement.stance().crouched()),
                            item -> life.take(now, shooter(here), item));
        }
    }

    /** The time of the client's commands, which the speed check compares with the server's. */
    private long clientNanos() {
        return TimeUnit.MILLISECONDS.toNanos(body.ranMillis());
    }

    /** Pulls the trigger as the newest command says, and those that were lost before it. */
    private void pull(long now, ArenaPlayer here, Move move, int dropped) {
        Shooter shooter = shooter(here);
        if (dropped > 1) {
            life.command(now, shooter, move.oldest().cmd().attacks());
        }
        if (dropped > 0) {
            life.command(now, shooter, move.previous().cmd().attacks());
        }
        life.command(now, shooter, move.newest().cmd().attacks());
    }

    /** The bodies of others that it sees within a distance, eighths of a unit. */
    private List<PlayerState> bodiesNear(int distance) {
        return entityTable.bodiesNear(visiblePlayers(), state().origin(), distance);
    }

    /** Reports once that its commands are ahead of the clock. */
    private void reportSpeeding(long now, ArenaPlayer here) {
        if (body.aheadMillis() > 0 && !reported) {
            reported = true;
            counters.count("speeding");
            double allowed = PlayerBody.MAX_AHEAD_MILLIS;
            here.reportViolation(
                    now, ViolationRule.CLOCK_AHEAD, body.aheadMillis(), allowed, allowed);
        }
    }
}
