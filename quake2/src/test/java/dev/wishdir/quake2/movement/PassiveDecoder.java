package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * Hears a client's connection: moves a body of its own by the client's commands, as the client
 * predicts it, and compares it with each frame of the server.
 */
public final class PassiveDecoder {
    private static final int NO_PREDICTION = 31;

    /** How a client's way came out on one map: frames that are equal, of those compared. */
    private static final class Way {
        int equal;
        int compared;

        @Override
        public String toString() {
            return equal + "/" + compared;
        }
    }

    /** A move that came to the server's port, and how many packets are missing before it. */
    private record Waiting(int sequence, int dropped, Move move) {}

    private final Function<String, PlaneWorld> maps;
    private final List<Way> ways = new ArrayList<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int incoming;
    private FrameHistory history = new FrameHistory();
    private PlaneWorld map;
    private Pmove pmove;
    private PlayerState state = PlayerState.ZERO;
    private UserCmd last = UserCmd.ZERO;
    private int slot;
    private boolean shown;
    private boolean placed;
    private boolean commanded;

    private void restart(ServerMessage.ServerData data) {
        history = new FrameHistory();
        slot = data.playerNum();
        last = UserCmd.ZERO;
        shown = false;
        commanded = false;
        waiting.clear();
        ways.add(new Way());
    }

    private void map(String path) {
        map = maps.apply(path.substring(path.lastIndexOf('/') + 1));
        pmove = new Pmove(map, 0);
    }

    /** The server has taken in all packets up to a number. */
    private void run(int acknowledged) {
        while (!waiting.isEmpty() && waiting.element().sequence() <= acknowledged) {
            Waiting next = waiting.remove();
            move(next.move(), next.dropped());
        }
    }

    private void move(Move move, int dropped) {
        if (dropped < 20) {
            for (int i = dropped; i > 2; i--) {
                run(last);
            }
            if (dropped > 1) {
                run(move.oldest().cmd());
            }
            if (dropped > 0) {
                run(move.previous().cmd());
            }
        }
        run(move.newest().cmd());
        last = move.newest().cmd();
    }

    private void run(UserCmd cmd) {
        if (shown) {
            state = pmove.run(state, cmd, placed);
            placed = false;
            commanded = true;
        }
    }

    private void frame(Frame frame) {
        FrameHistory.Snapshot snapshot = history.apply(frame);
        assertThat(snapshot.usable()).isTrue();
        PlayerState is = snapshot.player();
        if (commanded) {
            Way way = ways.getLast();
            way.compared++;
            boolean equal = movement(state).equals(movement(is));
            way.equal += equal ? 1 : 0;
            // The game itself put it there, where its next command is the first.
            placed |= !equal;
        }
        placed |= !shown;
        shown = true;
        commanded = false;
        state = withGravity(is);
        List<Obstacle> boxes = new ArrayList<>();
        for (FrameHistory.Numbered entity : snapshot.entities()) {
            int solid = entity.state().solid();
            if (solid != 0 && solid != NO_PREDICTION && entity.number() != slot + 1) {
                boxes.add(box(entity.state()));
            }
        }
        pmove = new Pmove(map.with(boxes), 0);
    }

    private static Obstacle box(EntityState entity) {
        int wide = 8 * (entity.solid() & 31);
        int down = 8 * (entity.solid() >> 5 & 31);
        int up = 8 * (entity.solid() >> 10 & 63) - 32;
        Triple at = entity.origin();
        return PmoveTest.box(
                new Vec3f(at.x() / 8f, at.y() / 8f, at.z() / 8f),
                new Vec3f(-wide, -wide, -down),
                new Vec3f(wide, wide, up));
    }

    /** The first frame has no gravity; these servers never changed it. */
    private static PlayerState withGravity(PlayerState s) {
        return new PlayerState(
                s.pmType(),
                s.origin(),
                s.velocity(),
                s.pmTime(),
                s.pmFlags(),
                800,
                s.deltaAngles(),
                s.viewOffset(),
                s.viewAngles(),
                Triple.ZERO,
                0,
                0,
                Triple.ZERO,
                Triple.ZERO,
                Blend.NONE,
                0,
                0,
                Stats.ZERO);
    }

    private static String movement(PlayerState s) {
        return s.origin() + ", " + s.velocity() + ", " + s.pmFlags() + ", " + s.pmTime();
    }

    /**
     * @param maps by the file's name
     * @param first the name of the one that is played where the server does not say it
     */
    public PassiveDecoder(Function<String, PlaneWorld> maps, String first) {
        this.maps = maps;
        map = maps.apply(first);
        pmove = new Pmove(map, 0);
    }

    /** A datagram in band of either side has come. */
    public void heard(boolean fromClient, byte[] packet) {
        Reader r = new Reader(packet);
        if (fromClient) {
            fromClient(r);
        } else {
            fromServer(r);
        }
    }

    /** On each map so far: frames that were as predicted, of those compared, {@code 3/3}. */
    public List<String> ways() {
        return ways.stream().filter(way -> way.compared > 0).map(Way::toString).toList();
    }

    private void fromClient(Reader r) {
        int sequence = NetchanHeader.wire(r, NetchanHeader.FROM_CLIENT).sequence();
        if (sequence <= incoming) {
            return;
        }
        int dropped = sequence - incoming - 1;
        incoming = sequence;
        while (r.remaining() > 0) {
            if (Quake2Codec.readClient(r) instanceof Move move) {
                waiting.add(new Waiting(sequence, dropped, move));
            }
        }
    }

    private void fromServer(Reader r) {
        run(NetchanHeader.wire(r, NetchanHeader.FROM_SERVER).ack());
        while (r.remaining() > 0) {
            switch (Quake2Codec.readServer(r)) {
                case ServerMessage.ServerData data -> restart(data);
                case ServerMessage.ConfigString string when string.index() == 33 ->
                        map(string.text());
                case ServerMessage.SpawnBaseline baseline -> history.baseline(baseline.entity());
                case Frame frame -> frame(frame);
                default -> {}
            }
        }
    }
}
