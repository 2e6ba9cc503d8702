package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.Missiles;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.item.ItemPickup;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.relay.InterestTracker;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.arena.ItemKind;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Decides about the fights of the players of this server, and those of others, by the rounds. */
final class MatchReferee implements Fighter.Referee, SharedMatch {
    /** Points for killing a player that carries a flag, besides those of a kill. */
    private static final int CARRIER_POINTS = 2;

    private final EventDispatcher dispatcher;
    private final MatchRounds rounds;
    private final InterestTracker interestTracker;
    private final CheatPolicyEnforcer cheatPolicy;

    private LongSupplier lateness = () -> 0;

    /** Null without other servers. */
    private @Nullable Listener listener;

    MatchReferee(
            EventDispatcher dispatcher,
            MatchRounds rounds,
            InterestTracker interestTracker,
            CheatPolicyEnforcer cheatPolicy) {
        this.dispatcher = dispatcher;
        this.rounds = rounds;
        this.interestTracker = interestTracker;
        this.cheatPolicy = cheatPolicy;
    }

    @Override
    public boolean isOn() {
        return rounds.isOn();
    }

    @Override
    public boolean isFighting() {
        return rounds.isFighting();
    }

    @Override
    public MatchRules rules() {
        return rounds.rules();
    }

    @Override
    public @Nullable Fighter fighter(PlayerId id) {
        return rounds.players().find(id);
    }

    @Override
    public void onWatchingChanged(long now, Fighter player) {
        rounds.watchingChanged(now, player);
    }

    @Override
    public void onHit(ArenaEvent.Hit hit, Fighter victim) {
        dispatcher.dispatch(hit, victim.player);
    }

    /** Scores, removes the body, and ends the round if it is decided. */
    @Override
    public void onDeath(long now, Fighter victim, Fighter killer, DamageMeans means) {
        boolean counts = rounds.isCounting();
        rounds.race().abort(victim.player.id);
        int bonus = rounds.flags().isCarrier(victim.player.id) ? CARRIER_POINTS : 0;
        int frags = !counts ? 0 : killer == victim || killer.isTeammateOf(victim) ? -1 : 1 + bonus;
        boolean isOwn = !killer.player.id.isOfOtherServer();
        Score killerScore = killer.score().plus(frags, 0);
        if (counts) {
            victim.setScore(victim.score().plus(0, 1));
        }
        if (counts && isOwn) {
            rounds.addFrags(killer, frags);
            killerScore = killer.score();
        } else if (counts && listener != null) {
            // Its own server counts it, and reports the score to all.
            listener.onFrags(killer.player.id, frags);
        }
        Score shown = killerScore;
        interestTracker.despawn(
                now,
                victim.player,
                () -> {
                    dispatcher.dispatch(
                            new ArenaEvent.Died(
                                    now,
                                    victim.player.snapshot(),
                                    killer.player.snapshot(),
                                    means,
                                    shown),
                            victim.player);
                    if (counts && isOwn && killer != victim) {
                        rounds.scored(now, killer);
                    }
                    if (counts) {
                        rounds.scored(now, victim);
                    }
                });
        rounds.flags().drop(now, victim.player, FlagCause.DEATH);
        if (counts && isOwn) {
            rounds.checkScoreLimit(now, killer);
        }
    }

    /** Sets the source of how late the server's own loop was. */
    void setLateness(LongSupplier source) {
        lateness = source;
    }

    @Override
    public long lateNanos() {
        return Math.clamp(lateness.getAsLong(), 0, Combatant.MAX_LATE_NANOS);
    }

    @Override
    public boolean isLateBeyondLimit() {
        return lateness.getAsLong() > Combatant.MAX_LATE_NANOS;
    }

    @Override
    public boolean isShared() {
        return listener != null;
    }

    @Override
    public void send(ArenaEvent.Hit hit) {
        if (listener != null) {
            listener.onHit(hit);
        }
    }

    @Override
    public void setListener(Listener sender) {
        listener = sender;
    }

    @Override
    public void setRounds(Rounds agreement) {
        rounds.setAgreement(agreement);
    }

    @Override
    public Optional<RoundState> round(long now) {
        return rounds.state(now);
    }

    @Override
    public boolean hasPlayers() {
        return rounds.hasPlayers();
    }

    @Override
    public void adopt(long now, RoundState state) {
        rounds.adopt(now, state);
    }

    @Override
    public Map<Team, Integer> teamFrags() {
        return rounds.teamFrags();
    }

    @Override
    public void setTeamFragsOfOthers(long now, Map<Team, Integer> frags) {
        rounds.setTeamFragsOfOthers(now, frags);
    }

    private @Nullable Fighter mirrored(PlayerId id) {
        return id.isOfOtherServer() ? rounds.players().find(id) : null;
    }

