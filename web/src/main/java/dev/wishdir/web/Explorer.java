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
 * The page below {@code explore/} that shows captures: it asks for a window of lines at a time, and
 * before they are read for how far that is.
 */
public final class Explorer implements Page {
    /** Lines that are told at once. */
    static final int MAX_ROWS = 500;

    private static final int MAX_FILTER_CHARS = 200;

    private final CaptureIndex index;
    private final Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().create();

    /** Closes the index with itself. */
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
        routes.get("/explore/ways", context -> answer(context, Map.of("ways", index.ways())));
        routes.get(
                "/explore/detail",
                context -> {
                    int row = number(context, "row");
                    if (row >= index.lines()) {
                        throw new NotFoundResponse("there is no such line");
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
        Map<String, Object> told = new LinkedHashMap<>();
        Optional<CaptureIndex.Progress> reading = index.reading();
        if (reading.isPresent()) {
            told.put("reading", reading.get());
            return told;
        }
        told.put("files", index.files());
        told.put("problems", index.problems());
        told.put("lines", index.lines());
        told.put("leftOut", index.leftOut());
        told.put("seconds", index.seconds());
        told.put("games", index.games());
        told.put("players", index.players());
        told.put("called", index.called());
        told.put("names", index.names());
        told.put("flows", index.flows());
        return told;
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
            throw new BadRequestResponse(name + " is too long");
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
            // Told below.
        }
        throw new BadRequestResponse(name + " must be a number from 0");
    }

    private void answer(Context context, Object told) {
        context.contentType("application/json").result(gson.toJson(told));
    }

    @Override
    public void close() {
        index.close();
    }
}
