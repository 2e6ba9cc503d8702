package dev.wishdir.record.message;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.item.ItemPickup;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.Bytes;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Turns the messages that recordings and a cluster share into players, movements and events. A
 * message may come from any program: numbers are checked, texts cut, unknown codes left out.
 */
public final class MessageDecoder {
    /** Maximum length of a chat line, a reason or the name of a level, UTF-16 units. */
    public static final int MAX_TEXT_CHARS = 1000;

    private static final int STANCE_MASK = (1 << Stance.Flag.values().length) - 1;

    private static final Map<String, LeaveReason.Code> REASONS = byCode(LeaveReason.Code.values());
    private static final Map<String, ViolationRule> RULES = byCode(ViolationRule.values());
    private static final Map<String, RateLimitedAction> LIMITED =
            byCode(RateLimitedAction.values());

    private static final Map<String, DamageMeans> MEANS = byCode(DamageMeans.values());
    private static final Map<String, MatchMode> MODES = byCode(MatchMode.values());
    private static final Map<String, FlagChange> FLAG_CHANGES = byCode(FlagChange.values());
    private static final Map<String, FlagCause> FLAG_CAUSES = byCode(FlagCause.values());
    private static final Map<String, Proof.Kind> PROOFS = byCode(Proof.Kind.values());
    private static final Map<String, Team> TEAMS = byCode(Team.values());
    private static final Map<String, RoundEndReason> ROUND_ENDS = byCode(RoundEndReason.values());

    private MessageDecoder() {}

    private static <E extends Enum<E>> Map<String, E> byCode(E[] values) {
        Map<String, E> codes = new LinkedHashMap<>();
        for (E value : values) {
            codes.put(value.toString(), value);
        }
        return codes;
    }

    /**
     * An event of a player that is known.
     *
     * @param player as it was before the event
     * @param forms names of the native forms, by number from 1
     * @return empty if the event is unknown, malformed, or not of a player
     */
    public static Optional<ArenaEvent> event(
            long time, Player player, Event event, List<String> forms) {
        return switch (event.getKindCase()) {
            case LEFT ->
                    Optional.of(
                            new ArenaEvent.Left(
                                    time,
                                    player,
                                    reason(
                                            event.getLeft().getReason(),
                                            event.getLeft().getText())));
            case SPAWNED ->
                    moved(player, event.getSpawned().getMove(), forms)
                            .map(it -> spawned(it, true))
                            .map(it -> new ArenaEvent.Spawned(time, it, it.movement()));
            case TELEPORTED ->
                    moved(player, event.getTeleported().getMove(), forms)
                            .map(it -> new ArenaEvent.Teleported(time, it, it.movement()));
            case DESPAWNED -> Optional.of(new ArenaEvent.Despawned(time, spawned(player, false)));
            case ACTION ->
                    action(event.getAction().getAction())
                            .map(action -> new ArenaEvent.ActionPerformed(time, player, action));
            case CHAT ->
                    Optional.of(new ArenaEvent.Chat(time, player, text(event.getChat().getText())));
            case RENAMED -> {
                Player renamed = named(player, event.getRenamed().getName());
                yield Optional.of(
                        new ArenaEvent.Renamed(
                                time,
                                renamed,
                                name(event.getRenamed().getOldName()),
                                renamed.name()));
            }
            case PROVED ->
                    Optional.of(
                            new ArenaEvent.Proved(
                                    time, proved(player, event.getProved().getProof())));
            case APPEARANCE -> Optional.of(new ArenaEvent.AppearanceChanged(time, player));
            case VIOLATION ->
                    Optional.ofNullable(RULES.get(event.getViolation().getRule()))
                            .map(rule ->
                                    new ArenaEvent.MovementViolation(
                                            time,
                                            player,
                                            rule,
                                            event.getViolation().getMeasured(),
                                            event.getViolation().getAllowed(),
                                            event.getViolation().getAllowance()));
            case RATE_LIMITED ->
                    Optional.ofNullable(LIMITED.get(event.getRateLimited().getAction()))
                            .map(action -> new ArenaEvent.RateLimited(time, player, action));
            case KICK ->
                    Optional.of(
                            new ArenaEvent.KickRequested(
                                    time,
                                    player,
                                    reason(
                                            event.getKick().getReason(),
                                            event.getKick().getText())));
            case EVENTS_DROPPED ->
                    Optional.of(
                            new ArenaEvent.EventsDropped(
                                    time,
                                    player,
                                    Math.max(0, event.getEventsDropped().getCount())));
            case SCORED ->
                    Optional.of(
                            new ArenaEvent.Scored(
                                    time,
                                    player,
                                    new Score(
                                            event.getScored().getFrags(),
                                            Math.max(0, event.getScored().getDeaths())),
                                    team(event.getScored().getTeam())
                                            .map(team ->
                                                    new TeamScore(
                                                            team,
                                                            event.getScored().getTeamFrags()))));
            case TEAM_CHANGED ->
                    team(event.getTeamChanged().getTeam())
                            .map(team -> new ArenaEvent.TeamChanged(time, player, team));
            case RUN_STARTED -> Optional.of(new ArenaEvent.RunStarted(time, player));
            case CHECKPOINT_PASSED ->
                    Optional.of(
                            new ArenaEvent.CheckpointPassed(
                                    time,
                                    player,
                                    Math.max(0, event.getCheckpointPassed().getNumber()),
                                    Math.max(0, event.getCheckpointPassed().getCount()),
                                    Math.max(0, event.getCheckpointPassed().getTimeMs())));
            case RUN_FINISHED ->
                    Optional.of(
                            new ArenaEvent.RunFinished(
                                    time,
                                    player,
                                    Math.max(0, event.getRunFinished().getTimeMs()),
                                    event.getRunFinished().getBestOfPlayer(),
                                    event.getRunFinished().getBestOfGame(),
                                    event.getRunFinished().getBestOfAll()));
            default -> Optional.empty();
        };
    }

