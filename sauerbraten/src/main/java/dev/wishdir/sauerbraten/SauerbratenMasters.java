package dev.wishdir.sauerbraten;

import dev.wishdir.sauerbraten.message.Admin;
import dev.wishdir.sauerbraten.message.CubeText;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Who may do more than play: masters, admins, the master mode, bans, pause and speed. */
final class SauerbratenMasters {
    static final int NONE = 0;
    static final int MASTER = 1;
    static final int ADMIN = 3;

    static final int OPEN = 0;
    static final int VETO = 1;
    static final int LOCKED = 2;
    static final int PRIVATE = 3;

    private static final long BAN = TimeUnit.HOURS.toNanos(4);
    private static final int MOST_BANS = 1000;
    private static final int SLOWEST = 10;
    private static final int FASTEST = 1000;

    private final SauerbratenRoom room;
    private final SauerbratenMatch match;
    private final String adminPassword;
    private final Map<InetAddress, Long> bans = new LinkedHashMap<>();
    private int mode = OPEN;
    private int speed = 100;

    SauerbratenMasters(SauerbratenRoom room, SauerbratenMatch match, String adminPassword) {
        this.room = room;
        this.match = match;
        this.adminPassword = adminPassword;
    }

    int mode() {
        return mode;
    }

    int speed() {
        return speed;
    }

    boolean locked() {
        return mode >= LOCKED;
    }

    boolean isPrivate() {
        return mode >= PRIVATE;
    }

    boolean isMaster(SauerbratenSession session) {
        return session.privilege >= MASTER;
    }

    /** Whether somebody may do something to somebody. */
    boolean outranks(SauerbratenSession who, SauerbratenSession victim) {
        return isMaster(who) && (who == victim || who.privilege > victim.privilege);
    }

    boolean banned(long now, InetAddress address) {
        Long until = bans.get(address);
        return until != null && now < until;
    }

    boolean isAdminPassword(SauerbratenSession session, String hash) {
        return !adminPassword.isEmpty()
                && hash.equals(PasswordHash.of(session.cn, session.sessionid, adminPassword));
    }

    /** Who is what now; empty where the mode is open and nobody is anything. */
    List<Admin.CurrentMaster> current() {
        List<Admin.Privileged> masters = new ArrayList<>();
        for (SauerbratenSession session : room.joined()) {
            if (session.privilege > NONE) {
                masters.add(new Admin.Privileged(session.cn, session.privilege));
            }
        }
        return masters.isEmpty() && mode == OPEN
                ? List.of()
                : List.of(new Admin.CurrentMaster(mode, masters));
    }

    private void announce() {
        List<Admin.CurrentMaster> current = current();
        room.sendAll(
                current.isEmpty() ? new Admin.CurrentMaster(OPEN, List.of()) : current.getFirst());
    }

    /** A privilege ends with its owner; the last one takes the master mode along. */
    void left(SauerbratenSession session) {
        if (session.privilege > NONE) {
            setPrivilege(session, NONE);
        }
    }

    void received(long now, SauerbratenSession from, Admin message) {
        switch (message) {
            case Admin.SetMaster wish -> setMaster(from, wish);
            case Admin.MasterMode wish -> {
                if (mayCommand(from) && wish.mode() >= OPEN && wish.mode() <= PRIVATE) {
                    mode = wish.mode();
                    room.sendAll(new Admin.MasterMode(mode));
                }
            }
            case Admin.Kick kick -> kick(now, from, kick);
            case Admin.ClearBans _ -> {
                if (mayCommand(from)) {
                    bans.clear();
                    room.tellAll("cleared all bans");
                }
            }
            case Admin.ClientPauseGame wish -> {
                if (mayCommand(from) && wish.paused() != match.paused()) {
                    match.pause(now, wish.paused());
                    room.sendAll(new Admin.PauseGame(wish.paused(), from.cn));
                }
            }
            case Admin.ClientGameSpeed wish -> {
                if (mayCommand(from)) {
                    speed = Math.clamp(wish.speed(), SLOWEST, FASTEST);
                    room.sendAll(new Admin.GameSpeed(speed, from.cn));
                }
            }
            default -> SauerbratenPlay.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean mayCommand(SauerbratenSession from) {
        if (!isMaster(from)) {
            room.tell(from, "only a master or an admin may do that");
        }
        return isMaster(from);
    }

    private void setMaster(SauerbratenSession from, Admin.SetMaster wish) {
        if (wish.cn() != from.cn) {
            room.session(wish.cn())
                    .filter(other -> other.joined() && isMaster(from))
                    .ifPresent(other -> setPrivilege(other, wish.val() ? MASTER : NONE));
        } else if (!wish.val()) {
            setPrivilege(from, NONE);
        } else if (isAdminPassword(from, wish.hash())) {
            setPrivilege(from, ADMIN);
        } else if (!wish.hash().isEmpty()) {
            room.tell(from, "that is not the password of an admin");
        } else if (room.joined().stream().anyMatch(this::isMaster)) {
            room.tell(from, "there is a master already");
        } else {
            setPrivilege(from, MASTER);
        }
    }

    private void setPrivilege(SauerbratenSession who, int privilege) {
        if (who.privilege == privilege) {
            return;
        }
        who.privilege = privilege;
        if (room.joined().stream().noneMatch(this::isMaster)) {
            mode = OPEN;
            if (match.paused()) {
                match.pause(match.clock(), false);
                room.sendAll(new Admin.PauseGame(false, -1));
            }
        }
        announce();
    }

    private void kick(long now, SauerbratenSession from, Admin.Kick kick) {
        room.session(kick.cn())
                .filter(victim -> victim.joined() && victim != from && outranks(from, victim))
                .ifPresent(victim -> {
                    String reason = CubeText.chat(kick.reason());
                    room.tellAll(
                            from.name
                                    + " kicked "
                                    + victim.name
                                    + (reason.isEmpty() ? "" : ": " + reason));
                    ban(now, victim.peer.address().getAddress());
                    SauerbratenPlay.dismiss(victim, DisconnectReason.KICKED);
                });
    }

    private void ban(long now, InetAddress address) {
        bans.values().removeIf(until -> now >= until);
        if (bans.size() >= MOST_BANS) {
            Iterator<Long> oldest = bans.values().iterator();
            oldest.next();
            oldest.remove();
        }
        bans.put(address, now + BAN);
    }
}
