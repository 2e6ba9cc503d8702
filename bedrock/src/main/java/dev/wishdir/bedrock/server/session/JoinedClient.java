package dev.wishdir.bedrock.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.server.chat.CommandHandler;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;
import dev.wishdir.bedrock.server.join.SpawnSequence.Arrival;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.movement.WorldTransfer;
import dev.wishdir.bedrock.server.view.ClientWorld;
import dev.wishdir.bedrock.server.view.MovementCache;
import dev.wishdir.bedrock.server.view.PlayerIdentities;
import dev.wishdir.bedrock.server.view.RunningLevel;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

/** A client in the arena: its player, its viewer, and what its messages do. */
public final class JoinedClient {
    /** Parts of the endpoint that all clients in the arena use. */
    public record Services(
            Arena arena,
            RunningLevel world,
            PlayerIdentities identities,
            MovementCache movementCache,
            BedrockViewer.Services viewer,
            MovementHandler.Services movement,
            CommandHandler.Services chat,
            MessageHandler.Services messages) {}

    private static final long RETRY_NANOS = 25_000_000;
    private static final long PING_INTERVAL_NANOS = 1_000_000_000L;

    /**
     * The client's datagrams may come from another address than it connected from, which then
     * request no turn.
     */
    private static final long ACTIVITY_CHECK_NANOS = 1_000_000_000L;

    /** Interval at which changes of flags are shown that have no event. */
    private static final long FLAG_CHECK_NANOS = 500_000_000L;

    private final Services services;
    private final Transport transport;
    private final BedrockViewer.Line line;
    private final BedrockViewer viewer;
    private final ArenaPlayer player;
    private final WorldTransfer transfer;
    private final MovementHandler movement;
    private final MessageHandler.Fight fight;
    private final MessageHandler messages;
    private final Arrival arrival;
    private long lastHeard;
    private long pingAt;

    /**
     * Joins the arena.
     *
     * @param line to the client
     * @param runtimeId by which the client knows its own player
     */
    JoinedClient(
            long now,
            Services services,
            Transport transport,
            BedrockViewer.Line line,
            VerifiedLogin login,
            long runtimeId,
            ClientWorld clientWorld,
            Arrival arrival) {
        this.services = services;
        this.transport = transport;
        this.line = line;
        pingAt = now;
        viewer = new BedrockViewer(services.viewer(), line, login, runtimeId);
        player =
                services.arena()
                        .join(
                                now,
                                BedrockCodec.NAME,
                                BedrockText.withoutCodes(login.name()),
                                viewer);
        // The reserved place of a client that was delayed may be another player's by now.
        this.arrival =
                arrival.wasDelayed()
                        ? new Arrival(
                                arrival.world(), services.world().spawnPoint(now, player), true)
                        : arrival;
        MovementHandler.Client client =
                new MovementHandler.Client(runtimeId, line.channel().codec(), line.channel()::send);
        transfer = new WorldTransfer(clientWorld.chunks());
        movement =
                new MovementHandler(
                        now,
                        services.movement(),
                        client,
                        player,
                        transfer,
                        this::spawn,
                        this.arrival.start());
        fight =
                MessageHandler.Fight.of(
                        services.messages().attacks(), client, player, viewer, movement);
        messages =
                new MessageHandler(
                        services.messages(),
                        player,
                        client,
                        viewer,
                        movement,
                        fight,
                        clientWorld.radius(),
                        new CommandHandler(
                                services.chat(),
                                transport.remote().getAddress(),
                                fight.lives()::onTeamChanged));
    }

    private void spawn(long now, Movement start) {
        fight.lives().spawn(now, start);
    }

    /** Gives the player its body. */
    void start(long now) {
        spawn(now, arrival.start());
        messages.offerCommands();
        if (!arrival.world().equals(services.world().get())) {
            changeWorld(now);
        } else if (arrival.wasDelayed()) {
            movement.putAt(now, arrival.start());
        }
    }

    void handle(long now, BedrockMessage message) {
        messages.handle(now, message);
    }

    /** Takes the client to the world that is played now. */
    void changeWorld(long now) {
        fight.lives().changeWorld(now);
    }

    /** A player was hit. */
    void onHit(ArenaEvent.Hit hit) {
        if (hit.id().equals(player.id())) {
            fight.lives().onHit(hit.time(), hit);
        }
    }

    /** A player died. */
    void onDied(ArenaEvent.Died died) {
        if (died.id().equals(player.id())) {
            fight.lives().onDied(died.time(), died);
        }
    }

    void onRoundStarted(long now) {
        fight.lives().onRoundStarted(now);
    }

    /** A player has taken an item. */
    void onItemTaken(ArenaEvent.ItemTaken taken) {
        viewer.onItemTaken(taken);
    }

    /** A player was renamed, maybe this one. */
    void onRenamed(ArenaEvent.Renamed renamed) {
        if (renamed.id().equals(player.id())) {
            viewer.onOwnRenamed(renamed.player());
        }
    }

    /** Items have vanished or returned. */
    void onItemsChanged() {
        viewer.onItemsChanged();
    }

    /** A blow on a player was critical. */
    void onCritical(PlayerId victim) {
        viewer.onCritical(victim);
    }

    /** A sound at a place, metres. */
    void onSound(String name, Vec3 place) {
        viewer.onSound(name, place);
    }

    /** A player holds another item, or has drawn it. */
    void onHeld(PlayerId id) {
        viewer.onHeld(id);
    }

    /** Another client's player swung its arm, or this one's did. */
    void onSwing(PlayerId id) {
        viewer.onSwing(id);
    }

    void leave(long now, LeaveReason why) {
        viewer.close();
        services.identities().remove(player.id());
        if (services.identities().clientCount() == 0) {
            // No viewer is left that could forget a player that leaves.
            services.movementCache().forgetAll();
        }
        player.leave(now, why);
    }

    /**
     * Does what the time demands.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        recordActivity(now);
        boolean hasFlags = !services.arena().match().flags().all().isEmpty();
        fight.lives().showFlag();
        long nextTurn = Math.min(fight.queue().advance(now), fight.lives().advance(now));
        boolean isWaiting = viewer.advance();
        if (now >= transfer.deadline()) {
            line.kick(
                    new LeaveReason(
                            LeaveReason.Code.TIMED_OUT,
                            "Your game did not come to the arena that is played now."));
            return now;
        }
        if (transfer.isSendingChunks()) {
            if (!line.isCongested()) {
                movement.advanceTransfer(now);
                if (!transfer.isSendingChunks()) {
                    viewer.onWorldChanged();
                }
            }
            isWaiting |= transfer.isSendingChunks();
        }
        return isWaiting
                ? now + RETRY_NANOS
                : Math.min(
                        Math.min(nextTurn, transfer.deadline()),
                        now + (hasFlags ? FLAG_CHECK_NANOS : ACTIVITY_CHECK_NANOS));
    }

    /** Records a sign of life of the client if there was one since the last call. */
    void recordActivity(long now) {
        if (transport.lastHeard() <= lastHeard) {
            return;
        }
        lastHeard = transport.lastHeard();
        player.recordActivity(now);
        long roundTrip = transport.roundTrip();
        if (now >= pingAt && roundTrip > 0) {
            pingAt = now + PING_INTERVAL_NANOS;
            player.setPing((int) (roundTrip / 1_000_000));
        }
    }
}
