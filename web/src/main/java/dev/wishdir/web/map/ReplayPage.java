package dev.wishdir.web.map;

import com.google.gson.Gson;

import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.web.DownloadLimiter;
import dev.wishdir.web.Page;
import dev.wishdir.web.RangedFile;

import io.javalin.config.RoutesConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The data of the page {@code replay.html}: a recording in ranges, the geometry of its arena, its
 * marks, and clips of it. One clip is written at a time; those that are sent are bounded by address
 * and in total, so that a slow browser does not keep others from clips.
 */
public final class ReplayPage implements Page {
    private static final Gson GSON = new Gson();
    private static final String MCAP = "application/vnd.mcap";

    private final Path file;
    private final String name;
    private final Optional<BlockArena> arena;
    private final String notice;
    private final RangedFile ranges;
    private final Semaphore writing = new Semaphore(1);
    private final DownloadLimiter limiter = new DownloadLimiter();
    private final ReplayMarks marks;

    /** The geometry; made when it is first asked for. */
    private Optional<Scene> scene = Optional.empty();

    /**
     * @param file a complete recording: one with an index
     * @param name of the recording, for users
     * @param arena what its players play in, if it is known
     * @param notice what users should know of the recording; may be empty
     * @param weapons as viewers read them
     */
    public ReplayPage(
            Path file,
            String name,
            Optional<BlockArena> arena,
            String notice,
            WeaponNames weapons) {
        this.file = file;
        this.name = name;
        this.arena = arena;
        this.notice = notice;
        ranges = new RangedFile(file, MCAP);
        marks = new ReplayMarks(file, weapons);
    }

    @Override
    public void add(RoutesConfig routes) {
        // The root would be a live map, which has no server behind it.
        routes.get("/", context -> context.redirect("replay.html"));
        routes.get("/replay/info", this::info);
        routes.get("/replay/recording", ranges::answer);
        routes.head("/replay/recording", ranges::answer);
        routes.get("/replay/scene", this::scene);
        routes.get(
                "/replay/marks",
                context -> context.contentType("application/json").result(marks.json()));
        routes.get("/replay/clip", this::clip);
    }

    private void info(Context context) {
        Map<String, Object> info =
                Map.of(
                        "file",
                        name,
                        "scene",
                        arena.map(BlockArena::name).orElse(""),
                        "bounds",
                        arena.map(it -> coordinates(it.bounds())).orElse(List.of()),
                        "notice",
                        notice);
        context.contentType("application/json").result(GSON.toJson(info));
    }

    private static List<Double> coordinates(Bounds bounds) {
        Vec3 min = bounds.min();
        Vec3 max = bounds.max();
        return List.of(min.x(), min.y(), min.z(), max.x(), max.y(), max.z());
    }

    private void scene(Context context) {
        created().answer(context);
    }

    private synchronized Scene created() {
        if (scene.isEmpty()) {
            scene = arena.map(it -> new Scene(Mesh.of(it)));
        }
        return scene.orElseThrow(() -> new NotFoundResponse("the recording has no arena"));
    }

    /** Writes a clip to a temporary file, and sends it, as far as the bounds allow it. */
    private void clip(Context context) throws IOException {
        long from = nanos(context, "from");
        long to = nanos(context, "to");
        limiter.send(context, clipName(from), MCAP, clip -> write(from, to, clip));
    }

    private void write(long from, long to, Path clip) throws IOException {
        if (!writing.tryAcquire()) {
            throw new ServiceUnavailableResponse("another clip is being written: try again");
        }
        try (Recording recording = Recording.open(file)) {
            if (from >= to || to <= recording.startNanos() || from > recording.endNanos()) {
                throw new BadRequestResponse(
                        "from and to must be a part of the recording, "
                                + recording.startNanos()
                                + " to "
                                + recording.endNanos());
            }
            recording.copy(from, to, clip, RecordingOptions.DEFAULT);
        } finally {
            writing.release();
        }
    }

    /** The recording's name with the second at which the clip begins. */
    private String clipName(long from) {
        String plain = name.replaceAll("\\.mcap$", "").replaceAll("[^A-Za-z0-9._-]", "_");
        return plain + "-clip-" + from / 1_000_000_000 + ".mcap";
    }

    private static long nanos(Context context, String name) {
        String text = Optional.ofNullable(context.queryParam(name)).orElse("");
        try {
            long nanos = Long.parseLong(text);
            if (nanos >= 0) {
                return nanos;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new BadRequestResponse(
                name + " must be a time in nanoseconds since 1970, a whole number");
    }
}
