package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Handles edits of the map in coop edit. By default no player may edit an arena that other games
 * share: the client is sent the map again, and its edits are not relayed.
 */
public final class EditHandler {
    /** The option for the players who may edit. */
    public static final String OPTION = "edit";

    /** The players who may edit. */
    public enum EditPermission {
        OFF,
        MASTER,
        ALL;

        /**
         * The value of the option; empty for the default.
         *
         * @throws IllegalArgumentException if it is not off, master or all
         */
        public static Optional<EditPermission> of(String value) {
            return switch (value) {
                case "" -> Optional.empty();
                case "off" -> Optional.of(OFF);
                case "master" -> Optional.of(MASTER);
                case "all" -> Optional.of(ALL);
                default ->
                        throw new IllegalArgumentException(
                                "option edit must be off, master or all, is '" + value + "'");
            };
        }
    }

    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final SauerbratenMaps maps;
    private final RunningLevel geometry;
    private final BooleanSupplier isArenaShared;
    private final Match arenaMatch;
    private final LifeHandler lives;
    private final Optional<EditPermission> configured;

    /**
     * @param isArenaShared whether other games play the same arena
     * @param arenaMatch in one, a client that edits dies: others could not hit it
     * @param configured the players who may edit; empty for the default
     */
    public EditHandler(
            Broadcaster broadcaster,
            CurrentMatch match,
            SauerbratenMaps maps,
            RunningLevel geometry,
            BooleanSupplier isArenaShared,
            Match arenaMatch,
            LifeHandler lives,
            Optional<EditPermission> configured) {
        this.broadcaster = broadcaster;
        this.match = match;
        this.maps = maps;
        this.geometry = geometry;
        this.isArenaShared = isArenaShared;
        this.arenaMatch = arenaMatch;
        this.lives = lives;
        this.configured = configured;
    }

    private EditPermission permission() {
        return configured.orElse(
                isArenaShared.getAsBoolean() ? EditPermission.OFF : EditPermission.ALL);
    }

    private boolean mayEdit(SauerbratenSession session) {
        return switch (permission()) {
            case OFF -> false;
            case MASTER -> session.isMaster();
            case ALL -> true;
        };
    }

    /**
     * Handles a message of a client that has joined.
     *
     * @param length of the message, bytes
     */
    public void handle(long now, SauerbratenSession from, EditMessage message, int length) {
        switch (message) {
            case EditMessage.Undo _,
                    EditMessage.Redo _,
                    EditMessage.Clipboard _,
                    EditMessage.SendMap _ ->
                    from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
            case EditMessage.GetMap _ when match.mode().coopEdit() -> maps.fetch(now, from);
            case EditMessage.GetMap _, EditMessage.MapData _ when !match.mode().coopEdit() ->
                    from.sendText(now, "Maps can be sent and downloaded only in coop edit.");
            case EditMessage _ when !match.mode().coopEdit() ->
                    from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
            case EditMessage.EditMode change when arenaMatch.isOn() -> {
                if (change.on()) {
                    lives.refuseEditing(now, from);
                }
            }
            case EditMessage _ when !mayEdit(from) -> refuse(now, from, message, length);
            case EditMessage.EditMode change -> setEditing(now, from, change.on());
            case EditMessage.MapData map -> maps.store(now, from, map.file());
            default -> {
                if (!from.life.isSpectator() && isPaid(now, from, length)) {
                    build(from, message);
                }
            }
        }
    }

    private boolean isPaid(long now, SauerbratenSession from, int length) {
        return from.player().allows(now, RateLimitedAction.BUILD, length);
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
                    from.sendText(now, reason());
                }
            }
            default -> maps.restore(now, from, reason());
        }
    }

    private String reason() {
        return switch (permission()) {
            case MASTER ->
                    "Only masters can edit this map. Your edits are local, and will be undone.";
            case OFF, ALL ->
                    "This arena can't be edited here. Your edits are local, and will be undone.";
        };
    }

    private void build(SauerbratenSession from, EditMessage message) {
        geometry.onEdited();
        switch (message) {
            case EditMessage.ClientUndo undo ->
                    broadcaster.send(from.cn, new EditMessage.Undo(from.cn, undo.packed()));
            case EditMessage.ClientRedo redo ->
                    broadcaster.send(from.cn, new EditMessage.Redo(from.cn, redo.packed()));
            case EditMessage.ClientClipboard clip ->
                    broadcaster.send(from.cn, new EditMessage.Clipboard(from.cn, clip.packed()));
            default -> broadcaster.relay(from, message);
        }
    }

    private void setEditing(long now, SauerbratenSession from, boolean on) {
        if (from.life.setEditing(on)) {
            from.player().reportAppearanceChange(now);
        }
    }
}
