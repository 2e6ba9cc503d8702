package dev.wishdir.interop;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the inspector prints of a capture or demo, as an oracle: where the captured clients are,
 * what is said, and the players' names. It uses only the printed fields.
 */
final class InspectedCapture {
    private static final Pattern NAME_COMMAND =
            Pattern.compile("cs (5[4-9][0-9]|6[0-9][0-9]|7[0-9][0-9]) \"(.*)\"", Pattern.DOTALL);

    /**
     * A place of a captured client.
     *
     * @param seconds since the start; NaN in a demo without times
     * @param client its port
     * @param units as the protocol has it, in game units
     */
    record Place(double seconds, int client, Vec3 units) {}

    final Map<Integer, List<Place>> places = new LinkedHashMap<>();
    final List<String> chat = new ArrayList<>();
    final Set<String> names = new TreeSet<>();
    int malformed;

    private final Map<Integer, Client> clients = new HashMap<>();
    private int firstClient = -1;

    private static final class Client {
        String name = "";
        int number = -1;
        int life = -2;
        boolean in;
        boolean stale;
        long sequence;
        int lastCommand;
        final Map<Long, Map<String, Object>> states = new HashMap<>();
    }

    static InspectedCapture of(Game game, Path file, Optional<Path> keys) throws IOException {
        InspectedCapture inspected = new InspectedCapture();
        Inspector inspector = Inspector.of(List.of(game.dissector(false, keys)), inspected::onLine);
        if (CaptureReader.recognises(file)) {
            try (CaptureReader reader = CaptureReader.open(file)) {
                inspector.capture(reader);
            }
        } else {
            try {
                inspector.recording(file);
            } catch (MalformedPacketException e) {
                inspected.malformed++;
            }
        }
        return inspected;
    }

    private void onLine(DissectedMessage line) {
        Client client = clients.computeIfAbsent(line.client(), _ -> new Client());
        if (line.name().equals("malformed")) {
            malformed++;
            return;
        }
        switch (line.game()) {
            case "sauerbraten" -> sauerbraten(client, line);
            case "quake2" -> quake2(client, line);
            case "quake3" -> quake3(client, line);
            default -> bedrock(client, line);
        }
    }

