package dev.wishdir.bedrock.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.bedrock.combat.ArmourSet;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.bedrock.combat.Weapon;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.HeldItem;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.movement.BedrockMovement;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.bedrock.protocol.TeamColour;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;
import dev.wishdir.bedrock.server.match.FlagNotices;
import dev.wishdir.bedrock.server.match.ScoreBoard;
import dev.wishdir.bedrock.server.view.CombatMessages;
import dev.wishdir.bedrock.server.view.FlagEntities;
import dev.wishdir.bedrock.server.view.HeldItems;
import dev.wishdir.bedrock.server.view.ItemEntities;
import dev.wishdir.bedrock.server.view.MissileEntities;
import dev.wishdir.bedrock.server.view.MovementCache;
import dev.wishdir.bedrock.server.view.PlayerIdentities;
import dev.wishdir.bedrock.server.view.ShownPlayers;
import dev.wishdir.bedrock.server.view.SpawnMessages;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Relay of all other players to one client, while its own player is in the arena. While the
 * client's connection is congested, arrivals and movements wait: afterwards the client gets their
 * state of that moment.
 */
public final class BedrockViewer implements SessionViewer, ShownPlayers {
    /** Minimum interval between two relays of movements to a client, nanoseconds. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** The same for one player: each tick of its client, even a little early. */
    private static final long MOVER_INTERVAL_NANOS = BedrockMotion.TICK_NANOS * 9 / 10;

    /** Sounds are heard within this distance; the game hears most of them within 16 m. */
    private static final double EARSHOT_METRES = 32;

    /** Time for which a dead body falls over. */
    private static final long CORPSE_NANOS = 1_100_000_000;

    /**
     * Parts of the endpoint that all viewers use.
     *
     * @param clock of the loop, nanoseconds
     */
    public record Services(
            Arena arena,
            PlayerIdentities identities,
            HeldItems heldItems,
            MovementCache movementCache,
            LongSupplier clock) {}

    /** Connection to the client. */
    public interface Line {
        /** Takes messages, which the session's next turn sends. */
        MessageChannel channel();

        /** Whether so much is unacknowledged that news must wait. */
        boolean isCongested();

        /** Requests a turn of the session, which calls {@link BedrockViewer#advance}. */
        void requestTurn();

        /** Disconnects the client. */
        void kick(LeaveReason why);

        InetSocketAddress remote();

        ConnectionStats connectionStats();
    }

    /** A player in the client's list. */
    private static final class Known {
        /** The runtime id by which the client knows the player, even after the player has left. */
        final long id;

        boolean hasBody;
        long flags;
        Weapon held = Weapon.NOTHING;
        ArmourSet armour = ArmourSet.NONE;

        /** The flag that it is shown to wear. */
        Optional<Team> flag = Optional.empty();

        /** Time at which the body was last shown as hurt. */
        long hurtAt = Long.MIN_VALUE / 2;

        /** Whether it fell over, so that its body lies for a while. */
        boolean isDead;

        Known(long id) {
            this.id = id;
        }
    }

    private final Services services;
    private final Line line;
    private final MessageChannel channel;
    private final VerifiedLogin login;
    private final long runtimeId;
    private final Map<PlayerId, Known> known = new HashMap<>();
    private final LinkedHashSet<PlayerId> unlisted = new LinkedHashSet<>();
    private final LinkedHashSet<PlayerId> unseen = new LinkedHashSet<>();

    /** Bodies of the dead that still lie there, by runtime id, with the time of their removal. */
    private final Map<Long, Long> corpses = new LinkedHashMap<>();

    private final ScoreBoard board;
    private final ItemEntities items;
    private final MissileEntities missiles;
    private final FlagEntities flags;
    private ArmourSet ownArmour = ArmourSet.NONE;
    private Optional<Team> ownFlag = Optional.empty();

    /** A number of the last piece of armour, above those of the hot bar. */
    private int armourNetId = 1 << 24;

    private @Nullable ArenaPlayer self;

    /**
     * @param login of the client's player
     * @param runtimeId by which all clients know the player
     */
    public BedrockViewer(Services services, Line line, VerifiedLogin login, long runtimeId) {
        this.services = services;
        this.line = line;
        channel = line.channel();
        this.login = login;
        this.runtimeId = runtimeId;
        items =
                new ItemEntities(
                        services.arena().match().items(), channel, () -> line.isCongested());
        missiles =
                new MissileEntities(
                        services.arena().match(),
                        services.identities(),
                        channel::send,
                        () -> line.isCongested(),
                        this::place);
        flags =
                new FlagEntities(
                        services.arena().match().flags(),
                        channel,
                        () -> line.isCongested(),
                        this::isBodyShown,
                        this::onCarrierChanged);
        board =
                new ScoreBoard(
                        services.arena().match(), services.identities(), runtimeId, channel::send);
    }

