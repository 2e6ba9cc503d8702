package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.match.FlagHandler;
import dev.wishdir.sauerbraten.server.match.SauerbratenMatch;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.MatchClock;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import java.util.ArrayList;
import java.util.List;

/** Builds the welcome of a client that joins, in the order of the original server. */
public final class WelcomeBuilder {
    private final CurrentMatch current;
    private final SauerbratenMatch match;
    private final LifeHandler lives;
    private final Privileges privileges;
    private final FlagHandler flags;

    public WelcomeBuilder(
            CurrentMatch current,
            SauerbratenMatch match,
            LifeHandler lives,
            Privileges privileges,
            FlagHandler flags) {
        this.current = current;
        this.match = match;
        this.lives = lives;
        this.privileges = privileges;
        this.flags = flags;
    }

    /** The messages of the welcome; orders the client's first life. */
    List<SauerbratenMessage> build(long now, SauerbratenSession session) {
        List<SauerbratenMessage> welcome = new ArrayList<>();
        welcome.add(new SessionMessage.Welcome());
        match.addToWelcome(now, welcome);
        welcome.addAll(privileges.current());
        if (current.isPaused()) {
            welcome.add(new AdminMessage.PauseGame(true, -1));
        }
        if (current.speed() != MatchClock.NORMAL_SPEED_PERCENT) {
            welcome.add(new AdminMessage.GameSpeed(current.speed(), -1));
        }
        if (current.mode().teams()) {
            welcome.add(match.teamInfo());
        }
        welcome.add(
                new RosterMessage.SetTeam(
                        session.cn,
                        session.ownAppearance().team(),
                        PlayerAppearance.TEAM_REASON_NONE));
        if (session.life.isSpectator()) {
            welcome.add(new RosterMessage.Spectator(session.cn, true));
        } else {
            lives.orderLife(now, session);
            welcome.addAll(lives.spawnOrder(session));
        }
        welcome.addAll(session.viewer.introductions());
        session.player()
                .combatant()
                .team()
                .map(PlayerNotices::team)
                .ifPresent(text -> welcome.add(new ChatMessage.ServMsg(text)));
        welcome.addAll(flags.state(session));
        return welcome;
    }
}
