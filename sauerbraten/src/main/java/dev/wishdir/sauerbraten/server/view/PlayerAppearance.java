package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Appearance of a player to clients. A congested client receives only the newest appearance,
 * however many there were since the last one.
 *
 * @param teamReason why the team is what it is, as {@code N_SETTEAM} says
 * @param body what the body of the present life is and carries
 * @param score in the match; empty if none is kept
 * @param flags that it has captured in the match
 */
public record PlayerAppearance(
        PlayerId player,
        String name,
        String team,
        int teamReason,
        int model,
        ClientState clientState,
        State body,
        Optional<Score> score,
        int flags) {
    /** The reason in {@code N_SETTEAM} for a change that clients do not announce. */
    public static final int TEAM_REASON_NONE = -1;

    /** The reason for a change at the player's own request. */
    public static final int TEAM_REASON_SWITCHED = 0;

    /** Whether the player has a body. */
    public boolean hasBody() {
        return clientState.hasBody();
    }

    private boolean lives(PlayerAppearance before) {
        return hasBody() && before.hasBody() && body.lifeseq() == before.body.lifeseq();
    }

    /** The same without a body: for a client that has just loaded another map. */
    public PlayerAppearance withoutBody() {
        return hasBody() ? with(ClientState.DEAD) : this;
    }

    private PlayerAppearance with(ClientState other) {
        return new PlayerAppearance(
                player, name, team, teamReason, model, other, body, score, flags);
    }

    /** The same with another score, as the client was sent it with a death. */
    public PlayerAppearance withScore(Score other) {
        return new PlayerAppearance(
                player,
                name,
                team,
                teamReason,
                model,
                clientState,
                body,
                Optional.of(other),
                other.equals(Score.ZERO) ? 0 : flags);
    }

    /** As {@code N_INITCLIENT}. */
    public RosterMessage.InitClient introduction(int cn) {
        return new RosterMessage.InitClient(cn, name, team, model);
    }

    /**
     * As {@code N_RESUME}.
     *
     * @param quadMillis how long its quad damage lasts
     */
    public LifeMessage.Score score(int cn, int quadMillis) {
        Score sent = score.orElse(Score.ZERO);
        return new LifeMessage.Score(
                cn, clientState.code, sent.frags(), flags, sent.deaths(), quadMillis, body);
    }

    /**
     * The messages that bring a client from one appearance of a number to another.
     *
     * @param was what the client was sent last; null if no player had the number
     * @param is the present appearance; null if no player has the number
     * @param own whether the number is the client's own: it knows what it did itself
     * @param quadMillis how long the present player's quad damage lasts
     */
    public static List<SauerbratenMessage> changes(
            int cn,
            @Nullable PlayerAppearance was,
            @Nullable PlayerAppearance is,
            boolean own,
            int quadMillis) {
        List<SauerbratenMessage> changes = new ArrayList<>();
        PlayerAppearance before = was;
        if (before != null && (is == null || !is.player.equals(before.player))) {
            changes.add(new RosterMessage.CDis(cn));
            before = null;
        }
        if (is == null) {
            return changes;
        }
        boolean isNew = before == null;
        if (before == null) {
            changes.add(is.introduction(cn));
            before = is.with(ClientState.DEAD);
        }
        if (before.hasBody() && !is.lives(before)) {
            // In a match clients count deaths: only one of the match is a death.
            changes.add(
                    is.score.isPresent()
                            ? new LifeMessage.ForceDeath(cn)
                            : new LifeMessage.Died(cn, cn, 0, 0));
            before = before.withoutBody();
        }
        if (is.score.isPresent() && is.needsScore(isNew ? null : before)) {
            // A body that the client does not have yet comes with its N_SPAWN.
            boolean comes = !own && is.hasBody() && !before.hasBody();
            ClientState state = comes ? ClientState.DEAD : is.clientState;
            changes.add(new LifeMessage.Resume(List.of(is.with(state).score(cn, quadMillis))));
        }
        is.addStyle(cn, before, own, changes);
        boolean watches = is.clientState == ClientState.SPECTATOR;
        if (watches != (before.clientState == ClientState.SPECTATOR)) {
            changes.add(new RosterMessage.Spectator(cn, watches));
        }
        if (!own) {
            is.addBody(cn, before, changes);
        }
        return changes;
    }

    /** Whether a client that joins has to be sent the score: it believes 0. */
    public boolean needsScore() {
        return score.isPresent() && needsScore(null);
    }

    /** Whether the client has another score; that of a new player is 0. */
    private boolean needsScore(@Nullable PlayerAppearance before) {
        return before == null
                ? !score.equals(Optional.of(Score.ZERO)) || flags != 0
                : !score.equals(before.score) || flags != before.flags;
    }

    private void addStyle(
            int cn, PlayerAppearance before, boolean own, List<SauerbratenMessage> changes) {
        if (!own && !name.equals(before.name)) {
            changes.add(from(cn, new RosterMessage.SwitchName(name)));
        }
        if (!own && model != before.model) {
            changes.add(from(cn, new RosterMessage.SwitchModel(model)));
        }
        if (!team.equals(before.team)) {
            changes.add(new RosterMessage.SetTeam(cn, team, teamReason));
        }
    }

    private void addBody(int cn, PlayerAppearance before, List<SauerbratenMessage> changes) {
        if (hasBody() && !before.hasBody()) {
            changes.add(from(cn, new LifeMessage.Spawn(body)));
        }
        boolean edits = clientState == ClientState.EDITING;
        if (hasBody() && edits != (before.clientState == ClientState.EDITING)) {
            changes.add(from(cn, new EditMessage.EditMode(edits)));
        }
    }

    /** A message of a client, as other clients receive it. */
    public static RelayMessage.Client from(int cn, SauerbratenMessage message) {
        return new RelayMessage.Client(cn, SauerbratenCodec.V260.packet(message));
    }
}
