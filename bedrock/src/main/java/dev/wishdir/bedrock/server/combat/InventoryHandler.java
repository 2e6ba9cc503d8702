package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.match.Match;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackRequest;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackResponse;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.view.HeldItems;

import java.util.Optional;

/** Handles what a client does with the items of its player, which only the server moves. */
public final class InventoryHandler {
    private final Match match;
    private final MovementHandler.Client client;
    private final ArenaPlayer player;
    private final Hotbar hotbar;
    private final HeldItems heldItems;
    private final AttackHandler attacks;
    private final DropCounter drops;

    public InventoryHandler(
            Match match,
            MovementHandler.Client client,
            ArenaPlayer player,
            Hotbar hotbar,
            HeldItems heldItems,
            AttackHandler attacks,
            DropCounter drops) {
        this.match = match;
        this.client = client;
        this.player = player;
        this.hotbar = hotbar;
        this.heldItems = heldItems;
        this.attacks = attacks;
        this.drops = drops;
    }

    public void handle(long now, InventoryMessage message) {
        if (!match.isOn()) {
            drops.count("ignored");
            return;
        }
        switch (message) {
            case InventoryTransaction transaction when hotbar.isFlagDrop(transaction) ->
                    dropFlag(now);
            case InventoryTransaction transaction -> attacks.handle(now, transaction);
            case MobEquipment equipment -> select(now, equipment);
            case ItemStackRequest request -> refuse(now, request);
            default -> drops.count("ignored");
        }
    }

    private void select(long now, MobEquipment equipment) {
        if (equipment.runtimeId() != client.runtimeId()
                || equipment.window() != Hotbar.WINDOW
                || !hotbar.select(equipment.hotbarSlot())) {
            drops.count("equipment");
        } else if (player.allows(now, RateLimitedAction.ACT, 1)) {
            heldItems.set(player.id(), hotbar.held());
        }
    }

    private void refuse(long now, ItemStackRequest request) {
        if (player.allows(now, RateLimitedAction.ACT, 1)) {
            client.output()
                    .accept(ItemStackResponse.refusal(request.request(), client.codec().dialect()));
            dropIf(now, hotbar.isFlagDrop(request));
        }
    }

    /** Drops the flag as its client has thrown it away; the law moves it, not the client. */
    private void dropFlag(long now) {
        if (player.allows(now, RateLimitedAction.ACT, 1)) {
            dropIf(now, true);
        }
    }

    private void dropIf(long now, boolean isDrop) {
        if (isDrop && player.combatant().dropFlag(now)) {
            hotbar.setFlag(Optional.empty());
        }
        client.output().accept(hotbar.content());
    }
}
