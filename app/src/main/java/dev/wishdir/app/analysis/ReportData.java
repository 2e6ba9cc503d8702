package dev.wishdir.app.analysis;

import com.google.gson.Gson;

import dev.wishdir.app.command.Version;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.blocks.ArenaText;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.blocks.MalformedArenaException;
import dev.wishdir.blocks.TopDownImage;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.EventCursor;
import dev.wishdir.record.Recording;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import javax.imageio.ImageIO;

/**
 * What a report shows, collected from events, and its page: one HTML file with the script, and the
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
    private static final double NEAR_METRES = 3;
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
        private final List<double[]> track = new ArrayList<>();
        private final List<double[]> pings = new ArrayList<>();
        private final List<Point> recent = new ArrayList<>();
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
    private final Map<String, Integer> near = new LinkedHashMap<>();
    private final Map<Integer, Integer> heat = new TreeMap<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final ConnectionCount connections = new ConnectionCount(MAX_CONNECTION_POINTS);
    private Map<PlayerId, Subject> subjects = new LinkedHashMap<>();
    private Map<PlayerId, Vec3> places = new LinkedHashMap<>();
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

    /** Adds a recording. The picture is that of the first one's arena. */
    void read(String name, Recording recording, EventCursor events) throws IOException {
        if (recordings.isEmpty()) {
            show(recording, events);
        }
        recordings.add(name);
        start = recording.startNanos();
        second = 0;
        subjects = new LinkedHashMap<>();
        places = new LinkedHashMap<>();
        long last = start;
        connections.start(duration, events.state().players().values());
        while (events.next()) {
            ArenaEvent event = events.event();
            last = event.time();
            connections.add(duration + (last - start) / 1e9, event);
            add(event);
        }
        connections.end(duration + (last - start) / 1e9);
        meet();
        duration += (last - start) / 1e9;
    }

    private void show(Recording recording, EventCursor events) throws IOException {
        arena = recording.info().arena();
        if (!events.state().levels().isEmpty()) {
            bounds =
                    events.state().levels().values().stream()
                            .map(Level::bounds)
                            .reduce(Bounds::union)
                            .orElse(bounds);
        }
        String text = recording.arenaText().orElse("");
        try {
            BlockArena blocks = ArenaText.read(text);
            var grid = blocks.blocks();
            bounds =
                    new Bounds(
                            new Vec3(grid.minX(), grid.minY(), grid.minZ()),
                            new Vec3(grid.maxX(), grid.maxY(), grid.maxZ()));
            picture = png(new TopDownImage(blocks).picture(PIXELS_PER_BLOCK));
        } catch (MalformedArenaException _) {
            // Without a picture, the bounds must do.
            picture = "";
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
        Subject subject =
                subjects.computeIfAbsent(
                        of.id(),
                        _ -> {
                            Subject made = new Subject(of.player());
                            all.add(made);
                            return made;
                        });
        subject.name = of.player().name();
        switch (event) {
            case ArenaEvent.Moved moved -> move(moved, subject);
            case ArenaEvent.Spawned _, ArenaEvent.Teleported _ -> {
                subject.broken = true;
                if (!subject.track.isEmpty()) {
                    subject.track.add(new double[0]);
                }
            }
            case ArenaEvent.Despawned e -> places.remove(e.id());
            case ArenaEvent.Left e -> places.remove(e.id());
            case ArenaEvent.MovementViolation violation -> addViolation(violation, subject);
            default -> {}
        }
    }

    private void move(ArenaEvent.Moved moved, Subject subject) {
        movements++;
        double seconds = (moved.time() - start) / 1e9;
        if ((long) seconds != second) {
            meet();
            second = (long) seconds;
        }
        Point point = new Point(seconds, moved.movement().position());
        places.put(moved.id(), point.at());
        heat.merge(cell(point.at()), 1, Integer::sum);
        int speed = (int) (moved.movement().velocity().horizontal() / SPEED_STEP);
        speeds.computeIfAbsent(subject.game, _ -> new int[SPEED_BINS])[
                Math.clamp(speed, 0, SPEED_BINS - 1)]++;
        step(point, moved.movement().stance().onGround(), subject);
        subject.recent.add(point);
        subject.recent.removeIf(each -> each.seconds() < seconds - AROUND_NANOS / 1e9);
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
            if (incident.player.equals(moved.id()) && moved.time() <= incident.end) {
                incident.points.add(point.values());
            }
        }
    }

    private static void step(Point point, boolean grounded, Subject subject) {
        if (!subject.broken && !subject.recent.isEmpty()) {
            Point before = subject.recent.getLast();
            double seconds = point.seconds() - before.seconds();
            subject.seconds += seconds;
            subject.metres += point.at().minus(before.at()).horizontal();
            subject.airSeconds += grounded ? 0 : seconds;
            subject.jumps += subject.grounded && !grounded ? 1 : 0;
        }
        subject.grounded = grounded;
        subject.broken = false;
    }

    private int cell(Vec3 at) {
        int x = (int) Math.floor((at.x() - bounds.min().x()) / CELL_METRES);
        int y = (int) Math.floor((at.y() - bounds.min().y()) / CELL_METRES);
        return Math.clamp(y, 0, MAX_CELLS - 1) * MAX_CELLS + Math.clamp(x, 0, MAX_CELLS - 1);
    }

    /** Counts a second for each pair of players that are near each other. */
    private void meet() {
        List<PlayerId> ids = List.copyOf(places.keySet());
        for (int i = 0; i < ids.size(); i++) {
            for (int j = i + 1; j < ids.size(); j++) {
                Vec3 one = Objects.requireNonNull(places.get(ids.get(i)));
                Vec3 two = Objects.requireNonNull(places.get(ids.get(j)));
                if (one.distance(two) <= NEAR_METRES) {
                    near.merge(name(ids.get(i)) + " – " + name(ids.get(j)), 1, Integer::sum);
                }
            }
        }
    }

    private String name(PlayerId id) {
        return Objects.requireNonNull(subjects.get(id)).name;
    }

    private void addViolation(ArenaEvent.MovementViolation violation, Subject subject) {
        violations++;
        if (incidents.size() >= MAX_VIOLATIONS) {
            return;
        }
        Incident incident = new Incident(violation.id(), violation.time() + AROUND_NANOS);
        subject.recent.forEach(point -> incident.points.add(point.values()));
        incident.row.put("recording", recordings.getLast());
        incident.row.put("seconds", round((violation.time() - start) / 1e9));
        incident.row.put("name", subject.name);
        incident.row.put("game", subject.game);
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
        data.put(
                "bounds",
                List.of(bounds.min().x(), bounds.min().y(), bounds.max().x(), bounds.max().y()));
        data.put("picture", picture);
        data.put("cell", CELL_METRES);
        data.put("near", NEAR_METRES);
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
        data.put("players", all.stream().map(ReportData::player).toList());
        data.put(
                "pairs",
                near.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .limit(MAX_PAIRS)
                        .map(it -> List.<Object>of(it.getKey(), it.getValue()))
                        .toList());
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
        return resource("report.html")
                .replace("/*report.js*/", resource("report.js"))
                .replace("{\"data\":0}", GSON.toJson(data()));
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(
                        ReportData.class.getResourceAsStream("/analysis/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
