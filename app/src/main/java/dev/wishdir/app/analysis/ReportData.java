package dev.wishdir.app.analysis;

import com.google.gson.Gson;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.Version;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.TopDownImage;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;

import org.jspecify.annotations.Nullable;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import javax.imageio.ImageIO;

/**
 * Data of a report, collected from events, and its page: one HTML file with the script, and the
 * figures as JSON that cannot be taken for markup. What it keeps of a long recording is bounded. It
 * has many fields because each is one figure of the page.
 */
final class ReportData {
    /** Side of a square of the heat map. */
    private static final double CELL_METRES = 0.5;

    /** Squares along each side of the heat map. */
    private static final int MAX_CELLS = 512;

    private static final double SPEED_STEP = 0.5;
    private static final int SPEED_BINS = 50;
    private static final long TRACK_INTERVAL_NANOS = 500_000_000;
    private static final int MAX_POINTS = 60_000;
    private static final int MAX_PINGS = 20_000;
    private static final long PING_INTERVAL_NANOS = 5_000_000_000L;
    private static final int MAX_CONNECTION_POINTS = 20_000;
    private static final int MAX_VIOLATIONS = 60;
    private static final long AROUND_NANOS = 1_000_000_000;
    private static final int MAX_PAIRS = 20;

    /** Players in the list; further ones count in the heat map only. */
    private static final int MAX_PLAYERS = 5_000;

    /** Positions of a player that are kept for its next violation. */
    private static final int MAX_RECENT = 128;

    private static final int MAX_INCIDENT_POINTS = 1_000;

    /** A movement that is longer, or faster, is no way that a player went. */
    private static final double MAX_LEAP_METRES = 2;

    /** Metres per second. */
    private static final double MAX_SPEED = 60;

    private static final int PIXELS_PER_BLOCK = 6;

    /** With Gson's default HTML escaping, so that strings contain no {@code <}. */
    private static final Gson GSON = new Gson();

    /** A position, seconds after the start and metres. */
    private record Point(double seconds, Vec3 at) {
        double[] values() {
            return new double[] {round(seconds), round(at.x()), round(at.y()), round(at.z())};
        }
    }

    /** A player of a recording. */
    private static final class Subject {
        private final String game;
        private String name;
        private Proof proof;
        private final List<double[]> track = new ArrayList<>();
        private final List<double[]> pings = new ArrayList<>();
        private final Deque<Point> recent = new ArrayDeque<>();
        private long nextPoint = Long.MIN_VALUE;
        private long nextPing = Long.MIN_VALUE;
        private double seconds;
        private double airSeconds;
        private double metres;
        private int jumps;
        private boolean grounded = true;
        private boolean broken = true;

        Subject(Player player) {
            game = player.game();
            name = player.name();
            proof = player.proof();
        }

        void addRecent(Point point) {
            recent.add(point);
            while (recent.size() > MAX_RECENT
                    || recent.element().seconds() < point.seconds() - AROUND_NANOS / 1e9) {
                recent.remove();
            }
        }
    }

    /** A violation, with the positions of the player around it. */
    private static final class Incident {
        private final Map<String, Object> row = new LinkedHashMap<>();
        private final PlayerId player;
        private final long end;
        private final List<double[]> points = new ArrayList<>();

        Incident(PlayerId player, long end) {
            this.player = player;
            this.end = end;
        }
    }

    private final List<String> recordings = new ArrayList<>();
    private final List<Subject> all = new ArrayList<>();
    private final Map<String, int[]> speeds = new TreeMap<>();
    private final EncounterCount encounters = new EncounterCount();
    private final Map<Integer, Integer> heat = new TreeMap<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final FightSummary fights;
    private final ConnectionCount connections = new ConnectionCount(MAX_CONNECTION_POINTS);
    private Map<PlayerId, Subject> subjects = new LinkedHashMap<>();
    private Bounds bounds = Level.BOX.bounds();
    private String picture = "";
    private String arena = "";
    private long start;
    private long second;
    private double duration;
    private long movements;
    private int violations;
    private int points;
    private int pings;
    private long unlistedMovements;

    /**
     * @param games name their weapons
     */
    ReportData(List<Game> games) {
        fights = new FightSummary(Games.weaponNames(games));
    }

