package dev.wishdir.app;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Player;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes what happens as one JSON object a line: what the arena sees, or what a bot sees. Units are
 * metres, degrees and metres a second; {@code time} is seconds since 1970.
 */
final class Events implements ArenaListener {
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private final Consumer<String> lines;
    private final Clock clock;

    Events(Consumer<String> lines, Clock clock) {
        this.lines = lines;
        this.clock = clock;
    }

    /**
     * Where events go.
     *
     * @param file its path; {@code -} for standard output
     */
    static PrintWriter open(String file, PrintWriter standard) throws Failure {
        if (file.equals("-")) {
            return standard;
        }
        try {
            return new PrintWriter(
                    new BufferedWriter(
                            new OutputStreamWriter(
                                    new FileOutputStream(file), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new Failure("cannot write events to " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void told(ArenaEvent event) {
        write(
                switch (event) {
                    case ArenaEvent.Joined e -> of("join", e);
                    case ArenaEvent.Left e -> with(of("leave", e), "why", e.why().toString());
                    case ArenaEvent.Spawned e -> withMovement(of("spawn", e), e.movement());
                    case ArenaEvent.Despawned e -> of("despawn", e);
                    case ArenaEvent.Moved e -> withMovement(of("move", e), e.movement());
                    case ArenaEvent.Teleported e -> withMovement(of("teleport", e), e.movement());
                    case ArenaEvent.Acted e ->
                            with(of("act", e), "act", e.act().name().toLowerCase(Locale.ROOT));
                    case ArenaEvent.Said e -> with(of("chat", e), "text", e.text());
                    case ArenaEvent.Renamed e -> with(of("rename", e), "old", e.oldName());
                    case ArenaEvent.Restyled e -> of("look", e);
                    case ArenaEvent.Verdict e ->
                            with(
                                    with(
                                            with(
                                                    with(of("verdict", e), "rule", e.rule()),
                                                    "measured",
                                                    rounded(e.measured())),
                                            "allowed",
                                            rounded(e.allowed())),
                                    "allowance",
                                    rounded(e.allowance()));
                    case ArenaEvent.Limited e -> with(of("limit", e), "deed", e.deed().doing());
                    case ArenaEvent.Dismissed e -> with(of("dismiss", e), "why", e.reason());
                    case ArenaEvent.Missed e -> with(of("miss", e), "deeds", e.deeds());
                    case ArenaEvent.Told e ->
                            with(with(of("tell", e), "from", e.from().name()), "text", e.text());
                    case ArenaEvent.LevelChanged e ->
                            with(with(event("map"), "game", e.game()), "map", e.level().name());
                    case ArenaEvent.Announced e -> with(event("announce"), "text", e.text());
                    case ArenaEvent.Refused e ->
                            with(
                                    with(with(event("refuse"), "game", e.game()), "from", e.from()),
                                    "why",
                                    e.reason());
                });
    }

    /** An event that a bot sees. */
    void seen(String event, String game, Client.Seen player, boolean self) {
        Map<String, Object> line = event(event, player.id(), game, player.name());
        if (event.equals("move")) {
            withMovement(line, player.movement());
        }
        line.put("self", self);
        write(line);
    }

    /** Something that a bot heard; {@code player} is 0 where only the name is known. */
    void heard(String game, String name, String text) {
        Map<String, Object> line = event("chat", 0, game, name);
        line.put("text", text);
        write(line);
    }

    private Map<String, Object> of(String event, ArenaEvent.OfPlayer of) {
        Player player = of.player();
        return event(event, player.id().number(), player.game(), player.name());
    }

    private Map<String, Object> event(String event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", BigDecimal.valueOf(clock.millis(), 3));
        line.put("event", event);
        return line;
    }

    private static Map<String, Object> with(Map<String, Object> line, String key, Object value) {
        line.put(key, value);
        return line;
    }

    private Map<String, Object> event(String event, int player, String game, String name) {
        Map<String, Object> line = event(event);
        line.put("player", player);
        line.put("game", game);
        line.put("name", name);
        return line;
    }

    private static Map<String, Object> withMovement(Map<String, Object> line, Movement movement) {
        line.put("position", list(movement.position()));
        line.put("yaw", rounded(movement.yaw()));
        line.put("pitch", rounded(movement.pitch()));
        line.put("velocity", list(movement.velocity()));
        line.put("flags", movement.stance().labels());
        return line;
    }

    private static List<Double> list(Vec3 v) {
        return List.of(rounded(v.x()), rounded(v.y()), rounded(v.z()));
    }

    /** To a tenth of a millimetre: finer than any game's wire. */
    private static double rounded(double value) {
        return Math.rint(value * 10_000) / 10_000;
    }

    private void write(Map<String, Object> line) {
        lines.accept(GSON.toJson(line));
    }
}
