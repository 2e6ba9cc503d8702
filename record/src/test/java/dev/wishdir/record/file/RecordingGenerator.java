package dev.wishdir.record.file;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Generates large recordings, the same for the same seed: players of all games, each on a track of
 * its own, 33 movements a second on average. Each track is steered, shaken and timed by its own
 * random numbers, so that no two are copies of each other, which would compress too well; native
 * movements have 16 to 41 bytes, a part of them noise. A few times a minute there is chat, a death,
 * a teleport, a violation, a player that goes or is silent.
 */
public final class RecordingGenerator {
    /** The number of players of the largest recordings. */
    public static final int PLAYERS = 160;

    /** The arena that is attached. */
    public static final BlockArena ARENA = ArenaCatalog.shipped("hall");

    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final List<String> FORMS =
            List.of("sauerbraten/260", "quake2/34", "quake3/68", "bedrock/827");
    private static final int[] NATIVE_BYTES = {16, 29, 38, 41};

    private static final long JOIN_NANOS = 2_000_000;
    private static final long MOVE_NANOS = 26_000_000;
    private static final long MAX_JITTER_NANOS = 8_000_000;
    private static final long SILENCE_NANOS = 4_000_000_000L;
    private static final double MAX_SPEED = 8;
    private static final double JUMP_SPEED = 5.5;
    private static final double GRAVITY = 16;

    /** Distance from the walls at which a player turns back. */
    private static final double MARGIN = 3;

    private final SplittableRandom random;
    private final ArenaListener listener;
    private final PriorityQueue<Track> due =
            new PriorityQueue<>(
                    Comparator.comparingLong((Track it) -> it.next)
                            .thenComparingInt(it -> it.place));
    private final Bounds bounds = ARENA.bounds();
    private int joined;
    private long moves;

    /** A player and what steers it. */
    private final class Track {
        final int place;
        final SplittableRandom steering;
        Player player;
        long next;
        double x;
        double y;
        double z;
        double up;
        double heading;
        double turn;
        double speed;
        double yaw;
        double pitch;

        Track(int place, long now) {
            this.place = place;
            steering = random.split();
            next = now;
            player = join(now);
        }

        private Player join(long now) {
            int number = ++joined;
            int game = place % GAMES.size();
            Player made =
                    new Player(
                            new PlayerId(0, number),
                            GAMES.get(game),
                            "player" + number,
                            now,
                            10 + steering.nextInt(80),
                            false,
                            Movement.ORIGIN,
                            NativeMovement.Stored.NONE);
            listener.onEvent(new ArenaEvent.Joined(now, made));
            return made;
        }

        /** Puts the player on a place of the arena. */
        private Movement start() {
            List<Movement> spawns = ARENA.spawns();
            Vec3 at = spawns.get(steering.nextInt(spawns.size())).position();
            x = at.x() + steering.nextDouble(-0.5, 0.5);
            y = at.y() + steering.nextDouble(-0.5, 0.5);
            z = at.z();
            up = 0;
            heading = steering.nextDouble(2 * Math.PI);
            speed = 0;
            return movement();
        }

        private Movement movement() {
            return new Movement(
                    new Vec3(x, y, z),
                    ((Math.toDegrees(heading) + yaw) % 360 + 360) % 360,
                    pitch,
                    new Vec3(Math.cos(heading) * speed, Math.sin(heading) * speed, up),
                    up == 0 ? Stance.STANDING : Stance.NONE);
        }

        private void change(boolean spawned, Movement to, NativeMovement form) {
            Player it = player;
            player =
                    new Player(
                            it.id(),
                            it.game(),
                            it.name(),
                            it.joined(),
                            it.ping(),
                            spawned,
                            to,
                            form);
        }

        private NativeMovement form(long now, Movement of) {
            int game = place % GAMES.size();
            ByteBuffer bytes =
                    ByteBuffer.allocate(NATIVE_BYTES[game]).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putShort((short) (x * 32)).putShort((short) (y * 32)).putShort((short) (z * 32));
            bytes.putShort((short) (of.yaw() * 182)).putInt((int) (now / 1_000_000));
            while (bytes.remaining() > 4) {
                bytes.put((byte) (bytes.position() * game));
            }
            bytes.putInt(steering.nextInt());
            return new NativeMovement.Stored(
                    FORMS.get(game), Bytes.copyOf(bytes.array(), 0, bytes.capacity()));
        }

