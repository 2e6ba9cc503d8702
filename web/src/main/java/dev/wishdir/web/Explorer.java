package dev.wishdir.web;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import io.javalin.config.RoutesConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The data of the page {@code explore/}, which shows captures. The page requests the progress until
 * the captures are read, and then one window of lines at a time.
 */
public final class Explorer implements Page {
    /** Maximum number of lines in one response. */
    static final int MAX_ROWS = 500;

    private static final int MAX_FILTER_CHARS = 200;

    private final CaptureIndex index;
    private final Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().create();

    /** The index is closed with the page. */
    public Explorer(CaptureIndex index) {
        this.index = index;
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.before("/explore/rows", _ -> refuseWhileReading());
        routes.before("/explore/ways", _ -> refuseWhileReading());
        routes.before("/explore/detail", _ -> refuseWhileReading());
        routes.get("/explore/summary", context -> answer(context, summary()));
        routes.get("/explore/rows", this::rows);
        routes.get("/explore/ways", context -> answer(context, Map.of("ways", index.tracks())));
        routes.get(
                "/explore/detail",
                context -> {
                    int row = number(context, "row");
                    if (row >= index.lines()) {
                        throw new NotFoundResponse("there is no line with this number");
                    }
                    context.contentType("application/json").result(index.detail(row));
                });
    }

    private void refuseWhileReading() {
        if (index.reading().isPresent()) {
            throw new ServiceUnavailableResponse("the captures are still being read");
        }
    }

    private Map<String, Object> summary() {
        Map<String, Object> body = new LinkedHashMap<>();
        Optional<CaptureIndex.Progress> reading = index.reading();
        if (reading.isPresent()) {
            body.put("reading", reading.get());
            return body;
        }
        body.put("files", index.files());
        body.put("problems", index.problems());
        body.put("lines", index.lines());
        body.put("leftOut", index.omittedLines());
        body.put("seconds", index.seconds());
        body.put("games", index.games());
        body.put("players", index.players());
        body.put("called", index.playerNames());
        body.put("names", index.names());
        body.put("flows", index.flows());
        return body;
    }

    private void rows(Context context) throws IOException {
        RowFilter filter =
                new RowFilter(
                        text(context, "game"),
                        text(context, "player"),
                        text(context, "dir"),
                        text(context, "name"),
                        text(context, "field"));
        int[] found = index.found(filter);
        int from = number(context, "from");
        int count = Math.min(MAX_ROWS, number(context, "count"));
        answer(
                context,
                Map.of(
                        "total",
                        found.length,
                        "from",
                        from,
                        "rows",
                        index.rows(found, from, count)));
    }

    private static String text(Context context, String name) {
        String text = context.queryParam(name);
        if (text != null && text.length() > MAX_FILTER_CHARS) {
            throw new BadRequestResponse(
                    name + " is longer than " + MAX_FILTER_CHARS + " characters");
        }
        return text == null ? "" : text.strip();
    }

    private static int number(Context context, String name) {
        try {
            int number = Integer.parseInt(text(context, name));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new BadRequestResponse(name + " must be a whole number, at least 0");
    }

    private void answer(Context context, Object body) {
        context.contentType("application/json").result(gson.toJson(body));
    }

    @Override
    public void close() {
        index.close();
    }
}