    /** Adds a recording. The picture is that of the first one's arena. */
    void read(String name, Recording recording, EventCursor events, Optional<BlockArena> played)
            throws IOException {
        if (recordings.isEmpty()) {
            show(recording, events, played);
        }
        recordings.add(name);
        start = recording.startNanos();
        second = 0;
        subjects = new LinkedHashMap<>();
        encounters.start();
        fights.start();
        long last = start;
        connections.start(
                duration,
                events.state().players().values().stream()
                        .filter(player -> !player.isGhost())
                        .toList());
        while (events.next()) {
            ArenaEvent event = events.event();
            last = event.time();
            if (event instanceof ArenaEvent.OfPlayer of && of.player().isGhost()) {
                continue;
            }
            connections.add(duration + (last - start) / 1e9, event);
            fights.add(duration + (last - start) / 1e9, event);
            add(event);
        }
        fights.end();
        connections.end(duration + (last - start) / 1e9);
        encounters.countSecond(this::name);
        duration += (last - start) / 1e9;
    }

    private void show(Recording recording, EventCursor events, Optional<BlockArena> played)
            throws IOException {
        arena = recording.info().arena();
        if (!events.state().levels().isEmpty()) {
            bounds =
                    events.state().levels().values().stream()
                            .map(Level::bounds)
                            .reduce(Bounds::union)
                            .orElse(bounds);
        }
        if (played.isPresent()) {
            BlockArena blocks = played.get();
            var grid = blocks.blocks();
            TopDownImage image = new TopDownImage(blocks);
            TopDownImage.Area built = image.built();
            bounds =
                    new Bounds(
                            new Vec3(built.minX(), built.minY(), grid.minZ()),
                            new Vec3(built.maxX(), built.maxY(), grid.maxZ()));
            picture = png(image.picture(PIXELS_PER_BLOCK, built));
        }
    }

