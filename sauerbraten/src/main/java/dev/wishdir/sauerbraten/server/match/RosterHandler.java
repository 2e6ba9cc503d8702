package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.Team;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import java.util.List;
import java.util.Optional;

/** Handles changes of names, models and teams, and who is a spectator. */
public final class RosterHandler {
    private static final int MAX_MODEL = 5;
    private static final int FORCED = 1;

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final LifeHandler lives;
    private final Privileges privileges;

    public RosterHandler(
            ClientTable clients,
            Broadcaster broadcaster,
            CurrentMatch match,
            LifeHandler lives,
            Privileges privileges) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.match = match;
        this.lives = lives;
        this.privileges = privileges;
    }

    public void handle(long now, SauerbratenSession from, RosterMessage message) {
        switch (message) {
            case RosterMessage.SwitchName change ->
                    from.player().rename(now, CubeText.playerName(change.name()));
            case RosterMessage.SwitchModel change -> {
                int model = Math.clamp(change.model(), 0, MAX_MODEL);
                if (model != from.profile.model()) {
                    from.profile.setModel(model);
                    from.player().reportAppearanceChange(now);
                }
            }
            case RosterMessage.SwitchTeam change when match.hasArenaTeams() ->
                    from.player()
                            .change(
                                    now,
                                    "team",
                                    time -> changeTeam(time, from, from, change.team()));
            case RosterMessage.SwitchTeam change -> {
                if (maySwitch(change.team())) {
                    from.player()
                            .change(
                                    now,
                                    "team",
                                    time ->
                                            setTeam(
                                                    time,
                                                    from,
                                                    change.team(),
                                                    PlayerAppearance.TEAM_REASON_SWITCHED));
                }
            }
            case RosterMessage.ClientSetTeam change ->
                    clients.session(change.cn())
                            .filter(victim ->
                                    victim.isJoined() && privileges.outranks(from, victim))
                            .ifPresent(victim ->
                                    from.player()
                                            .change(
                                                    now,
                                                    List.of("team", change.cn()),
                                                    time ->
                                                            forceTeam(
                                                                    time,
                                                                    from,
                                                                    victim,
                                                                    change.team())));
            case RosterMessage.Spectator change ->
                    clients.session(change.cn())
                            .filter(target ->
                                    target.isJoined() && maySpectate(from, target, change.val()))
                            .ifPresent(target ->
                                    from.player()
                                            .change(
                                                    now,
                                                    List.of("spectator", change.cn()),
                                                    time ->
                                                            setSpectator(
                                                                    time, target, change.val())));
            default -> from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean maySwitch(String team) {
        return match.mode().teams() && !CubeText.team(team).isEmpty();
    }

    private void forceTeam(
            long now, SauerbratenSession from, SauerbratenSession victim, String team) {
        if (match.hasArenaTeams()) {
            changeTeam(now, from, victim, team);
        } else {
            setTeam(now, victim, team, FORCED);
        }
    }

    /** Changes a player's team in the arena's match, by its rules. */
    private void changeTeam(
            long now, SauerbratenSession from, SauerbratenSession target, String name) {
        if (!target.isJoined()) {
            return;
        }
        Optional<Team> team = match.board().team(CubeText.team(name));
        if (team.isEmpty()) {
            from.sendText(
                    now,
                    "The teams are "
                            + match.board().name(Team.RED)
                            + " and "
                            + match.board().name(Team.BLUE)
                            + ".");
            return;
        }
        Optional<TeamRefusal> refusal = target.player().combatant().changeTeam(now, team.get());
        if (refusal.isPresent()) {
            from.sendText(now, refusal.get().notice());
        } else {
            // What it fired in its former team explodes no more.
            target.guns.clear();
            lives.respawn(now, target);
        }
    }

    private void setTeam(long now, SauerbratenSession target, String team, int reason) {
        String clean = CubeText.team(team);
        if (target.isJoined() && maySwitch(clean) && !clean.equals(target.profile.team())) {
            lives.die(now, target);
            target.profile.setTeam(clean, reason);
            broadcaster.refresh(target.cn);
        }
    }

    private boolean maySpectate(SauerbratenSession from, SauerbratenSession target, boolean on) {
        return from.isMaster() || from == target && (on || !privileges.isLocked());
    }

    private void setSpectator(long now, SauerbratenSession target, boolean on) {
        if (target.isJoined() && on != target.life.isSpectator()) {
            lives.die(now, target);
            target.life.setSpectator(on);
            target.player().combatant().setWatching(now, on);
            broadcaster.refresh(target.cn);
        }
    }
}
