package dev.wishdir.record.message;

import com.google.protobuf.ByteString;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.ActionPerformed;
import dev.wishdir.record.v1.Announcement;
import dev.wishdir.record.v1.AppearanceChanged;
import dev.wishdir.record.v1.Chat;
import dev.wishdir.record.v1.CheckpointPassed;
import dev.wishdir.record.v1.Despawned;
import dev.wishdir.record.v1.Died;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.EventsDropped;
import dev.wishdir.record.v1.Flag;
import dev.wishdir.record.v1.FlagChanged;
import dev.wishdir.record.v1.Hit;
import dev.wishdir.record.v1.Item;
import dev.wishdir.record.v1.ItemReturned;
import dev.wishdir.record.v1.ItemTaken;
import dev.wishdir.record.v1.JoinRefused;
import dev.wishdir.record.v1.Joined;
import dev.wishdir.record.v1.KickRequested;
import dev.wishdir.record.v1.Left;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.MovementViolation;
import dev.wishdir.record.v1.Proved;
import dev.wishdir.record.v1.RateLimited;
import dev.wishdir.record.v1.Renamed;
import dev.wishdir.record.v1.RoundEnded;
import dev.wishdir.record.v1.RoundStarted;
import dev.wishdir.record.v1.RunFinished;
import dev.wishdir.record.v1.RunStarted;
import dev.wishdir.record.v1.Scored;
import dev.wishdir.record.v1.Spawned;
import dev.wishdir.record.v1.TeamChanged;
import dev.wishdir.record.v1.Teleported;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.AddressMask;
import dev.wishdir.wire.Bytes;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Turns players, levels and events of an arena into the messages that recordings and a cluster
 * share. Positions, angles and velocities are rounded; native bytes are exact.
 */
public final class MessageEncoder {
    private final RecordingOptions options;
    private final int node;
    private final long clockOffsetNanos;
    private final ToIntFunction<String> forms;

    /**
     * @param node written for the players of this server
     * @param clockOffsetNanos what the times of the arena lack to be nanoseconds since 1970
     * @param forms the number of a native form from 1, or 0 to leave the native bytes out
     */
    public MessageEncoder(
            RecordingOptions options,
            int node,
            long clockOffsetNanos,
            ToIntFunction<String> forms) {
        this.options = options;
        this.node = node;
        this.clockOffsetNanos = clockOffsetNanos;
        this.forms = forms;
    }