    private static String png(int[][] rows) throws IOException {
        BufferedImage image =
                new BufferedImage(rows[0].length, rows.length, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < rows.length; y++) {
            image.setRGB(0, y, rows[y].length, 1, rows[y], 0, rows[y].length);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private static double round(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private void add(ArenaEvent event) {
        if (!(event instanceof ArenaEvent.OfPlayer of)) {
            return;
        }
        encounters.onEvent();
        Subject subject = subject(of.player());
        switch (event) {
            case ArenaEvent.Moved moved -> move(moved, subject);
            case ArenaEvent.Spawned _, ArenaEvent.Teleported _ -> breakTrack(subject);
            case ArenaEvent.Despawned e -> encounters.remove(e.id());
            case ArenaEvent.Left e -> encounters.remove(e.id());
            case ArenaEvent.MovementViolation violation -> addViolation(violation, subject);
            default -> {}
        }
    }

    /** A player of the list; null if that is full. */
    private @Nullable Subject subject(Player player) {
        Subject subject = subjects.get(player.id());
        if (subject == null && all.size() < MAX_PLAYERS) {
            subject = new Subject(player);
            all.add(subject);
            subjects.put(player.id(), subject);
        }
        if (subject != null) {
            subject.name = player.name();
            subject.proof = player.proof();
        }
        return subject;
    }

    private static void breakTrack(@Nullable Subject subject) {
        if (subject != null) {
            subject.broken = true;
            if (!subject.track.isEmpty() && subject.track.getLast().length > 0) {
                subject.track.add(new double[0]);
            }
        }
    }

    private void move(ArenaEvent.Moved moved, @Nullable Subject subject) {
        movements++;
        double seconds = (moved.time() - start) / 1e9;
        if ((long) seconds != second) {
            encounters.countSecond(this::name);
            second = (long) seconds;
        }
        Point point = new Point(seconds, moved.movement().position());
        if (picture.isEmpty() || isInside(point.at())) {
            heat.merge(cell(point.at()), 1, Integer::sum);
        }
        if (subject == null) {
            unlistedMovements++;
            return;
        }
        encounters.put(moved.id(), point.at());
        int speed = (int) (moved.movement().velocity().horizontal() / SPEED_STEP);
        speeds.computeIfAbsent(subject.game, _ -> new int[SPEED_BINS])[
                Math.clamp(speed, 0, SPEED_BINS - 1)]++;
        step(point, moved.movement().stance().onGround(), subject);
        subject.addRecent(point);
        if (moved.time() >= subject.nextPoint && points < MAX_POINTS) {
            points++;
            subject.nextPoint = moved.time() + TRACK_INTERVAL_NANOS;
            subject.track.add(point.values());
        }
        if (moved.player().ping() > 0 && moved.time() >= subject.nextPing && pings < MAX_PINGS) {
            pings++;
            subject.nextPing = moved.time() + PING_INTERVAL_NANOS;
            subject.pings.add(new double[] {round(seconds), moved.player().ping()});
        }
        for (Incident incident : incidents) {
            if (incident.player.equals(moved.id())
                    && moved.time() <= incident.end
                    && incident.points.size() < MAX_INCIDENT_POINTS) {
                incident.points.add(point.values());
            }
        }
    }

    private static void step(Point point, boolean grounded, Subject subject) {
        if (!subject.broken && !subject.recent.isEmpty()) {
            Point before = subject.recent.getLast();
            double seconds = point.seconds() - before.seconds();
            double metres = point.at().minus(before.at()).horizontal();
            if (metres > MAX_LEAP_METRES + MAX_SPEED * seconds) {
                // A capture shows a new life elsewhere as a movement.
                breakTrack(subject);
            } else {
                subject.seconds += seconds;
                subject.metres += metres;
                subject.airSeconds += grounded ? 0 : seconds;
                subject.jumps += subject.grounded && !grounded ? 1 : 0;
            }
        }
        subject.grounded = grounded;
        subject.broken = false;
    }

    /** Whether the picture has the place: it leaves out the void around the arena. */
    private boolean isInside(Vec3 at) {
        return at.x() >= bounds.min().x()
                && at.x() < bounds.max().x()
                && at.y() >= bounds.min().y()
                && at.y() < bounds.max().y();
    }

    private int cell(Vec3 at) {
        int x = (int) Math.floor((at.x() - bounds.min().x()) / CELL_METRES);
        int y = (int) Math.floor((at.y() - bounds.min().y()) / CELL_METRES);
        return Math.clamp(y, 0, MAX_CELLS - 1) * MAX_CELLS + Math.clamp(x, 0, MAX_CELLS - 1);
    }

    private String name(PlayerId id) {
        return Objects.requireNonNull(subjects.get(id)).name;
    }

    private void addViolation(ArenaEvent.MovementViolation violation, @Nullable Subject subject) {
        violations++;
        if (incidents.size() >= MAX_VIOLATIONS) {
            return;
        }
        Incident incident = new Incident(violation.id(), violation.time() + AROUND_NANOS);
        if (subject != null) {
            subject.recent.forEach(point -> incident.points.add(point.values()));
        }
        incident.row.put("recording", recordings.getLast());
        incident.row.put("seconds", round((violation.time() - start) / 1e9));
        incident.row.put("name", violation.player().name());
        incident.row.put("game", violation.player().game());
        incident.row.put("rule", violation.rule().toString());
        incident.row.put(
                "text", violation.rule().describe(violation.measured(), violation.allowed()));
        incidents.add(incident);
    }

    private Map<String, Object> data() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("recordings", recordings);
        data.put("arena", arena);
        data.put("wishdir", Version.text());
        data.put("seconds", round(duration));
        data.put("movements", movements);
        data.put("unlistedMovements", unlistedMovements);
        data.put(
                "bounds",
                List.of(bounds.min().x(), bounds.min().y(), bounds.max().x(), bounds.max().y()));
        data.put("picture", picture);
        data.put("cell", CELL_METRES);
        data.put("near", EncounterCount.NEAR_METRES);
        data.put(
                "heat",
                heat.entrySet().stream()
                        .map(it ->
                                List.of(
                                        it.getKey() % MAX_CELLS,
                                        it.getKey() / MAX_CELLS,
                                        it.getValue()))
                        .toList());
        data.put("speedStep", SPEED_STEP);
        data.put("speeds", speeds);
        data.put("connections", connections.points());
        data.put("fights", fights.data());
        data.put("players", all.stream().map(ReportData::player).toList());
        data.put("pairs", encounters.longest(MAX_PAIRS));
        data.put("violationCount", violations);
        data.put(
                "violations",
                incidents.stream()
                        .map(incident -> {
                            incident.row.put("points", incident.points);
                            return incident.row;
                        })
                        .toList());
        return data;
    }

    private static Map<String, Object> player(Subject subject) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", subject.name);
        row.put("game", subject.game);
        row.put(
                "proof",
                subject.proof.kind() == Proof.Kind.UNKNOWN ? "" : subject.proof.toString());
        row.put("seconds", round(subject.seconds));
        row.put("metres", round(subject.metres));
        row.put("jumps", subject.jumps);
        row.put("air", round(subject.airSeconds));
        row.put("track", subject.track);
        row.put("pings", subject.pings);
        return row;
    }

    /** The content of the HTML file. */
    String html() {
        return resource("/analysis/report.html")
                .replace("/*report.js*/", script())
                .replace("{\"data\":0}", GSON.toJson(data()));
    }

    /** The script with what it imports, as a page without a server has no modules. */
    private static String script() {
        String ticks = resource("/web/map/ticks.js").replace("export function", "function");
        return "\"use strict\";\n"
                + ticks
                + resource("/analysis/report.js").replaceAll("(?m)^import .*;\\R", "");
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(ReportData.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
