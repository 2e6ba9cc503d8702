package dev.wishdir.sauerbraten.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The other players of a server as a headless client sees them. A player has a body from the first
 * position of its current life until it dies, leaves or the map changes; late positions of an
 * earlier life (lifesequence) are ignored, as in the original client.
 */
final class RemotePlayers {
    private static final int ALIVE = 0;
    private static final int EDITING = 4;
    private static final int NO_LIFE = -1;

    /** The teams of this program's matches. */
    private static final List<String> OWN_TEAMS =
            Stream.of(Team.values()).map(Team::toString).toList();

    /** The number of clients and bots that a server can have. */
    private static final int MAX_OTHERS = 512;

    private static final class Other {
        final int cn;
        String name;
        String team = "";
        int lifeseq = NO_LIFE;
        int frags;
        @Nullable Movement movement;

        Other(int cn, String name) {
            this.cn = cn;
            this.name = name;
        }
    }

    private final Client client;
    private final ClientListener listener;
    private SauerbratenMotion motion = SauerbratenMotion.CENTERED;
    private final Map<Integer, Other> others = new LinkedHashMap<>();
    private int self = -1;
    private int ownFrags;
    private String ownTeam = "";

    /** By team, as of the last death or captured flag that changed them. */
    private final Map<String, Integer> teamFrags = new HashMap<>();

    /** Whether the mode of the game has teams. */
    private boolean hasTeams;

    /** Whether the scores of teams are captured flags. */
    private boolean hasFlags;

    RemotePlayers(Client client, ClientListener listener) {
        this.client = client;
        this.listener = listener;
    }

    /** Sets the conversion of the current map's coordinates. */
    void setMotion(SauerbratenMotion motion) {
        this.motion = motion;
    }

    /** Sets the client's own number, to ignore messages about itself. */
    void setSelf(int cn) {
        self = cn;
    }

    /** All players with a body. */
    Collection<RemotePlayer> visible() {
        List<RemotePlayer> remote = new ArrayList<>();
        for (Other other : others.values()) {
            if (other.movement != null) {
                remote.add(new RemotePlayer(other.cn, other.name, other.movement));
            }
        }
        return remote;
    }

    /** The name of a client, empty if unknown. */
    private String name(int cn) {
        Other other = others.get(cn);
        return other == null ? "" : other.name;
    }

    /** Processes a message of the server. */
    void onMessage(long now, SauerbratenMessage message) {
        switch (message) {
            case Pos m -> onPosition(now, m);
            case LifeMessage.Died m -> onDied(m);
            case LifeMessage.Damage m ->
                    listener.onHit(client, m.target(), m.actor(), m.damage(), m.health());
            case LifeMessage.ForceDeath m -> onDeath(m.cn());
            case LifeMessage.Resume m -> m.players().forEach(this::resume);
            case RosterMessage.InitClient m -> {
                onName(m.cn(), m.name());
                setTeam(m.cn(), m.team());
            }
            case BotMessage.InitAi m -> {
                onName(m.cn(), m.name());
                setTeam(m.cn(), m.team());
            }
            case RosterMessage.SetTeam m -> setTeam(m.cn(), m.team());
            case MatchMessage.TeamInfo m when !hasFlags -> m.teams().forEach(this::setTeamFrags);
            case FlagMessage.InitFlags m -> {
                setTeamFlags(GameTeam.GOOD, m.score1());
                setTeamFlags(GameTeam.EVIL, m.score2());
            }
            case FlagMessage.ScoreFlag m ->
                    GameTeam.of(m.team()).ifPresent(team -> setTeamFlags(team, m.score()));
            case RosterMessage.CDis m -> onLeave(m.cn());
            case RosterMessage.Spectator m when m.val() -> onDeath(m.cn());
            case ChatMessage.SayTeam m -> onChat(m.cn(), m.text());
            case ActionMessage.ShotFx m -> onAction(m.cn(), PlayerAction.ATTACK);
            default -> {}
        }
    }

    /** Processes a relayed message of another client. */
    void onRelayed(int from, SauerbratenMessage message) {
        switch (message) {
            case LifeMessage.Spawn m -> onSpawn(from, m.state().lifeseq());
            case RosterMessage.SwitchName m -> onName(from, m.name());
            case ChatMessage.Text m -> onChat(from, m.text());
            case ActionMessage.Taunt _ -> onAction(from, PlayerAction.TAUNT);
            default -> {}
        }
    }

    private void onChat(int cn, String text) {
        listener.onChat(client, name(cn), CubeText.chat(text));
    }

    private void onAction(int cn, PlayerAction action) {
        Other other = others.get(cn);
        if (other != null && other.movement != null) {
            listener.onAction(client, new RemotePlayer(cn, other.name, other.movement), action);
        }
    }

    /** The message for an action of the client itself; an attack is a punch without hits. */
    ActionMessage actionMessage(PlayerAction action, int id, Movement self) {
        return switch (action) {
            case ATTACK ->
                    new ActionMessage.Shoot(
                            id,
                            0,
                            motion.ahead(self, 0),
                            motion.ahead(self, SauerbratenMotion.REACH),
                            List.of());
            case TAUNT -> new ActionMessage.Taunt();
        };
    }

