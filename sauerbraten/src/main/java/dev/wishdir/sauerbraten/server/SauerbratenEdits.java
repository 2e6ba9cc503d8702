package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;

import java.util.Optional;

/**
 * Handles edits of the map in coop edit. By default no player may edit an arena that other games
 * share: the client is sent the map again, and its edits are not relayed.
 */
final class SauerbratenEdits {
    /** The option for the players who may edit. */
    static final String OPTION = "edit";

    /** The players who may edit. */
    private enum EditPermission {
        OFF,
        MASTER,
        ALL;

        static Optional<EditPermission> of(String wished) {
            return switch (wished) {
                case "" -> Optional.empty();
                case "off" -> Optional.of(OFF);
                case "master" -> Optional.of(MASTER);
                case "all" -> Optional.of(ALL);
                default ->
                        throw new IllegalArgumentException(
                                "--sauerbraten-edit must be off, master or all, is " + wished);
            };
        }
    }

    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final Optional<EditPermission> wished;

    /**
     * @throws IllegalArgumentException if the option is not off, master or all
     */
    SauerbratenEdits(
            ClientRegistry registry,
            SauerbratenMatch match,
            Privileges privileges,
            EndpointContext context) {
        this.registry = registry;
        this.match = match;
        this.privileges = privileges;
        wished = EditPermission.of(context.options().getOrDefault(OPTION, ""));
    }

    /**
     * Checks the option's value.
     *
     * @throws IllegalArgumentException if it is not off, master or all
     */
    static void check(String value) {
        EditPermission.of(value);
    }

    private EditPermission who() {
        return wished.orElse(match.isShared() ? EditPermission.OFF : EditPermission.ALL);
    }

    private boolean may(SauerbratenSession session) {
        return switch (who()) {
            case OFF -> false;
            case MASTER -> privileges.isMaster(session);
            case ALL -> true;
        };
    }

    /**
     * Handles a message of a client that has joined.
     *
     * @param length of the message, bytes
     */
    void received(long now, SauerbratenSession from, EditMessage message, int length) {
        switch (message) {
            case EditMessage.Undo _,
                    EditMessage.Redo _,
                    EditMessage.Clipboard _,
                    EditMessage.SendMap _ ->
                    registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
            case EditMessage.GetMap _ when match.mode().coopEdit() -> match.maps().fetch(now, from);
            case EditMessage.GetMap _, EditMessage.MapData _ when !match.mode().coopEdit() ->
                    registry.sendText(from, "Maps can be sent and downloaded only in coop edit.");
            case EditMessage _ when !match.mode().coopEdit() ->
                    registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
            case EditMessage _ when !may(from) -> refuse(now, from, message, length);
            case EditMessage.EditMode change -> setEditing(now, from, change.on());
            case EditMessage.MapData map -> match.maps().store(now, from, map.file());
            default -> {
                if (from.presence() != Presence.SPECTATOR && isPaid(now, from, length)) {
                    build(from, message);
                }
            }
        }
    }

    private boolean isPaid(long now, SauerbratenSession from, int length) {
        PlayerId player = from.player();
        return player != null
                && registry.arena().allows(now, player, RateLimitedAction.BUILD, length);
    }

    /** Charges an edit as if it were allowed, and does not relay it. */
    private void refuse(long now, SauerbratenSession from, EditMessage message, int length) {
        int price =
                message instanceof EditMessage.MapData
                        ? SauerbratenMaps.uploadCost(length)
                        : length;
        boolean paid = isPaid(now, from, price);
        switch (message) {
            case EditMessage.EditMode(boolean on) when !on -> {}
            case EditMessage.EditMode _,
                    EditMessage.MapData _,
                    EditMessage.Copy _,
                    EditMessage.ClientClipboard _ -> {
                if (paid) {
                    registry.sendText(from, reason());
                }
            }
            default -> match.maps().restore(now, from, reason());
        }
    }

    private String reason() {
        return switch (who()) {
            case MASTER ->
                    "Only masters can edit this map. Your edits are local, and will be undone.";
            case OFF, ALL ->
                    "This arena can't be edited here. Your edits are local, and will be undone.";
        };
    }

    private void build(SauerbratenSession from, EditMessage message) {
        registry.onMapEdited();
        switch (message) {
            case EditMessage.ClientUndo undo ->
                    registry.broadcast(from.cn, new EditMessage.Undo(from.cn, undo.packed()));
            case EditMessage.ClientRedo redo ->
                    registry.broadcast(from.cn, new EditMessage.Redo(from.cn, redo.packed()));
            case EditMessage.ClientClipboard clip ->
                    registry.broadcast(from.cn, new EditMessage.Clipboard(from.cn, clip.packed()));
            default -> registry.relay(from, message);
        }
    }

    private void setEditing(long now, SauerbratenSession from, boolean on) {
        PlayerId player = from.player();
        if (player != null && from.presence() == (on ? Presence.ALIVE : Presence.EDITING)) {
            from.setEditing(on);
            registry.arena().reportAppearanceChange(now, player);
        }
    }
}
