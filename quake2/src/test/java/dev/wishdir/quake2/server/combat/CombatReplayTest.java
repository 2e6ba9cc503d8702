package dev.wishdir.quake2.server.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.combat.Ammo;
import dev.wishdir.quake2.combat.GunState;
import dev.wishdir.quake2.combat.Inventory;
import dev.wishdir.quake2.combat.ItemEffects;
import dev.wishdir.quake2.combat.PickupItem;
import dev.wishdir.quake2.combat.QuadDamage;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.Sound.Channel;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.view.CombatLevel;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.quake2.server.view.TickClock;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;

/**
 * From what the clients of captures of other servers sent, the rules of this server give the frames
 * of the guns, the shots, the ammunition and the damage that those servers sent.
 */
class CombatReplayTest {
    /** A client's packet that waits for its acknowledgement. */
    private record Waiting(int sequence, ClientMessage message) {}

    /** How a replay came out: what is equal, of what was compared. */
    private static final class Agreement {
        int equal;
        int compared;
        final List<String> differences = new ArrayList<>();

        void add(boolean isEqual, String difference) {
            compared++;
            if (isEqual) {
                equal++;
            } else {
                differences.add(difference);
            }
        }

        @Override
        public String toString() {
            return equal + "/" + compared;
        }
    }

    /** One client of a capture, with a gun that its commands move. */
    private final class Connection implements GunState.Listener {
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private final Map<Integer, String> strings = new HashMap<>();
        private final GunState gun = new GunState(new Random(1), this);
        private FrameHistory history = new FrameHistory();
        private Inventory inventory = new Inventory();
        private int incoming;
        private int slot;
        private boolean alive;

        /** Whether the gun has the weapon of the captured one. */
        private boolean known;

        private UserCmd last = UserCmd.ZERO;
        private final Hazards hazards = new Hazards();
        private PlayerState body = PlayerState.ZERO;
        private @Nullable ArenaPlayer player;
        private int lastPickup;
        private int quadUntil = -1;
        private final ItemEffects items = new ItemEffects();

        /** Whether a life has begun whose first weapon was not idle yet. */
        private boolean isFresh;

        private static final int TAKE_UP_FRAMES = 8;

        @Override
        public void onShot(long now, Weapon weapon, int bullets, int frame) {
            if (known) {
                if (weapon != Weapon.BFG) {
                    ours.merge(ShotHandler.flash(weapon, bullets), 1, Integer::sum);
                }
                shots.fire(
                        clock,
                        new Shooter(requireNonNull(player), slot + 1, aimed(), 1),
                        weapon,
                        bullets,
                        frame);
            }
        }

        @Override
        public void onWindUp(long now, Weapon weapon) {
            ours.merge(ShotHandler.flash(weapon, 1), 1, Integer::sum);
        }

        @Override
        public void onThrow(long now, int fuseFrames, boolean isHeld) {
            throwFuses.add(fuseFrames);
            shots.throwGrenade(
                    clock,
                    new Shooter(requireNonNull(player), slot + 1, aimed(), 1),
                    fuseFrames * TickClock.FRAME_NANOS,
                    isHeld);
        }

        @Override
        public void onAct(long now) {}

        @Override
        public void onSound(String name, Channel channel) {}

        void fromClient(Reader r) {
            int sequence = NetchanHeader.wire(r, NetchanHeader.FROM_CLIENT).sequence();
            if (sequence <= incoming) {
                return;
            }
            incoming = sequence;
            while (r.remaining() > 0) {
                waiting.add(new Waiting(sequence, Quake2Codec.readClient(r)));
            }
        }

