package dev.wishdir.record.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.v1.Event;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

class MessageEncoderTest {
    private static final Player ANNA =
            new Player(
                    new PlayerId(0, 7),
                    "quake3",
                    "anna",
                    0,
                    30,
                    true,
                    Movement.ORIGIN,
                    NativeMovement.Stored.NONE);

    private final MessageEncoder encoder =
            new MessageEncoder(RecordingOptions.DEFAULT, 0, 0, _ -> 0);

    static Stream<ArenaEvent> events() {
        return Stream.of(
                new ArenaEvent.RunStarted(5, ANNA),
                new ArenaEvent.CheckpointPassed(6, ANNA, 1, 4, 12_345),
                new ArenaEvent.RunFinished(7, ANNA, 35_123, true, false, false),
                new ArenaEvent.RunFinished(8, ANNA, 35_123, true, true, false),
                new ArenaEvent.RunFinished(9, ANNA, 35_123, true, true, true));
    }

    @ParameterizedTest
    @MethodSource("events")
    void readsBackRaces(ArenaEvent event) throws Exception {
        Event message = Event.parseFrom(encoder.event(event).orElseThrow().toByteArray());
        assertThat(MessageDecoder.id(message.getId())).isEqualTo(ANNA.id());
        assertThat(MessageDecoder.event(event.time(), ANNA, message, List.of())).contains(event);
    }

    @Test
    void leavesOutTextsToOnePlayer() {
        assertThat(encoder.event(new ArenaEvent.Notice(5, ANNA, "Finish: 35.123"))).isEmpty();
    }

    private static Player proved(Proof proof) {
        return new Player(
                ANNA.id(),
                ANNA.game(),
                ANNA.name(),
                ANNA.joined(),
                ANNA.ping(),
                proof,
                ANNA.spawned(),
                ANNA.movement(),
                ANNA.nativeMovement());
    }

    private Proof readBack(MessageEncoder from, Proof proof) throws Exception {
        byte[] snapshot = from.player(proved(proof)).toByteArray();
        byte[] event =
                from.event(new ArenaEvent.Proved(5, proved(proof))).orElseThrow().toByteArray();
        ArenaEvent read =
                MessageDecoder.event(5, ANNA, Event.parseFrom(event), List.of()).orElseThrow();
        Proof later = ((ArenaEvent.Proved) read).player().proof();
        assertThat(
                        MessageDecoder.player(
                                        dev.wishdir.record.v1.Player.parseFrom(snapshot), List.of())
                                .orElseThrow()
                                .proof())
                .isEqualTo(later);
        return later;
    }

    @Test
    void readsBackWhatPlayerProved() throws Exception {
        for (Proof proof :
                List.of(
                        Proof.UNKNOWN,
                        Proof.NONE,
                        Proof.PASSWORD,
                        Proof.ADMIN_PASSWORD,
                        Proof.key("gina", ""),
                        Proof.key("ada", "example.org"))) {
            assertThat(readBack(encoder, proof)).isEqualTo(proof);
        }
        assertThat(encoder.player(ANNA).hasProof()).as("as in older recordings").isFalse();
    }

    @Test
    void leavesAccountsOut() throws Exception {
        assertThat(readBack(encoder, Proof.account("xuid:12")))
                .isEqualTo(new Proof(Proof.Kind.ACCOUNT, ""));
        MessageEncoder nameless =
                new MessageEncoder(new RecordingOptions(true, true, false, false), 0, 0, _ -> 0);
        assertThat(readBack(nameless, Proof.key("ada", "example.org")))
                .isEqualTo(new Proof(Proof.Kind.KEY, ""));
    }

    @Test
    void leavesAddressesOutOfTexts() {
        String text = "by 198.51.100.7 and xuid:12";
        LeaveReason reason = new LeaveReason(LeaveReason.Code.BANNED, text);
        List<ArenaEvent> events =
                List.of(
                        new ArenaEvent.Left(5, ANNA, reason),
                        new ArenaEvent.KickRequested(5, ANNA, reason),
                        new ArenaEvent.JoinRefused(5, "quake3", "192.0.2.1", reason),
                        new ArenaEvent.Chat(5, ANNA, text),
                        new ArenaEvent.Announcement(5, text));
        for (ArenaEvent event : events) {
            assertThat(encoder.event(event).orElseThrow().toString())
                    .contains("by (hidden) and (hidden)")
                    .doesNotContain("192.0.2.1");
        }
    }

    static Stream<ArenaEvent> eventsWithProse() {
        LeaveReason reason = new LeaveReason(LeaveReason.Code.KICKED, "You are not anna.");
        return Stream.of(
                new ArenaEvent.Joined(5, ANNA),
                new ArenaEvent.Renamed(5, ANNA, "berta", "anna"),
                new ArenaEvent.Left(5, ANNA, reason),
                new ArenaEvent.KickRequested(5, ANNA, reason),
                new ArenaEvent.JoinRefused(5, "quake3", "192.0.2.1", reason),
                new ArenaEvent.RoundEnded(
                        5, RoundEndReason.TIME_LIMIT, Optional.of(ANNA), Optional.empty()),
                new ArenaEvent.Announcement(5, "anna wins with 1 frag."));
    }

    @ParameterizedTest
    @MethodSource("eventsWithProse")
    @DisplayName("R21 names that are switched off stand in no text")
    void leavesNamesOutOfProse(ArenaEvent event) {
        RecordingOptions options = new RecordingOptions(true, true, false, false);
        assertThat(new MessageEncoder(options, 0, 0, _ -> 0).event(event).toString())
                .doesNotContain("anna");
    }

    @Test
    void leavesOutAnnouncementsWithoutChat() {
        RecordingOptions options = new RecordingOptions(true, false, true, false);
        assertThat(
                        new MessageEncoder(options, 0, 0, _ -> 0)
                                .event(new ArenaEvent.Announcement(5, "hello from the operator")))
                .isEmpty();
    }
}