        /** Walks for a time: the heading drifts, sometimes a jump, away from the walls. */
        private void walk(double seconds) {
            turn = 0.97 * turn + 0.4 * steering.nextGaussian();
            heading += turn * seconds;
            if (!isInside()) {
                Vec3 middle = bounds.center();
                double home = Math.atan2(middle.y() - y, middle.x() - x);
                heading += Math.sin(home - heading) * 6 * seconds;
            }
            speed = Math.clamp(speed + steering.nextGaussian() * 0.6 + 0.1, 0, MAX_SPEED);
            x =
                    Math.clamp(
                            x + Math.cos(heading) * speed * seconds,
                            bounds.min().x(),
                            bounds.max().x());
            y =
                    Math.clamp(
                            y + Math.sin(heading) * speed * seconds,
                            bounds.min().y(),
                            bounds.max().y());
            if (z <= 0 && up <= 0) {
                up = steering.nextInt(60) == 0 ? JUMP_SPEED : 0;
                z = 0;
            } else {
                up -= GRAVITY * seconds;
            }
            z = Math.max(0, z + up * seconds);
            yaw = Math.clamp(0.95 * yaw + steering.nextGaussian() * 2, -90, 90);
            pitch = Math.clamp(0.97 * pitch + steering.nextGaussian(), -80, 80);
        }

        private boolean isInside() {
            return x > bounds.min().x() + MARGIN
                    && x < bounds.max().x() - MARGIN
                    && y > bounds.min().y() + MARGIN
                    && y < bounds.max().y() - MARGIN;
        }

        void step() {
            long now = next;
            long pause = MOVE_NANOS + steering.nextLong(MAX_JITTER_NANOS);
            if (!player.spawned()) {
                Movement to = start();
                change(true, to, form(now, to));
                listener.onEvent(new ArenaEvent.Spawned(now, player, to));
            } else {
                pause += act(now);
            }
            if (player.spawned()) {
                walk((MOVE_NANOS + MAX_JITTER_NANOS / 2) / 1e9);
                Movement to = movement();
                change(true, to, form(now, to));
                listener.onEvent(new ArenaEvent.Moved(now, player, to));
                moves++;
            }
            next = now + pause;
        }

        /**
         * Does something besides walking, a few times in ten minutes.
         *
         * @return nanoseconds until it does the next
         */
        private long act(long now) {
            switch (steering.nextInt(40_000)) {
                case 0, 1, 2, 3 -> {
                    String text = "line " + steering.nextInt(1000) + " of " + player.name();
                    listener.onEvent(new ArenaEvent.Chat(now, player, text));
                }
                case 4, 5, 6 -> {
                    die(now);
                    return SILENCE_NANOS;
                }
                case 7, 8 -> {
                    Movement to = start();
                    change(true, to, form(now, to));
                    listener.onEvent(new ArenaEvent.Teleported(now, player, to));
                }
                case 9 ->
                        listener.onEvent(
                                new ArenaEvent.MovementViolation(
                                        now, player, ViolationRule.DISTANCE, 3.5, 1.25, 0.5));
                case 10 -> {
                    die(now);
                    listener.onEvent(new ArenaEvent.Left(now, player, LeaveReason.LEFT));
                    player = join(now);
                    return SILENCE_NANOS;
                }
                case 11, 12, 13 -> {
                    return SILENCE_NANOS;
                }
                default -> {}
            }
            return 0;
        }

        private void die(long now) {
            change(false, player.movement(), player.nativeMovement());
            listener.onEvent(new ArenaEvent.Despawned(now, player));
        }
    }

    private RecordingGenerator(long seed, ArenaListener listener) {
        random = new SplittableRandom(seed);
        this.listener = listener;
    }

    /**
     * Generates events in the order of time.
     *
     * @param start nanoseconds since 1970
     * @param movements number of movements, after which it ends
     */
    public static void generate(
            long seed, Instant start, int players, long movements, ArenaListener listener) {
        RecordingGenerator generator = new RecordingGenerator(seed, listener);
        long now = start.getEpochSecond() * 1_000_000_000 + start.getNano();
        for (String game : GAMES) {
            listener.onEvent(
                    new ArenaEvent.LevelChanged(now, game, Level.of(ARENA), ARENA.bounds()));
        }
        List<Track> all = new ArrayList<>();
        for (int i = 0; i < players; i++) {
            now += JOIN_NANOS;
            all.add(generator.new Track(i, now));
        }
        all.forEach(each -> each.next += players * JOIN_NANOS);
        generator.due.addAll(all);
        while (generator.moves < movements) {
            Track track = generator.due.remove();
            track.step();
            generator.due.add(track);
        }
    }

    /**
     * Writes a recording.
     *
     * @param movements number of movements, such as 10,000,000
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public static void write(Path file, long seed, int players, long movements) throws IOException {
        Instant start = Instant.parse("2026-11-25T20:00:00Z");
        RecordingInfo info =
                new RecordingInfo("RecordingGenerator", "localhost", ARENA.name(), start);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        info,
                        Optional.of(ArenaText.write(ARENA)),
                        RecordingOptions.DEFAULT)) {
            generate(seed, start, players, movements, writer);
        }
    }

    /** Writes a recording: the file, and the number of movements. */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), 1, PLAYERS, Long.parseLong(arguments[1]));
    }
}
