package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Handles what masters and admins request: privileges, kicks, bans, pause and speed. */
final class AdminHandler {
    private static final Duration KICK_DURATION = Duration.ofHours(4);
    private static final int MIN_SPEED_PERCENT = 10;
    private static final int MAX_SPEED_PERCENT = 1000;

    private final Arena arena;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final BooleanSupplier isArenaShared;
    private final Privileges privileges;
    private final OperatorConsole console;

    /**
     * @param isArenaShared whether other games play the same arena
     */
    AdminHandler(
            Arena arena,
            ClientTable clients,
            Broadcaster broadcaster,
            CurrentMatch match,
            BooleanSupplier isArenaShared,
            Privileges privileges,
            OperatorConsole console) {
        this.arena = arena;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.match = match;
        this.isArenaShared = isArenaShared;
        this.privileges = privileges;
        this.console = console;
    }

    void handle(long now, SauerbratenSession from, AdminMessage message) {
        switch (message) {
            case AdminMessage.SetMaster request -> setMaster(now, from, request);
            case AdminMessage.MasterMode request ->
                    MasterMode.of(request.mode())
                            .ifPresent(mode ->
                                    command(
                                            now,
                                            from,
                                            SharedStateKey.MASTER_MODE,
                                            _ -> privileges.setMode(mode)));
            case AdminMessage.Kick kick -> kick(now, from, kick);
            case AdminMessage.ClearBans _ ->
                    command(now, from, "bans", time -> clearBans(time, from));
            case AdminMessage.ClientPauseGame request ->
                    command(
                            now,
                            from,
                            SharedStateKey.PAUSE,
                            time -> setPaused(time, request.paused(), from));
            case AdminMessage.ClientGameSpeed _ when arena.match().isOn() ->
                    from.sendText(now, "The speed can't be changed in a match of several games.");
            case AdminMessage.ClientGameSpeed request -> {
                int percent = Math.clamp(request.speed(), MIN_SPEED_PERCENT, MAX_SPEED_PERCENT);
                command(
                        now,
                        from,
                        SharedStateKey.SPEED,
                        time -> match.setSpeed(time, percent, from.cn));
            }
            default -> from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Makes a change that only a master may make, if the sender is still a master then. */
    private void command(long now, SauerbratenSession from, Object kind, LongConsumer change) {
        if (!from.isMaster()) {
            from.sendText(now, "Only a master or an admin can do that.");
            return;
        }
        from.player()
                .change(
                        now,
                        kind,
                        time -> {
                            if (from.isMaster()) {
                                change.accept(time);
                            }
                        });
    }

    private void setPaused(long now, boolean paused, SauerbratenSession from) {
        if (arena.match().isOn()) {
            arena.match().setPaused(now, paused);
        }
        match.setPaused(now, paused, from.cn);
    }

    private void clearBans(long now, SauerbratenSession from) {
        console.unbanGame(now, privileges.author(from), SauerbratenCodec.GAME);
        broadcaster.sendText("Cleared all bans from this game.");
    }

    private void setMaster(long now, SauerbratenSession from, AdminMessage.SetMaster request) {
        if (request.cn() != from.cn) {
            Privilege privilege = request.val() ? Privilege.MASTER : Privilege.NONE;
            clients.session(request.cn())
                    .filter(other -> other.isJoined() && from.isMaster())
                    .ifPresent(other ->
                            from.player()
                                    .change(
                                            now,
                                            List.of(SharedStateKey.MASTERS, request.cn()),
                                            time ->
                                                    privileges.setPrivilege(
                                                            time, other, privilege)));
        } else if (!request.val()) {
            changeOwnPrivilege(now, from, Privilege.NONE);
        } else if (!request.hash().isEmpty()) {
            claimAdmin(now, from, request.hash());
        } else {
            from.player().change(now, SharedStateKey.MASTERS, time -> claimMaster(time, from));
        }
    }

    private void changeOwnPrivilege(long now, SauerbratenSession from, Privilege privilege) {
        from.player()
                .change(
                        now,
                        SharedStateKey.MASTERS,
                        time -> privileges.setPrivilege(time, from, privilege));
    }

    private void claimAdmin(long now, SauerbratenSession from, String hash) {
        switch (privileges.checkPassword(now, from, hash)) {
            case ADMIN -> changeOwnPrivilege(now, from, Privilege.ADMIN);
            case UNCHECKED -> from.sendText(now, "Too many wrong passwords. Try again later.");
            case NONE, PLAYER, WRONG -> from.sendText(now, "Wrong admin password.");
        }
    }

    private void claimMaster(long now, SauerbratenSession from) {
        if (isArenaShared.getAsBoolean()) {
            from.sendText(
                    now,
                    "This arena is shared with players of other games: use /setmaster PASSWORD"
                            + " to become admin.");
        } else if (privileges.hasMaster()) {
            from.sendText(now, "There is already a master.");
        } else {
            privileges.setPrivilege(now, from, Privilege.MASTER);
        }
    }

    private void kick(long now, SauerbratenSession from, AdminMessage.Kick kick) {
        clients.session(kick.cn())
                .flatMap(victim -> victim.connection.player())
                .map(ArenaPlayer::id)
                .or(() -> from.viewer.foreignPlayer(kick.cn()))
                .filter(victim -> mayKick(from, victim))
                .ifPresent(victim ->
                        from.player()
                                .change(
                                        now,
                                        List.of("kick", victim),
                                        time -> kick(time, from, victim, kick.reason())));
    }

    private boolean mayKick(SauerbratenSession from, PlayerId playerId) {
        SauerbratenSession victim = clients.session(playerId);
        return victim == null
                ? from.isAdmin() && arena.contains(playerId)
                : victim.isJoined() && victim != from && privileges.outranks(from, victim);
    }

    /** A master kicks a player of this game, an admin a player of any game. */
    private void kick(long now, SauerbratenSession from, PlayerId playerId, String reason) {
        Player victim = mayKick(from, playerId) ? arena.find(playerId).orElse(null) : null;
        if (victim == null) {
            return;
        }
        String reasonText = CubeText.chat(reason).strip();
        if (from.isAdmin()) {
            kickAsOperator(now, from, victim, reasonText);
            return;
        }
        String because = reasonText.isEmpty() ? "" : " because: " + reasonText;
        broadcaster.sendText(from.name() + " kicked " + ForeignPlayers.name(victim) + because);
        console.banFromGame(now, privileges.author(from), victim, KICK_DURATION, reasonText);
    }

    /**
     * An admin's kick is an operator command; a player of this game is banned, as in the original.
     */
    private void kickAsOperator(
            long now, SauerbratenSession from, Player victim, String reasonText) {
        OperatorConsole.Author by = privileges.author(from);
        from.sendText(
                now,
                CubeText.chat(
                        clients.session(victim.id()) == null
                                ? console.kick(now, by, victim, reasonText)
                                : console.ban(now, by, victim, KICK_DURATION, reasonText)));
    }
}