    private static int number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number n ? n.intValue() : -1;
    }

    private static String text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String s ? s : "";
    }

    private void place(DissectedMessage line, double x, double y, double z) {
        places.computeIfAbsent(line.client(), _ -> new ArrayList<>())
                .add(new Place(line.time(), line.client(), new Vec3(x, y, z)));
    }

    private static double item(Object list, int index) {
        return ((Number) ((List<?>) list).get(index)).doubleValue();
    }

    private void sauerbraten(Client client, DissectedMessage line) {
        Map<String, ?> f = line.fields();
        boolean sent = line.direction() == Direction.C2S;
        switch (line.name()) {
            case "CONNECT" -> clients.put(line.client(), new Client());
            case "N_CONNECT" -> client.name = text(f, "name");
            case "N_SERVINFO" -> client.number = number(f, "cn");
            case "N_WELCOME" -> {
                client.in = true;
                if (!client.name.isEmpty()) {
                    names.add(client.name);
                }
            }
            case "N_INITCLIENT", "N_INITAI" -> names.add(text(f, "name"));
            case "N_DIED" -> die(client, number(f, "victim"));
            case "N_FORCEDEATH" -> die(client, number(f, "cn"));
            case "N_SPECTATOR" -> {
                if (!sent && Boolean.TRUE.equals(f.get("val"))) {
                    die(client, number(f, "cn"));
                }
            }
            case "N_MAPCHANGE" -> die(client, client.number);
            case "N_SPAWN" -> {
                if (sent) {
                    client.life = number(f, "lifeseq");
                }
            }
            case "N_SWITCHNAME" -> {
                if (sent && client.in) {
                    names.add(text(f, "name"));
                }
            }
            case "N_TEXT" -> {
                if (sent && client.in) {
                    chat.add(text(f, "text"));
                }
            }
            case "N_POS" -> {
                boolean alive =
                        client.life == -2
                                || client.life >= 0 && (client.life & 1) == number(f, "lifeseq");
                if (sent && client.in && alive && number(f, "cn") == client.number) {
                    Object raw = requireNonNull(f.get("rawpos"));
                    place(line, item(raw, 0) / 16, item(raw, 1) / 16, item(raw, 2) / 16);
                }
            }
            default -> {}
        }
    }

    private static void die(Client client, int victim) {
        if (victim == client.number) {
            client.life = -1;
        }
    }

    private void quake2(Client client, DissectedMessage line) {
        Map<String, ?> f = line.fields();
        switch (line.name()) {
            case "netchan" -> client.stale = Boolean.TRUE.equals(f.get("stale"));
            case "serverdata" -> {
                firstClient = firstClient < 0 ? line.client() : firstClient;
                client.in = true;
            }
            case "configstring" -> {
                int index = number(f, "index");
                String name = text(f, "text").replaceFirst("\\\\.*", "");
                if (!client.stale && index >= 1312 && index < 1568 && !name.isEmpty()) {
                    names.add(name);
                }
            }
            case "print" -> {
                String[] parts = text(f, "text").strip().split(": ", 2);
                // The server also speaks, as a player that does not exist.
                if (!client.stale
                        && number(f, "level") == 3
                        && line.client() == firstClient
                        && names.contains(parts[0])) {
                    chat.add(parts[1]);
                }
            }
            case "frame" -> {
                Map<?, ?> ps = (Map<?, ?>) requireNonNull(f.get("ps"));
                if (!client.stale
                        && Boolean.TRUE.equals(f.get("usable"))
                        && number(ps, "pm_type") == 0) {
                    Object o = requireNonNull(ps.get("origin"));
                    place(line, item(o, 0) / 8, item(o, 1) / 8, item(o, 2) / 8);
                }
            }
            default -> {}
        }
    }

    private void quake3(Client client, DissectedMessage line) {
        Map<String, ?> f = line.fields();
        switch (line.name()) {
            case "netchan" -> {
                if (line.direction() == Direction.S2C) {
                    client.sequence = number(f, "seq");
                }
            }
            case "gamestate" -> {
                firstClient = firstClient < 0 ? line.client() : firstClient;
                client.number = number(f, "clientNum");
                client.lastCommand = number(f, "serverCommandSequence");
                client.states.clear();
                ((Map<?, ?>) requireNonNull(f.get("configstrings")))
                        .forEach((index, text) -> {
                            int i = Integer.parseInt(index.toString());
                            if (i >= 544 && i < 800) {
                                addName(text.toString());
                            }
                        });
            }
            case "serverCommand" -> {
                if (number(f, "id") <= client.lastCommand) {
                    return;
                }
                client.lastCommand = number(f, "id");
                Matcher named = NAME_COMMAND.matcher(text(f, "text"));
                if (named.find()) {
                    addName(named.group(2));
                }
                // The server itself announces sprees of kills with this command, without an author.
                String said = text(f, "text");
                if (said.startsWith("chat ")
                        && said.contains("\u0019: ")
                        && line.client() == firstClient) {
                    chat.add(said);
                }
            }
            case "snapshot" -> quake3Snapshot(client, line);
            default -> {}
        }
    }

    private void addName(String info) {
        Matcher name = Pattern.compile("(?:^|\\\\)n\\\\([^\\\\]*)").matcher(info);
        if (name.find()) {
            names.add(name.group(1).replaceAll("\\^[^^]", ""));
        }
    }

    private void quake3Snapshot(Client client, DissectedMessage line) {
        int delta = number(line.fields(), "deltaNum");
        Map<String, Object> base =
                delta == 0 ? Map.of() : client.states.get(client.sequence - delta);
        if (base == null) {
            return;
        }
        Map<String, Object> state = new HashMap<>(base);
        ((Map<?, ?>) requireNonNull(line.fields().get("ps")))
                .forEach((name, value) -> state.put(name.toString(), value));
        client.states.put(client.sequence, state);
        int type = Math.max(0, number(state, "pm_type"));
        boolean body = type == 0 || type == 1 || type == 4;
        // A spectator that follows is shown the states of others.
        boolean own = Math.max(0, number(state, "clientNum")) == client.number;
        if (body && own && (number(line.fields(), "flags") & 2) == 0) {
            place(
                    line,
                    real(state, "origin[0]"),
                    real(state, "origin[1]"),
                    real(state, "origin[2]"));
        }
    }

    private static double real(Map<String, Object> state, String name) {
        return state.get(name) instanceof Number n ? n.doubleValue() : 0;
    }

    private void bedrock(Client client, DissectedMessage line) {
        Map<String, ?> f = line.fields();
        boolean sent = line.direction() == Direction.C2S;
        switch (line.name()) {
            case "login" -> client.name = text(f, "name");
            case "start_game" -> names.add(client.name);
            case "text" -> {
                if (sent && !client.name.isEmpty()) {
                    chat.add(text(f, "message"));
                }
            }
            case "player_auth_input", "move_player" -> {
                if (sent) {
                    Object p = requireNonNull(f.get("position"));
                    place(line, item(p, 0), item(p, 1), item(p, 2));
                }
            }
            default -> {}
        }
    }

    /** The ports of clients that have a place. */
    Set<Integer> moving() {
        return new HashSet<>(places.keySet());
    }
}