        void fromServer(Reader r) {
            int acknowledged = NetchanHeader.wire(r, NetchanHeader.FROM_SERVER).ack();
            while (!waiting.isEmpty() && waiting.element().sequence() <= acknowledged) {
                run(waiting.remove().message());
            }
            // The shot that ends a round follows a frame without a gun.
            boolean wasKnown = known;
            while (r.remaining() > 0) {
                switch (Quake2Codec.readServer(r)) {
                    case ServerMessage.ServerData data -> {
                        history = new FrameHistory();
                        slot = data.playerNum();
                        known = false;
                        alive = false;
                    }
                    case ConfigString string -> strings.put(string.index(), string.text());
                    case ServerMessage.SpawnBaseline baseline ->
                            history.baseline(baseline.entity());
                    case Frame frame -> frame(history.apply(frame));
                    case ServerMessage.MuzzleFlash flash
                            when (wasKnown || known) && flash.entity() == slot + 1 ->
                            theirs.merge(flash.flash(), 1, Integer::sum);
                    // The gun is not known then: its player has just taken all items.
                    case ServerMessage.MuzzleFlash flash
                            when !wasKnown
                                    && flash.entity() == slot + 1
                                    && flash.flash() == SILENT_RAIL ->
                            shots.fire(
                                    clock,
                                    new Shooter(requireNonNull(player), slot + 1, aimed(), 1),
                                    Weapon.RAILGUN,
                                    1,
                                    0);
                    case TempEntity effect when slot == 0 -> theirEffects.add(effect);
                    case Sound sound when sound.entity() == slot + 1 -> {
                        String name = strings.getOrDefault(288 + sound.index(), "");
                        if (name.startsWith("items/damage")) {
                            theirSounds.add(name);
                        }
                    }
                    default -> {}
                }
            }
        }

        private void run(ClientMessage message) {
            switch (message) {
                case Move move -> {
                    last = move.newest().cmd();
                    if (known) {
                        gun.command(0, last.attacks(), alive);
                    }
                }
                case ClientMessage.StringCmd command -> {
                    String text = command.text().value();
                    if (text.equals("give all")) {
                        Arrays.stream(Weapon.values()).forEach(inventory::give);
                        Arrays.stream(Ammo.values()).forEach(kind -> inventory.set(kind, 1000));
                    } else if (text.startsWith("use ")) {
                        Optional<Weapon> wanted = Weapon.named(CommandTokenizer.afterFirst(text));
                        wanted.ifPresent(gun::use);
                        known &= wanted.isPresent() || text.endsWith(" Damage");
                    }
                }
                default -> {}
            }
        }

        /** The body as of the last frame, with the view of the last command. */
        private PlayerState aimed() {
            Triple delta = body.deltaAngles();
            Triple angles = last.angles();
            return body.seen(
                    body.viewOffset(),
                    new Triple(
                            (short) (angles.x() + delta.x()), (short) (angles.y() + delta.y()), 0),
                    Triple.ZERO,
                    0,
                    0,
                    body.blend(),
                    body.stats());
        }

        /** Puts the body where the server shows it, and compares what it lost. */
        private void show(PlayerState state, boolean lives) {
            ArenaPlayer here = player;
            if (here == null) {
                here = arena.join(clock, Quake2Codec.GAME, "p" + slot, new NoOpViewer());
                player = here;
                names.put(here.id(), slot);
            }
            here.recordActivity(clock);
            int health = state.stats().get(Stats.HEALTH);
            int armour = state.stats().get(Stats.ARMOUR);
            int lost =
                    Math.max(0, body.stats().get(Stats.HEALTH) - health)
                            + (lives ? Math.max(0, body.stats().get(Stats.ARMOUR) - armour) : 0);
            if (alive && lost > 0) {
                lost(theirDamage, slot, lost);
            }
            body = state;
            if (lives && !alive) {
                // What it loses is compared, not when it dies.
                here.combatant().beginLife(clock, new Vitals(1e9, 0, 0), ArmourRule.EXACT);
                here.spawn(clock, Quake2Motion.toCanonical(state));
                hazards.clear();
            } else if (!lives) {
                here.despawn(clock);
            } else {
                here.move(clock, Quake2Motion.toCanonical(state), NativeMovement.Stored.NONE);
                int harm = hazards.endFrame(state, level.map().world(), true);
                if (harm > 0) {
                    lost(ourDamage, slot, harm);
                }
            }
        }