    /** The message of an event; empty for movements, whispers and what the options leave out. */
    public Optional<Event> event(ArenaEvent event) {
        Event.Builder message = Event.newBuilder();
        switch (event) {
            case ArenaEvent.Joined e ->
                    message.setJoined(Joined.newBuilder().setPlayer(player(e.player())));
            case ArenaEvent.Left e ->
                    message.setLeft(
                            Left.newBuilder()
                                    .setReason(code(e.reason()))
                                    .setText(text(e.reason())));
            case ArenaEvent.Spawned e ->
                    message.setSpawned(Spawned.newBuilder().setMove(move(e.movement(), e)));
            case ArenaEvent.Teleported e ->
                    message.setTeleported(Teleported.newBuilder().setMove(move(e.movement(), e)));
            case ArenaEvent.Despawned _ -> message.setDespawned(Despawned.getDefaultInstance());
            case ArenaEvent.ActionPerformed e ->
                    message.setAction(
                            ActionPerformed.newBuilder()
                                    .setAction(e.action().name().toLowerCase(Locale.ROOT)));
            case ArenaEvent.Chat e -> {
                if (!options.chat()) {
                    return Optional.empty();
                }
                message.setChat(Chat.newBuilder().setText(AddressMask.hide(e.text())));
            }
            case ArenaEvent.Renamed e -> {
                if (!options.names()) {
                    return Optional.empty();
                }
                message.setRenamed(Renamed.newBuilder().setOldName(e.oldName()).setName(e.name()));
            }
            case ArenaEvent.Proved e ->
                    message.setProved(Proved.newBuilder().setProof(proof(e.player().proof())));
            case ArenaEvent.AppearanceChanged _ ->
                    message.setAppearance(AppearanceChanged.getDefaultInstance());
            case ArenaEvent.MovementViolation e ->
                    message.setViolation(
                            MovementViolation.newBuilder()
                                    .setRule(e.rule().toString())
                                    .setMeasured(e.measured())
                                    .setAllowed(e.allowed())
                                    .setAllowance(e.allowance()));
            case ArenaEvent.RateLimited e ->
                    message.setRateLimited(
                            RateLimited.newBuilder().setAction(e.action().toString()));
            case ArenaEvent.KickRequested e ->
                    message.setKick(
                            KickRequested.newBuilder()
                                    .setReason(code(e.reason()))
                                    .setText(text(e.reason())));
            case ArenaEvent.EventsDropped e ->
                    message.setEventsDropped(EventsDropped.newBuilder().setCount(e.count()));
            case ArenaEvent.LevelChanged e ->
                    message.setLevel(
                            level(e.game(), e.level()).toBuilder()
                                    .setArenaMin(vector(e.bounds().min()))
                                    .setArenaMax(vector(e.bounds().max())));
            case ArenaEvent.Announcement e -> {
                // Winners, best times and what an operator says. Other events have the results.
                if (!options.names() || !options.chat()) {
                    return Optional.empty();
                }
                message.setAnnouncement(
                        Announcement.newBuilder().setText(AddressMask.hide(e.text())));
            }
            case ArenaEvent.JoinRefused e ->
                    message.setJoinRefused(
                            JoinRefused.newBuilder()
                                    .setGame(e.game())
                                    .setReason(code(e.reason()))
                                    .setText(text(e.reason())));
            case ArenaEvent.Hit e -> message.setHit(hit(e));
            case ArenaEvent.Died e ->
                    message.setDied(
                            Died.newBuilder()
                                    .setKiller(id(e.killer().id()))
                                    .setMeans(e.means().toString())
                                    .setFrags(e.score().frags())
                                    .setDeaths(e.score().deaths()));
            case ArenaEvent.Scored e -> {
                Scored.Builder scored =
                        Scored.newBuilder()
                                .setFrags(e.score().frags())
                                .setDeaths(e.score().deaths());
                e.team()
                        .ifPresent(it ->
                                scored.setTeam(it.team().toString()).setTeamFrags(it.frags()));
                message.setScored(scored);
            }
            case ArenaEvent.TeamChanged e ->
                    message.setTeamChanged(TeamChanged.newBuilder().setTeam(e.team().toString()));
            case ArenaEvent.ItemTaken e ->
                    message.setItemTaken(
                            ItemTaken.newBuilder().setItem(item(e.number(), e.item())));
            case ArenaEvent.ItemVanished e ->
                    message.setItemTaken(
                            ItemTaken.newBuilder().setItem(item(e.number(), e.item())));
            case ArenaEvent.ItemReturned e ->
                    message.setItemReturned(
                            ItemReturned.newBuilder().setItem(item(e.number(), e.item())));
            case ArenaEvent.FlagChanged e -> {
                e.player().ifPresent(player -> message.setId(id(player.id())));
                message.setFlagChanged(
                        FlagChanged.newBuilder()
                                .setFlag(e.flag().toString())
                                .setChange(e.change().toString())
                                .setCause(e.cause().toString())
                                .setPlace(vector(e.place()))
                                .setVersion(e.version())
                                .setCarriedMs((int) e.carried().toMillis()));
            }
            case ArenaEvent.RoundStarted e ->
                    message.setRoundStarted(
                            RoundStarted.newBuilder()
                                    .setMode(e.mode().toString())
                                    .setTimeLimitS((int) e.timeLimit().toSeconds())
                                    .setScoreLimit(e.scoreLimit()));
            case ArenaEvent.RoundEnded e -> {
                RoundEnded.Builder ended = RoundEnded.newBuilder().setReason(e.reason().toString());
                e.winner().ifPresent(winner -> ended.setWinner(id(winner.id())));
                e.team().ifPresent(team -> ended.setTeam(team.toString()));
                message.setRoundEnded(ended);
            }
            case ArenaEvent.RunStarted _ -> message.setRunStarted(RunStarted.getDefaultInstance());
            case ArenaEvent.CheckpointPassed e ->
                    message.setCheckpointPassed(
                            CheckpointPassed.newBuilder()
                                    .setNumber(e.number())
                                    .setCount(e.count())
                                    .setTimeMs(e.millis()));
            case ArenaEvent.RunFinished e ->
                    message.setRunFinished(
                            RunFinished.newBuilder()
                                    .setTimeMs(e.millis())
                                    .setBestOfPlayer(e.bestOfPlayer())
                                    .setBestOfGame(e.bestOfGame())
                                    .setBestOfAll(e.bestOfAll()));
            case ArenaEvent.Whisper _, ArenaEvent.Notice _, ArenaEvent.Moved _ -> {
                return Optional.empty();
            }
        }
        if (event instanceof ArenaEvent.OfPlayer of) {
            message.setId(id(of.id()));
        }
        return Optional.of(message.build());
    }

    /** The words of a reason, in which an operator may have written a name or an address. */
    private String text(LeaveReason reason) {
        return options.names() ? AddressMask.hide(reason.text()) : "";
    }

    /** An item, with its number in its level. */
    public static Item item(int number, PlacedItem item) {
        return Item.newBuilder()
                .setNumber(number)
                .setKind(item.kind().toString())
                .setPlace(vector(item.place()))
                .setReturnMs((int) item.returnTime().toMillis())
                .build();
    }