    /** A hit; empty if its means is unknown or a number is out of range. */
    public static Optional<ArenaEvent.Hit> hit(
            long time, Player victim, Player attacker, dev.wishdir.record.v1.Hit hit) {
        DamageMeans means = MEANS.get(hit.getMeans());
        Vec3 knockback = vector(hit.getKnockback());
        Vec3 place = vector(hit.getPlace());
        if (means == null
                || !Double.isFinite(hit.getDamage())
                || !knockback.isFinite()
                || !place.isFinite()) {
            return Optional.empty();
        }
        try {
            Vitals vitals = new Vitals(hit.getHealth(), hit.getArmour(), hit.getAbsorption());
            return Optional.of(
                    new ArenaEvent.Hit(
                            time,
                            victim,
                            attacker,
                            means,
                            hit.getDamage(),
                            knockback,
                            place,
                            vitals));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** A death; empty if its means is unknown. */
    public static Optional<ArenaEvent.Died> died(
            long time, Player victim, Player killer, dev.wishdir.record.v1.Died died) {
        return Optional.ofNullable(MEANS.get(died.getMeans()))
                .map(means ->
                        new ArenaEvent.Died(
                                time,
                                spawned(victim, false),
                                killer.id().equals(victim.id()) ? spawned(victim, false) : killer,
                                means,
                                new Score(died.getFrags(), Math.max(0, died.getDeaths()))));
    }

    /** An item that a player took; empty if its kind is unknown or a number is out of range. */
    static Optional<ArenaEvent> itemTaken(
            long time, Player player, dev.wishdir.record.v1.Item item) {
        return item(item)
                .map(placed ->
                        new ArenaEvent.ItemTaken(
                                time, player, Math.max(0, item.getNumber()), placed));
    }

    /** An item that is gone; empty if its kind is unknown or a number is out of range. */
    static Optional<ArenaEvent> itemVanished(long time, dev.wishdir.record.v1.Item item) {
        return item(item)
                .map(placed ->
                        new ArenaEvent.ItemVanished(time, Math.max(0, item.getNumber()), placed));
    }

    /** An item that is there again; empty if its kind is unknown or a number is out of range. */
    static Optional<ArenaEvent> itemReturned(long time, dev.wishdir.record.v1.Item item) {
        return item(item)
                .map(placed ->
                        new ArenaEvent.ItemReturned(time, Math.max(0, item.getNumber()), placed));
    }

    /** A pickup of an item; empty if its kind is unknown or a number is out of range. */
    public static Optional<ItemPickup> pickup(
            Optional<PlayerId> player, dev.wishdir.record.v1.Item item, Duration left) {
        return item(item).map(placed -> new ItemPickup(player, item.getNumber(), placed, left));
    }

    private static Optional<PlacedItem> item(dev.wishdir.record.v1.Item item) {
        Optional<ItemKind> kind = ItemKind.of(item.getKind());
        try {
            return kind.map(it ->
                    new PlacedItem(
                            it,
                            vector(item.getPlace()),
                            Duration.ofMillis(item.getReturnMs()),
                            ""));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** A change of a flag; empty if a word is unknown or a number is out of range. */
    public static Optional<ArenaEvent> flagChanged(
            long time, dev.wishdir.record.v1.FlagChanged message, Optional<Player> player) {
        FlagChange change = FLAG_CHANGES.get(message.getChange());
        FlagCause cause = FLAG_CAUSES.get(message.getCause());
        Vec3 place = vector(message.getPlace());
        Optional<Team> flag = team(message.getFlag());
        if (flag.isEmpty() || change == null || cause == null || !place.isFinite()) {
            return Optional.empty();
        }
        return Optional.of(
                new ArenaEvent.FlagChanged(
                        time,
                        flag.get(),
                        change,
                        cause,
                        player,
                        place,
                        Math.max(0, message.getVersion()),
                        Duration.ofMillis(Math.max(0, message.getCarriedMs()))));
    }

    /**
     * The flags of a match, red first; empty unless there is one of each team, at places.
     *
     * @param time of the message
     */
    public static Optional<List<FlagStatus>> flags(
            long time, List<dev.wishdir.record.v1.Flag> messages) {
        List<FlagStatus> flags =
                messages.stream().flatMap(message -> flag(time, message).stream()).toList();
        boolean isWhole =
                flags.size() == messages.size()
                        && flags.stream()
                                .map(FlagStatus::team)
                                .toList()
                                .equals(List.of(Team.values()));
        return isWhole ? Optional.of(flags) : Optional.empty();
    }

    private static Optional<FlagStatus> flag(long time, dev.wishdir.record.v1.Flag message) {
        Vec3 home = vector(message.getHome());
        Vec3 dropped = vector(message.getDropped());
        long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, message.getMillis()));
        FlagState state =
                message.hasCarrier()
                        ? new FlagState.Carried(id(message.getCarrier()), time - nanos)
                        : message.hasDropped()
                                ? new FlagState.Dropped(
                                        dropped, nanos == 0 ? Long.MAX_VALUE : time + nanos)
                                : new FlagState.Home();
        return team(message.getTeam())
                .filter(_ -> home.isFinite() && dropped.isFinite())
                .map(team -> new FlagStatus(team, home, state, Math.max(0, message.getVersion())));
    }

    /** The start of a round; empty if its mode is unknown. */
    static Optional<ArenaEvent> roundStarted(
            long time, dev.wishdir.record.v1.RoundStarted started) {
        return Optional.ofNullable(MODES.get(started.getMode()))
                .map(mode ->
                        new ArenaEvent.RoundStarted(
                                time,
                                mode,
                                Duration.ofSeconds(Math.max(0, started.getTimeLimitS())),
                                Math.max(0, started.getScoreLimit())));
    }

    /** The end of a round; empty if its reason is unknown. */
    static Optional<ArenaEvent> roundEnded(
            long time, dev.wishdir.record.v1.RoundEnded ended, Optional<Player> winner) {
        return Optional.ofNullable(ROUND_ENDS.get(ended.getReason()))
                .map(reason ->
                        new ArenaEvent.RoundEnded(time, reason, winner, team(ended.getTeam())));
    }

    private static Optional<Team> team(String code) {
        return Optional.ofNullable(TEAMS.get(code));
    }

    /** A level of which only name and bounds are known; empty if the bounds are malformed. */
    static Optional<Level> level(dev.wishdir.record.v1.Level message) {
        return bounds(message.getMin(), message.getMax())
                .map(bounds -> new Level(text(message.getName()), bounds));
    }

    static Optional<Bounds> bounds(Vector least, Vector most) {
        Vec3 min = vector(least);
        Vec3 max = vector(most);
        boolean ordered =
                min.isFinite()
                        && max.isFinite()
                        && min.x() <= max.x()
                        && min.y() <= max.y()
                        && min.z() <= max.z();
        return ordered ? Optional.of(new Bounds(min, max)) : Optional.empty();
    }

    /**
     * A player; texts are cut to their maximum length.
     *
     * @param forms names of the native forms, by number from 1
     * @return empty if its movement is not valid
     */
    public static Optional<Player> player(
            dev.wishdir.record.v1.Player message, List<String> forms) {
        return movement(message.getMove())
                .map(movement ->
                        new Player(
                                id(message.getId()),
                                text(message.getGame()),
                                name(message.getName()),
                                message.getJoinedNs(),
                                Math.max(0, message.getPingMs()),
                                proof(message.getProof()),
                                message.getSpawned(),
                                movement,
                                nativeMovement(message.getMove(), forms)));
    }

    private static Optional<Player> moved(Player player, Move move, List<String> forms) {
        return movement(move).map(movement -> moved(player, movement, nativeMovement(move, forms)));
    }

    static Player moved(Player player, Movement movement, NativeMovement nativeMovement) {
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                player.proof(),
                player.spawned(),
                movement,
                nativeMovement);
    }

    static Player spawned(Player player, boolean spawned) {
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                player.proof(),
                spawned,
                player.movement(),
                player.nativeMovement());
    }

