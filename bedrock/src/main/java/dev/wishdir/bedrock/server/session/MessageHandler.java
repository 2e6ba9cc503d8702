package dev.wishdir.bedrock.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.match.Match;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.server.chat.CommandHandler;
import dev.wishdir.bedrock.server.combat.ActionQueue;
import dev.wishdir.bedrock.server.combat.AttackHandler;
import dev.wishdir.bedrock.server.combat.CombatServices;
import dev.wishdir.bedrock.server.combat.InventoryHandler;
import dev.wishdir.bedrock.server.combat.LifeHandler;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.view.ChunkRadius;
import dev.wishdir.bedrock.server.view.HeldItems;
import dev.wishdir.net.limit.TokenBucket;

import java.util.function.Consumer;

/** Does what the messages of a client in the arena ask for: movement, gestures, chat, commands. */
public final class MessageHandler {
    /**
     * Parts of the endpoint that the handlers of all clients use.
     *
     * @param swings shows the arm swing of a player to the clients of this game
     */
    public record Services(Consumer<PlayerId> swings, CombatServices attacks, DropCounter drops) {}

    /** Handlers of the fights of the client's player. */
    record Fight(
            LifeHandler lives,
            AttackHandler attacks,
            InventoryHandler inventory,
            ActionQueue queue) {
        static Fight of(
                CombatServices services,
                MovementHandler.Client client,
                ArenaPlayer player,
                BedrockViewer viewer,
                MovementHandler movement) {
            Match match = services.arena().match();
            HeldItems heldItems = services.heldItems();
            Hotbar hotbar = new Hotbar(client.codec());
            ActionQueue queue = new ActionQueue();
            LifeHandler lives =
                    new LifeHandler(
                            match, services.world(), client, player, hotbar, heldItems, movement);
            AttackHandler attacks =
                    new AttackHandler(
                            services, client, player, viewer, hotbar, lives, movement.aim(), queue);
            InventoryHandler inventory =
                    new InventoryHandler(
                            match, client, player, hotbar, heldItems, attacks, services.drops());
            return new Fight(lives, attacks, inventory, queue);
        }
    }

    private static final int MAX_TEXT_CHARS = 512;

    private final Services services;
    private final ArenaPlayer player;
    private final MovementHandler.Client client;
    private final BedrockViewer viewer;
    private final MovementHandler movement;
    private final Fight fight;
    private final ChunkRadius radius;
    private final CommandHandler chatCommands;
    private final TokenBucket commands = new TokenBucket(5, 1);

    MessageHandler(
            Services services,
            ArenaPlayer player,
            MovementHandler.Client client,
            BedrockViewer viewer,
            MovementHandler movement,
            Fight fight,
            ChunkRadius radius,
            CommandHandler chatCommands) {
        this.services = services;
        this.player = player;
        this.client = client;
        this.viewer = viewer;
        this.movement = movement;
        this.fight = fight;
        this.radius = radius;
        this.chatCommands = chatCommands;
    }

    /** Handles a message; one that means nothing to this server is counted. */
    void handle(long now, BedrockMessage message) {
        switch (message) {
            case PlayerAuthInput input -> {
                if (fight.lives().isDead()) {
                    movement.ignore(input);
                } else {
                    movement.handleInput(now, input);
                    fight.lives().takeItems(now);
                    fight.queue().onMoved(now);
                }
            }
            case MovePlayer move -> {
                if (!fight.lives().isDead()) {
                    movement.handleMove(now, move);
                    fight.lives().takeItems(now);
                    fight.queue().onMoved(now);
                }
            }
            case MovementMessage.PlayerAction action -> {
                if (action.action() == LifeHandler.RESPAWN_ACTION) {
                    fight.lives().respawn(now);
                } else {
                    movement.handleAction(action);
                }
            }
            case MovementMessage.Respawn respawn -> fight.lives().handle(now, respawn);
            case InventoryMessage items -> fight.inventory().handle(now, items);
            case Animate animate -> animate(now, animate);
            case Text text -> say(now, text);
            case CommandRequest request -> execute(now, request.command());
            case WorldMessage.RequestChunkRadius request -> radius.handle(now, request);
            default -> services.drops().count("ignored");
        }
    }

    /** Sends the client the commands that its player may use. */
    void offerCommands() {
        chatCommands.offer(client.output());
    }

    /** Shows an arm swing to the players of this game each time, to others as an attack. */
    private void animate(long now, Animate animate) {
        if (animate.runtimeId() != client.runtimeId()
                || animate.action() != Animate.SWING
                || !player.allows(now, RateLimitedAction.ACT, 1)) {
            services.drops().count("animate");
            return;
        }
        services.swings().accept(player.id());
        player.performAction(now, PlayerAction.ATTACK);
    }

    private void say(long now, Text text) {
        if (text.type() != Text.CHAT || text.message().length() > MAX_TEXT_CHARS) {
            services.drops().count("text");
            return;
        }
        if (text.message().startsWith("/")) {
            execute(now, text.message());
            return;
        }
        String line = BedrockText.withoutCodes(text.message());
        if (player.say(now, line)) {
            viewer.onChat(player.snapshot(), line);
        }
    }

    private void execute(long now, String line) {
        if (line.length() > MAX_TEXT_CHARS
                || !chatCommands.isOperator() && !commands.tryAcquire(now)) {
            services.drops().count("commands");
            return;
        }
        viewer.notify(chatCommands.execute(now, player, line));
        offerCommands();
    }
}
