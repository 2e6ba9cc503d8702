package dev.wishdir.sauerbraten.combat;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.inspect.SauerbratenCaptures;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.combat.ItemEffects;
import dev.wishdir.sauerbraten.server.view.CombatMessages;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * From what the clients of captures of the original server sent, the rules of this server give the
 * shots, explosions, damage, pushes, deaths and spawn states that the original server sent. The
 * scripted clients shoot from anywhere, so that the checks of places are not part of it.
 */
class CombatReplayTest {
    /** One player of a capture, client or bot. */
    private static final class Fighter {
        final ArenaPlayer player;
        final LifeState life = new LifeState();
        final GunState guns = new GunState(life);

        Fighter(ArenaPlayer player) {
            this.player = player;
            // The first life of the original server has number 1.
            life.order(0, GameMode.FFA, new Random(1));
        }
    }

    /** The packets of one direction of a connection. */
    private record Flow(int client, Direction direction) {}

    private final Arena arena = new Arena(Level.BOX, 100);
    private final Map<Integer, Fighter> fighters = new HashMap<>();
    private final Map<PlayerId, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> owners = new HashMap<>();
    private final Map<Integer, Integer> clientNumbers = new HashMap<>();
    private final Map<Integer, Integer> itemTypes = new HashMap<>();
    private final Map<Flow, Set<Integer>> sequences = new HashMap<>();
    private final Map<Integer, String> teams = new HashMap<>();

    /**
     * The original server does nothing for a client after a shot of the far future, until the
     * client dies. This one drops the shot, so that a replay has to do the former.
     */
    private final Set<Integer> blocked = new HashSet<>();

    private final Map<String, List<String>> ours = new LinkedHashMap<>();
    private final Map<String, List<String>> theirs = new LinkedHashMap<>();
    private SauerbratenCodec codec = SauerbratenCodec.V260;
    private GameMode mode = GameMode.FFA;
    private int observer = -1;
    private long now;
    private long realTime;
    private int speed = 100;

    private static void add(Map<String, List<String>> to, String kind, int cn, Object what) {
        to.computeIfAbsent(kind + " " + cn, _ -> new ArrayList<>()).add(String.valueOf(what));
    }

    private void replay(String capture) {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        arena.addListener(this::onEvent);
        List<Datagram> datagrams = SauerbratenCaptures.FILES.datagrams(capture);
        int server = datagrams.getFirst().destination().getPort();
        for (Datagram datagram : datagrams) {
            boolean toServer = datagram.destination().getPort() == server;
            if (!toServer && datagram.source().getPort() != server) {
                continue;
            }
            Direction direction = toServer ? Direction.C2S : Direction.S2C;
            int client =
                    direction == Direction.C2S
                            ? datagram.source().getPort()
                            : datagram.destination().getPort();
            advance(datagram);
            EnetDatagram.wire(new Reader(datagram.payload()), EnetDatagram.BLANK)
                    .commands()
                    .forEach(command -> deliver(new Flow(client, direction), command));
        }
    }

    /** Game time, which an admin may have made faster. */
    private void advance(Datagram datagram) {
        long time = Math.round(datagram.time() * 1e9);
        if (realTime != 0) {
            now += (time - realTime) * speed / 100;
        }
        realTime = time;
    }

    private void deliver(Flow flow, EnetCommand command) {
        switch (command) {
            case EnetCommand.SendReliable c when c.channel() == 1 -> {
                if (sequences.computeIfAbsent(flow, _ -> new HashSet<>()).add(c.seq())) {
                    packet(flow, c.payload());
                }
            }
            default -> {}
        }
    }

    private void packet(Flow flow, Bytes payload) {
        List<SauerbratenMessage> messages =
                codec.readPacket(flow.direction(), 1, new Reader(payload));
        int speaker = clientNumbers.getOrDefault(flow.client(), -1);
        for (SauerbratenMessage message : messages) {
            if (flow.direction() == Direction.S2C) {
                onServer(flow.client(), message);
            } else if (message instanceof RelayMessage.FromAi from) {
                speaker =
                        from.cn() < 0
                                ? requireNonNull(clientNumbers.get(flow.client()))
                                : from.cn();
            } else {
                onClient(flow.client(), speaker, message);
            }
        }
    }

    private Fighter fighter(int cn) {
        return fighters.computeIfAbsent(
                cn,
                number -> {
                    ArenaPlayer player =
                            arena.join(now, SauerbratenCodec.GAME, "p" + number, new NoOpViewer());
                    numbers.put(player.id(), number);
                    return new Fighter(player);
                });
    }