        private void frame(FrameHistory.Snapshot snapshot) {
            PlayerState state = snapshot.player();
            Triple v = state.velocity();
            greatestSpeed = Math.max(greatestSpeed, Math.hypot(v.x(), v.y()));
            boolean lives = state.pmType() == PlayerState.NORMAL;
            show(state, lives);
            Optional<Weapon> shown = weapon(state.gunIndex());
            if (lives && !alive) {
                inventory = new Inventory();
                known = false;
                isFresh = true;
            }
            alive = lives;
            if (isFresh && shown.filter(it -> it.isIdle(state.gunFrame())).isPresent()) {
                gun.begin(inventory, shown.get());
                for (int i = 0; i < TAKE_UP_FRAMES; i++) {
                    gun.endFrame(0, true);
                }
                known = true;
                isFresh = false;
                return;
            }
            int pickup = state.stats().get(Stats.PICKUP_STRING);
            if (pickup == QUAD_NAME && pickup != lastPickup) {
                ourSounds.add(QuadDamage.USED);
                requireNonNull(player).combatant().setQuad(clock + QUAD_NANOS);
                quadUntil = snapshot.number() + QuadDamage.frames(QUAD_NANOS);
            }
            compareQuad(snapshot);
            if (pickup != 0 && pickup != lastPickup) {
                // Items are not of this server.
                known = false;
            }
            lastPickup = pickup;
            if (!known && shown.isPresent() && state.gunFrame() == 0) {
                shown.get()
                        .ammo()
                        .ifPresent(kind -> inventory.set(kind, state.stats().get(Stats.AMMO)));
                gun.begin(inventory, shown.get());
                known = true;
                return;
            }
            gun.endFrame(0, lives);
            if (!lives || shown.isEmpty()) {
                known = false;
                return;
            }
            if (!known) {
                return;
            }
            frames.add(
                    shown.get() == gun.weapon() && isSameFrame(shown.get(), state.gunFrame()),
                    snapshot.number()
                            + ": "
                            + shown.get()
                            + " "
                            + state.gunFrame()
                            + ", ours "
                            + gun.weapon()
                            + " "
                            + gun.frame());
            String sound =
                    strings.getOrDefault(288 + snapshot.entity(slot + 1).orElseThrow().sound(), "");
            if (!sound.startsWith("player/")) {
                loops.add(
                        sound.equals(gun.loopSound()),
                        snapshot.number() + ": " + sound + ", ours " + gun.loopSound());
            }
            int count = state.stats().get(Stats.AMMO);
            ammo.add(
                    gun.inventory().ammo(gun.weapon()) == count,
                    snapshot.number()
                            + ": "
                            + count
                            + ", ours "
                            + gun.inventory().ammo(gun.weapon()));
        }

        /** What the client is shown of quad damage. */
        private void compareQuad(FrameHistory.Snapshot snapshot) {
            int left = quadUntil - snapshot.number();
            if (left < 0) {
                return;
            }
            if (items.setQuadFrames(left)) {
                ourSounds.add(QuadDamage.RUNS_OUT);
            }
            Stats stats = snapshot.player().stats();
            boolean glows =
                    (snapshot.entity(slot + 1).orElseThrow().effects() & EntityState.QUAD) != 0;
            quad.add(
                    stats.get(Stats.TIMER) == QuadDamage.seconds(left)
                            && left > 0
                                    == strings.getOrDefault(544 + stats.get(Stats.TIMER_ICON), "")
                                            .equals(PickupItem.QUAD.icon())
                            && glows == QuadDamage.isVisible(left),
                    left + ": " + stats.get(Stats.TIMER) + " " + glows);
        }

        /** An idle gun waits by chance, so that all its idle frames are equal. */
        private boolean isSameFrame(Weapon weapon, int frame) {
            return frame == gun.frame() || weapon.isIdle(frame) && weapon.isIdle(gun.frame());
        }

        private Optional<Weapon> weapon(int model) {
            String path = strings.getOrDefault(32 + model, "");
            return Arrays.stream(Weapon.values())
                    .filter(weapon -> weapon.viewModel().equals(path))
                    .findFirst();
        }
    }

    /** What a player lost in one go: hits less than a second apart. */
    private static final class Loss {
        final int slot;
        int points;
        long last;

        Loss(int slot) {
            this.slot = slot;
        }

        @Override
        public String toString() {
            return slot + ":" + points;
        }
    }

    private static void lost(List<Loss> losses, int slot, int points, long clock) {
        Loss loss =
                losses.stream()
                        .filter(it -> it.slot == slot && clock - it.last < BURST_NANOS)
                        .findFirst()
                        .orElse(null);
        if (loss == null) {
            loss = new Loss(slot);
            losses.add(loss);
        }
        loss.points += points;
        loss.last = clock;
    }

