package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;

import dev.wishdir.web.DownloadLimiter;
import dev.wishdir.web.Page;

import io.javalin.config.RoutesConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The data of the page {@code explore/}, which shows captures or a running session. The page
 * requests the progress until captures are read, and then one window of lines at a time. A browser
 * has no state here, so that a slow or absent one costs nothing.
 */
public final class Explorer implements Page {
    /** Maximum number of lines in one response. */
    static final int MAX_ROWS = 500;

    private static final int MAX_FILTER_CHARS = 200;

    /** Maximum length of a line that changes faults. */
    private static final int MAX_CHANGE_BYTES = 200;

    private final MessageIndex index;
    private final Optional<LiveControl> control;
    private final DownloadLimiter downloads = new DownloadLimiter();
    private final Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().create();

    /** The index is closed with the page. */
    public Explorer(CaptureIndex index) {
        this(index, Optional.empty());
    }

    /**
     * A page of a running session.
     *
     * @param index is closed with the page
     */
    public Explorer(LiveIndex index, LiveControl control) {
        this(index, Optional.of(control));
    }

    private Explorer(MessageIndex index, Optional<LiveControl> control) {
        this.index = index;
        this.control = control;
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.get("/", context -> context.redirect("explore/"));
        for (String path : new String[] {"rows", "ways", "detail", "export/*"}) {
            routes.before("/explore/" + path, _ -> refuseWhileReading());
        }
        routes.get("/explore/summary", context -> answer(context, summary()));
        routes.get("/explore/rows", this::rows);
        routes.get(
                "/explore/ways",
                context -> answer(context, index.tracks(gson, decimal(context, "since", -1))));
        routes.get("/explore/detail", this::detail);
        routes.get("/explore/export/{format}", this::export);
        control.ifPresent(live -> {
            routes.get("/explore/faults", context -> answer(context, live(live::state)));
            routes.post("/explore/faults", context -> change(context, live));
        });
    }

    private void refuseWhileReading() {
        if (index.reading().isPresent()) {
            throw new ServiceUnavailableResponse("the captures are still being read");
        }
    }

    private JsonObject summary() {
        Optional<MessageIndex.Progress> reading = index.reading();
        JsonObject body = reading.isPresent() ? new JsonObject() : index.summary(gson);
        reading.ifPresent(progress -> body.add("reading", gson.toJsonTree(progress)));
        body.addProperty("datagrams", index.hasDatagrams());
        return body;
    }

    /** The lines that pass the filter of a request. */
    private FoundRows found(Context context) throws IOException {
        FoundRows found =
                index.found(
                        new RowFilter(
                                text(context, "game"),
                                text(context, "player"),
                                text(context, "dir"),
                                text(context, "name"),
                                text(context, "field")));
        return text(context, "until").isEmpty() ? found : found.until(number(context, "until"));
    }

    /**
     * Answers with {@code count} lines from the place {@code from}, or with the {@code last} ones,
     * and with the place of the line {@code at} or of the first one after it. Places count all
     * lines that passed the filter, also those that have left.
     */
    private void rows(Context context) throws IOException {
        FoundRows found = found(context);
        long end = found.base() + found.size();
        int last = (int) Math.min(MAX_ROWS, number(context, "last", 0));
        int count = last > 0 ? last : (int) Math.min(MAX_ROWS, number(context, "count", 0));
        long asked = last > 0 ? end - last : number(context, "from", 0);
        long from = Math.clamp(asked, found.base(), end);
        List<MessageIndex.Row> rows = index.rows(found, (int) (from - found.base()), count);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("base", found.base());
        body.put("total", end);
        // The first ones may have left meanwhile.
        body.put("from", Math.min(end, from + count) - rows.size());
        body.put("rows", rows);
        body.put("next", index.next());
        if (!text(context, "at").isEmpty()) {
            body.put("at", found.base() + found.indexOf(number(context, "at")));
        }
        answer(context, body);
    }

    private void detail(Context context) throws IOException {
        String line =
                index.detail(number(context, "row"))
                        .orElseThrow(() ->
                                new NotFoundResponse(
                                        "there is no line with this number, or no longer"));
        context.contentType("application/json").result(line);
    }

    private void export(Context context) throws IOException {
        ExportFormat format =
                ExportFormat.of(context.pathParam("format"))
                        .filter(it -> it != ExportFormat.PCAP || index.hasDatagrams())
                        .orElseThrow(() ->
                                new NotFoundResponse(
                                        "the lines cannot be exported in this format"));
        FoundRows found = found(context);
        downloads.send(
                context,
                "wishdir." + format.extension(),
                format.contentType(),
                file -> {
                    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                        format.write(index, found, out);
                    }
                });
    }

    private void change(Context context, LiveControl live) throws IOException {
        byte[] line = context.bodyInputStream().readNBytes(MAX_CHANGE_BYTES + 1);
        if (line.length > MAX_CHANGE_BYTES) {
            throw new BadRequestResponse(
                    "the line is longer than " + MAX_CHANGE_BYTES + " characters");
        }
        try {
            String text = new String(line, StandardCharsets.UTF_8);
            answer(context, live(() -> live.change(text)));
        } catch (IllegalArgumentException e) {
            throw new BadRequestResponse(String.valueOf(e.getMessage()));
        }
    }

    private static LiveControl.State live(Supplier<LiveControl.State> state) {
        try {
            return state.get();
        } catch (IllegalStateException _) {
            throw new ServiceUnavailableResponse("the session has ended");
        }
    }

    private static String text(Context context, String name) {
        String text = context.queryParam(name);
        if (text != null && text.length() > MAX_FILTER_CHARS) {
            throw new BadRequestResponse(
                    name + " is longer than " + MAX_FILTER_CHARS + " characters");
        }
        return text == null ? "" : text.strip();
    }

    private static long number(Context context, String name, long otherwise) {
        return text(context, name).isEmpty() ? otherwise : number(context, name);
    }

    private static long number(Context context, String name) {
        try {
            long number = Long.parseLong(text(context, name));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new BadRequestResponse(name + " must be a whole number, at least 0");
    }

    private static double decimal(Context context, String name, double otherwise) {
        String text = text(context, name);
        try {
            return text.isEmpty() ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException _) {
            throw new BadRequestResponse(name + " must be a number");
        }
    }

    private void answer(Context context, Object body) {
        context.header("Cache-Control", "no-store");
        context.contentType("application/json").result(gson.toJson(body));
    }

    @Override
    public void close() {
        index.close();
    }
}