    /**
     * A flag at a moment.
     *
     * @param now of the clock of its times
     */
    public Flag flag(long now, FlagStatus flag) {
        Flag.Builder message =
                Flag.newBuilder()
                        .setTeam(flag.team().toString())
                        .setHome(vector(flag.home()))
                        .setVersion(flag.version());
        switch (flag.state()) {
            case FlagState.Home _ -> {}
            case FlagState.Carried(PlayerId by, long since) ->
                    message.setCarrier(id(by)).setMillis(millis(now - since));
            case FlagState.Dropped(Vec3 at, long until) ->
                    message.setDropped(vector(at))
                            .setMillis(until == Long.MAX_VALUE ? 0 : millis(until - now));
        }
        return message.build();
    }

    private static int millis(long nanos) {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos), 0, Integer.MAX_VALUE);
    }

    private Hit hit(ArenaEvent.Hit hit) {
        return Hit.newBuilder()
                .setAttacker(id(hit.attacker().id()))
                .setMeans(hit.means().toString())
                .setDamage(hit.damage())
                .setKnockback(vector(hit.knockback()))
                .setPlace(vector(hit.place()))
                .setHealth(hit.vitals().health())
                .setArmour(hit.vitals().armour())
                .setAbsorption(hit.vitals().absorption())
                .build();
    }

    /** A player with its newest movement. */
    public dev.wishdir.record.v1.Player player(Player player) {
        dev.wishdir.record.v1.Player.Builder message =
                dev.wishdir.record.v1.Player.newBuilder()
                        .setId(id(player.id()))
                        .setGame(player.game())
                        .setName(options.names() ? player.name() : "player " + player.id())
                        .setSpawned(player.spawned())
                        .setPingMs(player.ping())
                        .setJoinedNs(player.joined() + clockOffsetNanos)
                        .setMove(move(player.movement(), player.nativeMovement()));
        if (player.proof().kind() != Proof.Kind.UNKNOWN) {
            message.setProof(proof(player.proof()));
        }
        return message.build();
    }

    /** A proof; accounts are personal data, which recordings do not have. */
    private dev.wishdir.record.v1.Proof proof(Proof proof) {
        boolean isAccount = proof.kind() == Proof.Kind.ACCOUNT;
        return dev.wishdir.record.v1.Proof.newBuilder()
                .setKind(proof.kind().toString())
                .setKey(options.names() && !isAccount ? proof.name() : "")
                .build();
    }

    /** The level of a game, without what needs its files. */
    public dev.wishdir.record.v1.Level level(String game, Level level) {
        return dev.wishdir.record.v1.Level.newBuilder()
                .setGame(game)
                .setName(level.name())
                .setMin(vector(level.bounds().min()))
                .setMax(vector(level.bounds().max()))
                .build();
    }

    /** The identity of a player as messages have it. */
    public dev.wishdir.record.v1.PlayerId id(PlayerId id) {
        return dev.wishdir.record.v1.PlayerId.newBuilder()
                .setNode(id.node() == 0 ? node : id.node())
                .setNumber(id.number())
                .build();
    }

    /** The native bytes of a movement that a message may have; empty if there are none. */
    public Bytes bytes(NativeMovement nativeMovement) {
        if (!options.nativeBytes() || nativeMovement.form().isEmpty()) {
            return Bytes.EMPTY;
        }
        Bytes bytes = nativeMovement.bytes();
        return bytes.length() > MoveBatch.MAX_NATIVE_BYTES ? Bytes.EMPTY : bytes;
    }

    /** A movement with its native form, if the player's newest native movement is this one. */
    private Move move(Movement movement, ArenaEvent.OfPlayer event) {
        Player player = event.player();
        return move(
                movement,
                movement.equals(player.movement())
                        ? player.nativeMovement()
                        : NativeMovement.Stored.NONE);
    }

    private Move move(Movement movement, NativeMovement nativeMovement) {
        Move.Builder move =
                Move.newBuilder()
                        .setPosition(
                                vector(
                                        Quantum.position(movement.position().x()),
                                        Quantum.position(movement.position().y()),
                                        Quantum.position(movement.position().z())))
                        .setYaw(Quantum.yaw(movement.yaw()))
                        .setPitch(Quantum.pitch(movement.pitch()))
                        .setVelocity(
                                vector(
                                        Quantum.velocity(movement.velocity().x()),
                                        Quantum.velocity(movement.velocity().y()),
                                        Quantum.velocity(movement.velocity().z())))
                        .setStance(movement.stance().bits());
        Bytes bytes = bytes(nativeMovement);
        int form = bytes.length() == 0 ? 0 : forms.applyAsInt(nativeMovement.form());
        if (form != 0) {
            move.setForm(form).setNative(ByteString.copyFrom(bytes.toArray()));
        }
        return move.build();
    }

    private static String code(LeaveReason reason) {
        return reason.code().toString();
    }

    /** A place or direction, rounded. */
    public static Vector vector(Vec3 v) {
        return vector((float) v.x(), (float) v.y(), (float) v.z());
    }

    private static Vector vector(float x, float y, float z) {
        return Vector.newBuilder().setX(x).setY(y).setZ(z).build();
    }
}
