package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;

import java.util.Optional;

/**
 * Edit rights in coop edit. In a shared arena, no player of one game may edit it unless the
 * operator allows it: edits of clients' own copies are undone, and not sent to others.
 */
final class SauerbratenEdits {
    /** The option for edit rights. */
    static final String OPTION = "edit";

    /** The players that may edit the map. */
    private enum EditRight {
        OFF,
        MASTER,
        ALL;

        static Optional<EditRight> of(String configured) {
            return switch (configured) {
                case "" -> Optional.empty();
                case "off" -> Optional.of(OFF);
                case "master" -> Optional.of(MASTER);
                case "all" -> Optional.of(ALL);
                default ->
                        throw new IllegalArgumentException(
                                "--sauerbraten-edit must be off, master or all, is " + configured);
            };
        }
    }

    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final Optional<EditRight> configured;

    /**
     * @throws IllegalArgumentException if the option's value is wrong
     */
    SauerbratenEdits(
            ClientRegistry registry,
            SauerbratenMatch match,
            Privileges privileges,
            EndpointContext context) {
        this.registry = registry;
        this.match = match;
        this.privileges = privileges;
        configured = EditRight.of(context.options().getOrDefault(OPTION, ""));
    }

    /**
     * @throws IllegalArgumentException if the option's value is wrong
     */
    static void check(String value) {
        EditRight.of(value);
    }

    private EditRight right() {
        return configured.orElse(match.isShared() ? EditRight.OFF : EditRight.ALL);
    }

    private boolean canEdit(SauerbratenSession session) {
        return switch (right()) {
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
                    registry.dismiss(from, DisconnectReason.MESSAGE_ERROR);
            case EditMessage.GetMap _ when match.mode().coopEdit() -> match.maps().fetch(now, from);
            case EditMessage.GetMap _, EditMessage.MapData _ when !match.mode().coopEdit() ->
                    registry.tell(from, "Maps can be sent and downloaded only in coop edit.");
            case EditMessage _ when !match.mode().coopEdit() ->
                    registry.dismiss(from, DisconnectReason.MESSAGE_ERROR);
            case EditMessage _ when !canEdit(from) -> refuse(now, from, message, length);
            case EditMessage.EditMode change -> setEditing(now, from, change.on());
            case EditMessage.MapData map -> match.maps().store(now, from, map.file());
            default -> {
                if (from.presence() != Presence.SPECTATOR && isWithinRateLimit(now, from, length)) {
                    build(from, message);
                }
            }
        }
    }

    private boolean isWithinRateLimit(long now, SauerbratenSession from, int length) {
        PlayerId player = from.player();
        return player != null
                && registry.arena().allows(now, player, RateLimitedAction.BUILD, length);
    }

    /** Refuses an edit, which counts for the rate limit as it would otherwise. */
    private void refuse(long now, SauerbratenSession from, EditMessage message, int length) {
        int price = message instanceof EditMessage.MapData ? SauerbratenMaps.price(length) : length;
        boolean allowed = isWithinRateLimit(now, from, price);
        switch (message) {
            case EditMessage.EditMode(boolean on) when !on -> {}
            case EditMessage.EditMode _,
                    EditMessage.MapData _,
                    EditMessage.Copy _,
                    EditMessage.ClientClipboard _ -> {
                if (allowed) {
                    registry.tell(from, reason());
                }
            }
            default -> match.maps().restore(now, from, reason());
        }
    }

    private String reason() {
        return switch (right()) {
            case MASTER ->
                    "Only masters can edit this map. Your edits are local, and will be undone.";
            case OFF, ALL ->
                    "This arena can't be edited here. Your edits are local, and will be undone.";
        };
    }

    private void build(SauerbratenSession from, EditMessage message) {
        registry.built();
        switch (message) {
            case EditMessage.ClientUndo undo ->
                    registry.deed(from.cn, new EditMessage.Undo(from.cn, undo.packed()));
            case EditMessage.ClientRedo redo ->
                    registry.deed(from.cn, new EditMessage.Redo(from.cn, redo.packed()));
            case EditMessage.ClientClipboard clip ->
                    registry.deed(from.cn, new EditMessage.Clipboard(from.cn, clip.packed()));
            default -> registry.relay(from, message);
        }
    }

    private void setEditing(long now, SauerbratenSession from, boolean on) {
        PlayerId player = from.player();
        if (player != null && from.presence() == (on ? Presence.ALIVE : Presence.EDITING)) {
            from.edit(on);
            registry.arena().appearanceChanged(now, player);
        }
    }
}