    private void onServer(int client, SauerbratenMessage message) {
        boolean observed = client == observer;
        switch (message) {
            case SessionMessage.ServInfo m -> {
                clientNumbers.put(client, m.cn());
                owners.put(m.cn(), client);
                observer = observer < 0 ? client : observer;
            }
            case BotMessage.InitAi m -> {
                for (Map.Entry<Integer, Integer> each : clientNumbers.entrySet()) {
                    if (each.getValue() == m.owner()) {
                        owners.put(m.cn(), each.getKey());
                    }
                }
            }
            case MatchMessage.MapChange m -> {
                codec = codec.inMode(m.mode());
                mode = new GameMode(m.mode());
                if (observed) {
                    arena.match().begin(now);
                    fighters.values().forEach(it -> it.guns.clear());
                }
            }
            case AdminMessage.GameSpeed m when observed -> speed = m.speed();
            case ItemMessage.ItemList m ->
                    m.items().forEach(item -> itemTypes.put(item.item(), item.type()));
            case ItemMessage.ItemAcc m when observed && m.cn() >= 0 -> take(m.cn(), m.item());
            case RosterMessage.CDis m when observed -> {
                Fighter left = fighters.remove(m.cn());
                if (left != null) {
                    left.player.leave(now, LeaveReason.LEFT);
                }
            }
            case LifeMessage.SpawnState m -> {
                String order = "N_SPAWNSTATE " + m.cn();
                int done = theirs.getOrDefault(order, List.of()).size();
                add(theirs, "N_SPAWNSTATE", m.cn(), m.state());
                if (ours.getOrDefault(order, List.of()).size() == done) {
                    // The server spawns a player unasked: a newcomer, or after a map change.
                    spawn(m.cn());
                }
            }
            case RosterMessage.SetTeam m -> teams.put(m.cn(), m.team());
            case ActionMessage.ShotFx m when observed -> add(theirs, "N_SHOTFX", m.cn(), m);
            case ActionMessage.ExplodeFx m when observed -> add(theirs, "N_EXPLODEFX", m.cn(), m);
            case LifeMessage.Damage m when observed -> add(theirs, "N_DAMAGE", m.target(), m);
            case LifeMessage.Died m when observed ->
                    add(
                            theirs,
                            "N_DIED",
                            m.victim(),
                            m.actor() + (mode.teams() ? "" : " frags " + m.frags()));
            case LifeMessage.HitPush m when owners.getOrDefault(m.target(), -1) == client ->
                    add(theirs, "N_HITPUSH", m.target(), m);
            default -> {}
        }
    }

    private void take(int cn, int item) {
        Integer type = itemTypes.get(item);
        if (type == null) {
            // Listed are items that were there at the start. Whether the later one of
            // combat-teamplay is a boost, armour or nothing changes none of its hits.
            return;
        }
        Fighter fighter = fighter(cn);
        ItemEffects.take(now, type, fighter.life, fighter.guns);
        fighter.player.combatant().setVitals(CombatMessages.vitals(fighter.life.body()));
    }

    private void spawn(int cn) {
        Fighter fighter = fighter(cn);
        fighter.life.order(now, mode, new Random(1));
        add(ours, "N_SPAWNSTATE", cn, fighter.life.body());
    }

    private void onClient(int client, int cn, SauerbratenMessage message) {
        if (cn < 0 || owners.getOrDefault(cn, -1) != client) {
            return;
        }
        Fighter from = fighter(cn);
        switch (message) {
            case ItemMessage.ItemList m ->
                    m.items().forEach(item -> itemTypes.put(item.item(), item.type()));
            case LifeMessage.TrySpawn _ -> {
                if (from.life.state() == ClientState.DEAD && !from.life.isOrdered()) {
                    spawn(cn);
                }
            }
            case LifeMessage.ClientSpawn m -> {
                if (from.life.spawn(m.lifeseq())) {
                    from.guns.reset();
                    from.player
                            .combatant()
                            .beginLife(
                                    now,
                                    CombatMessages.vitals(from.life.body()),
                                    CombatMessages::absorbed);
                    from.player.spawn(now, Movement.at(new Vec3(cn % 9, cn / 9.0, 0), 0));
                }
            }
            case LifeMessage.Suicide _ when !blocked.contains(cn) ->
                    from.player.combatant().die(now);
            case RosterMessage.Spectator m when m.cn() == cn -> {
                from.player.combatant().die(now);
                from.life.setSpectator(m.val());
            }
            case RosterMessage.SwitchTeam m when !m.team().equals(teams.get(cn)) ->
                    from.player.combatant().die(now);
            case ActionMessage.Shoot m -> shoot(cn, from, m);
            case ActionMessage.Explode m -> explode(cn, from, m);
            default -> {}
        }
    }

