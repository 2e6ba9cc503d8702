package dev.wishdir.interop;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;

import dev.wishdir.arena.event.Score;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a server knows of players, its own and those of other nodes, as its file of events has it.
 */
final class EventsView implements Fighter.ServerView {
    private final Path file;
    private final StringBuilder part = new StringBuilder();
    private final Map<String, Movement> movements = new HashMap<>();
    private final Map<String, Score> scores = new HashMap<>();
    private final Set<String> alive = new HashSet<>();
    private final List<JsonObject> deaths = new ArrayList<>();
    private long position;

    EventsView(Path file) {
        this.file = file;
    }

    /** Reads the lines that are new. */
    private void update() {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - position));
            channel.position(position);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            position = channel.position();
            part.append(StandardCharsets.UTF_8.decode(bytes.flip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int end = part.indexOf("\n"); end >= 0; end = part.indexOf("\n")) {
            apply(NodeProcess.event(part.substring(0, end)));
            part.delete(0, end + 1);
        }
    }

    private void apply(JsonObject event) {
        String kind = event.get("event").getAsString();
        if (!event.has("name")) {
            return;
        }
        String name = event.get("name").getAsString();
        switch (kind) {
            case "spawn" -> alive.add(name);
            case "despawn", "leave" -> alive.remove(name);
            case "death" -> {
                alive.remove(name);
                deaths.add(event);
            }
            case "score" ->
                    scores.put(
                            name,
                            new Score(
                                    event.get("frags").getAsInt(), event.get("deaths").getAsInt()));
            default -> {
                // Another event may have a position.
            }
        }
        if (event.has("yaw")) {
            movements.put(
                    name,
                    new Movement(
                            NodeProcess.position(event),
                            event.get("yaw").getAsDouble(),
                            event.get("pitch").getAsDouble(),
                            NodeProcess.vector(event.getAsJsonArray("velocity")),
                            Stance.STANDING));
        }
    }

    /** How often a player died by another. */
    int deaths(String victim, String killer) {
        update();
        return (int)
                deaths.stream()
                        .filter(death -> death.get("name").getAsString().equals(victim))
                        .filter(death -> death.get("by").getAsString().equals(killer))
                        .count();
    }

    @Override
    public boolean lives(String name) {
        update();
        return alive.contains(name);
    }

    @Override
    public Movement movement(String name) {
        update();
        return requireNonNull(movements.get(name), name);
    }

    @Override
    public Score score(String name) {
        update();
        return scores.getOrDefault(name, Score.ZERO);
    }
}
