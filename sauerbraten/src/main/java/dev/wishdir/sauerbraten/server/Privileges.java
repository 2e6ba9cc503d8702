package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.net.FailedAttemptLimiter;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rights of masters and admins: master mode, kicks, bans, pause and speed. */
final class Privileges {
    static final int NONE = 0;
    static final int MASTER = 1;
    static final int ADMIN = 3;

    static final int OPEN = 0;
    static final int VETO = 1;
    static final int LOCKED = 2;
    static final int PRIVATE = 3;

    private static final Duration KICKED = Duration.ofHours(4);
    private static final int MIN_SPEED_PERCENT = 10;
    private static final int MAX_SPEED_PERCENT = 1000;

    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final OperatorConsole console;
    private final String adminPassword;
    private final FailedAttemptLimiter attemptLimiter;
    private int mode = OPEN;

    Privileges(ClientRegistry registry, SauerbratenMatch match, EndpointContext context) {
        this.registry = registry;
        this.match = match;
        console = context.operatorConsole();
        adminPassword = context.adminPassword();
        attemptLimiter = context.addressLimits().passwords();
    }

    int mode() {
        return mode;
    }

    boolean locked() {
        return mode >= LOCKED;
    }

    boolean isPrivate() {
        return mode >= PRIVATE;
    }

    boolean isMaster(SauerbratenSession session) {
        return session.privilege() >= MASTER;
    }

    /** Whether a client may act on another one. */
    boolean outranks(SauerbratenSession actor, SauerbratenSession victim) {
        return isMaster(actor) && (actor == victim || actor.privilege() > victim.privilege());
    }

    /** Which password a client sent. */
    enum Key {
        /** No password, or none is set here. */
        NONE,
        PLAYER,
        ADMIN,
        WRONG,
        /** Not checked: too many passwords from the address were wrong recently. */
        UNSEEN
    }

    /**
     * Checks a password while the address may still try.
     *
     * @param hash of a password, for this session
     */
    Key checkPassword(long now, SauerbratenSession session, String hash) {
        String password = console.password();
        if (hash.isEmpty() || password.isEmpty() && adminPassword.isEmpty()) {
            return Key.NONE;
        }
        InetAddress from = session.peer.address().getAddress();
        if (!attemptLimiter.isAllowed(now, from)) {
            return Key.UNSEEN;
        }
        if (isRight(session, hash, adminPassword)) {
            return Key.ADMIN;
        }
        if (isRight(session, hash, password)) {
            return Key.PLAYER;
        }
        attemptLimiter.recordFailure(now, from);
        // Otherwise the client is refused, which is reported.
        if (session.joined() || password.isEmpty()) {
            console.wrongPassword(now, SauerbratenCodec.GAME, from);
        }
        return Key.WRONG;
    }

    private static boolean isRight(SauerbratenSession session, String hash, String password) {
        return !password.isEmpty()
                && hash.equals(PasswordHash.of(session.cn, session.sessionid, password));
    }

    /** The masters and admins; empty if the mode is open and there are none. */
    List<AdminMessage.CurrentMaster> current() {
        List<AdminMessage.Privileged> masters = new ArrayList<>();
        for (SauerbratenSession session : registry.joined()) {
            if (session.privilege() > NONE) {
                masters.add(new AdminMessage.Privileged(session.cn, session.privilege()));
            }
        }
        return masters.isEmpty() && mode == OPEN
                ? List.of()
                : List.of(new AdminMessage.CurrentMaster(mode, masters));
    }

    private void announce() {
        registry.publish(
                SharedStateKey.MASTERS,
                () -> {
                    List<AdminMessage.CurrentMaster> current = current();
                    return current.isEmpty()
                            ? List.of(new AdminMessage.CurrentMaster(OPEN, List.of()))
                            : List.copyOf(current);
                });
    }