    private static Player proved(Player player, dev.wishdir.record.v1.Proof proof) {
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                proof(proof),
                player.spawned(),
                player.movement(),
                player.nativeMovement());
    }

    /** A proof; unknown if its kind is. */
    private static Proof proof(dev.wishdir.record.v1.Proof proof) {
        Proof.Kind kind = PROOFS.getOrDefault(proof.getKind(), Proof.Kind.UNKNOWN);
        return new Proof(kind, kind == Proof.Kind.UNKNOWN ? "" : proof.getKey());
    }

    static Player named(Player player, String name) {
        return new Player(
                player.id(),
                player.game(),
                name(name),
                player.joined(),
                player.ping(),
                player.proof(),
                player.spawned(),
                player.movement(),
                player.nativeMovement());
    }

    /** A movement; empty if a number is not finite or out of range. */
    public static Optional<Movement> movement(Move move) {
        Movement movement =
                new Movement(
                        vector(move.getPosition()),
                        move.getYaw(),
                        move.getPitch(),
                        vector(move.getVelocity()),
                        new Stance(move.getStance() & STANCE_MASK));
        return movement.isValid() ? Optional.of(movement) : Optional.empty();
    }

    /**
     * The native form of a movement; {@link NativeMovement.Stored#NONE} if it has none, an unknown
     * one, or one of more than 1,024 bytes.
     *
     * @param forms names of the native forms, by number from 1
     */
    public static NativeMovement nativeMovement(Move move, List<String> forms) {
        int form = move.getForm();
        int length = move.getNative().size();
        if (form < 1 || form > forms.size() || length == 0 || length > MoveBatch.MAX_NATIVE_BYTES) {
            return NativeMovement.Stored.NONE;
        }
        return new NativeMovement.Stored(
                forms.get(form - 1), Bytes.wrap(move.getNative().toByteArray()));
    }

    /** The identity of a player, unchecked. */
    public static PlayerId id(dev.wishdir.record.v1.PlayerId id) {
        return new PlayerId(id.getNode(), id.getNumber());
    }

    /** A place or direction, unchecked. */
    public static Vec3 vector(Vector v) {
        return new Vec3(v.getX(), v.getY(), v.getZ());
    }

    /** Reason for which a player left; an unknown code is {@link LeaveReason.Code#LEFT}. */
    public static LeaveReason reason(String code, String text) {
        return new LeaveReason(REASONS.getOrDefault(code, LeaveReason.Code.LEFT), text(text));
    }

    private static Optional<PlayerAction> action(String code) {
        return switch (code) {
            case "attack" -> Optional.of(PlayerAction.ATTACK);
            case "taunt" -> Optional.of(PlayerAction.TAUNT);
            default -> Optional.empty();
        };
    }

    private static String name(String name) {
        return cut(name, Player.MAX_NAME_CHARS);
    }

    /** A text cut to {@link #MAX_TEXT_CHARS}. */
    public static String text(String text) {
        return cut(text, MAX_TEXT_CHARS);
    }

    private static String cut(String text, int maxChars) {
        return text.length() <= maxChars ? text : text.substring(0, maxChars);
    }
}