    /** Starts to show the players that are here, and all that happens from now on. */
    @Override
    public void onJoined(ArenaPlayer self) {
        this.self = self;
        services.identities().add(self.id(), runtimeId, login.skin());
        unlisted.add(self.id());
        services.arena().players().forEach(player -> unlisted.add(player.id()));
        line.requestTurn();
    }

    /** Shows nothing from now on. */
    void close() {
        self = null;
        unlisted.clear();
        unseen.clear();
        corpses.clear();
    }

    @Override
    public Optional<ArenaPlayer> shown(long actor) {
        return known.entrySet().stream()
                .filter(entry -> entry.getValue().hasBody && entry.getValue().id == actor)
                .findFirst()
                .flatMap(entry -> services.arena().player(entry.getKey()));
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return new ConnectionInfo(line.remote(), "protocol " + channel.codec().protocol());
    }

    @Override
    public Proof proof() {
        return login.proof();
    }

    @Override
    public ConnectionStats connectionStats() {
        return line.connectionStats();
    }

    @Override
    public boolean isCongested() {
        return line.isCongested();
    }

    @Override
    public long relayIntervalNanos() {
        return RELAY_INTERVAL_NANOS;
    }

    @Override
    public long minUpdateIntervalNanos() {
        return MOVER_INTERVAL_NANOS;
    }

    /**
     * Sends the arrivals and movements that waited.
     *
     * @return whether any still wait
     */
    boolean advance() {
        ArenaPlayer player = self;
        if (player == null) {
            return false;
        }
        if (!unlisted.isEmpty() && !line.isCongested()) {
            Map<PlayerId, Player> shown = new HashMap<>();
            player.visiblePlayers().forEach(other -> shown.put(other.id(), other));
            while (!unlisted.isEmpty() && !line.isCongested()) {
                PlayerId next = unlisted.removeFirst();
                services.arena().find(next).ifPresent(this::list);
                Player body = shown.get(next);
                if (body != null) {
                    spawn(body);
                }
            }
        }
        while (!unseen.isEmpty() && !line.isCongested()) {
            services.arena().find(unseen.removeFirst()).ifPresent(this::show);
        }
        long now = services.clock().getAsLong();
        corpses.entrySet()
                .removeIf(corpse -> {
                    boolean isOver = now >= corpse.getValue();
                    if (isOver) {
                        channel.send(new RemoveActor(corpse.getKey()));
                    }
                    return isOver;
                });
        boolean hasItems = items.advance();
        boolean hasMissiles = missiles.advance(now);
        boolean hasFlags = flags.advance(now);
        boolean hasScores = !line.isCongested() && board.advance(now);
        return !unlisted.isEmpty()
                || !unseen.isEmpty()
                || !corpses.isEmpty()
                || hasItems
                || hasMissiles
                || hasFlags
                || hasScores;
    }

    /** Place of the client's player, metres. */
    private Vec3 place() {
        ArenaPlayer player = self;
        return player == null ? Vec3.ZERO : player.snapshot().movement().position();
    }

    /** A player has taken an item. */
    void onItemTaken(ArenaEvent.ItemTaken taken) {
        if (self != null && taken.player().game().equals(BedrockCodec.NAME) && isShown(taken)) {
            items.onTaken(taken.number(), services.identities().runtimeId(taken.id()));
        }
        onItemsChanged();
    }

    private boolean isShown(ArenaEvent.ItemTaken taken) {
        Known taker = known.get(taken.id());
        return isOwn(taken.id()) || taker != null && taker.hasBody;
    }

    /** Items have vanished or returned. */
    void onItemsChanged() {
        line.requestTurn();
    }

    /** The client has the chunks of another world. */
    void onWorldChanged() {
        flags.onWorldChanged();
    }

    private boolean isBodyShown(PlayerId id) {
        Known entry = known.get(id);
        return isOwn(id) || entry != null && entry.hasBody;
    }

    /** A player carries a flag from now on, or no longer. */
    private void onCarrierChanged(PlayerId id) {
        Known entry = known.get(id);
        if (isOwn(id)) {
            showOwnArmour(id);
        } else if (entry != null && entry.hasBody) {
            showArmour(id, entry);
            services.arena().find(id).ifPresent(player -> sendMetadata(player, entry));
        }
    }

