package dev.wishdir.sauerbraten.server.chat;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** The masters and admins, their passwords, and the master mode. */
public final class Privileges {
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final OperatorConsole console;
    private final String adminPassword;
    private final FailedAttemptLimiter attemptLimiter;
    private MasterMode mode = MasterMode.OPEN;

    public Privileges(
            ClientTable clients,
            Broadcaster broadcaster,
            CurrentMatch match,
            EndpointContext context) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.match = match;
        console = context.operatorConsole();
        adminPassword = context.adminPassword();
        attemptLimiter = context.addressLimits().passwords();
    }

    public MasterMode mode() {
        return mode;
    }

    void setMode(MasterMode value) {
        mode = value;
        broadcaster.publish(
                SharedStateKey.MASTER_MODE,
                () -> List.of(new AdminMessage.MasterMode(mode.code())));
    }

    /** Whether new players are spectators. */
    public boolean isLocked() {
        return mode.isAtLeast(MasterMode.LOCKED);
    }

    /** Whether new players are refused. */
    public boolean isPrivate() {
        return mode.isAtLeast(MasterMode.PRIVATE);
    }

    /** Whether the vote of a client decides. */
    public boolean isVoteForced(SauerbratenSession session) {
        return session.isMaster() && mode.isAtLeast(MasterMode.VETO);
    }

    /** Whether a client may act on another one. */
    public boolean outranks(SauerbratenSession actor, SauerbratenSession victim) {
        return actor.isMaster()
                && (actor == victim || actor.privilege().outranks(victim.privilege()));
    }

    boolean hasMaster() {
        return clients.joined().stream().anyMatch(SauerbratenSession::isMaster);
    }

    /** Kind of password that a client sent. */
    public enum Key {
        /** No password, or none is set here. */
        NONE,
        PLAYER,
        ADMIN,
        WRONG,
        /** Not checked: too many passwords from the address were wrong recently. */
        UNCHECKED
    }

    /**
     * Checks a password while the address may still try.
     *
     * @param hash of a password, for this session
     */
    public Key checkPassword(long now, SauerbratenSession session, String hash) {
        String password = console.password();
        if (hash.isEmpty() || password.isEmpty() && adminPassword.isEmpty()) {
            return Key.NONE;
        }
        InetAddress from = session.connection.peer.address().getAddress();
        if (!attemptLimiter.isAllowed(now, from)) {
            return Key.UNCHECKED;
        }
        if (isRight(session, hash, adminPassword)) {
            return Key.ADMIN;
        }
        if (isRight(session, hash, password)) {
            return Key.PLAYER;
        }
        attemptLimiter.recordFailure(now, from);
        // Otherwise the client is refused, which is reported.
        if (session.isJoined() || password.isEmpty()) {
            console.reportWrongPassword(now, SauerbratenCodec.GAME, from);
        }
        return Key.WRONG;
    }

    private static boolean isRight(SauerbratenSession session, String hash, String password) {
        return !password.isEmpty()
                && hash.equals(PasswordHash.of(session.cn, session.connection.sessionid, password));
    }

    /** The masters and admins; empty if the mode is open and there are none. */
    public List<AdminMessage.CurrentMaster> current() {
        List<AdminMessage.Privileged> masters = new ArrayList<>();
        for (SauerbratenSession session : clients.joined()) {
            if (session.isMaster()) {
                masters.add(new AdminMessage.Privileged(session.cn, session.privilege().code));
            }
        }
        return masters.isEmpty() && mode == MasterMode.OPEN
                ? List.of()
                : List.of(new AdminMessage.CurrentMaster(mode.code(), masters));
    }

    private void announce() {
        broadcaster.publish(
                SharedStateKey.MASTERS,
                () -> {
                    List<AdminMessage.CurrentMaster> current = current();
                    return current.isEmpty()
                            ? List.of(
                                    new AdminMessage.CurrentMaster(
                                            MasterMode.OPEN.code(), List.of()))
                            : List.copyOf(current);
                });
    }

    /** A privilege ends with its session; without any the master mode ends, too. */
    public void onLeave(long now, SauerbratenSession session) {
        if (session.isMaster()) {
            setPrivilege(now, session, Privilege.NONE, "");
        }
    }

    /** Gives a client the privilege of its key; a claim never lowers one. */
    public void claim(long now, SauerbratenSession session, AuthIdentity identity) {
        if (identity.privilege().outranks(session.privilege())) {
            setPrivilege(
                    now,
                    session,
                    identity.privilege(),
                    identity.toString(),
                    " as " + identity.coloured());
        }
    }

    /**
     * Sets a privilege.
     *
     * @param proof what the client had for it, as operators read it
     */
    public void setPrivilege(
            long now, SauerbratenSession session, Privilege privilege, String proof) {
        setPrivilege(now, session, privilege, proof, "");
    }

    private void setPrivilege(
            long now,
            SauerbratenSession session,
            Privilege privilege,
            String proof,
            String identity) {
        Privilege before = session.privilege();
        if (before == privilege) {
            return;
        }
        session.setPrivilege(privilege, proof);
        session.connection
                .player()
                .ifPresent(player -> console.setRights(player.id(), privilege.rights()));
        if (session.isMaster()) {
            console.reportGrantedRights(now, author(session), privilege.title(), proof);
            broadcaster.sendText(session.name() + " claimed " + privilege.title() + identity);
        } else if (session.isJoined()) {
            broadcaster.sendText(session.name() + " relinquished " + before.title());
        }
        if (!hasMaster()) {
            mode = MasterMode.OPEN;
            match.setPaused(now, false, -1);
        }
        announce();
    }

    /** A master or admin as operators see it. */
    OperatorConsole.Author author(SauerbratenSession admin) {
        return author(admin, admin.privilege(), admin.privilegeProof());
    }

    /**
     * A client as operators see it.
     *
     * @param used the privilege that it uses
     * @param proof what it has for that
     */
    OperatorConsole.Author author(SauerbratenSession client, Privilege used, String proof) {
        return console.author(
                client.name()
                        + " (sauerbraten "
                        + AddressText.of(client.connection.peer.address().getAddress())
                        + ")",
                used.rights(),
                proof,
                client.player().id());
    }
}