    /** A privilege ends with its session; without any the master mode ends, too. */
    void onLeave(long now, SauerbratenSession session) {
        if (session.privilege() > NONE) {
            setPrivilege(now, session, NONE);
        }
    }

    /** A client joined with the admin's password. */
    void onAdminJoin(long now, SauerbratenSession session) {
        setPrivilege(now, session, ADMIN);
    }

    /** Whether the vote of a client decides. */
    boolean isVoteForced(SauerbratenSession session) {
        return isMaster(session) && mode >= VETO;
    }

    void received(long now, SauerbratenSession from, AdminMessage message) {
        switch (message) {
            case AdminMessage.SetMaster request -> setMaster(now, from, request);
            case AdminMessage.MasterMode request -> {
                if (request.mode() >= OPEN && request.mode() <= PRIVATE) {
                    command(now, from, SharedStateKey.MASTER_MODE, _ -> setMode(request.mode()));
                }
            }
            case AdminMessage.Kick kick -> kick(now, from, kick);
            case AdminMessage.ClearBans _ ->
                    command(now, from, "bans", time -> clearBans(time, from));
            case AdminMessage.ClientPauseGame request ->
                    command(
                            now,
                            from,
                            SharedStateKey.PAUSE,
                            time -> pause(time, from, request.paused()));
            case AdminMessage.ClientGameSpeed request ->
                    command(
                            now,
                            from,
                            SharedStateKey.SPEED,
                            time -> setSpeed(time, from, request.speed()));
            default -> registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void change(long now, SauerbratenSession from, Object kind, Arena.Change change) {
        PlayerId player = from.player();
        if (player != null) {
            registry.arena().change(now, player, kind, change);
        }
    }

    private void setMode(int value) {
        mode = value;
        registry.publish(
                SharedStateKey.MASTER_MODE, () -> List.of(new AdminMessage.MasterMode(mode)));
    }

    private void pause(long now, SauerbratenSession from, boolean paused) {
        if (paused != match.paused()) {
            match.pause(now, paused);
            registry.publish(SharedStateKey.PAUSE, new AdminMessage.PauseGame(paused, from.cn));
        }
    }

    private void setSpeed(long now, SauerbratenSession from, int value) {
        match.setSpeed(now, Math.clamp(value, MIN_SPEED_PERCENT, MAX_SPEED_PERCENT));
        registry.publish(SharedStateKey.SPEED, new AdminMessage.GameSpeed(match.speed(), from.cn));
    }

    /** Makes a change that only a master may make, if the sender is still a master then. */
    private void command(long now, SauerbratenSession from, Object kind, Arena.Change change) {
        if (!isMaster(from)) {
            registry.sendText(from, "Only a master or an admin can do that.");
            return;
        }
        change(
                now,
                from,
                kind,
                time -> {
                    if (isMaster(from)) {
                        change.apply(time);
                    }
                });
    }

    private void clearBans(long now, SauerbratenSession from) {
        console.unbanGame(now, author(from), SauerbratenCodec.GAME);
        registry.broadcastText("Cleared all bans from this game.");
    }

    private void setMaster(long now, SauerbratenSession from, AdminMessage.SetMaster request) {
        if (request.cn() != from.cn) {
            registry.session(request.cn())
                    .filter(other -> other.joined() && isMaster(from))
                    .ifPresent(other ->
                            change(
                                    now,
                                    from,
                                    List.of(SharedStateKey.MASTERS, request.cn()),
                                    time ->
                                            setPrivilege(
                                                    time, other, request.val() ? MASTER : NONE)));
        } else if (!request.val()) {
            change(now, from, SharedStateKey.MASTERS, time -> setPrivilege(time, from, NONE));
        } else if (!request.hash().isEmpty()) {
            claim(now, from, request.hash());
        } else {
            change(now, from, SharedStateKey.MASTERS, time -> claim(time, from));
        }
    }

    private void claim(long now, SauerbratenSession from, String hash) {
        switch (checkPassword(now, from, hash)) {
            case ADMIN ->
                    change(
                            now,
                            from,
                            SharedStateKey.MASTERS,
                            time -> setPrivilege(time, from, ADMIN));
            case UNSEEN -> registry.sendText(from, "Too many wrong passwords. Try again later.");
            case NONE, PLAYER, WRONG -> registry.sendText(from, "Wrong admin password.");
        }
    }

    private void claim(long now, SauerbratenSession from) {
        if (match.isShared()) {
            registry.sendText(
                    from,
                    "This arena is shared with players of other games: use /setmaster PASSWORD"
                            + " to become admin.");
        } else if (registry.joined().stream().anyMatch(this::isMaster)) {
            registry.sendText(from, "There is already a master.");
        } else {
            setPrivilege(now, from, MASTER);
        }
    }

    private void setPrivilege(long now, SauerbratenSession session, int privilege) {
        int before = session.privilege();
        if (before == privilege) {
            return;
        }
        session.setPrivilege(privilege);
        if (privilege > NONE) {
            console.claimed(now, author(session), title(privilege));
            registry.broadcastText(session.name() + " claimed " + title(privilege));
        } else if (session.joined()) {
            registry.broadcastText(session.name() + " relinquished " + title(before));
        }
        if (registry.joined().stream().noneMatch(this::isMaster)) {
            mode = OPEN;
            if (match.paused()) {
                match.pause(now, false);
                registry.publish(SharedStateKey.PAUSE, new AdminMessage.PauseGame(false, -1));
            }
        }
        announce();
    }

    private static String title(int privilege) {
        return privilege == MASTER ? "master" : "admin";
    }

    private void kick(long now, SauerbratenSession from, AdminMessage.Kick kick) {
        registry.session(kick.cn())
                .flatMap(victim -> Optional.ofNullable(victim.player()))
                .or(() -> from.viewer.avatar(kick.cn()))
                .filter(victim -> mayKick(from, victim))
                .ifPresent(victim ->
                        change(
                                now,
                                from,
                                List.of("kick", victim),
                                time -> kick(time, from, victim, kick.reason())));
    }

    private boolean mayKick(SauerbratenSession from, PlayerId playerId) {
        SauerbratenSession victim = registry.session(playerId);
        return victim == null
                ? from.privilege() >= ADMIN && registry.arena().contains(playerId)
                : victim.joined() && victim != from && outranks(from, victim);
    }

    /** A master kicks a player of this game, an admin a player of any game. */
    private void kick(long now, SauerbratenSession from, PlayerId playerId, String reason) {
        Player victim =
                mayKick(from, playerId) ? registry.arena().find(playerId).orElse(null) : null;
        if (victim == null) {
            return;
        }
        String reasonText = CubeText.chat(reason).strip();
        String because = reasonText.isEmpty() ? "" : " because: " + reasonText;
        if (from.privilege() >= ADMIN) {
            order(now, from, victim, reasonText);
            return;
        }
        registry.broadcastText(from.name() + " kicked " + ForeignPlayers.name(victim) + because);
        console.banFromGame(now, author(from), victim, KICKED, reasonText);
    }

    /**
     * An admin's kick is an operator command; a player of this game is banned, as in the original.
     */
    private void order(long now, SauerbratenSession from, Player victim, String reasonText) {
        OperatorConsole.By by = author(from);
        registry.sendText(
                from,
                CubeText.chat(
                        registry.session(victim.id()) == null
                                ? console.kick(now, by, victim, reasonText)
                                : console.ban(now, by, victim, KICKED, reasonText)));
    }

    /** A master or admin as operators see it. */
    OperatorConsole.By author(SauerbratenSession admin) {
        return console.by(
                admin.name()
                        + " (sauerbraten "
                        + AddressText.of(admin.peer.address().getAddress())
                        + ")");
    }
}