    /** The name of a player, in the colour of its team. */
    private String name(Player player) {
        return TeamColour.paint(
                services.arena().match().team(player.id()), CombatMessages.name(player));
    }

    /** The name over the head of a player, with the mark of a carrier. */
    private String nameTag(Player player) {
        return TeamColour.mark(name(player), flags.carriedBy(player.id()));
    }

    /** Puts a player into the list, or updates its entry there. */
    private void list(Player other) {
        Known entry =
                known.computeIfAbsent(
                        other.id(), id -> new Known(services.identities().runtimeId(id)));
        send(
                new PlayerList(
                        PlayerList.ADD,
                        List.of(
                                new ListedPlayer(
                                        uuid(other.id(), entry),
                                        entry.id,
                                        name(other),
                                        "",
                                        "",
                                        7,
                                        services.identities()
                                                .limitedSkin(services.clock().getAsLong(), other),
                                        true,
                                        "",
                                        false,
                                        false,
                                        false,
                                        ListedPlayer.WHITE))));
    }

    /** The client's own entry has the UUID that it knows; others have one no client can claim. */
    private UUID uuid(PlayerId other, Known entry) {
        return isOwn(other) ? login.uuid() : services.identities().uuid(entry.id);
    }

    /** Gives a player a body, where it is in the list. */
    private void spawn(Player other) {
        Known entry = known.get(other.id());
        if (entry == null || entry.hasBody) {
            return;
        }
        Movement m = other.movement();
        MovePlayer move = BedrockMovement.toMessage(other, entry.id);
        entry.hasBody = true;
        entry.isDead = false;
        entry.flags = flags(other);
        removeCorpse(entry);
        send(
                new AddPlayer(
                        uuid(other.id(), entry),
                        name(other),
                        entry.id,
                        "",
                        BedrockMotion.point(m.position()),
                        Vec3f.ZERO,
                        move.rotation().x(),
                        move.rotation().y(),
                        move.headYaw(),
                        HeldItem.NOTHING,
                        0,
                        SpawnMessages.metadata(nameTag(other), m.stance(), entry.flags),
                        Properties.BLANK,
                        SpawnMessages.abilities(entry.id),
                        List.of(),
                        "",
                        7));
        entry.held = Weapon.NOTHING;
        entry.armour = ArmourSet.NONE;
        entry.flag = Optional.empty();
        showHeldItem(other.id(), entry);
        showArmour(other.id(), entry);
    }

    /**
     * The bits of a player's body, as it stands and as it holds its bow. The game has no sign of
     * quad damage that others see: such a player burns.
     */
    private long flags(Player other) {
        long now = services.clock().getAsLong();
        return SpawnMessages.flags(other.movement().stance())
                | (services.heldItems().isDrawn(other.id()) ? Metadata.USING_ITEM : 0)
                | (services.arena().match().quadLeft(now, other.id()) > 0 ? Metadata.ON_FIRE : 0);
    }

    private void showHeldItem(PlayerId other, Known entry) {
        Weapon held = services.heldItems().of(other);
        if (entry.held != held) {
            entry.held = held;
            ItemStack stack = held.stack(channel.codec());
            send(new MobEquipment(entry.id, stack, 0, 0, Hotbar.WINDOW));
        }
    }

    private void showArmour(PlayerId other, Known entry) {
        ArmourSet worn = services.heldItems().armour(other);
        Optional<Team> flag = flags.carriedBy(other);
        if (entry.armour != worn || !entry.flag.equals(flag)) {
            entry.armour = worn;
            entry.flag = flag;
            List<ItemStack> pieces = worn.stacks(channel.codec(), 0);
            send(
                    new MobArmour(
                            entry.id,
                            flag.map(team -> FlagBanner.stack(channel.codec(), team, 0))
                                    .orElse(pieces.get(0)),
                            pieces.get(1),
                            pieces.get(2),
                            pieces.get(3),
                            ItemStack.AIR));
        }
    }

    /**
     * The armour of the client's own player, from whose pieces it counts the bar. It wears a flag
     * only without a helmet, which counts.
     */
    private void showOwnArmour(PlayerId id) {
        ArmourSet worn = services.heldItems().armour(id);
        Optional<Team> flag = flags.carriedBy(id).filter(_ -> worn == ArmourSet.NONE);
        if (ownArmour != worn || !ownFlag.equals(flag)) {
            ownArmour = worn;
            ownFlag = flag;
            armourNetId += 4;
            List<ItemStack> pieces = new ArrayList<>(worn.stacks(channel.codec(), armourNetId));
            flag.ifPresent(
                    team -> pieces.set(0, FlagBanner.stack(channel.codec(), team, armourNetId)));
            send(InventoryContent.of(ArmourSet.WINDOW, pieces));
        }
    }