    private boolean isLiving(ActionMessage.Hit hit) {
        Fighter target = fighters.get(hit.target());
        return target != null
                && target.player.combatant().isAlive()
                && target.life.lifeseq() == hit.lifeseq();
    }

    private void shoot(int cn, Fighter from, ActionMessage.Shoot shot) {
        if (from.life.isSpectator() || blocked.contains(cn)) {
            return;
        }
        GunState.Refusal refusal = from.guns.fire(now, shot);
        if (refusal == GunState.Refusal.AHEAD) {
            blocked.add(cn);
        }
        if (refusal != null) {
            return;
        }
        add(
                ours,
                "N_SHOTFX",
                cn,
                new ActionMessage.ShotFx(cn, shot.gun(), shot.id(), shot.from(), shot.to()));
        Weapon gun = Weapon.of(shot.gun()).orElseThrow();
        if (gun.hasProjectile()) {
            from.guns.launch(new GunState.Projectile(gun, shot, PlaceClaims.Claim.proven()));
        } else {
            WeaponRules.rayHits(
                    gun,
                    from.guns.factor(now),
                    shot.hits(),
                    this::isLiving,
                    (hit, damage) -> hit(cn, gun, hit, damage));
        }
    }

    private void explode(int cn, Fighter from, ActionMessage.Explode explosion) {
        GunState.Projectile projectile = from.guns.explode(explosion);
        if (projectile == null) {
            return;
        }
        add(
                ours,
                "N_EXPLODEFX",
                cn,
                new ActionMessage.ExplodeFx(cn, explosion.gun(), explosion.id()));
        WeaponRules.blastHits(
                projectile.gun(),
                from.guns.factor(now),
                cn,
                explosion.hits(),
                this::isLiving,
                (hit, damage) -> hit(cn, projectile.gun(), hit, damage));
    }

    private void hit(int cn, Weapon gun, ActionMessage.Hit hit, int damage) {
        Heading direction = hit.target() == cn ? Heading.BLANK : WeaponRules.direction(hit.dir());
        requireNonNull(fighters.get(cn))
                .player
                .combatant()
                .hit(
                        now,
                        requireNonNull(fighters.get(hit.target())).player.id(),
                        gun.means,
                        damage,
                        WeaponRules.knockback(gun, damage, direction),
                        Vec3.ZERO);
    }

    private void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit e -> {
                int target = requireNonNull(numbers.get(e.id()));
                int actor = requireNonNull(numbers.get(e.attacker().id()));
                Fighter victim = requireNonNull(fighters.get(target));
                victim.life.setBody(CombatMessages.with(victim.life.body(), e.vitals()));
                add(ours, "N_DAMAGE", target, CombatMessages.damage(target, actor, e));
                if (CombatMessages.pushes(e)) {
                    add(ours, "N_HITPUSH", target, CombatMessages.push(target, e));
                }
            }
            case ArenaEvent.Died e -> {
                int victim = requireNonNull(numbers.get(e.id()));
                int killer = requireNonNull(numbers.get(e.killer().id()));
                blocked.remove(victim);
                boolean itself = e.means() == DamageMeans.SUICIDE;
                requireNonNull(fighters.get(victim)).life.die(itself ? Long.MIN_VALUE / 2 : now);
                add(
                        ours,
                        "N_DIED",
                        victim,
                        killer + (mode.teams() ? "" : " frags " + e.score().frags()));
            }
            default -> {}
        }
    }

    /** The number of messages of a kind that both sent. */
    private int count(String kind) {
        return theirs.entrySet().stream()
                .filter(each -> each.getKey().startsWith(kind + " "))
                .mapToInt(each -> each.getValue().size())
                .sum();
    }

    @ParameterizedTest
    @DisplayName(
            "J1 J3 J4 guns, ammunition, rays, lives and ranges count as in the original server")
    @CsvSource({
        "combat-rules, 28, 7, 22",
        "combat-rules-team, 36, 1, 26",
        "combat-ffa, 229, 5, 27",
        "combat-towers, 188, 18, 53",
        "combat-teamplay, 183, 13, 28",
    })
    void sendsWhatTheOriginalServerSent(String capture, int shots, int explosions, int damages) {
        replay(capture);
        assertThat(count("N_SHOTFX")).isEqualTo(shots);
        assertThat(count("N_EXPLODEFX")).isEqualTo(explosions);
        assertThat(count("N_DAMAGE")).isEqualTo(damages);
        assertThat(ours).isEqualTo(theirs);
    }
}