    private void lost(List<Loss> losses, int slot, int points) {
        lost(losses, slot, points, clock);
    }

    private static final long BURST_NANOS = 1_000_000_000;

    private final Arena arena = new Arena(Level.BOX, 8);
    private final RunningLevel level = level();
    private final ShotHandler shots = shots();
    private final Map<PlayerId, Integer> names = new HashMap<>();
    private final List<Loss> ourDamage = new ArrayList<>();
    private final List<Loss> theirDamage = new ArrayList<>();
    private long clock;

    private RunningLevel level() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        return CombatLevel.open(arena);
    }

    private ShotHandler shots() {
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Hit hit) {
                lost(ourDamage, requireNonNull(names.get(hit.id())), (int) hit.damage());
                if (hit.means() == DamageMeans.BFG) {
                    bfgDamage.add(hit.damage());
                }
                if (hardest == null || hit.damage() > hardest.damage()) {
                    hardest = hit;
                }
            }
        });
        EffectSink effects =
                (_, effect, _) -> {
                    if (effect instanceof TempEntity entity) {
                        ourEffects.add(entity);
                    }
                };
        HitHandler hits = new HitHandler(arena);
        return new ShotHandler(
                level,
                effects,
                hits,
                new MissileHandler(level, effects, hits, new MissileEntities(), new Random(1)),
                new Random(1));
    }

    /** How far places may differ: the body is where the last frame has it. */
    private static final int EIGHTHS_OFF = 8;

    private final List<Double> bfgDamage = new ArrayList<>();

    private static final int SILENT_RAIL = 128 + 6;
    private static final int QUAD_NAME = 1056 + PickupItem.QUAD.item();

    /** It is taken between two frames. */
    private static final long QUAD_NANOS = Combatant.QUAD_NANOS - 50_000_000;

    private final Agreement quad = new Agreement();
    private final List<String> ourSounds = new ArrayList<>();
    private final List<String> theirSounds = new ArrayList<>();

    /** Of our hits, the one with the most damage. */
    private ArenaEvent.@Nullable Hit hardest;

    /** The greatest speed of a body in the capture, eighths of a unit a second. */
    private double greatestSpeed;

    private final Agreement frames = new Agreement();
    private final Agreement ammo = new Agreement();

    /** The sounds that guns make all the time. */
    private final Agreement loops = new Agreement();

    private final List<Integer> throwFuses = new ArrayList<>();

    /** Temp entities of all, and those that the first client of the capture was sent. */
    private final List<TempEntity> ourEffects = new ArrayList<>();

    private final List<TempEntity> theirEffects = new ArrayList<>();

    /** Numbers of shots by the muzzle flash. */
    private final Map<Integer, Integer> ours = new TreeMap<>();

    private final Map<Integer, Integer> theirs = new TreeMap<>();
    private final Map<Integer, Connection> connections = new TreeMap<>();

    private void replay(String capture) {
        for (Datagram datagram : Quake2Captures.FILES.datagrams(capture)) {
            byte[] packet = datagram.payload().toArray();
            clock = Math.round(datagram.time() * 1e9);
            arena.advance(clock);
            boolean fromClient = isServer(datagram.destination().getPort());
            int port = fromClient ? datagram.source().getPort() : datagram.destination().getPort();
            if (OutOfBand.is(packet)) {
                if (OutOfBand.of(packet).orElseThrow().name().equals("client_connect")) {
                    connections.put(port, new Connection());
                }
                continue;
            }
            Connection connection = connections.computeIfAbsent(port, _ -> new Connection());
            Reader r = new Reader(packet);
            if (fromClient) {
                connection.fromClient(r);
            } else {
                connection.fromServer(r);
            }
        }
    }

    private static boolean isServer(int port) {
        return port == 42200 || port == 42210;
    }

    /** The seconds, the glow, the sounds, and the push of a rail shot. */
    @Test
    void quadDamageIsThatOfTheOriginalServer() {
        replay("combat-yq2-misc");
        assertThat(quad.differences).isEmpty();
        assertThat(quad.compared).isBetween(295, 300);
        assertThat(theirSounds)
                .containsExactly(QuadDamage.USED, QuadDamage.SHOT, QuadDamage.RUNS_OUT);
        assertThat(ourSounds).containsExactly(QuadDamage.USED, QuadDamage.RUNS_OUT);
        ArenaEvent.Hit shot = requireNonNull(hardest);
        assertThat(shot.damage()).isEqualTo(4 * 100);
        assertThat(shot.knockback().length() * ShotSpace.SCALE).isCloseTo(2_000, within(0.1));
        assertThat(greatestSpeed / 8).isCloseTo(2_000, within(3.0));
    }

    private static List<List<Integer>> places(List<TempEntity> effects, int type) {
        return effects.stream()
                .filter(effect -> effect.type() == type)
                .map(TempEntity::values)
                .toList();
    }

    private void assertSamePlaces(int type, int count) {
        List<List<Integer>> our = places(ourEffects, type);
        List<List<Integer>> their = places(theirEffects, type);
        assertThat(their).hasSize(count);
        assertThat(our).hasSize(count);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < their.get(i).size(); j++) {
                assertThat(our.get(i).get(j))
                        .as("type %d: %s, theirs %s", type, our.get(i), their.get(i))
                        .isCloseTo(their.get(i).get(j), within(EIGHTHS_OFF));
            }
        }
    }

    /** The lasers at the target, their sparks on the wall, and where the ball ends. */
    @Test
    void ballOfTheBfgIsThatOfTheOriginalServer() {
        replay("combat-yq2-duel");
        assertSamePlaces(TempEntity.BFG_LASER, 6);
        assertSamePlaces(TempEntity.LASER_SPARKS, 6);
        assertSamePlaces(TempEntity.BFG_BIG_EXPLOSION, 1);
        assertThat(bfgDamage).containsExactly(5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 200.0);
    }

    /** One in the duel at once, one in the other capture after 3.1 s. */
    @ParameterizedTest
    @CsvSource({"combat-yq2-duel, 31, 8", "combat-yq2-misc, 1, 7"})
    void handGrenadesExplodeWhereThoseOfTheOriginalServerDo(
            String capture, int fuseFrames, int type) {
        replay(capture);
        assertThat(throwFuses).containsExactly(fuseFrames);
        List<Integer> our = places(ourEffects, type).getLast();
        List<Integer> their = places(theirEffects, type).getLast();
        // It strays by chance, up to 10 units in a second of its flight.
        int off = 8 * 10 * fuseFrames / 10 + EIGHTHS_OFF;
        for (int i = 0; i < 3; i++) {
            assertThat(our.get(i))
                    .as("%s, theirs %s", our, their)
                    .isCloseTo(their.get(i), within(off));
        }
    }

    /** Shots are those of each muzzle flash. */
    @ParameterizedTest
    @CsvSource({
        "combat-yq2-duel, 1949/1949, '0=1 1=6 2=1 3=4 4=5 5=8 6=2 7=3 8=1 12=1 13=1 14=6'",
        "combat-yq2-misc, 3007/3007, '1=5 2=4 6=10 7=5 8=4 12=2 13=4'",
        "combat-q2pro-intermission, 220/220, 6=1"
    })
    void gunsShowTheSameFrames(String capture, String same, String shots) {
        replay(capture);
        assertThat(frames.differences).isEmpty();
        assertThat(ammo.differences).isEmpty();
        assertThat(loops.differences).isEmpty();
        assertThat(frames).hasToString(same);
        assertThat(ammo).hasToString(same);
        assertThat(theirs.toString().replaceAll("[{},]", "")).isEqualTo(shots);
        assertThat(ours).isEqualTo(theirs);
    }

    /**
     * What chance does not decide: in the duel bolts, rails, the shooter's own rocket, lava and
     * drowning, then drowning only. Each is a slot and the points that it lost, armour included.
     */
    @ParameterizedTest
    @CsvSource({
        "combat-yq2-duel, 1:90 1:100 1:100 1:15 0:52 1:6 1:4 1:6 1:8 1:10 1:12 1:14",
        "combat-yq2-misc, 1:5 1:4 1:6 1:8 1:10 1:12 1:14 1:15 1:15 1:15"
    })
    void hitsDoTheSameDamage(String capture, String damage) {
        replay(capture);
        String[] expected = damage.split(" ");
        assertThat(theirDamage).extracting(Loss::toString).containsSubsequence(expected);
        assertThat(ourDamage).extracting(Loss::toString).containsSubsequence(expected);
    }
}