    /** A player holds or wears another item, or has drawn it. */
    void onHeld(PlayerId other) {
        Known entry = known.get(other);
        if (isOwn(other)) {
            showOwnArmour(other);
        } else if (self != null && entry != null && entry.hasBody) {
            showArmour(other, entry);
            showHeldItem(other, entry);
            services.arena().find(other).ifPresent(player -> showFlags(player, entry));
        }
    }

    /** A sound at a place, metres; far away it is not heard. */
    void onSound(String name, Vec3 place) {
        ArenaPlayer player = self;
        if (player != null
                && !line.isCongested()
                && player.snapshot().movement().position().distance(place) < EARSHOT_METRES) {
            send(PlaySound.of(name, BedrockMotion.point(place), 1, 1));
        }
    }

    private void removeCorpse(Known entry) {
        if (corpses.remove(entry.id) != null) {
            send(new RemoveActor(entry.id));
        }
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (self == null) {
            return;
        }
        switch (event) {
            case ArenaEvent.Joined e -> {
                unlisted.add(e.id());
                board.onChange();
                line.requestTurn();
            }
            case ArenaEvent.Left e -> onLeft(e.id());
            case ArenaEvent.Spawned e -> spawn(e.player());
            case ArenaEvent.Despawned e -> despawn(e.id());
            case ArenaEvent.Teleported e -> onTeleported(e.player());
            // The game has no other gesture that we know: a taunt is an arm swing.
            case ArenaEvent.ActionPerformed e -> {
                if (!services.identities().isClient(e.id())) {
                    onSwing(e.id());
                }
            }
            case ArenaEvent.Chat e -> onChat(e.player(), e.text());
            case ArenaEvent.Renamed e -> onRenamed(e.player());
            case ArenaEvent.Announcement e -> notify(BedrockText.literal(e.text()));
            case ArenaEvent.Notice e -> board.showNotice(BedrockText.literal(e.text()));
            case ArenaEvent.RateLimited e -> notify(PlayerNotices.rateLimited(e.action()));
            case ArenaEvent.KickRequested e -> line.kick(e.reason());
            case ArenaEvent.EventsDropped e -> notify(PlayerNotices.eventsDropped(e.count()));
            case ArenaEvent.Whisper e ->
                    notify(name(e.from()) + " whispers to you: " + BedrockText.literal(e.text()));
            case ArenaEvent.Hit e -> onHit(e);
            case ArenaEvent.Died e -> send(CombatMessages.obituary(e));
            case ArenaEvent.Scored _ -> {
                board.onChange();
                line.requestTurn();
            }
            case ArenaEvent.TeamChanged e -> {
                if (isOwn(e.id())) {
                    onOwnRenamed(e.player());
                    notify(PlayerNotices.team(e.team()));
                } else {
                    onRenamed(e.player());
                }
            }
            case ArenaEvent.RoundStarted e -> {
                board.onRoundStarted(e);
                line.requestTurn();
            }
            case ArenaEvent.RoundEnded e -> {
                board.onRoundEnded(
                        e.winner()
                                .map(CombatMessages::name)
                                .or(() -> e.team().map(ScoreBoard::title)));
                line.requestTurn();
            }
            case ArenaEvent.FlagChanged e -> onFlagChanged(e);
            case ArenaEvent.AppearanceChanged _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Moved _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.OfRace _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void onFlagChanged(ArenaEvent.FlagChanged e) {
        board.onChange();
        notify(FlagNotices.line(e));
        Optional<Team> own =
                Optional.ofNullable(self).flatMap(it -> services.arena().match().team(it.id()));
        send(PlaySound.of(FlagNotices.sound(e, own), BedrockMotion.point(place()), 1, 1));
        if (e.change() == FlagChange.CAPTURED) {
            board.onCaptured(e);
        }
    }

    /** Shows that a player was hurt, its own one too, at most as often as the game does. */
    private void onHit(ArenaEvent.Hit hit) {
        Known entry = known.get(hit.id());
        boolean isOwn = isOwn(hit.id());
        if (entry == null || !entry.hasBody && !isOwn) {
            return;
        }
        if (hit.time() - entry.hurtAt >= MeleeRules.INVULNERABLE_NANOS) {
            entry.hurtAt = hit.time();
            send(ActorEvent.of(entry.id, ActorEvent.HURT));
        }
        if (hit.vitals().health() <= 0 && !isOwn) {
            entry.isDead = true;
            send(ActorEvent.of(entry.id, ActorEvent.DEATH));
        }
    }

    /** A blow was critical. */
    void onCritical(PlayerId victim) {
        Known entry = known.get(victim);
        boolean isOwn = isOwn(victim);
        if (entry != null && (entry.hasBody || isOwn) && !line.isCongested()) {
            send(Animate.critical(entry.id));
        }
    }

    private void onLeft(PlayerId other) {
        board.onChange();
        services.movementCache().forget(other);
        unlisted.remove(other);
        despawn(other);
        Known entry = known.remove(other);
        if (entry != null) {
            removeCorpse(entry);
            send(
                    new PlayerList(
                            PlayerList.REMOVE,
                            List.of(ListedPlayer.removed(services.identities().uuid(entry.id)))));
        }
    }

    private void despawn(PlayerId other) {
        unseen.remove(other);
        Known entry = known.get(other);
        if (entry != null && entry.hasBody) {
            entry.hasBody = false;
            if (entry.isDead) {
                corpses.put(entry.id, services.clock().getAsLong() + CORPSE_NANOS);
            } else {
                send(new RemoveActor(entry.id));
            }
        }
    }

    private void onTeleported(Player other) {
        Known entry = known.get(other.id());
        if (entry == null || !entry.hasBody) {
            return;
        }
        MovePlayer to = BedrockMotion.toNative(entry.id, other.movement());
        send(
                new MovePlayer(
                        to.runtimeId(),
                        to.position(),
                        to.rotation(),
                        to.headYaw(),
                        MovePlayer.TELEPORT,
                        to.onGround(),
                        0));
    }

    @Override
    public void onMovement(List<Player> movers) {
        if (self == null) {
            return;
        }
        boolean isCongested = line.isCongested();
        for (int i = 0, all = movers.size(); i < all; i++) {
            Player mover = movers.get(i);
            if (isCongested) {
                unseen.add(mover.id());
            } else {
                if (!unseen.isEmpty()) {
                    unseen.remove(mover.id());
                }
                show(mover);
            }
        }
        line.requestTurn();
    }

    /** Sends a movement; the caller requests a turn, if this is not within one. */
    private void show(Player mover) {
        Known entry = known.get(mover.id());
        if (entry == null || !entry.hasBody) {
            return;
        }
        channel.send(services.movementCache().of(mover, entry.id, channel.codec()));
        showFlags(mover, entry);
    }

    private void showFlags(Player other, Known entry) {
        long flags = flags(other);
        if (entry.flags != flags) {
            entry.flags = flags;
            sendMetadata(other, entry);
        }
    }

    private void sendMetadata(Player other, Known entry) {
        send(
                new SetActorData(
                        entry.id,
                        SpawnMessages.metadata(
                                nameTag(other), other.movement().stance(), flags(other)),
                        Properties.BLANK,
                        0));
    }

    /** A player swung its arm. */
    void onSwing(PlayerId other) {
        ArenaPlayer player = self;
        Known entry = known.get(other);
        if (player == null || entry == null || !entry.hasBody) {
            return;
        }
        if (line.isCongested()) {
            player.recordDroppedEvent();
        } else {
            send(Animate.swing(entry.id));
        }
    }

    /** A player sent a chat line, perhaps this client's own player. */
    void onChat(Player other, String text) {
        String clean = BedrockText.literal(text);
        if (!clean.isEmpty()) {
            send(Text.chat(name(other), clean));
        }
    }

    /** The client's own player has another name, of which its viewer gets no event. */
    void onOwnRenamed(Player own) {
        onRenamed(own);
        send(SpawnMessages.name(runtimeId, name(own)));
    }

    private boolean isOwn(PlayerId player) {
        return self != null && player.equals(self.id());
    }

    private void onRenamed(Player other) {
        board.onChange();
        Known entry = known.get(other.id());
        if (entry != null) {
            list(other);
            if (entry.hasBody) {
                sendMetadata(other, entry);
            }
        }
    }

    /** Sends the client a notice of the server; does nothing if it is blank. */
    void notify(String text) {
        if (self != null && !text.isBlank()) {
            send(Text.system(text));
        }
    }

    private void send(BedrockMessage message) {
        line.requestTurn();
        channel.send(message);
    }
}