    @Override
    public MirrorResult receive(ArenaEvent.Hit hit, long made) {
        Fighter attacker = mirrored(hit.attacker().id());
        Fighter victim = rounds.players().find(hit.id());
        return attacker == null || victim == null || victim.subscriber == null
                ? MirrorResult.NO_EFFECT
                : victim.receive(attacker, hit, made);
    }

    @Override
    public void mirror(ArenaEvent.OfFight event) {
        Fighter player = mirrored(event.id());
        if (player == null || !isOn() || rounds.isRace()) {
            return;
        }
        switch (event) {
            case ArenaEvent.Hit hit -> mirrorHit(player, hit);
            case ArenaEvent.Died died -> mirrorDeath(player, died);
            case ArenaEvent.Scored scored -> {
                if (!player.score().equals(scored.score())) {
                    player.setScore(scored.score());
                    rounds.scored(scored.time(), player);
                }
            }
            case ArenaEvent.TeamChanged changed -> {
                if (rounds.rules().mode().hasTeams() && !player.isIn(changed.team())) {
                    player.setTeam(changed.team());
                    rounds.teamChanged(changed.time(), player);
                }
            }
        }
    }

    private void mirrorHit(Fighter victim, ArenaEvent.Hit hit) {
        Fighter attacker = rounds.players().find(hit.attacker().id());
        victim.mirrorVitals(hit.vitals());
        if (attacker != null) {
            onHit(
                    new ArenaEvent.Hit(
                            hit.time(),
                            victim.player.snapshot(),
                            attacker.player.snapshot(),
                            hit.means(),
                            hit.damage(),
                            hit.knockback(),
                            hit.place(),
                            hit.vitals()),
                    victim);
        }
    }

    private void mirrorDeath(Fighter victim, ArenaEvent.Died died) {
        Fighter killer = rounds.players().find(died.killer().id());
        victim.mirrorDeath(died.time());
        interestTracker.despawn(
                died.time(),
                victim.player,
                () -> {
                    if (killer != null) {
                        dispatcher.dispatch(
                                new ArenaEvent.Died(
                                        died.time(),
                                        victim.player.snapshot(),
                                        killer.player.snapshot(),
                                        died.means(),
                                        died.score()),
                                victim.player);
                    }
                });
        rounds.flags().drop(died.time(), victim.player, FlagCause.DEATH);
    }

    @Override
    public int maxFragsOfHit() {
        return 1 + (rules().mode().hasFlags() ? CARRIER_POINTS : 0);
    }

    @Override
    public List<ItemPickup> pickups(long now) {
        return rounds.items().pickups(now);
    }

    @Override
    public MirrorResult mirror(long now, ItemPickup pickup, BooleanSupplier limit) {
        if (pickup.player().isEmpty()) {
            return rounds.items()
                    .mirror(
                            now,
                            null,
                            pickup,
                            (_, _) ->
                                    limit.getAsBoolean()
                                            ? MirrorResult.TAKEN
                                            : MirrorResult.NO_EFFECT);
        }
        Fighter player = mirrored(pickup.player().get());
        if (player == null) {
            return MirrorResult.NO_EFFECT;
        }
        MirrorResult result =
                rounds.items()
                        .mirror(
                                now,
                                player.player,
                                pickup,
                                (made, place) -> player.reached(now, made, place));
        if (result == MirrorResult.TAKEN && pickup.item().kind() == ItemKind.QUAD) {
            player.mirrorQuad(now - pickup.item().returnTime().minus(pickup.left()).toNanos());
        }
        return result;
    }

    @Override
    public void credit(long now, PlayerId id, int frags) {
        Fighter killer = rounds.players().find(id);
        if (killer != null && killer.subscriber != null && rounds.isCounting()) {
            rounds.addFrags(killer, frags);
            rounds.scored(now, killer);
            rounds.checkScoreLimit(now, killer);
        }
    }

    @Override
    public Optional<TeamRefusal> changeTeam(long now, Fighter player, Team to) {
        Optional<TeamRefusal> refusal = TeamTable.refusal(now, player, to, rounds.players().all());
        if (refusal.isEmpty()) {
            player.switchTeam(now, to);
            rounds.missiles().clear(now, player.player.id);
            interestTracker.despawn(now, player.player);
            rounds.flags().drop(now, player.player, FlagCause.TEAM);
            rounds.teamChanged(now, player);
        }
        return refusal;
    }

    @Override
    public Flags flags() {
        return rounds.flags();
    }

    @Override
    public ItemSpawns items() {
        return rounds.items();
    }

    @Override
    public Optional<Missile> launch(
            long now,
            PlayerId owner,
            MissileRules missileRules,
            Missile.Launch launch,
            Missile.Listener listener,
            Missiles.Bodies bodies) {
        return rounds.missiles().launch(now, owner, missileRules, launch, listener, bodies);
    }

    @Override
    public void report(long now, ActivePlayer player, ShotViolation violation) {
        cheatPolicy.enforce(now, player, violation);
    }
}
