package dev.wishdir.interop;

import static org.junit.jupiter.api.Assertions.fail;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.WaypointController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

/**
 * An original program whose mouse and keys a pilot has: it is turned and walks as one sees on the
 * server that it has. One thread steers it.
 */
final class DisplayClient implements AutoCloseable {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Degrees off its way at which it still walks. */
    private static final double ASKEW = 20;

    /** Metres per second of a client that does not walk. */
    private static final double STANDS = 0.1;

    /** Degrees that are not worth a turn. */
    private static final double FINE = 2;

    /** Metres to its last goal from which on it makes single steps, and waits for their effect. */
    private static final double CLOSE = 3;

    /** Metres of a step that had no effect. */
    private static final double NOTHING = 0.05;

    /** Longer than a busy client needs for the turns that it has been given. */
    private static final long SETTLED = 500 * MILLISECOND;

    private static final long MIN_PULSE = 30 * MILLISECOND;

    /** What one look and what follows take by a pilot's clock, whatever the machine makes of it. */
    private static final long LOOK = 250 * MILLISECOND;

    /** A key or a button that is held for a while. */
    enum Button {
        /** Fires, and asks for the next life. */
        TRIGGER,
        /** Shows the board of scores. */
        BOARD
    }

    /** What holds the mouse and the keys of a game. */
    interface Hands extends AutoCloseable {
        /** Sets what they count on. */
        default void prepare() throws IOException {}

        /** Turns to the left by about the given degrees. */
        void turn(double degrees) throws IOException;

        /** Goes forward for so long, nanoseconds, and may jump as it begins. */
        void forward(long time, boolean jump) throws IOException;

        /** Lets go of the keys that walk. */
        void release() throws IOException;

        /** Presses a button, or lets go of it. */
        void hold(Button button, boolean down) throws IOException;

        /** Has the game run a line of its console, or press the key that a line has there. */
        void type(String line) throws IOException;

        /** Looks at the ground. */
        void lookDown() throws IOException;

        /**
         * Sets the field of view: the game's default, of which it prints {@value #WIDE}, or a
         * narrow one, which is cheap to draw.
         */
        void view(boolean wide) throws IOException;

        /** Says what its script has bound to a key, or what is given. */
        void say(String text) throws IOException;

        @Override
        void close();
    }

    /** What a game prints when its field of view is its default again. */
    private static final String WIDE = "view wide";

    private final String display;
    private final Path log;
    private final Hands hands;
    private final Supplier<Movement> seen;
    private final long pulse;
    private final Set<Button> held = EnumSet.noneOf(Button.class);
    private long pilotTime;

    /** How long a single step is, nanoseconds. */
    private long step;

    private DisplayClient(
            Path home, String display, Hands hands, Supplier<Movement> seen, long pulse) {
        this.display = display;
        log = home.resolve("client.out");
        this.hands = hands;
        this.seen = seen;
        this.pulse = pulse;
        step = pulse;
    }

    /**
     * Sauerbraten's client on a display, by its mouse and the key W.
     *
     * @param seen where it is on the server
     */
    static DisplayClient sauerbraten(Path home, int number, Supplier<Movement> seen) {
        String display = ":" + Peer.display(number);
        return new DisplayClient(home, display, new Mouse(home, display), seen, 120 * MILLISECOND);
    }

    /**
     * OpenArena's client on a display, by lines of its console.
     *
     * @param seen where it is on the server
     */
    static DisplayClient openArena(Path home, int number, Supplier<Movement> seen) {
        return new DisplayClient(
                home, ":" + Peer.display(number), new Console(home), seen, 150 * MILLISECOND);
    }

    /** Once it plays: sets what its hands count on. */
    void prepare() throws IOException {
        hands.prepare();
    }

