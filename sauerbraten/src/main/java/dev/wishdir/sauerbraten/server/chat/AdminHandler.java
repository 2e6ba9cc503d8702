package dev.wishdir.sauerbraten.server.chat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Handles what masters and admins request: privileges, kicks, bans, pause and speed. */
public final class AdminHandler {
    private static final Duration KICK_DURATION = Duration.ofHours(4);
    private static final int MIN_SPEED_PERCENT = 10;
    private static final int MAX_SPEED_PERCENT = 1000;

    private final Arena arena;

    /** Text for a player whose privilege is too low for a kick. */
    public static final String KICK_NOT_ALLOWED =
            "Your key does not allow you to kick this player.";

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final BooleanSupplier isArenaShared;
    private final Privileges privileges;
    private final OperatorConsole console;

    /**
     * @param isArenaShared whether other games play the same arena
     */
    public AdminHandler(
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

    public void handle(long now, SauerbratenSession from, AdminMessage message) {
        switch (message) {
            case AdminMessage.SetMaster request -> setMaster(now, from, request);
            case AdminMessage.MasterMode request ->
                    MasterMode.of(request.mode())
                            .ifPresent(mode ->
                                    command(
                                            now,
                                            from,
                                            SharedStateKey.MASTER_MODE,
                                            time -> setMode(time, from, mode)));
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
                command(now, from, SharedStateKey.SPEED, time -> setSpeed(time, from, percent));
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

    private void setMode(long now, SauerbratenSession from, MasterMode mode) {
        privileges.setMode(mode);
        report(now, from, "set the master mode to " + mode.code());
    }

    private void setSpeed(long now, SauerbratenSession from, int percent) {
        match.setSpeed(now, percent, from.cn);
        report(now, from, "set the speed to " + percent + " %");
    }

    private void report(long now, SauerbratenSession from, String what) {
        console.reportAction(now, privileges.author(from), what);
    }

    private void setPaused(long now, boolean paused, SauerbratenSession from) {
        if (arena.match().isOn()) {
            arena.match().setPaused(now, paused);
        }
        match.setPaused(now, paused, from.cn);
        report(now, from, paused ? "paused the game" : "continued the game");
    }

    private void clearBans(long now, SauerbratenSession from) {
        console.unbanGame(now, privileges.author(from), SauerbratenCodec.GAME);
        broadcaster.sendText("Cleared all bans from this game.");
    }

    private void setMaster(long now, SauerbratenSession from, AdminMessage.SetMaster request) {
        if (request.cn() != from.cn) {
            Privilege privilege = request.val() ? Privilege.MASTER : Privilege.NONE;
            clients.session(request.cn())
                    .filter(other -> other.isJoined() && privileges.outranks(from, other))
                    .ifPresent(other ->
                            from.player()
                                    .change(
                                            now,
                                            List.of(SharedStateKey.MASTERS, request.cn()),
                                            time -> grant(time, from, other, privilege)));
        } else if (!request.val()) {
            changeOwnPrivilege(now, from, Privilege.NONE, "");
        } else if (!request.hash().isEmpty()) {
            claimAdmin(now, from, request.hash());
        } else {
            from.player().change(now, SharedStateKey.MASTERS, time -> claimMaster(time, from));
        }
    }

    /** A master gives or takes a privilege, if it still may. */
    private void grant(
            long now, SauerbratenSession from, SauerbratenSession other, Privilege privilege) {
        if (privileges.outranks(from, other)) {
            privileges.setPrivilege(now, other, privilege, "grant of " + from.name());
        }
    }

    private void changeOwnPrivilege(
            long now, SauerbratenSession from, Privilege privilege, String proof) {
        from.player()
                .change(
                        now,
                        SharedStateKey.MASTERS,
                        time -> privileges.setPrivilege(time, from, privilege, proof));
    }

    private void claimAdmin(long now, SauerbratenSession from, String hash) {
        switch (privileges.checkPassword(now, from, hash)) {
            case ADMIN -> {
                from.player().prove(now, Proof.ADMIN_PASSWORD);
                changeOwnPrivilege(now, from, Privilege.ADMIN, Proof.ADMIN_PASSWORD.toString());
            }
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
            privileges.setPrivilege(now, from, Privilege.MASTER, "/setmaster 1");
        }
    }

    /**
     * What a client kicks with.
     *
     * @param proof what it has for its privilege
     * @param as the owner of its key, for the text; empty for none
     */
    private record Kicker(
            SauerbratenSession session, Privilege privilege, String proof, String as) {}

    private void kick(long now, SauerbratenSession from, AdminMessage.Kick kick) {
        if (from.privilege() != Privilege.NONE
                && victim(from, from.privilege(), kick.cn()).isEmpty()) {
            from.sendText(now, KICK_NOT_ALLOWED);
            return;
        }
        kick(now, new Kicker(from, from.privilege(), from.privilegeProof(), ""), kick);
    }

    /** Kicks as the owner of a key, which gives the kicker nothing else. */
    public void kick(
            long now, SauerbratenSession from, AuthIdentity identity, int cn, String reason) {
        Kicker kicker =
                new Kicker(
                        from,
                        identity.privilege(),
                        identity.toString(),
                        " as " + identity.coloured());
        kick(now, kicker, new AdminMessage.Kick(cn, reason));
    }

    private void kick(long now, Kicker by, AdminMessage.Kick kick) {
        victim(by.session, by.privilege, kick.cn())
                .ifPresent(victim ->
                        by.session
                                .player()
                                .change(
                                        now,
                                        List.of("kick", victim),
                                        time -> kick(time, by, victim, kick.reason())));
    }

    /** The player with a number, if a client may kick it with a privilege. */
    public Optional<PlayerId> victim(SauerbratenSession from, Privilege privilege, int cn) {
        return clients.session(cn)
                .flatMap(victim -> victim.connection.player())
                .map(ArenaPlayer::id)
                .or(() -> from.viewer.foreignPlayer(cn))
                .filter(victim -> mayKick(from, privilege, victim));
    }

    private boolean mayKick(SauerbratenSession from, Privilege privilege, PlayerId playerId) {
        SauerbratenSession victim = clients.session(playerId);
        return victim == null
                ? privilege.isAtLeast(Privilege.ADMIN) && arena.contains(playerId)
                : victim.isJoined() && victim != from && privilege.outranks(victim.privilege());
    }

    /** A master kicks a player of this game, an admin a player of any game. */
    private void kick(long now, Kicker kicker, PlayerId playerId, String reason) {
        SauerbratenSession from = kicker.session;
        Player victim =
                mayKick(from, kicker.privilege, playerId)
                        ? arena.find(playerId).orElse(null)
                        : null;
        if (victim == null) {
            return;
        }
        String reasonText = CubeText.chat(reason).strip();
        boolean isOperator = kicker.privilege.isAtLeast(Privilege.ADMIN);
        if (!isOperator || !kicker.as.isEmpty()) {
            String because = reasonText.isEmpty() ? "" : " because: " + reasonText;
            broadcaster.sendText(
                    from.name() + kicker.as + " kicked " + ForeignPlayers.name(victim) + because);
        }
        OperatorConsole.Author by = privileges.author(from, kicker.privilege, kicker.proof);
        if (isOperator) {
            kickAsOperator(now, by, from, victim, reasonText);
        } else {
            console.banFromGame(now, by, victim, KICK_DURATION, reasonText);
        }
    }

    /**
     * An admin's kick is an operator command; a player of this game is banned, as in the original.
     */
    private void kickAsOperator(
            long now,
            OperatorConsole.Author by,
            SauerbratenSession from,
            Player victim,
            String reasonText) {
        from.sendText(
                now,
                CubeText.chat(
                        clients.session(victim.id()) == null
                                ? console.kick(now, by, victim, reasonText)
                                : console.ban(now, by, victim, KICK_DURATION, reasonText)));
    }
}
