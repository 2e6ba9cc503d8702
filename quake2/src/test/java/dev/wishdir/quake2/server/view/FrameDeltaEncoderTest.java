package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Frames that must not grow over a packet, read back as a client does. */
class FrameDeltaEncoderTest {
    private static final int END = 1392;

    private final FrameDeltaEncoder sender =
            new FrameDeltaEncoder(FrameHistory.REMEMBERED_FRAMES, 0);

    /** Of the client whose entity is the first. */
    private final FrameDeltaEncoder first =
            new FrameDeltaEncoder(FrameHistory.REMEMBERED_FRAMES, 1);

    private final FrameHistory client = new FrameHistory();
    private final FrameEntities frameEntities = new FrameEntities(1);
    private final BitSet shown = new BitSet();
    private final Writer writer = new Writer(Netchan.MAX_PACKET_BYTES);
    private FrameHistory.Snapshot seen = FrameHistory.Snapshot.EMPTY;
    private int number;

    private static EntityState at(int x, int y, int slot) {
        Triple origin = new Triple(x, y, 0);
        return new EntityState(
                255, 255, 0, 0, 40, slot, 0, 0, origin, Triple.ZERO, origin, 0, 0, 0);
    }

    /** Sends a frame of entities 1 to {@code count}, each further away; gives who was left out. */
    private int send(int count, int acknowledged, int shift, int end) {
        number++;
        frameEntities.begin();
        for (int i = 1; i <= count; i++) {
            frameEntities.put(i, at(i * 100 + shift, shift, i - 1));
        }
        writer.reset();
        if (shown.isEmpty()) {
            shown.set(1, FrameDeltaEncoder.MAX_ENTITIES + 1);
        }
        int left =
                sender.write(
                        writer,
                        number,
                        frameEntities,
                        shown,
                        acknowledged,
                        0,
                        PlayerState.ZERO,
                        end);
        assertThat(writer.position()).isLessThanOrEqualTo(end);
        if (Quake2Codec.readServer(new Reader(writer.toByteArray())) instanceof Frame frame) {
            seen = client.apply(frame);
        }
        assertThat(seen.number()).isEqualTo(number);
        assertThat(seen.usable()).isTrue();
        return left;
    }

    private List<Integer> numbers() {
        return seen.entities().stream().map(FrameHistory.Numbered::number).toList();
    }

    @Test
    void putsNearestFirst() {
        int left = send(120, -1, 0, END);
        assertThat(left).isPositive();
        List<Integer> first = numbers();
        assertThat(first).hasSize(120 - left).last().isEqualTo(120 - left);
        send(120, number, 0, END);
        assertThat(numbers()).as("the others follow").hasSize(120);
        assertThat(seen.entities())
                .allSatisfy(entity ->
                        assertThat(entity.state().origin().x()).isEqualTo(entity.number() * 100));
    }

    /** The frame that the client acknowledged is older than they are. */
    @Test
    void keepsNewPlayersWhenFrameIsFull() {
        send(40, -1, 0, END);
        int acknowledged = number;
        assertThat(send(45, acknowledged, 1, END)).isZero();
        assertThat(send(45, acknowledged, 2, 250)).isPositive();
        assertThat(numbers()).hasSize(45);
    }

    /** A client that can use no frame, as all take too long to it. */
    @Test
    void sendsEveryPlayerInWholeFrames() {
        BitSet told = new BitSet();
        for (int i = 0; i < 40; i++) {
            assertThat(send(100, -1, i, END)).isPositive();
            numbers().forEach(told::set);
        }
        assertThat(told.cardinality()).isEqualTo(100);
    }

    /** The own entity and those of others: whoever is in one's body stops one no more. */
    @Test
    void doesNotStopPlayerInsideBody() {
        int solid = PlayerHulls.solid(false);
        int[] told = new int[3];
        for (int y : new int[] {0, 300, 0, 300}) {
            number++;
            frameEntities.begin();
            for (int i = 1; i <= 2; i++) {
                frameEntities.put(i, solid(i == 1 ? 0 : y, i - 1, solid));
            }
            shown.set(1, 3);
            writer.reset();
            first.write(writer, number, frameEntities, shown, number - 1, 0, PlayerState.ZERO, END);
            if (Quake2Codec.readServer(new Reader(writer.toByteArray())) instanceof Frame frame) {
                seen = client.apply(frame);
            }
            for (FrameHistory.Numbered entity : seen.entities()) {
                told[entity.number()] = entity.state().solid();
            }
            assertThat(told).containsExactly(0, solid, y == 0 ? 0 : solid);
        }
    }

    private static EntityState solid(int y, int slot, int solid) {
        Triple origin = new Triple(0, y, 0);
        return new EntityState(
                255, 255, 0, 0, 40, slot, 0, 0, origin, Triple.ZERO, origin, 0, 0, solid);
    }

    @Test
    void sendsEveryPlayerEventually() {
        for (int i = 0; i < 5; i++) {
            send(100, number, i, END);
        }
        int[] told = new int[101];
        for (int i = 5; i < 200; i++) {
            send(100, number, i, 400);
            for (FrameHistory.Numbered entity : seen.entities()) {
                boolean now = entity.state().origin().y() == i;
                told[entity.number()] = now ? i : told[entity.number()];
            }
        }
        for (int entity = 1; entity <= 100; entity++) {
            assertThat(told[entity]).as("entity %d", entity).isGreaterThan(200 - 20);
        }
        assertThat(told[1]).isEqualTo(199);
    }

    @Test
    void includesShownPlayers() {
        shown.set(60, 60 + FrameDeltaEncoder.MAX_ENTITIES);
        for (int i = 0; i < 4; i++) {
            send(256, number, 0, END);
        }
        assertThat(numbers()).hasSize(128).first().isEqualTo(60);
        shown.clear();
        shown.set(129, 257);
        for (int i = 0; i < 4; i++) {
            send(256, number, 0, END);
        }
        assertThat(numbers()).hasSize(128).first().isEqualTo(129);
        assertThat(seen.entities().getLast().number()).isEqualTo(256);
    }

    @Test
    void keepsClientRightAfterLostFramesAndOldBases() {
        Random random = new Random(3);
        int acknowledged = -1;
        for (int i = 0; i < 300; i++) {
            send(1 + random.nextInt(90), acknowledged, random.nextInt(2), END);
            if (random.nextInt(3) == 0) {
                acknowledged = number;
            }
        }
        while (send(40, number, 1, END) > 0) {
            assertThat(number).isLessThan(400);
        }
        assertThat(numbers()).hasSize(40);
        assertThat(seen.entities())
                .allSatisfy(entity ->
                        assertThat(entity.state().origin())
                                .isEqualTo(new Triple(entity.number() * 100 + 1, 1, 0)));
    }
}