    /**
     * Walks to the last of some goals and stands there. A busy client goes on walking after its key
     * was up: it comes back then, from any side, in steps that get shorter where they were too long
     * and longer where they had no effect.
     *
     * @param pilots makes one that goes to some goals
     * @param near metres to the last goal at which it may stand
     */
    void walk(
            Function<List<Vec3>, WaypointController> pilots,
            List<Vec3> goals,
            double near,
            Duration limit)
            throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        Vec3 last = goals.getLast();
        WaypointController pilot = pilots.apply(goals);
        while (!pilot.isThere() || away(last) > near) {
            if (System.nanoTime() > end) {
                fail("walked in vain to " + last + ": " + seen.get() + ", " + pilot.stuck());
            }
            if (!pilot.stuck().isEmpty()) {
                pilot = pilots.apply(goals);
            } else if (!pilot.isThere()) {
                act(pilot);
            } else if (away(last) > CLOSE) {
                pilot = pilots.apply(List.of(last));
            } else {
                approach(last);
            }
            if (pilot.isThere()) {
                stand();
            }
        }
    }

    private double away(Vec3 place) {
        return seen.get().position().distance(place);
    }

    /** One step to a place that is near, with nothing between. */
    private void approach(Vec3 place) throws IOException {
        Movement self = seen.get();
        Vec3 way = place.minus(self.position());
        if (Math.abs(face(self, Angles.yaw(way.x(), way.y()))) >= ASKEW) {
            return;
        }
        hands.forward(step, false);
        stand();
        double moved = away(self.position());
        if (moved < NOTHING) {
            step = Math.min(2 * pulse, 3 * step / 2);
        } else if (moved > way.length()) {
            step = Math.max(MIN_PULSE, step / 2);
        }
    }

    private void stand() {
        Peer.await(
                "the client to stand",
                SOON,
                () -> {
                    release();
                    LockSupport.parkNanos(200 * MILLISECOND);
                    return seen.get().velocity().length() < STANDS;
                });
    }

    private void release() {
        perform(hands::release);
    }

    /** One look at where it is, and what its pilot does there. */
    private void act(BotController controller) throws IOException {
        Movement self = seen.get();
        pilotTime += LOOK;
        PlayerInput input = controller.steer(pilotTime, self);
        if (input.forward() == 0) {
            LockSupport.parkNanos(100 * MILLISECOND);
            return;
        }
        if (Math.abs(face(self, input.yaw())) < ASKEW) {
            hands.forward(pulse, input.jump());
        }
    }

    /** Turns towards a direction, canonical degrees, and waits until it has been seen. */
    private double face(Movement self, double yaw) throws IOException {
        double askew = Angles.wrap180(yaw - self.yaw());
        if (Math.abs(askew) > FINE) {
            hands.turn(askew);
            LockSupport.parkNanos(120 * MILLISECOND);
        }
        return askew;
    }

    /**
     * Looks in a direction, canonical degrees. A busy client that has come to look there may still
     * have turns to make.
     */
    void look(double yaw) {
        Peer.await(
                "a look to " + yaw,
                SOON,
                () -> {
                    try {
                        if (Math.abs(face(seen.get(), yaw)) > FINE) {
                            return false;
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    LockSupport.parkNanos(SETTLED);
                    return Math.abs(Angles.wrap180(yaw - seen.get().yaw())) <= FINE;
                });
    }

    /** Turns to the left by about the given degrees. */
    void turn(double degrees) {
        perform(() -> hands.turn(degrees));
    }

    /** Turns towards a direction, canonical degrees, and fires while it looks about there. */
    void fire(double yaw) {
        perform(() -> {
            boolean aims = Math.abs(face(seen.get(), yaw)) <= 2 * FINE;
            hold(Button.TRIGGER, aims);
        });
    }

    /** Presses a button, or lets go of it. */
    void hold(Button button, boolean down) {
        if (down ? held.add(button) : held.remove(button)) {
            perform(() -> hands.hold(button, down));
        }
    }

    /** Looks at the ground. */
    void lookDown() {
        perform(hands::lookDown);
    }

    /** Something that hands do. */
    private interface Act {
        void run() throws IOException;
    }

    private static void perform(Act what) {
        try {
            what.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Goes along the sides of a square, whatever is in the way. */
    void walkSquare(long side) throws IOException {
        for (int i = 0; i < 4; i++) {
            hands.forward(side, false);
            // A mouse turns by 30 degrees at once.
            for (int part = 0; part < 3; part++) {
                hands.turn(30);
                LockSupport.parkNanos(50 * MILLISECOND);
            }
        }
    }

    /** Has the game run a line of its console; one that reads none presses the key of that name. */
    void type(String line) {
        perform(() -> hands.type(line));
    }

    /** Says hello, as the script of each original has it. */
    void greet(String name) throws IOException {
        hands.say("hello from " + name);
    }

    /** What its screen shows, with the game's default field of view. */
    BufferedImage picture(Path folder, String name) throws IOException, InterruptedException {
        Path file = folder.resolve(name + ".png");
        // The second is printed in the frame after the one that the first has changed.
        for (int i = 0; i < 2; i++) {
            long before = wideViews();
            hands.view(true);
            Peer.await("a wide view", SOON, () -> wideViews() > before);
        }
        try (Peer shot =
                Peer.start(
                        folder,
                        Map.of("DISPLAY", display),
                        "import",
                        "-window",
                        "root",
                        file.toString())) {
            shot.awaitExit(SOON);
        }
        hands.view(false);
        return ImageIO.read(file.toFile());
    }

    private long wideViews() {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(WIDE)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        hands.close();
    }

    /** The mouse and the keys of a display. */
    private static final class Mouse implements Hands {
        /** Degrees by a pixel at Sauerbraten's sensitivity of 10. */
        private static final double DEGREES = 0.3;

        private final ProcessBuilder builder = new ProcessBuilder("xdotool", "-");
        private @Nullable Process xdotool;

        Mouse(Path home, String display) {
            builder.environment().put("DISPLAY", display);
            builder.redirectErrorStream(true).redirectOutput(home.resolve("xdotool.out").toFile());
        }

        @Override
        public void prepare() throws IOException {
            xdotool = builder.start();
        }

        private void run(String line) throws IOException {
            Writer lines = requireNonNull(xdotool).outputWriter();
            lines.write(line + "\n");
            lines.flush();
        }

        @Override
        public void turn(double degrees) throws IOException {
            long pixels = Math.clamp(Math.round(-degrees / DEGREES), -100, 100);
            run("mousemove_relative -- " + pixels + " 0");
        }

        @Override
        public void forward(long time, boolean jump) throws IOException {
            run(jump ? "keydown space keydown w" : "keydown w");
            LockSupport.parkNanos(time);
            release();
        }

        @Override
        public void release() throws IOException {
            run("keyup w keyup space");
        }

        @Override
        public void hold(Button button, boolean down) throws IOException {
            String direction = down ? "down" : "up";
            run(
                    switch (button) {
                        case TRIGGER -> "mouse" + direction + " 1";
                        case BOARD -> "key" + direction + " Tab";
                    });
        }

        @Override
        public void type(String line) throws IOException {
            run("key " + line);
        }

        @Override
        public void lookDown() throws IOException {
            run("mousemove_relative -- 0 " + Math.round(90 / DEGREES));
        }

        @Override
        public void view(boolean wide) throws IOException {
            run(wide ? "key f" : "key r");
        }

        @Override
        public void say(String text) throws IOException {
            run("key z");
        }

        @Override
        public void close() {
            if (xdotool != null) {
                xdotool.destroy();
            }
        }
    }

    /** The console of a game of id's engine, read from a pipe. */
    private static final class Console implements Hands {
        /** Degrees in a second. */
        static final int TURN = 120;

        private final Path home;

        Console(Path home) {
            this.home = home;
        }

        static void type(Path home, String line) throws IOException {
            Files.writeString(home.resolve("in"), line + "\n", StandardOpenOption.APPEND);
        }

        @Override
        public void prepare() throws IOException {
            type(home, "cl_yawspeed " + TURN + ";cl_run 0;cg_drawGun 0");
            view(false);
        }

        @Override
        public void type(String line) throws IOException {
            type(home, line);
        }

        @Override
        public void turn(double degrees) throws IOException {
            String button = degrees > 0 ? "left" : "right";
            type(home, "+" + button);
            LockSupport.parkNanos((long) (Math.min(1, Math.abs(degrees) / TURN) * 1e9));
            type(home, "-" + button);
        }

        @Override
        public void forward(long time, boolean jump) throws IOException {
            type(home, jump ? "+moveup;+forward" : "+forward");
            LockSupport.parkNanos(time);
            release();
        }

        @Override
        public void release() throws IOException {
            type(home, "-forward;-moveup");
        }

        @Override
        public void hold(Button button, boolean down) throws IOException {
            String command =
                    switch (button) {
                        case TRIGGER -> "attack";
                        case BOARD -> "scores";
                    };
            type(home, (down ? "+" : "-") + command);
        }

        @Override
        public void lookDown() throws IOException {
            type(home, "+lookdown");
            LockSupport.parkNanos(SECOND);
            type(home, "-lookdown");
        }

        @Override
        public void view(boolean wide) throws IOException {
            type(home, wide ? "cg_fov 90;echo " + WIDE : "cg_fov 10");
        }

        @Override
        public void say(String text) throws IOException {
            type(home, "say " + text);
        }

        @Override
        public void close() {
            // Its pipe is opened for each line.
        }
    }
}
