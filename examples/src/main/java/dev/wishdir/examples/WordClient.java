package dev.wishdir.examples;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A headless client of {@link WordGame}. */
final class WordClient implements Client, DatagramHandler {
    private static final long TICK_NANOS = 1_000_000_000 / WordGame.MOVES_PER_SECOND;
    private static final long JOIN_INTERVAL_NANOS = 1_000_000_000;
    private static final long JOIN_TIMEOUT_NANOS = 5_000_000_000L;
    private static final double METRES_PER_TICK = 0.1;

    private final ClientConfig config;
    private final UdpSocket socket;
    private final Map<String, RemotePlayer> others = new LinkedHashMap<>();
    private final long start;
    private Movement movement = Movement.ORIGIN;
    private String number = "";
    private long next;
    private boolean ended;

    WordClient(ClientConfig config, UdpSocket socket) {
        this.config = config;
        this.socket = socket;
        start = config.cycle().now();
        next = start;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        String[] words = new String(data, StandardCharsets.UTF_8).split(" ", 4);
        String about = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "HELLO" -> {
                number = about;
                config.listener().onJoined(this);
            }
            case "IS" -> appear(about, words[3]);
            case "MOVE" -> onMove(now, about, words[2] + " " + words[3]);
            case "GONE" -> {
                RemotePlayer gone = others.remove(about);
                if (gone != null) {
                    config.listener().onVanished(this, gone);
                }
            }
            case "SAID" -> {
                RemotePlayer speaker = others.get(about);
                String text = new String(data, StandardCharsets.UTF_8).split(" ", 3)[2];
                config.listener().onChat(this, speaker == null ? "" : speaker.name(), text);
            }
            case "BYE" -> end(joined() ? EndReason.KICKED : EndReason.REFUSED, about);
            default -> end(EndReason.PROTOCOL_ERROR, words[0] + " is not a word of the game");
        }
    }

    private void appear(String other, String name) {
        if (!other.equals(number)) {
            RemotePlayer player = new RemotePlayer(others.size() + 1L, name, Movement.ORIGIN);
            others.put(other, player);
            config.listener().onAppeared(this, player);
        }
    }

    private void onMove(long now, String other, String numbers) {
        RemotePlayer known = others.get(other);
        if (known != null) {
            RemotePlayer moved =
                    new RemotePlayer(known.id(), known.name(), WordGame.movement(numbers));
            others.put(other, moved);
            config.listener().onMoved(this, now, moved);
        }
    }

    @Override
    public long advance(long now) {
        if (ended) {
            return NEVER;
        }
        if (now >= next && joined()) {
            next = now + TICK_NANOS;
            step(config.controller().steer(now, movement));
        } else if (now >= next) {
            if (now - start >= JOIN_TIMEOUT_NANOS) {
                end(EndReason.TIMED_OUT, "the server does not answer");
                return NEVER;
            }
            next = now + JOIN_INTERVAL_NANOS;
            send("JOIN " + config.name());
        }
        return next;
    }

    private void step(BotController.PlayerInput input) {
        double direction = Math.toRadians(input.yaw()) + Math.atan2(input.left(), input.forward());
        double metres = METRES_PER_TICK * Math.min(1, Math.hypot(input.forward(), input.left()));
        Vec3 step = new Vec3(Math.cos(direction) * metres, Math.sin(direction) * metres, 0);
        movement =
                new Movement(
                        movement.position().plus(step),
                        input.yaw(),
                        0,
                        step.times(WordGame.MOVES_PER_SECOND),
                        Stance.STANDING);
        Vec3 at = movement.position();
        send(
                String.format(
                        Locale.ROOT,
                        "MOVE %.2f %.2f %.2f %.0f",
                        at.x(),
                        at.y(),
                        at.z(),
                        input.yaw()));
    }

    private void send(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        socket.send(config.server(), bytes, 0, bytes.length);
    }

    private void end(EndReason reason, String text) {
        if (!ended) {
            ended = true;
            socket.close();
            config.listener().onEnded(this, reason, text);
        }
    }

    @Override
    public boolean joined() {
        return !number.isEmpty();
    }

    @Override
    public long id() {
        return joined() ? 0 : -1;
    }

    @Override
    public Movement movement() {
        return movement;
    }

    @Override
    public Collection<RemotePlayer> others() {
        return others.values();
    }

    @Override
    public void say(String text) {
        send("SAY " + text);
    }

    @Override
    public void close() {
        if (!ended) {
            send("LEAVE");
            end(EndReason.LEFT, "left");
        }
    }
}