    private void onName(int cn, String name) {
        Other other = find(cn);
        if (other != null) {
            other.name = name;
        }
    }

    /** The entry of another client, added if new; null for the client itself. */
    private @Nullable Other find(int cn) {
        if (cn == self || cn < 0 || others.size() >= MAX_OTHERS && !others.containsKey(cn)) {
            return null;
        }
        return others.computeIfAbsent(cn, _ -> new Other(cn, ""));
    }

    /** The bodies of others as they may be hit. */
    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (Other other : others.values()) {
            if (other.movement != null) {
                targets.add(new Target(other.cn, other.lifeseq, other.movement.position()));
            }
        }
        return targets;
    }

    /** The frags of all players, by number. */
    Map<Long, Integer> frags() {
        Map<Long, Integer> frags = new LinkedHashMap<>();
        if (self >= 0) {
            frags.put((long) self, ownFrags);
        }
        others.values().forEach(other -> frags.put((long) other.cn, other.frags));
        return frags;
    }

    private void onDied(LifeMessage.Died died) {
        setFrags(died.actor(), died.frags());
        String team = teams().get((long) died.actor());
        if (team != null && !hasFlags) {
            setTeamFrags(new MatchMessage.TeamScore(team, died.teamfrags()));
        }
        listener.onDeath(client, died.victim(), died.actor());
        onDeath(died.victim());
    }

    private void setFrags(int cn, int frags) {
        Other other = others.get(cn);
        if (cn == self) {
            ownFrags = frags;
        } else if (other != null) {
            other.frags = frags;
        }
    }

    /** Another match: no scores. */
    void startMatch(GameMode mode) {
        hasTeams = mode.teams();
        hasFlags = mode.hasFlags();
        ownFrags = 0;
        teamFrags.clear();
        others.values().forEach(other -> other.frags = 0);
    }

    private void setTeam(int cn, String team) {
        Other other = others.get(cn);
        if (cn == self) {
            ownTeam = team;
        } else if (other != null) {
            other.team = team;
        }
    }

    private void setTeamFlags(GameTeam team, int score) {
        setTeamFrags(new MatchMessage.TeamScore(team.toString(), score));
    }

    private void setTeamFrags(MatchMessage.TeamScore score) {
        if (teamFrags.size() < MatchMessage.MAX_TEAMS || teamFrags.containsKey(score.team())) {
            teamFrags.put(score.team(), score.frags());
        }
    }

    /** The client's own team, as the server names it; empty before it does. */
    String ownTeam() {
        return ownTeam;
    }

    /** The place of another player's body; empty if it is not seen. */
    Optional<Vec3> place(int cn) {
        return Optional.ofNullable(others.get(cn))
                .flatMap(other -> Optional.ofNullable(other.movement))
                .map(Movement::position);
    }

    /** The teams of all players, by number. */
    Map<Long, String> teams() {
        Map<Long, String> teams = new HashMap<>();
        if (self >= 0) {
            teams.put((long) self, ownTeam);
        }
        others.values().forEach(other -> teams.put((long) other.cn, other.team));
        teams.values().removeIf(team -> !hasTeams && !OWN_TEAMS.contains(team));
        return teams;
    }

    Map<String, Integer> teamFrags() {
        return Map.copyOf(teamFrags);
    }

    /** Adds the state of a player that joined before. */
    private void resume(LifeMessage.Score score) {
        find(score.cn());
        setFrags(score.cn(), score.frags());
        if (score.state() == ALIVE || score.state() == EDITING) {
            onSpawn(score.cn(), score.body().lifeseq());
        } else {
            onDeath(score.cn());
        }
    }

    private void onSpawn(int cn, int lifeseq) {
        Other other = find(cn);
        if (other != null) {
            removeBody(other);
            other.lifeseq = lifeseq;
        }
    }

    private void onDeath(int cn) {
        Other other = others.get(cn);
        if (other != null) {
            other.lifeseq = NO_LIFE;
            removeBody(other);
        }
    }

    private void onLeave(int cn) {
        Other other = others.remove(cn);
        if (other != null) {
            removeBody(other);
        }
    }

    /** Removes all bodies, as the map has changed. */
    void clear() {
        for (Other other : List.copyOf(others.values())) {
            onDeath(other.cn);
        }
    }

    private void removeBody(Other other) {
        Movement last = other.movement;
        if (last != null) {
            other.movement = null;
            listener.onVanished(client, new RemotePlayer(other.cn, other.name, last));
        }
    }

    private void onPosition(long now, Pos pos) {
        Other other = others.get(pos.cn());
        if (other == null || other.lifeseq == NO_LIFE || (other.lifeseq & 1) != pos.lifeseq()) {
            return;
        }
        boolean appeared = other.movement == null;
        Movement movement = motion.toCanonical(pos);
        other.movement = movement;
        RemotePlayer remote = new RemotePlayer(other.cn, other.name, movement);
        if (appeared) {
            listener.onAppeared(client, remote);
        } else {
            listener.onMoved(client, now, remote);
        }
    }
}
