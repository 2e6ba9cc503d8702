package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.Match;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.combat.HitHandler;
import dev.wishdir.quake3.server.combat.ShotGeometry;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.match.ScoreBoard;
import dev.wishdir.quake3.server.match.ScoreList;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TeamNumber;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.Optional;

/** Carries out on the clients of this endpoint what the match of the arena decides. */
final class CombatListener implements ArenaListener {
    /** Health at which a body is torn apart. */
    private static final int GIB_HEALTH = -40;

    private static final String BEDROCK = "bedrock";
    private static final int DEATHS = 3;
    private static final int PUSH_PER_POINT = 5;
    private static final float FALL_UNITS = 4_096;
    private static final int TR_LINEAR_STOP = 3;
    private static final double GRAVITY_UNITS = 800;
    private static final int ET_PLAYER = 1;

    private final Arena arena;
    private final ClientTable clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final CombatEntities entities;
    private final HitHandler hits;
    private final ScoreBoard scores;
    private int deaths;

    CombatListener(
            Arena arena,
            ClientTable clients,
            RunningLevel running,
            UsercmdExecutor executor,
            CombatEntities entities,
            HitHandler hits,
            ScoreBoard scores) {
        this.arena = arena;
        this.clients = clients;
        this.running = running;
        this.executor = executor;
        this.entities = entities;
        this.hits = hits;
        this.scores = scores;
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit hit -> onHit(hit);
            case ArenaEvent.Died died -> onDied(died);
            case ArenaEvent.Scored _, ArenaEvent.Joined _, ArenaEvent.Left _ ->
                    scores.markChanged();
            case ArenaEvent.TeamChanged changed -> {
                Quake3Session client = clients.find(changed.id());
                if (client != null) {
                    client.body().combat().setTeam(TeamNumber.of(Optional.of(changed.team())));
                }
                scores.markChanged();
            }
            case ArenaEvent.RoundStarted started -> onRoundStarted(started.time());
            case ArenaEvent.RoundEnded ended -> onRoundEnded(ended.time());
            case ArenaEvent.LevelChanged changed when changed.game().equals(Quake3Codec.GAME) ->
                    entities.clear();
            default -> {
                // It is about no fight.
            }
        }
    }

    private void onHit(ArenaEvent.Hit hit) {
        Quake3Session victim = clients.find(hit.id());
        if (victim != null) {
            hurt(hit, victim);
        }
        if (hit.damage() > 0 && !hit.attacker().game().equals(Quake3Codec.GAME)) {
            // This game's shots show their hits by themselves.
            entities.event(
                    running.time(hit.time()),
                    TempEvent.BULLET_HIT_FLESH,
                    new Content(
                                    CombatEntities.at(
                                                    PlayerBody.truncated(
                                                            ShotGeometry.units(hit.place())))
                                            .build())
                            .naming(EntityField.OTHER_ENTITY_NUM, hit.attacker().id())
                            .naming(EntityField.EVENT_PARM, hit.id()));
        }
    }

    private void hurt(ArenaEvent.Hit hit, Quake3Session victim) {
        PlayerBody body = victim.body();
        CombatState combat = body.combat();
        int health = HitHandler.health(hit.vitals());
        int armour = HitHandler.armour(hit.vitals());
        int lost = Math.max(0, body.health() - health) + Math.max(0, combat.armour() - armour);
        body.setHealth(health);
        combat.setArmour(armour);
        Vec3f push = ShotGeometry.units(hit.knockback());
        int points = Math.round(push.length() / PUSH_PER_POINT);
        if (points > 0) {
            body.push(push, points);
        }
        boolean byWorld = hit.attacker().id().equals(hit.id()) && points == 0;
        if (lost > 0) {
            combat.feedback().add(lost, push);
        }
        combat.setAttacker(byWorld ? CombatState.WORLD : slot(victim, hit.attacker().id()));
    }

    private static int slot(Quake3Session at, PlayerId player) {
        int slot = at.slot(player);
        return slot < 0 ? CombatState.WORLD : slot;
    }

    private void onDied(ArenaEvent.Died died) {
        int time = running.time(died.time());
        MeansOfDeath means = hits.takeMeans(died.id(), died.means());
        if (means == MeansOfDeath.RAILGUN && died.killer().game().equals(BEDROCK)) {
            // Its trident does not rail, and clients have no word for it.
            means = MeansOfDeath.UNKNOWN;
        }
        Vec3f origin = origin(died.player());
        int death = Math.floorMod(deaths++, DEATHS);
        showObituary(time, died, means, origin);
        double health =
                arena.player(died.id()).map(it -> it.combatant().vitals().health()).orElse(0.0);
        boolean gibs = health <= GIB_HEALTH;
        if (gibs) {
            entities.event(
                    time,
                    TempEvent.GIB,
                    new Content(CombatEntities.at(origin).build())
                            .naming(EntityField.CLIENT_NUM, died.id()));
        } else {
            entities.corpse(time, corpse(time, died, origin, death));
        }
        Quake3Session victim = clients.find(died.id());
        if (victim != null) {
            BodyEvent event = gibs ? BodyEvent.GIB : BodyEvent.values()[1 + death];
            Vec3f killer = origin(died.killer());
            victim.body()
                    .die(time, death, Angles.yaw(killer.x() - origin.x(), killer.y() - origin.y()));
            victim.body().combat().show(event, slot(victim, died.killer().id()) & 0xFF);
            scores.markChanged();
            victim.command(
                    ScoreList.command(died.time(), victim, arena, clients, running.levelStart()));
        }
    }

    private static Vec3f origin(Player player) {
        Vec3f feet = ShotGeometry.units(player.movement().position());
        return PlayerBody.truncated(feet.withZ(feet.z() + (float) Quake3Motion.FEET));
    }

    private void showObituary(int time, ArenaEvent.Died died, MeansOfDeath means, Vec3f origin) {
        EntityState.Builder state =
                CombatEntities.at(origin)
                        .set(EntityField.EVENT_PARM, means.number())
                        .set(EntityField.OTHER_ENTITY_NUM2, CombatState.WORLD);
        Content obituary =
                new Content(state.build()).naming(EntityField.OTHER_ENTITY_NUM, died.id()).toAll();
        boolean world = means == MeansOfDeath.FALLING || means == MeansOfDeath.TRIGGER_HURT;
        entities.event(
                time,
                TempEvent.OBITUARY,
                world
                        ? obituary
                        : obituary.naming(EntityField.OTHER_ENTITY_NUM2, died.killer().id()));
        if (arena.match().phase() == Match.Phase.PLAYING
                && clients.find(died.killer().id()) != null) {
            Match match = arena.match();
            boolean isOwnTeam =
                    match.team(died.id()).isPresent()
                            && match.team(died.id()).equals(match.team(died.killer().id()));
            int points = isOwnTeam || died.killer().id().equals(died.id()) ? -1 : 1;
            entities.event(
                    time,
                    TempEvent.SCORE_PLUM,
                    new Content(CombatEntities.at(origin).set(EntityField.TIME, points).build())
                            .naming(EntityField.OTHER_ENTITY_NUM, died.killer().id())
                            .onlyTo(died.killer().id()));
        }
    }

    /** A body that falls to the floor; its own client shows the body that it had. */
    private Content corpse(int time, ArenaEvent.Died died, Vec3f origin, int death) {
        Trace floor =
                running.world()
                        .trace(
                                origin,
                                new Vec3f(-15, -15, -24),
                                new Vec3f(15, 15, -8),
                                origin.withZ(origin.z() - FALL_UNITS),
                                Pmove.SOLID);
        float height = origin.z() - floor.end().z();
        int millis = (int) (1_000 * Math.sqrt(2 * height / GRAVITY_UNITS));
        EntityState.Builder state =
                CombatEntities.at(origin)
                        .set(EntityField.E_TYPE, ET_PLAYER)
                        .set(EntityField.E_FLAGS, PlayerBody.EF_DEAD)
                        .set(EntityField.LEGS_ANIM, 2 * death)
                        .set(EntityField.TORSO_ANIM, 2 * death)
                        .set(EntityField.EVENT, BodyEvent.values()[1 + death].number() | 1 << 8)
                        .set(EntityField.GROUND_ENTITY_NUM, EntityState.WORLD)
                        .real(
                                EntityField.APOS_TR_BASE_1,
                                (int) Angles.wrap180(died.player().movement().yaw()));
        if (millis > 0) {
            state.set(EntityField.POS_TR_TYPE, TR_LINEAR_STOP)
                    .set(EntityField.POS_TR_TIME, time)
                    .set(EntityField.POS_TR_DURATION, millis)
                    .real(EntityField.POS_TR_DELTA_2, -height * 1_000 / millis);
        }
        return new Content(state.build())
                .naming(EntityField.CLIENT_NUM, died.id())
                .notTo(died.id());
    }

    /** All players of the level spawn again. */
    private void onRoundStarted(long now) {
        entities.clear();
        scores.markChanged();
        running.startRound(now);
        for (Quake3Session client : clients) {
            client.configstrings().changedRound();
            if (client.isActive() && !client.spectates()) {
                executor.spawn(now, client);
            }
        }
    }

    /** No player moves, and the board is shown. */
    private void onRoundEnded(long now) {
        if (arena.match().phase() != Match.Phase.INTERMISSION) {
            return;
        }
        scores.markChanged();
        for (Quake3Session client : clients) {
            if (client.isActive()) {
                client.body().startIntermission();
                client.command(
                        ScoreList.command(now, client, arena, clients, running.levelStart()));
            }
        }
    }
}
